/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What nodes report, and what is made of it in a job's record. */
#include "plugins/ctld/kinds/use_table.h"

#include <stdio.h>
#include <string.h>

#include "common/wire/flags.h"
#include "tests/unit/runner.h"

static const struct rspb_use usual = {
	.job = 7,
	.run = 100,
	.share = 3500,
	.cpus = 4,
	.span_ms = 10000,
	.used_ms = 14000,
};

START_TEST(lines_are_read_as_printed)
{
	struct rspb_use cases[4] = { usual, usual, usual, usual }, back;
	char line[RSPB_USE_LINE];
	size_t len;

	cases[1].used_ms = -1;
	cases[2].ended = true;
	cases[2].ceiling = 3500;
	cases[2].periods = 100;
	cases[2].throttled = 41;
	cases[2].stalled_ms = 2600;
	cases[3].job = UINT32_MAX;
	cases[3].share = cases[3].ceiling = 10000;
	cases[3].run = cases[3].span_ms = cases[3].used_ms = cases[3].periods = cases[3].throttled =
		cases[3].stalled_ms = INT64_C(1) << 44;
	cases[3].cpus = 1 << 20;
	for (size_t i = 0; i < 4; i++) {
		len = rspb_use_line(&cases[i], line, sizeof(line));
		ck_assert_uint_lt(len, sizeof(line));
		memset(&back, 0, sizeof(back));
		ck_assert_int_eq(rspb_use_parse(line, len, &back, NULL), 0);
		ck_assert(back.job == cases[i].job && back.run == cases[i].run &&
			  back.ended == cases[i].ended && back.share == cases[i].share &&
			  back.ceiling == cases[i].ceiling && back.cpus == cases[i].cpus &&
			  back.span_ms == cases[i].span_ms && back.used_ms == cases[i].used_ms &&
			  back.periods == cases[i].periods &&
			  back.throttled == cases[i].throttled &&
			  back.stalled_ms == cases[i].stalled_ms);
		for (size_t cut = 0; cut < len; cut++)
			ck_assert(rspb_use_parse(line, cut, &back, NULL) || cut == len - 1 ||
				  strspn(line + cut, "0123456789") == len - cut);
	}
}
END_TEST

#define LINE                                                                                       \
	"job=7 run=1 ended=0 share=1 ceiling=0 cpus=1 span=0 used=0 "                              \
	"periods=0 throttled=0 stalled=0"

START_TEST(other_lines_are_refused)
{
	static const char *const bad[] = {
		"",
		" ",
		LINE " ",
		LINE "x",
		LINE "\n",
		" " LINE,
		"job=0 run=1 ended=0 share=1 ceiling=0 cpus=1 span=0 used=0 periods=0 throttled=0 stalled=0",
		"job=7 run=1 ended=2 share=1 ceiling=0 cpus=1 span=0 used=0 periods=0 throttled=0 stalled=0",
		"job=7 run=1 ended=0 share=10001 ceiling=0 cpus=1 span=0 used=0 periods=0 throttled=0 stalled=0",
		"job=7 run=1 ended=0 share=1 ceiling=0 cpus=0 span=0 used=0 periods=0 throttled=0 stalled=0",
		"job=7 run=1 ended=0 share=1 ceiling=0 cpus=1 span=-1 used=0 periods=0 throttled=0 stalled=0",
		"job=7 run=1 ended=0 share=1 ceiling=0 cpus=1 span=0 used=-1 periods=0 throttled=0 stalled=0",
		"job=7 run=1 ended=0 share=1 ceiling=0 cpus=1 span=0 used=0 periods=3 throttled=4 stalled=0",
		"job=7 run=1 ended=0 share=1 ceiling=0 cpus=1 span=99999999999999999999 used=0 periods=0 throttled=0 stalled=0",
	};
	struct rspb_use out = { .job = 42 };
	struct rspb_err err;

	ck_assert_int_eq(rspb_use_parse(LINE, strlen(LINE), &out, &err), 0);
	out.job = 42;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ck_assert_msg(rspb_use_parse(bad[i], strlen(bad[i]), &out, &err) == -1, "%s",
			      bad[i]);
		ck_assert_uint_eq(out.job, 42);
	}
}
END_TEST

START_TEST(reports_are_strict)
{
	static struct rspb_use_report report;
	static char much[2 * RSPB_USE_REPORT];
	struct rspb_err err;

	ck_assert_int_eq(rspb_use_report_parse("rspb-use: node=n1\n" LINE "\n" LINE, &report, &err),
			 0);
	ck_assert_str_eq(report.node, "n1");
	ck_assert_uint_eq(report.n, 2);
	ck_assert_int_eq(rspb_use_report_parse("", &report, &err), -1);
	ck_assert_int_eq(rspb_use_report_parse("rspb-use: node=n1", &report, &err), -1);
	ck_assert_int_eq(rspb_use_report_parse("rspb-use: node=\n" LINE, &report, &err), -1);
	ck_assert_int_eq(rspb_use_report_parse("rspb-use: node=a b\n" LINE, &report, &err), -1);
	ck_assert_int_eq(rspb_use_report_parse("rspb-use: node=n1\n" LINE "\n", &report, &err), -1);
	strcpy(much, "rspb-use: node=n1");
	for (int i = 0; i < RSPB_USE_JOBS; i++)
		strcat(much, "\n" LINE);
	ck_assert_int_eq(rspb_use_report_parse(much, &report, &err), 0);
	strcat(much, "\n" LINE);
	ck_assert_int_eq(rspb_use_report_parse(much, &report, &err), -1);
	memset(much, 'n', sizeof(much) - 1);
	memcpy(much, "rspb-use: node=", 15);
	ck_assert_int_eq(rspb_use_report_parse(much, &report, &err), -1);
}
END_TEST

