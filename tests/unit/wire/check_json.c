/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/seal.h"
#include "contrib/sim/jsonl/read.h"
#include "tests/unit/runner.h"

enum { WIDTH = 16 };

static const char line[] = "{\"id\":18446744073709551614,\"user\":1000,\"arrival\":0,"
			   "\"ready\":60,\"deadline\":7260,\"duration\":3600,\"priority\":10,"
			   "\"asap\":false,\"benefit\":\"linear:25%\","
			   "\"benefit_time\":\"0.5@0.3,1@1\",\"parts\":["
			   "{\"nodes\":4,\"nodes_min\":2,\"fixed\":\"0-2,7\","
			   "\"quotas\":[{\"key\":9223372036854775807,\"most\":5,\"per_node\":1,"
			   "\"per_cpu\":2,\"name\":\"GrpTRES=node=5 of QOS q\"},"
			   "{\"key\":7,\"most\":-1,\"use\":1,\"name\":\"MaxJobs=1 of QOS r\"}]},"
			   "{\"nodes\":1,\"nodes_min\":1,\"share\":3500,\"share_min\":1000,"
			   "\"benefit\":\"0.5@0.6,1@1\",\"eligible\":\"3-15\"}]}";

static struct rspb_request *request_of(const char *text)
{
	struct rspb_err err = { "" };
	struct rspb_request *r = sim_read_request(text, strlen(text), WIDTH, &err);

	ck_assert_msg(r != NULL, "%s", err.text);
	return r;
}

START_TEST(a_request)
{
	struct rspb_request *r = request_of(line);
	char *again = rspb_json_line(rspb_json_write(rspb_json_request, r));

	ck_assert_uint_eq(r->id, UINT64_MAX - 1);
	ck_assert_uint_eq(r->n_parts, 2);
	ck_assert_uint_eq(rspb_nodeset_count(r->parts[0].fixed), 4);
	ck_assert(!r->parts[0].benefit && r->parts[1].benefit);
	ck_assert_uint_eq(r->parts[0].n_quotas, 2);
	ck_assert_int_eq(r->parts[0].quotas[0].per_cpu, 2);
	ck_assert_int_eq(r->parts[0].quotas[1].most, -1);
	ck_assert_str_eq(again, line);
	free(again);
	rspb_request_destroy(r);
}
END_TEST

/* Some nodes of a part may have other amounts. */
static const char odd_line[] =
	"{\"id\":1,\"user\":1000,\"arrival\":0,\"ready\":60,\"deadline\":3660,"
	"\"duration\":3600,\"priority\":10,\"asap\":false,\"benefit\":\"hard\",\"parts\":["
	"{\"nodes\":2,\"nodes_min\":2,\"share\":800,\"whole\":1600,\"eligible\":\"3,5\","
	"\"odd\":[{\"node\":5,\"key\":2,\"amount\":400},{\"node\":5,\"key\":7,\"amount\":1}]}]}";

START_TEST(a_request_of_different_sizes)
{
	struct rspb_request *r = request_of(odd_line), *copy = rspb_request_clone(r);
	char *again = rspb_json_line(rspb_json_write(rspb_json_request, copy));

	ck_assert_str_eq(again, odd_line);
	ck_assert(rspb_part_same_odd(&r->parts[0], &copy->parts[0]));
	ck_assert_int_eq(rspb_part_on(&copy->parts[0], 800, 3), 800);
	ck_assert_int_eq(rspb_part_on(&copy->parts[0], 800, 5), 400);
	ck_assert_int_eq(rspb_part_takes(&copy->parts[0], 7, 2, 5), 1);
	copy->parts[0].odd[1].amount = 2;
	ck_assert(!rspb_part_same_odd(&r->parts[0], &copy->parts[0]));
	rspb_part_even(&copy->parts[0]);
	ck_assert(!rspb_part_same_odd(&r->parts[0], &copy->parts[0]));
	ck_assert_int_eq(rspb_part_on(&copy->parts[0], 800, 5), 800);
	free(again);
	rspb_request_destroy(r);
	rspb_request_destroy(copy);
}
END_TEST

