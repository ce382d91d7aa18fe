/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/flags.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/runner.h"

static void set(struct rspb_terms *flags, const char *name, const char *value)
{
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_flag_set(flags, name, value, &err), "%s", err.text);
}

START_TEST(good_values)
{
	struct rspb_terms f = { .book = false };

	set(&f, "book", NULL);
	ck_assert(f.book && !f.asap);
	set(&f, "book", "asap");
	ck_assert(f.book && f.asap);
	set(&f, "book", "offers");
	ck_assert(f.book && f.offers && !f.asap);
	set(&f, "book", "");
	ck_assert(f.book && !f.asap);
	set(&f, "cpu-share", "35");
	ck_assert_int_eq(f.share, 3500);
	ck_assert_int_eq(f.share_min, 0);
	set(&f, "cpu-share", "35.25%:10%");
	ck_assert_int_eq(f.share, 3525);
	ck_assert_int_eq(f.share_min, 1000);
	set(&f, "benefit", "linear:25%");
	ck_assert(f.benefit.n_points && !f.benefit_time.n_points);
	ck_assert_int_eq(rspb_terms_check(&f, NULL), 0);
}
END_TEST

/* One sentence that names the flag, what is wrong and what is allowed; and
 * nothing set. */
START_TEST(bad_values)
{
	static const char *const bad[][4] = {
		{ "book", "yes", "'yes'", "--book=asap" },
		{ "book", "ASAP", "'ASAP'", "allowed" },
		{ "benefit", NULL, "missing", "SHAPE[:MIN%]" },
		{ "benefit", "", "missing", "SHAPE[:MIN%]" },
		{ "benefit", "cubic:3", "'cubic' is not a shape", "convex" },
		{ "benefit", "linear:nan", "not a percentage", "allowed is" },
		{ "cpu-share", "0", "out of range", "0.01% to 100%" },
		{ "cpu-share", "101%", "out of range", "0.01% to 100%" },
		{ "cpu-share", "35.5.5%", "not a percentage", "two decimals" },
		{ "cpu-share", "35%:40%", "minimum", "0.01% to 35%" },
		{ "cpu-share", "-1", "not a percentage", "allowed" },
		{ "cpu-share", "1e999", "not a percentage", "allowed" },
		{ "cpu-share", "0x1f", "not a percentage", "allowed" },
		{ "cpu-share", "inf", "not a percentage", "allowed" },
		{ "cpu-share", "35 %", "not a percentage", "allowed" },
		{ "cpu-share", "35GB", "not a percentage", "allowed" },
		{ "cpu-share", "99999999999999999999", "percentage", "allow" },
		{ "cpu-share", "\xd9\xa3\xd9\xa5", "percentage", "allowed" },
		{ "book", "as\nap", "control characters", "[asap|offers]" },
		{ "book", "\x1b[31m", "control characters", "[asap|offers]" },
		{ "remind", "0s", "allowed are", "1s to 365d" },
		{ "remind", "366d", "allowed are", "1s to 365d" },
		{ "remind", "soon", "--remind", "soon" },
		{ "series", "a b", "is not a name", "letters, digits" },
		{ "series", "a,qos=x", "is not a name", "letters, digits" },
		{ "series", "123", "is not a name", "a letter among them" },
		{ "series", "group_x", "is not a name", "not group_ at" },
		{ "series", "x2345678901234567890123456789012", "is not a name", "up to 31" },
		{ "cpu_share", "1", "unknown flag", "--cpu-share" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rspb_terms f = { .share = 1234 }, before = f;
		struct rspb_err err = { "" };
		const char *const *b = bad[i];

		ck_assert_int_eq(rspb_flag_set(&f, b[0], b[1], &err), -1);
		ck_assert_msg(!strncmp(err.text, "--", 2) &&
				      !strncmp(err.text + 2, b[0], strlen(b[0])) &&
				      strstr(err.text, b[2]) && strstr(err.text, b[3]),
			      "%s", err.text);
		ck_assert_int_eq(memcmp(&f, &before, sizeof(f)), 0);
	}
}
END_TEST

START_TEST(a_megabyte)
{
	size_t size = 1 << 20;
	char *text = malloc(size + 1);

	memset(text, '7', size);
	text[size] = '\0';
	for (const struct rspb_term *f = rspb_terms; f->name; f++) {
		struct rspb_terms flags = { .book = false };
		struct rspb_err err;

		ck_assert_int_eq(rspb_flag_set(&flags, f->name, text, &err), -1);
		ck_assert_ptr_nonnull(strstr(err.text, "too long"));
	}
	free(text);
}
END_TEST

START_TEST(flags_together)
{
	struct rspb_terms f = { .book = false };
	struct rspb_err err;

	ck_assert_int_eq(rspb_terms_check(&f, &err), 0);
	set(&f, "benefit", "hard");
	ck_assert_int_eq(rspb_terms_check(&f, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "--benefit: needs --book"));
	rspb_benefit_set(&f.benefit, NULL);
	set(&f, "benefit-time", "hard");
	ck_assert(rspb_terms_check(&f, &err) && strstr(err.text, "--benefit-time: needs --book"));
	f.benefit_time.n_points = 0;
	set(&f, "cpu-share", "50");
	ck_assert_int_eq(rspb_terms_check(&f, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "--cpu-share: needs --book"));
	f.share = 0;
	set(&f, "series", "monday-9.00_a");
	ck_assert_int_eq(rspb_terms_check(&f, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "--series: needs --book"));
	set(&f, "book", NULL);
	ck_assert_int_eq(rspb_terms_check(&f, &err), 0);
}
END_TEST

START_TEST(a_series_in_a_contract)
{
	const struct rspb_contract from = {
		.state = RSPB_DECLINED,
		.terms = { .book = true, .offers = true, .remind = 1800, .series = "s-1" },
		.held = 1795381323,
	};
	static const char is[] = "rspb: declined nodes=0/2 book=offers "
				 "remind=1800s held=2026-11-22T21:02:03Z "
				 "series=s-1 duration=60s";
	struct rspb_contract c = from, back;
	char text[256];

	c.terms.nodes = 2;
	c.terms.duration = 60;
	ck_assert_uint_lt(rspb_contract_print(&c, text, sizeof(text)), sizeof(text));
	ck_assert_str_eq(text, is);
	ck_assert_int_eq(rspb_contract_parse(text, &back, NULL), 0);
	ck_assert(back.terms.offers && !back.terms.asap);
	ck_assert_str_eq(back.terms.series, "s-1");
	ck_assert_int_eq(back.terms.remind, 1800);
	ck_assert_int_eq(back.held, from.held);
}
END_TEST

/* Contracts of earlier releases are read, and those of this one by them: the order is fixed. */
START_TEST(all_flags_keep_their_order_in_a_contract)
{
	static const char is[] =
		"rspb: requested asked=linear:25% benefit-time=linear:50% cpu-share=35%:20% "
		"book=asap firm=600s remind=1800s held=2026-11-22T21:02:03Z series=s-1 "
		"stage-in=7200s+-60s time-sigma=90s work=3600s:5% prefer-qos=mem=4096M,cpus=8 "
		"price=120% duration=60s";
	static const char *const bad[] = {
		"rspb: requested remind=1800s firm=600s",
		"rspb: requested remind=1800s remind=1800s",
		"rspb: requested price=120% series=s-1",
		"rspb: requested remind=",
		"rspb: requested firm=",
		"rspb: requested benefit-time",
		"rspb: requested test-only=1",
		"rspb: requested benefit_time=linear",
	};
	struct rspb_contract c;
	struct rspb_err err = { "" };
	char text[RSPB_CONTRACT_TEXT];

	ck_assert_msg(!rspb_contract_parse(is, &c, &err), "%s", err.text);
	rspb_contract_print(&c, text, sizeof(text));
	ck_assert_str_eq(text, is);
	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		ck_assert_msg(!t->words || !strcmp(t->name, "zone") || rspb_term_said(t, &c.terms),
			      "%s", t->name);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(rspb_contract_parse(bad[i], &c, NULL), "%s", bad[i]);
}
END_TEST

START_TEST(the_benefit_that_is_meant)
{
	struct rspb_terms f = { .book = true };
	struct rspb_benefit b;

	rspb_terms_benefit(&f, 0, 8, &b);
	ck_assert_int_eq(rspb_benefit_min_units(&b, 8), 8);
	rspb_terms_benefit(&f, 3, 7, &b);
	ck_assert_int_eq(rspb_benefit_min_units(&b, 7), 3);
	ck_assert_int_eq(rspb_benefit_value(&b, 3, 7).num, 3);
	set(&f, "benefit", "convex:25%");
	rspb_terms_benefit(&f, 3, 8, &b);
	ck_assert_int_eq(rspb_benefit_min_units(&b, 8), 2);
}
END_TEST

static void check_round_trip(const struct rspb_contract *c, const char *line)
{
	struct rspb_contract again;
	struct rspb_err err = { "" };
	char text[RSPB_CONTRACT_TEXT], more[RSPB_CONTRACT_TEXT];

	ck_assert_uint_eq(rspb_contract_print(c, text, sizeof(text)), strlen(line));
	ck_assert_str_eq(text, line);
	ck_assert_msg(!rspb_contract_parse(text, &again, &err), "%s", err.text);
	rspb_contract_print(&again, more, sizeof(more));
	ck_assert_str_eq(more, line);
	ck_assert_int_eq(again.start, c->start);
	ck_assert_int_eq(again.end, c->end);
	ck_assert_int_eq(again.terms.duration, c->terms.duration);
	ck_assert_int_eq(again.terms.share_min, c->terms.share_min);
	ck_assert_int_eq(again.benefit.den, c->benefit.den);
	ck_assert_str_eq(again.reason, c->reason);
	ck_assert(again.terms.book);
}

START_TEST(contracts)
{
	struct rspb_contract c = { .state = RSPB_REQUESTED };

	c.terms.book = true;
	check_round_trip(&c, "rspb: requested");
	set(&c.terms, "benefit", "linear:25%");
	set(&c.terms, "book", "asap");
	set(&c.terms, "cpu-share", "35.5:20");
	c.state = RSPB_BOOKED;
	c.start = 1795424400;
	c.end = 1795428000;
	c.terms.duration = 3600;
	c.terms.nodes = 4;
	c.nodes_granted = 3;
	c.share_granted = 2525;
	c.benefit = (struct rspb_ratio){ 3, 4 };
	strcpy(c.on, "n[1-2,7]");
	check_round_trip(&c, "rspb: booked start=2026-11-23T09:00:00Z "
			     "end=2026-11-23T10:00:00Z nodes=3/4 share=25.25% "
			     "benefit=0.75 asked=linear:25% cpu-share=35.5%:20% "
			     "book=asap duration=3600s on=n[1-2,7]");
	memset(&c, 0, sizeof(c));
	c.state = RSPB_DECLINED;
	c.terms.ready = 1;
	c.terms.deadline = INT64_C(1) << 40;
	c.benefit = (struct rspb_ratio){ 2, 7 };
	strcpy(c.reason, "no 4 nodes are free; reason=busy nodes=2/2");
	check_round_trip(&c, "rspb: declined benefit=2/7 "
			     "ready=1970-01-01T00:00:01Z deadline=@1099511627776 "
			     "reason=no 4 nodes are free; reason=busy nodes=2/2");
	c = (struct rspb_contract){ .state = RSPB_REQUESTED };
	c.terms = (struct rspb_terms){ .book = true, .duration = 600, .time_sigma = 90 };
	set(&c.terms, "stage-in", "2h+-10m");
	set(&c.terms, "benefit-time", "1/3@0.5,1@1");
	check_round_trip(&c, "rspb: requested benefit-time=1/3@0.5,1@1 "
			     "stage-in=7200s+-600s time-sigma=90s "
			     "duration=600s");
	/* one for a group, which waits */
	c = (struct rspb_contract){ .state = RSPB_REQUESTED,
				    .terms = { .duration = 600, .nodes = 4 },
				    .owner = 1001 };
	c.terms.mail = RSPB_MAIL_BEGIN | RSPB_MAIL_FAIL;
	check_round_trip(&c, "rspb: requested nodes=0/4 duration=600s "
			     "owner=1001 mail=5");
	/* by another clock, with an offer that is asked for now */
	c = (struct rspb_contract){ .state = RSPB_REQUESTED,
				    .terms = { .duration = 600, .nodes = 4 } };
	rspb_was_take(&(struct rspb_terms){ .duration = 3600,
					    .ready = 5,
					    .deadline = 7200,
					    .nodes = 8,
					    .tasks = 16,
					    .cpus = 16 },
		      &c.was);
	strcpy(c.terms.zone, "-18000:EST,1805007600:-14400:EDT");
	check_round_trip(&c, "rspb: requested nodes=0/4 "
			     "zone=-18000:EST,1805007600:-14400:EDT "
			     "was=3600:5:7200:0:0:8:0:16:16 duration=600s");
}
END_TEST

/* Bound as it is planned, until then. */
START_TEST(a_contract_that_is_not_firm)
{
	const struct rspb_contract c = { .state = RSPB_BOOKED,
					 .start = 1795424400,
					 .end = 1795425000,
					 .firm_from = 1795423800,
					 .terms = { .nodes = 2, .duration = 600 },
					 .nodes_granted = 2,
					 .distance = 500 };

	check_round_trip(&c, "rspb: booked start=2026-11-23T09:00:00Z "
			     "end=2026-11-23T09:10:00Z binding=provisional "
			     "firm-from=2026-11-23T08:50:00Z nodes=2/2 "
			     "distance=500 duration=600s");
}
END_TEST

START_TEST(bad_contracts)
{
	static const char *const bad[] = {
		"",
		"rspb:",
		"rspb: ",
		"rspb: sleeping",
		"rspb: booked ",
		"rspb: booked nodes=3",
		"rspb: booked nodes=3/x",
		"rspb: booked end=2026-11-23T10:00:00Z "
		"start=2026-11-23T09:00:00Z",
		"rspb: booked start=2026-02-30T00:00:00Z",
		"rspb: booked start=2026-11-23",
		"rspb: booked start=@5",
		"rspb: booked benefit=2",
		"rspb: booked nodes=1/1 nodes=1/1",
		"rspb: booked duration=10",
		"rspb: booked book=soon",
		"rspb: booked cpu-share=0%",
		"rspb: booked colour=red",
		"rspb: booked nodes=4294967296/1",
		"rspb: booked zone=here",
		"rspb: booked was=3600:5:7200:0:0:8:0:16",
		"rspb: booked was=3600:5:7200:0:0:8:0:16:16:1",
		"rspb: booked was=3600:5:7200:0:0:8:0:16:",
		"rspb: booked was=-1:5:7200:0:0:8:0:16:16",
		"rspb: booked\nnodes=1/1",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rspb_contract c = { .start = 77 };
		struct rspb_err err = { "" };

		ck_assert_msg(rspb_contract_parse(bad[i], &c, &err) == -1, "%s", bad[i]);
		ck_assert_int_eq(c.start, 77);
		ck_assert_ptr_nonnull(strstr(err.text, "contract"));
	}
}
END_TEST

RUN_TESTS("flags", NULL, NULL, 0, good_values, bad_values, a_megabyte, flags_together,
	  a_series_in_a_contract, all_flags_keep_their_order_in_a_contract,
	  a_contract_that_is_not_firm, the_benefit_that_is_meant, contracts, bad_contracts)
