/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"

#include "plugins/ctld/serve/inquiry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct rspb_err err = { "" };
	struct rspb_inquiry inquiry;

	if (rspb_inquiry_read(text, size, &inquiry, &err))
		fuzz_check_sentence(err.text);
	else
		MUST(inquiry.version == RSPB_PROTOCOL && inquiry.op < RSPB_N_ASKS &&
		     inquiry.job >= 0 && inquiry.job <= UINT32_MAX && inquiry.first >= 0 &&
		     memchr(inquiry.tag, 0, sizeof(inquiry.tag)));
	free(text);
	return 0;
}