static const char *words_of(const struct rspb_use_table *table, uint32_t nodes)
{
	static char words[RSPB_USE_WORDS];

	ck_assert_uint_lt(rspb_use_words(table, nodes, words, sizeof(words)), sizeof(words));
	return words;
}

START_TEST(one_node_says_its_part)
{
	struct rspb_use_table table = { 0 };
	struct rspb_use use = usual;

	ck_assert_str_eq(words_of(&table, 1), "");
	ck_assert_int_eq(rspb_use_add(&table, "n1", &use), 0);
	ck_assert_str_eq(words_of(&table, 1), "enforced=35% used=35% cpu-time=14.000s");
	use.ceiling = 4000;
	use.span_ms = 20000;
	use.used_ms = 20001;
	use.periods = 200;
	use.throttled = 12;
	use.stalled_ms = 1234;
	rspb_use_add(&table, "n1", &use);
	ck_assert_str_eq(words_of(&table, 1), "enforced=35% ceiling=40% "
					      "used=25% cpu-time=20.001s throttled=12/200,1.234s");
	/* An older word, which was overtaken, changes nothing. */
	rspb_use_add(&table, "n1", &usual);
	ck_assert(strstr(words_of(&table, 1), "used=25%") != NULL);
	use.used_ms = -1;
	use.share = 0;
	use.ended = true;
	rspb_use_add(&table, "n1", &use);
	ck_assert(rspb_use_ended(&table));
	ck_assert_str_eq(words_of(&table, 1), "enforced=0% ceiling=40% "
					      "used=? throttled=12/200,1.234s");
	use.ended = false;
	use.share = 1;
	use.span_ms++;
	rspb_use_add(&table, "n1", &use);
	ck_assert_msg(rspb_use_ended(&table), "the last word stays the last");
	rspb_use_table_fini(&table);
}
END_TEST

START_TEST(nodes_and_runs_add_up)
{
	struct rspb_use_table table = { 0 };
	struct rspb_use use = usual;

	rspb_use_add(&table, "n2", &use);
	use.used_ms = 2000;
	use.share = 3000;
	rspb_use_add(&table, "n1", &use);
	ck_assert_str_eq(words_of(&table, 3), "enforced=30%@n1 "
					      "used=20%,5%@n1,35%@n2 cpu-time=16.000s "
					      "reported=2/3 by-node=n1:5%,n2:35%");
	/* Put back into the queue, and here again. */
	use.run = 200;
	use.span_ms = 30000;
	use.used_ms = 46000;
	rspb_use_add(&table, "n1", &use);
	ck_assert(strstr(words_of(&table, 2), "by-node=n1:30%,n2:35%"));
	ck_assert(strstr(words_of(&table, 2), "cpu-time=62.000s"));
	ck_assert(rspb_use_knows(&table, "n2"));
	ck_assert(!rspb_use_knows(&table, "n3"));
	rspb_use_table_fini(&table);
}
END_TEST

/* The record stays short, and is read back as it was, however many there are. */
START_TEST(many_nodes_fit_a_record)
{
	struct rspb_contract contract = { .terms = { .book = true } }, back;
	struct rspb_use_table table = { 0 };
	char name[RSPB_USE_NODE], text[RSPB_CONTRACT_TEXT];
	struct rspb_use use = usual;

	contract.share_granted = 3500;
	for (int i = 0; i < 1500; i++) {
		memset(name, 'n', sizeof(name));
		snprintf(name + 245, 11, "%d", i * 7919 % 1500);
		use.used_ms = 10000 + i;
		use.ceiling = i + 1;
		use.periods = use.throttled = i;
		ck_assert_int_eq(rspb_use_add(&table, name, &use), 0);
		if (i > 20 && i < 1490)
			continue;
		ck_assert_uint_lt(rspb_use_words(&table, 6000, contract.use, sizeof(contract.use)),
				  RSPB_USE_WORDS);
	}
	ck_assert_uint_eq(table.n, 1500);
	rspb_use_table_fini(&table);
	for (int i = 0; i < RSPB_USE_NAMED; i++) {
		snprintf(name, sizeof(name), "node%02d", i);
		rspb_use_add(&table, name, &use);
	}
	strcpy(contract.use, words_of(&table, 17));
	ck_assert(strstr(contract.use, " by-node=node00:") != NULL);
	strcpy(contract.reason, "because used=1");
	ck_assert_uint_lt(rspb_contract_print(&contract, text, sizeof(text)), sizeof(text));
	ck_assert_int_eq(rspb_contract_parse(text, &back, NULL), 0);
	ck_assert_str_eq(back.use, contract.use);
	ck_assert_str_eq(back.reason, contract.reason);
	rspb_use_table_fini(&table);
}
END_TEST

static Suite *make_suite(void)
{
	const TTest *const tests[] = {
		lines_are_read_as_printed, other_lines_are_refused, reports_are_strict,
		one_node_says_its_part,	   nodes_and_runs_add_up,   many_nodes_fit_a_record,
	};

	return suite_of("share_use", tests, sizeof(tests) / sizeof(*tests));
}

RUN_SUITE(make_suite)
