/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input: the name of a flag, '=' and its value. */
#include "tests/fuzz/fuzz.h"

#include "common/wire/flags.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = fuzz_text(data, size);
	char *value = strchr(name, '=');
	struct rspb_terms flags, before;
	struct rspb_err err = { "" };

	if (value)
		*value++ = '\0';
	memset(&flags, 0, sizeof(flags));
	flags.share = 77;
	before = flags;
	if (rspb_flag_set(&flags, name, value, &err) < 0) {
		MUST(!memcmp(&flags, &before, sizeof(flags)));
		fuzz_check_sentence(err.text);
		MUST(!strncmp(err.text, "--", 2));
	} else {
		MUST(flags.share > 0 && flags.share <= 10000);
		MUST(flags.share_min >= 0 && flags.share_min <= flags.share);
		MUST(!flags.benefit.n_points || !rspb_benefit_validate(&flags.benefit, NULL));
		/* Twice the same is the same. */
		before = flags;
		MUST(!rspb_flag_set(&flags, name, value, &err));
		MUST(!memcmp(&flags, &before, sizeof(flags)));
	}
	free(name);
	return 0;
}