START_TEST(a_booking)
{
	struct rspb_request *r = request_of(line);
	struct rspb_booking *b = rspb_booking_create(r), *c;
	struct rspb_err err = { "" };
	char *first, *second;

	b->state = RSPB_BOOKED;
	b->start = 60;
	b->end = 3660;
	b->decided_at = -3;
	rspb_booking_say(b, "moved: node 3 \xc3\xa9 \"failed\"");
	ck_assert_int_eq(rspb_booking_grant(b, WIDTH, &err), 0);
	rspb_nodeset_add(b->grants[0].nodes, 3);
	rspb_nodeset_add(b->grants[0].nodes, 4);
	rspb_nodeset_add(b->grants[0].nodes, 5);
	rspb_nodeset_add(b->grants[1].nodes, 5);
	b->grants[1].share = 3000;
	rspb_booking_value(b);
	first = rspb_json_line(rspb_json_write(rspb_json_booking, b));
	c = sim_read_booking(first, strlen(first), WIDTH, &err);
	ck_assert_msg(c != NULL, "%s: %s", err.text, first);
	second = rspb_json_line(rspb_json_write(rspb_json_booking, c));
	ck_assert_str_eq(first, second);
	ck_assert_int_eq(rspb_ratio_compare(b->benefit, c->benefit), 0);
	ck_assert_int_eq(c->grants[1].share, 3000);
	free(first);
	free(second);
	rspb_request_destroy(r);
	rspb_booking_destroy(b);
	rspb_booking_destroy(c);
}
END_TEST

/* The line with one text in place of another. */
static char *with(const char *old, const char *new)
{
	const char *at = strstr(line, old);
	char *text = malloc(sizeof(line) + strlen(new));
	size_t before;

	ck_assert_ptr_nonnull(at);
	before = (size_t) (at - line);
	memcpy(text, line, before);
	strcpy(text + before, new);
	strcat(text, at + strlen(old));
	return text;
}

START_TEST(bad_requests)
{
	static const char *const bad[][3] = {
		{ "\"user\":1000,", "", "request: field 'user' is missing" },
		{ "\"user\"", "\"usr\"", "unknown field 'usr'" },
		{ "1000", "\"1000\"", "user: \"1000\" is not allowed" },
		{ "1000", "-1", "user: -1 is not allowed" },
		{ "1000", "4294967296", "0 to 4294967295" },
		{ "1000", "1.5", "user: 1.5" },
		{ "1000", "1e3", "user: 1e3" },
		{ "1000", "null", "user: null" },
		{ "1000", "true", "user: true" },
		{ "18446744073709551614", "18446744073709551615", "id: is" },
		{ "18446744073709551614", "99999999999999999999999", "id: is" },
		{ "18446744073709551614", "-1", "id: is not a whole number" },
		{ "3600", "9999999999999999999999", "duration: a number of" },
		{ "3600", "0", "duration: 0" },
		{ "7260", "100", "deadline 100 comes before" },
		{ "false", "0", "asap: is neither" },
		{ "linear:25%", "linear:nan", "benefit: the minimum" },
		{ "\"linear:25%\"", "5", "benefit: is not a text" },
		{ "0.5@0.3", "0.5@3", "benefit_time: " },
		{ "0-2,7", "0-2,16", "parts: [0]: fixed:" },
		{ "0-2,7", "0-2\\u0000,7", "control characters" },
		{ "[{", "{", "not one JSON object" },
		{ "\"nodes\":4", "\"nodes\":0", "parts: [0]: nodes: 0" },
		{ "\"most\":-1", "\"most\":-2", "quotas: [1]: most: -2" },
		{ "\"nodes\":4,\"nodes_min\":2", "\"nodes\":17,\"nodes_min\":17", "there are 16" },
		{ "3500", "-1", "parts: [1]: share: -1" },
		{ "}]}", "}]} x", "not one JSON object" },
		{ "}]}", "}]", "not one JSON object" },
		{ "{\"id\"", "[{\"id\"", "not one JSON object" },
		{ "0.5@0.6", "\xff\xfe", "not one JSON object" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rspb_err err = { "" };
		char *text = with(bad[i][0], bad[i][1]);

		ck_assert_msg(!sim_read_request(text, strlen(text), WIDTH, &err), "%s", text);
		/* json-c 0.18 refuses longer numbers by itself */
		ck_assert_msg(strstr(err.text, bad[i][2]) || (strstr(text, "999999999999999999") &&
							      strstr(err.text, "number expected")),
			      "%s", err.text);
		free(text);
	}
}
END_TEST

START_TEST(bad_lines)
{
	static const char *const bad[] = {
		"",
		" ",
		"null",
		"5",
		"[]",
		"{}",
		"{\"id\"",
		"\"x\"",
		"{]",
		"[[[[[[[[[[[[[[[[[[",
		"{\"request\":{}}",
		"NaN",
		"{'id':1}",
	};
	char *huge = malloc(SIM_READ_MAX + 1);
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_ptr_null(sim_read_request(bad[i], strlen(bad[i]), WIDTH, &err));
		ck_assert_ptr_null(sim_read_booking(bad[i], strlen(bad[i]), WIDTH, &err));
		ck_assert_int_eq(strncmp(err.text, "booking: ", 9), 0);
	}
	memset(huge, '[', SIM_READ_MAX + 1);
	ck_assert_ptr_null(sim_read_request(huge, SIM_READ_MAX + 1, WIDTH, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "longer than"));
	free(huge);
}
END_TEST

