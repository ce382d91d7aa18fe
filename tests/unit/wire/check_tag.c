/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/flags.h"

#include <string.h>

#include "tests/unit/runner.h"

START_TEST(good_tags)
{
	struct rspb_contract tag;
	char deadline[RSPB_TAG_TIME];
	struct rspb_err err = { "" };

	ck_assert(!rspb_tag_parse("rspb:nodes=4", &tag, deadline, &err));
	ck_assert_uint_eq(tag.terms.nodes, 4);
	ck_assert_uint_eq(tag.terms.nodes_least, 0);
	ck_assert(tag.terms.book && !tag.terms.asap && !deadline[0]);
	/* Values of benefit= hold commas, and blanks separate, too. */
	ck_assert_msg(!rspb_tag_parse("rspb: nodes=2-8,benefit=25%@0.4,60%@0.8,"
				      "100%@1,deadline=now+2hours book=asap",
				      &tag, deadline, &err),
		      "%s", err.text);
	ck_assert(!tag.terms.cores);
	ck_assert_uint_eq(tag.terms.nodes, 8);
	ck_assert_uint_eq(tag.terms.nodes_least, 2);
	ck_assert_uint_eq(tag.terms.benefit.n_points, 3);
	ck_assert_str_eq(deadline, "now+2hours");
	ck_assert(tag.terms.asap);
	ck_assert(
		!rspb_tag_parse("rspb:,benefit=steps:1/3@0.5,1@1,nodes=3,", &tag, deadline, &err));
	ck_assert(tag.terms.benefit.steps);
	ck_assert(!rspb_tag_parse("rspb:nodes=2,cores=16", &tag, deadline, &err));
	ck_assert_uint_eq(tag.terms.cores, 16);
	ck_assert(!tag.terms.mem && !tag.terms.gres[0]);
	ck_assert(!rspb_tag_parse("rspb:nodes=2,cores=16,gres=gpu:a100:2,craynetwork:1,"
				  "mem=32G",
				  &tag, deadline, &err));
	ck_assert_uint_eq(tag.terms.mem, 32768);
	ck_assert_str_eq(tag.terms.gres, "gpu:a100:2,craynetwork:1");
}
END_TEST

START_TEST(bad_tags)
{
	static const char *const bad[][2] = {
		{ "rspb:", "nodes= is missing" },
		{ "rspb:nodes", "'nodes' cannot be read" },
		{ "rspb:nodes=", "nodes=: a value is missing" },
		{ "rspb:nodes=0", "nodes=0" },
		{ "rspb:nodes=4-2", "nodes=4-2" },
		{ "rspb:nodes=4-", "nodes=4-" },
		{ "rspb:nodes=2,node=3", "'node=3' cannot be read" },
		{ "rspb:nodes=2,nodes=2", "nodes= is given twice" },
		{ "rspb:nodes=2,benefit=0.5@1,soon", "benefit=" },
		{ "rspb:nodes=2,book=soon", "book=soon" },
		{ "rspb:nodes=2,cpu-share=20", "nodes or cores" },
		{ "rspb:nodes=2,cores=0", "cores=0" },
		{ "rspb:cores=2", "nodes= is missing" },
		{ "rspb:nodes=2,mem=1G", "mem= needs cores=" },
		{ "rspb:nodes=2,gres=gpu:1", "gres= needs cores=" },
		{ "rspb:nodes=2,cores=2,mem=0", "mem=0" },
		{ "rspb:nodes=2,cores=2,mem=8T1", "mem=8T1" },
		{ "rspb:cores=8,nodes=1-2", "a fixed number" },
		{ "rspb:cores=8,nodes=2,benefit=linear", "a fixed number" },
		{ "rspb:nodes=2,deadline=\033[2J", "control characters" },
		{ "nodes=2", "begins with 'rspb:'" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rspb_contract tag = { .terms.nodes = 77 };
		char deadline[RSPB_TAG_TIME];
		struct rspb_err err = { "" };

		ck_assert_msg(rspb_tag_parse(bad[i][0], &tag, deadline, &err) == -1, "%s",
			      bad[i][0]);
		ck_assert_uint_eq(tag.terms.nodes, 77);
		ck_assert_msg(strstr(err.text, bad[i][1]) != NULL, "%s: %s", bad[i][0], err.text);
	}
}
END_TEST

START_TEST(tags_and_contracts)
{
	ck_assert(rspb_tag_ours("rspb:nodes=2"));
	ck_assert(!rspb_tag_ours("rspb") && !rspb_tag_ours(NULL));
	ck_assert(!rspb_tag_answered("rspb:nodes=2"));
	ck_assert(!rspb_tag_answered("rspb:"));
	ck_assert(!rspb_tag_answered(NULL));
	ck_assert(rspb_tag_answered("rspb: declined reason=no"));
	ck_assert(rspb_tag_answered("rspb: booked"));
}
END_TEST

RUN_TESTS("tag", NULL, NULL, 0, good_tags, bad_tags, tags_and_contracts)
