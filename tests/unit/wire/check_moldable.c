/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --work and --prefer-qos: what they say, and what comes of it. */
#include <stdio.h>
#include <string.h>

#include "common/wire/flags.h"
#include "tests/unit/runner.h"

static void read_work(const char *text, struct rspb_moldable *work)
{
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_moldable_parse(text, work, &err), "%s", err.text);
}

/* Amdahl's law by hand: 64 hours of which a twentieth is serial take 64, 33.6 and
 * 6.8 hours on 1, 2 and 16 nodes. */
START_TEST(how_long_it_takes)
{
	static const struct {
		const char *text;
		uint32_t nodes;
		int64_t seconds;
	} rows[] = {
		{ "64h", 1, 64 * 3600 },      { "64h", 16, 4 * 3600 },
		{ "64h:5%", 1, 64 * 3600 },   { "64h:5%", 2, 120960 },
		{ "64h:5%", 16, 25200 },      { "100s", 3, 34 },
		{ "64h:100%", 16, 230400 },   { "1-12:00:00", 2, 18 * 3600 },
		{ "2@9h,4@5h", 2, 9 * 3600 }, { "2@9h,4@5h", 4, 5 * 3600 },
		{ "2@9h,4@5h", 3, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rspb_moldable work;

		read_work(rows[i].text, &work);
		ck_assert_int_eq(rspb_moldable_duration(&work, rows[i].nodes), rows[i].seconds);
	}
}
END_TEST

/* 2 to 5 nodes in whole minutes; 5 gain nothing over 4 in the table; what is too long
 * is none; then tasks on each of two nodes. */
START_TEST(forms_of_it)
{
	static const struct {
		const char *text;
		uint32_t least, most;
		int64_t longest;
		const char *forms;
		uint32_t on;
	} rows[] = {
		{ "60m", 2, 5, 0, "5x720 4x900 3x1200 2x1800 " },
		{ "60m", 2, 5, 1200, "5x720 4x900 3x1200 " },
		{ "61s", 1, 2, 0, "2x60 1x120 " },
		{ "2m:100%", 1, 4, 0, "1x120 " },
		{ "1@9h,2@5h,4@3h,5@3h,8@2h", 2, 5, 0, "4x10800 2x18000 " },
		{ "60m", 1, 2, 60, "" },
		{ "60m", 1, 3, 0, "3x600 2x900 1x1800 ", 2 },
		{ "2@9h,3@8h,4@5h,8@3h,9@1h", 1, 4, 0, "4x10800 2x18000 1x32400 ", 2 },
		{ "60m", 1, 2, 60, "", 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rspb_form forms[RSPB_FORMS_MOST];
		struct rspb_moldable work;
		struct rspb_err err = { "" };
		char text[128] = "";
		uint32_t n;

		read_work(rows[i].text, &work);
		n = rspb_moldable_forms(&work,
					&(struct rspb_form_range){ rows[i].least, rows[i].most,
								   rows[i].on, 60,
								   rows[i].longest },
					forms, &err);
		for (uint32_t k = 0; k < n; k++) {
			ck_assert(!rows[i].on || forms[k].nodes == rows[i].on);
			sprintf(text + strlen(text), "%ux%lld ",
				rows[i].on ? forms[k].tasks : forms[k].nodes,
				(long long) forms[k].duration);
		}
		ck_assert_str_eq(text, rows[i].forms);
		ck_assert_int_eq(!n, err.text[0] != '\0');
	}
}
END_TEST

/* Of 1000 numbers of nodes some, with both ends. */
START_TEST(many_forms)
{
	struct rspb_form forms[RSPB_FORMS_MOST];
	struct rspb_moldable work;
	uint32_t n;

	read_work("1000h", &work);
	n = rspb_moldable_forms(&work,
				&(struct rspb_form_range){ .least = 1, .most = 1000, .unit = 1 },
				forms, NULL);
	ck_assert_uint_eq(n, RSPB_FORMS_MOST);
	ck_assert_uint_eq(forms[0].nodes, 1000);
	ck_assert_uint_eq(forms[n - 1].nodes, 1);
	for (uint32_t i = 1; i < n; i++)
		ck_assert_uint_lt(forms[i].nodes, forms[i - 1].nodes);
}
END_TEST

START_TEST(badly_told)
{
	static const char *const bad[][2] = {
		{ "work", "" },
		{ "work", "soon" },
		{ "work", "0s" },
		{ "work", "64" },
		{ "work", "4h:101%" },
		{ "work", "4h:x%" },
		{ "work", "4@1h,2@2h" },
		{ "work", "4@" },
		{ "work", "@1h" },
		{ "work", "4@1h,8" },
		{ "work", "4@0" },
		{ "prefer-qos", "" },
		{ "prefer-qos", "mem" },
		{ "prefer-qos", "mem=0" },
		{ "prefer-qos", "gpus=4" },
		{ "prefer-qos", "weight=4" },
		{ "prefer-qos", "cpus=4," },
		{ "prefer-qos", "feature=" },
		{ "prefer-qos", "cpus=4,weight=0" },
		{ "price", "" },
		{ "price", "0" },
		{ "price", "-5%" },
		{ "price", "1001%" },
	};
	struct rspb_terms flags = { .book = true };
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_msg(rspb_flag_set(&flags, bad[i][0], bad[i][1], &err), "--%s=%s",
			      bad[i][0], bad[i][1]);
		ck_assert_ptr_nonnull(strstr(err.text, bad[i][0]));
	}
	rspb_flag_set(&flags, "work", "4h", NULL);
	ck_assert(!rspb_terms_check(&flags, &err));
	rspb_flag_set(&flags, "benefit", "linear", NULL);
	ck_assert(rspb_terms_check(&flags, &err));
	flags = (struct rspb_terms){ .price = 100 };
	ck_assert(rspb_terms_check(&flags, &err));
}
END_TEST

/* Printed and read again, it is the same. */
START_TEST(texts)
{
	static const struct {
		const char *flag, *text, *word;
	} rows[] = {
		{ "work", "64h:5%", "work=230400s:5%" },
		{ "work", "2@9h,4@5h", "work=2@32400s,4@18000s" },
		{ "prefer-qos", "mem=64G,cpus=32,weight=10,feature=x",
		  "prefer-qos=mem=65536M,cpus=32,weight=10,feature=x" },
		{ "prefer-qos", "mem=500", "prefer-qos=mem=500M" },
		{ "price", "150%", "price=150%" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rspb_contract contract = { .state = RSPB_REQUESTED };
		struct rspb_contract again;
		char text[RSPB_CONTRACT_TEXT], more[RSPB_CONTRACT_TEXT];
		struct rspb_err err = { "" };

		contract.terms.book = true;
		ck_assert_msg(!rspb_flag_set(&contract.terms, rows[i].flag, rows[i].text, &err),
			      "%s", err.text);
		rspb_contract_print(&contract, text, sizeof(text));
		ck_assert_msg(strstr(text, rows[i].word), "%s", text);
		ck_assert_msg(!rspb_contract_parse(text, &again, &err), "%s", err.text);
		rspb_contract_print(&again, more, sizeof(more));
		ck_assert_str_eq(text, more);
	}
}
END_TEST

START_TEST(features_of_slurm)
{
	struct rspb_prefer prefer = { .n = 0 };
	char text[RSPB_PREFER_TEXT];
	struct rspb_err err;

	ck_assert(!rspb_prefer_parse("cpus=4", &prefer, NULL));
	ck_assert(!rspb_prefer_features("x&y", &prefer, &err));
	ck_assert(!rspb_prefer_features("a|b", &prefer, &err));
	rspb_prefer_print(&prefer, text, sizeof(text));
	ck_assert_str_eq(text, "cpus=4,feature=x,feature=y,feature=a|b");
	ck_assert(rspb_prefer_features("[a|b]", &prefer, &err));
	ck_assert(rspb_prefer_features("a&b|c", &prefer, &err));
	ck_assert(rspb_prefer_features("a&&b", &prefer, &err));
	ck_assert(rspb_prefer_features("a&b&c&d&e", &prefer, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "more than 8 wishes"));
	ck_assert_uint_eq(prefer.n, 4);
}
END_TEST

/* Of 64 GiB and 32 CPUs: half of the memory lacks .5; twice the CPUs are 1 too much,
 * ten times as heavy; both: the root of .25 + 10. */
START_TEST(distances)
{
	static const struct {
		int64_t offered[3];
		uint32_t distance;
	} rows[] = {
		{ { 65536, 32, 1 }, 0 },    { { 32768, 32, 1 }, 500 },	{ { 65536, 64, 1 }, 3162 },
		{ { 32768, 64, 1 }, 3201 }, { { 65536, 32, 0 }, 1000 }, { { 131072, 32, 1 }, 1000 },
	};
	struct rspb_prefer prefer;

	ck_assert(!rspb_prefer_parse("mem=64G,cpus=32,weight=10,feature=x", &prefer, NULL));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_uint_eq(rspb_prefer_distance(&prefer, rows[i].offered), rows[i].distance);
}
END_TEST

RUN_TESTS("moldable", NULL, NULL, 0, how_long_it_takes, forms_of_it, many_forms, badly_told, texts,
	  features_of_slurm, distances)
