/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A message to the broker is JSON as its standard has it, in any language. */
#include "plugins/ctld/serve/inquiry.h"

#include <stdio.h>

#include "tests/unit/runner.h"

static bool reads(const char *text, struct rspb_inquiry *inquiry)
{
	return !rspb_inquiry_read(text, strlen(text), inquiry, NULL);
}

START_TEST(text_beyond_ascii)
{
	struct rspb_inquiry inquiry;

	ck_assert(reads("{\"op\":\"ping\",\"version\":1,"
			"\"tag\":\"Pr\xc3\xbc"
			"fung \xe2\x9c\x93\"}",
			&inquiry));
	ck_assert_str_eq(inquiry.tag, "Pr\xc3\xbc"
				      "fung \xe2\x9c\x93");
	ck_assert(!reads("{\"op\":\"ping\",\"version\":1,\"tag\":\"\xc3(\"}", &inquiry));
	ck_assert(!reads("{\"op\":\"ping\",\"version\":1,\"tag\":\"\xff\"}", &inquiry));
}
END_TEST

START_TEST(nothing_that_json_does_not_have)
{
	struct rspb_inquiry inquiry;

	ck_assert(reads("{\"op\":\"ping\",\"version\":1}", &inquiry));
	ck_assert(!reads("{'op':'ping','version':1}", &inquiry));
	ck_assert(!reads("{\"op\":\"ping\",\"version\":1}x", &inquiry));
	ck_assert(!reads("{\"op\":\"ping\",\"version\":1,}", &inquiry));
	ck_assert(!reads("{\"op\":\"ping\",\"version\":1", &inquiry));
	/* nor, beside it, in a text that goes beyond ASCII */
	ck_assert(!reads("{'op':'ping','version':1,'tag':'\xc3\xbc'}", &inquiry));
	ck_assert(!reads("{\"op\":\"ping\",\"version\":1,\"tag\":\"\xc3\xbc\n\"}", &inquiry));
}
END_TEST

START_TEST(several_jobs_to_modify)
{
	struct rspb_inquiry q;

	ck_assert(reads("{\"op\":\"modify\",\"version\":1,\"jobs\":[7,9,8],"
			"\"nodes\":2,\"moved\":-600}",
			&q));
	ck_assert(q.jobs.n == 3 && q.jobs.ids[1] == 9 && q.moved == -600);
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"jobs\":[]}", &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"jobs\":[7,7]}", &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"jobs\":[0]}", &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"jobs\":[\"7\"]}", &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"jobs\":7}", &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"jobs\":[7],"
			 "\"job\":8}",
			 &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"jobs\":[7],"
			 "\"until\":8}",
			 &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"job\":7,"
			 "\"moved\":60}",
			 &q));
	ck_assert(!reads("{\"op\":\"release\",\"version\":1,\"jobs\":[7]}", &q));
}
END_TEST

START_TEST(a_change_may_say_what_it_expects)
{
	struct rspb_inquiry q;

	ck_assert(reads("{\"op\":\"modify\",\"version\":1,\"job\":7,\"nodes\":2,"
			"\"expect\":{\"start\":100,\"nodes\":4}}",
			&q));
	ck_assert(q.expect.said && q.expect.start == 100 && q.expect.nodes == 4 && !q.expect.end);
	ck_assert(reads("{\"op\":\"modify\",\"version\":1,\"job\":7,\"nodes\":2}", &q));
	ck_assert(!q.expect.said);
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"job\":7,\"expect\":7}", &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"job\":7,"
			 "\"expect\":{\"state\":1}}",
			 &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"job\":7,"
			 "\"expect\":{\"nodes\":\"4\"}}",
			 &q));
	ck_assert(!reads("{\"op\":\"modify\",\"version\":1,\"jobs\":[7],"
			 "\"expect\":{\"nodes\":4}}",
			 &q));
	ck_assert(!reads("{\"op\":\"show\",\"version\":1,\"job\":7,"
			 "\"expect\":{\"nodes\":4}}",
			 &q));
	ck_assert(reads("{\"op\":\"calendar\",\"version\":1,\"seen\":4711}", &q));
	ck_assert_int_eq(q.seen, 4711);
}
END_TEST

