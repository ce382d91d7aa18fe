/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"

#include "common/request/benefit.h"

static void check_rules(const struct rspb_benefit *b, int64_t asked)
{
	struct rspb_ratio before = { 0, 1 };
	int64_t least = rspb_benefit_min_units(b, asked);
	int64_t full = rspb_benefit_max_units(b, asked);

	MUST(1 <= least && least <= full && full <= asked);
	for (int64_t g = 1; g <= asked; g++) {
		struct rspb_ratio v = rspb_benefit_value(b, g, asked);
		int64_t t = rspb_benefit_trim(b, g, asked);

		MUST(v.num >= 0 && v.num <= v.den);
		MUST(rspb_ratio_compare(before, v) <= 0);
		MUST(g >= least || !v.num);
		MUST(t <= g && rspb_benefit_trim(b, t, asked) == t);
		MUST(!rspb_ratio_compare(v, rspb_benefit_value(b, t, asked)));
		before = v;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *printed;
	struct rspb_benefit b = { .n_points = 99 }, again;
	struct rspb_err err = { "" };
	size_t len;

	if (rspb_benefit_parse(text, &b, &err) < 0) {
		MUST(b.n_points == 99);
		fuzz_check_sentence(err.text);
		free(text);
		return 0;
	}
	MUST(!rspb_benefit_validate(&b, &err));
	len = rspb_benefit_print(&b, NULL, 0);
	printed = malloc(len + 1);
	MUST(printed && rspb_benefit_print(&b, printed, len + 1) == len);
	MUST(!rspb_benefit_parse(printed, &again, &err));
	MUST(rspb_benefit_equal(&b, &again));
	check_rules(&b, 1);
	check_rules(&b, 7);
	check_rules(&b, 100);
	free(printed);
	free(text);
	return 0;
}
