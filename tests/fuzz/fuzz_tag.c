/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input: the text of a reservation's tag. */
#include "tests/fuzz/fuzz.h"

#include "common/wire/flags.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char deadline[RSPB_TAG_TIME];
	struct rspb_contract tag, before;
	struct rspb_err err = { "" };

	memset(&tag, 0, sizeof(tag));
	tag.terms.nodes = 77;
	before = tag;
	if (rspb_tag_answered(text))
		MUST(rspb_tag_ours(text));
	if (rspb_tag_parse(text, &tag, deadline, &err) < 0) {
		MUST(!memcmp(&tag, &before, sizeof(tag)));
		fuzz_check_sentence(err.text);
	} else {
		MUST(rspb_tag_ours(text));
		MUST(tag.terms.book && !tag.terms.share);
		MUST(tag.terms.nodes >= 1 && tag.terms.nodes_least < tag.terms.nodes);
		MUST(memchr(deadline, 0, sizeof(deadline)));
		MUST(!tag.terms.benefit.n_points ||
		     !rspb_benefit_validate(&tag.terms.benefit, NULL));
	}
	free(text);
	return 0;
}