START_TEST(offers_of_a_job_or_of_a_request)
{
	struct rspb_benefit linear;
	struct rspb_inquiry inquiry;

	rspb_benefit_parse("linear:25%", &linear, NULL);
	ck_assert(reads("{\"op\":\"offers\",\"version\":1,\"job\":7}", &inquiry));
	ck_assert(reads("{\"op\":\"offers\",\"version\":1,\"duration\":60,"
			"\"benefit\":\"linear:25%\",\"asap\":true}",
			&inquiry));
	ck_assert(rspb_benefit_equal(&inquiry.terms.benefit, &linear));
	ck_assert(inquiry.terms.asap && !inquiry.job);
	ck_assert(!reads("{\"op\":\"offers\",\"version\":1}", &inquiry));
	ck_assert(reads("{\"op\":\"offers\",\"version\":1,\"work\":\"2m\","
			"\"prefer_qos\":\"mem=4G\",\"price\":12000}",
			&inquiry));
	ck_assert_int_eq(inquiry.terms.work.seconds, 120);
	ck_assert_int_eq(inquiry.terms.price, 12000);
	/* A text that cannot be read is refused with the answer. */
	ck_assert(!inquiry.wrong.text[0]);
	ck_assert(reads("{\"op\":\"offers\",\"version\":1,\"work\":\"120\"}", &inquiry));
	ck_assert_ptr_nonnull(strstr(inquiry.wrong.text, "--work"));
	ck_assert(reads("{\"op\":\"reserve\",\"version\":1,\"nodes\":1,\"duration\":60,"
			"\"remind\":600,\"benefit_time\":\"linear\"}",
			&inquiry));
	ck_assert(inquiry.terms.remind == 600 && inquiry.terms.benefit_time.n_points);
	/* Neither by the flag's own name, nor where it has no meaning. */
	ck_assert(!reads("{\"op\":\"reserve\",\"version\":1,\"nodes\":1,\"duration\":60,"
			 "\"benefit-time\":\"linear\"}",
			 &inquiry));
	ck_assert(!reads("{\"op\":\"reserve\",\"version\":1,\"nodes\":1,\"duration\":60,"
			 "\"price\":12000}",
			 &inquiry));
	ck_assert(!reads("{\"op\":\"reserve\",\"version\":1,\"nodes\":1,\"duration\":60,"
			 "\"remind\":31536001}",
			 &inquiry));
	ck_assert(!reads("{\"op\":\"offers\",\"version\":1,\"job\":7,"
			 "\"work\":\"120\"}",
			 &inquiry));
	ck_assert(!reads("{\"op\":\"offers\",\"version\":1,\"job\":7,"
			 "\"duration\":60}",
			 &inquiry));
	ck_assert(!reads("{\"op\":\"offers\",\"version\":1,\"duration\":60,"
			 "\"nodes\":4294967297}",
			 &inquiry));
}
END_TEST

/* A value of a flag as a message has it. */
static const char *sample(const struct rspb_term *term)
{
	if (rspb_term_is_number(term))
		return "600";
	if (term->kind == RSPB_TERM_WORK)
		return "\"2h\"";
	return term->kind == RSPB_TERM_PREFER ? "\"mem=4G\"" : "\"linear\"";
}

START_TEST(messages_have_the_flags_whose_rows_name_them)
{
	static const struct {
		const char *start;
		int door;
	} messages[] = {
		{ "{\"op\":\"reserve\",\"version\":1,\"nodes\":2,\"duration\":60",
		  RSPB_TERM_RESERVE },
		{ "{\"op\":\"offers\",\"version\":1,\"duration\":60", RSPB_TERM_OFFERS },
		{ "{\"op\":\"modify\",\"version\":1,\"job\":7", 0 },
		{ "{\"op\":\"list\",\"version\":1", 0 },
	};
	char text[512], key[RSPB_TERM_KEY];
	struct rspb_inquiry q;

	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
		for (const struct rspb_term *t = rspb_terms; t->name; t++) {
			bool may = t->where & messages[i].door;

			snprintf(text, sizeof(text), "%s,\"%s\":%s}", messages[i].start,
				 rspb_term_key(t, key), sample(t));
			ck_assert_msg(reads(text, &q) == may, "%s", text);
			ck_assert_msg(!may || (rspb_term_said(t, &q.terms) && !q.wrong.text[0]),
				      "%s", text);
		}
}
END_TEST

START_TEST(which_and_for_whom)
{
	struct rspb_inquiry q;

	ck_assert(reads("{\"op\":\"show\",\"version\":1,\"job\":7}", &q));
	ck_assert(reads("{\"op\":\"show\",\"version\":1,"
			"\"reservation\":\"group_1\"}",
			&q));
	ck_assert_str_eq(q.reservation, "group_1");
	ck_assert_int_eq(q.job, 0);
	/* one of the two */
	ck_assert(!reads("{\"op\":\"show\",\"version\":1}", &q));
	ck_assert(!reads("{\"op\":\"show\",\"version\":1,\"job\":7,"
			 "\"reservation\":\"group_1\"}",
			 &q));
	ck_assert(!reads("{\"op\":\"release\",\"version\":1,"
			 "\"reservation\":\"\"}",
			 &q));
	ck_assert(reads("{\"op\":\"reserve\",\"version\":1,\"nodes\":4,"
			"\"nodes_least\":2,\"duration\":60,\"asap\":true,"
			"\"accounts\":\"a,b\"}",
			&q));
	ck_assert(q.terms.asap && q.terms.nodes_least == 2);
	ck_assert_str_eq(q.accounts, "a,b");
	ck_assert(!reads("{\"op\":\"reserve\",\"version\":1,\"nodes\":4,"
			 "\"accounts\":\"a\"}",
			 &q));
	ck_assert(!reads("{\"op\":\"reserve\",\"version\":1,\"nodes\":4,"
			 "\"duration\":60,\"job\":1}",
			 &q));
	ck_assert(reads("{\"op\":\"offers\",\"version\":1,"
			"\"reservation\":\"group_1\"}",
			&q));
	ck_assert(!reads("{\"op\":\"offers\",\"version\":1,\"job\":7,"
			 "\"reservation\":\"group_1\"}",
			 &q));
}
END_TEST

RUN_TESTS("inquiry", NULL, NULL, 0, text_beyond_ascii, nothing_that_json_does_not_have,
	  offers_of_a_job_or_of_a_request, messages_have_the_flags_whose_rows_name_them,
	  which_and_for_whom, several_jobs_to_modify, a_change_may_say_what_it_expects)