START_TEST(grants_fit_the_request)
{
	static const char start[] = "{\"request\":{\"id\":1,\"user\":0,\"arrival\":0,\"ready\":0,"
				    "\"deadline\":9,\"duration\":9,\"priority\":0,\"asap\":true,"
				    "\"benefit\":\"hard\",\"parts\":[{\"nodes\":1,"
				    "\"nodes_min\":1}]},\"state\":\"booked\",\"start\":0,"
				    "\"end\":9,\"decided_at\":0,\"benefit\":\"1\",\"grants\":";
	static const char one[] = "{\"nodes\":\"1\",\"benefit\":\"1\"}";
	static const struct {
		const char *before, *between, *after;
	} bad[] = {
		{ "[", "", "],\"reason\":\"\"}" }, /* the good one */
		{ "[", one, "],\"reason\":\"\"}" },
		{ "", "", ",\"reason\":\"\"}" },
		{ "[", "", "],\"reason\":5}" },
		{ "[[", "", "]],\"reason\":\"\"}" },
		{ "[", "", "]}" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[1024];
		struct rspb_booking *b;

		snprintf(text, sizeof(text), "%s%s%s%s%s%s", start, bad[i].before, bad[i].between,
			 bad[i].between[0] ? "," : "", one, bad[i].after);
		b = sim_read_booking(text, strlen(text), WIDTH, NULL);
		ck_assert_int_eq(b != NULL, i == 0);
		rspb_booking_destroy(b);
	}
}
END_TEST

START_TEST(sums_are_castagnolis)
{
	char text[100] = "";

	ck_assert_uint_eq(rspb_seal_sum("123456789", 9), 0xe3069283);
	ck_assert_uint_eq(rspb_seal_sum("", 0), 0);
	/* Of any length, as bit by bit. */
	for (size_t length = 0; length < sizeof(text); length++) {
		uint32_t sum = UINT32_MAX;

		for (size_t i = 0; i < 8 * length; i++) {
			uint32_t bit = (uint32_t) (text[i / 8] >> i % 8) & 1;

			sum = sum >> 1 ^ ((sum ^ bit) & 1 ? 0x82f63b78 : 0);
		}
		ck_assert_uint_eq(rspb_seal_sum(text, length), ~sum);
		text[length] = (char) (37 * length + 11);
	}
}
END_TEST

START_TEST(seals_are_told_from_none)
{
	char text[64] = "{\"at\":1,\"purge\":{\"before\":2}}";
	size_t length = strlen(text);

	ck_assert_int_eq(rspb_seal_check(text, length), 0);
	length = rspb_seal_close(text, length);
	ck_assert_int_eq(rspb_seal_check(text, length), 1);
	text[7] ^= 1;
	ck_assert_int_eq(rspb_seal_check(text, length), -1);
}
END_TEST

RUN_TESTS("json", NULL, NULL, 0, sums_are_castagnolis, seals_are_told_from_none, a_request,
	  a_request_of_different_sizes, a_booking, bad_requests, bad_lines, grants_fit_the_request)
