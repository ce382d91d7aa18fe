/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notices of a series become one, which is known by each of its jobs and can be delivered. */
#include "plugins/ctld/post/letters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/json.h"
#include "plugins/compat/ctld.h"
#include "tests/unit/runner.h"

enum { NOW = 1000000, KEEP = NOW + 5000, LATER = NOW + 100, LONGEST = 128 << 10 };

static size_t n_posted, longest;
static char last[4096];

/* --- stand-ins --------------------------------------------------------------------- */

void rspb_durable_note(const char *kind, struct json_object *value, int64_t now)
{
	(void) kind;
	(void) now;
	json_object_put(value);
}

uint64_t rspb_durable_flush(int64_t now)
{
	(void) now;
	return 1;
}

bool rspb_durable_done(uint64_t number)
{
	return number;
}

bool rspb_postman_post(uint64_t id, const char *text, const char *program, const char *mail)
{
	(void) id;
	(void) program;
	(void) mail;
	n_posted++;
	longest = strlen(text) > longest ? strlen(text) : longest;
	snprintf(last, sizeof(last), "%s", text);
	return true;
}

bool rspb_postman_done(uint64_t *id)
{
	(void) id;
	return false;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) level;
	(void) fmt;
}

/* --- tests ------------------------------------------------------------------------- */

static void setup(void)
{
	rspb_letters_durable.reset();
	n_posted = longest = 0;
}

static void put_at(uint32_t job, const char *event, int64_t keep, size_t length, int64_t now)
{
	struct json_object *letter = json_object_new_object();
	char *text = malloc(length + 1);

	memset(text, 'x', length);
	text[length] = '\0';
	rspb_json_put_int(letter, "job", job);
	rspb_json_put_int(letter, "uid", 1000);
	rspb_json_put_text(letter, "series", "weekly");
	rspb_json_put_text(letter, "event", event);
	rspb_json_put_text(letter, "state", "booked");
	rspb_json_put_text(letter, "text", text);
	free(text);
	rspb_outbox_put(letter, job, false, keep, now);
}

static void put(uint32_t job, const char *event, int64_t keep, size_t length)
{
	put_at(job, event, keep, length, NOW);
}

START_TEST(each_job_is_known)
{
	for (uint32_t job = 1; job <= 3; job++)
		put(job, "reminder", KEEP + job, 10);
	for (uint32_t job = 1; job <= 3; job++) {
		ck_assert(rspb_outbox_waits(job, "reminder"));
		ck_assert(!rspb_outbox_waits(job, "moved"));
		ck_assert(rspb_outbox_has(job, "reminder", KEEP + job));
		ck_assert(rspb_outbox_knows(job, 0));
		ck_assert(rspb_outbox_knows(job, 10));
		ck_assert(!rspb_outbox_knows(job, INT32_MAX));
	}
	ck_assert(!rspb_outbox_waits(4, "reminder"));
	ck_assert(!rspb_outbox_knows(4, 0));
	rspb_outbox_post("program", "mail", LATER);
	ck_assert_uint_eq(n_posted, 1);
	/* A letter that is under way waits no more, and counts as written. */
	ck_assert(!rspb_outbox_waits(2, "reminder"));
	rspb_outbox_look(LATER);
	ck_assert(rspb_outbox_has(2, "reminder", KEEP + 2));
	rspb_outbox_look(KEEP + 100);
	ck_assert(!rspb_outbox_has(2, "reminder", KEEP + 2));
}
END_TEST

START_TEST(a_job_that_moves_twice_is_one)
{
	put(1, "moved", 0, 10);
	put(2, "moved", 0, 10);
	put(2, "moved", 0, 10);
	rspb_outbox_post("program", "mail", LATER);
	ck_assert_uint_eq(n_posted, 1);
	ck_assert_msg(strstr(last, "weekly: 2 jobs moved"), "%s", last);
}
END_TEST

START_TEST(a_job_that_joins_is_known_from_then_on)
{
	put(1, "moved", KEEP, 10);
	put_at(2, "moved", KEEP, 10, NOW + 3);
	ck_assert(rspb_outbox_knows(2, NOW + 3));
	ck_assert(!rspb_outbox_knows(1, NOW + 3));
}
END_TEST

/* The list is limited, and letters that were delivered are only remembered in it. */
START_TEST(remembered_letters_make_room)
{
	for (int i = 1; i <= 20000; i++) {
		char line[128];
		struct json_object *o;

		snprintf(line, sizeof(line),
			 "{\"id\":%d,\"job\":%d,\"keep\":%d,\"event\":\"moved\"}", i, i, KEEP);
		o = json_tokener_parse(line);
		rspb_letters_durable.take(o, NOW);
		json_object_put(o);
	}
	ck_assert(rspb_outbox_knows(20000, 0));
	put(30000, "moved", 0, 10);
	ck_assert(rspb_outbox_waits(30000, "moved"));
}
END_TEST

START_TEST(a_letter_can_be_handed_over)
{
	for (uint32_t job = 1; job <= 300; job++)
		put(job, "booked", 0, 900);
	for (int i = 0; i < 3; i++)
		rspb_outbox_post("program", "mail", LATER);
	ck_assert_uint_gt(n_posted, 1);
	ck_assert_uint_lt(longest, LONGEST);
}
END_TEST

START_TEST(a_letter_of_the_last_slurmctld_waits)
{
	static const char line[] = "{\"id\":5,\"job\":7,\"letter\":{\"event\":\"moved\",\"job\":7,"
				   "\"jobs\":[7,8],\"uid\":1000}}";
	struct json_object *o = json_tokener_parse(line);

	rspb_letters_durable.take(o, NOW);
	json_object_put(o);
	ck_assert(rspb_outbox_waits(7, "moved"));
	ck_assert(rspb_outbox_waits(8, "moved"));
	ck_assert(!rspb_outbox_waits(9, "moved"));
	ck_assert(!rspb_outbox_waits(8, "booked"));
	/* The letter that waits for its series now is another one. */
	put(8, "moved", 0, 10);
	rspb_outbox_post("program", "mail", NOW);
	ck_assert_uint_eq(n_posted, 1);
}
END_TEST

START_TEST(a_letter_of_a_reservation_waits)
{
	static const char line[] = "{\"id\":5,\"job\":2147483655,\"letter\":{\"event\":"
				   "\"booked\",\"reservation\":\"course\",\"uid\":1000}}";
	const uint32_t key = UINT32_C(0x80000007);
	struct json_object *letter = json_object_new_object(), *o = json_tokener_parse(line);

	rspb_json_put_text(letter, "reservation", "course");
	rspb_json_put_text(letter, "event", "booked");
	rspb_outbox_put(letter, key, false, 0, NOW);
	ck_assert(rspb_outbox_waits(key, "booked"));
	ck_assert(!rspb_outbox_waits(key + 1, "booked"));
	rspb_letters_durable.reset();
	rspb_letters_durable.take(o, NOW);
	json_object_put(o);
	ck_assert(rspb_outbox_waits(key, "booked"));
}
END_TEST

RUN_TESTS("outbox", setup, NULL, 0, each_job_is_known, a_job_that_moves_twice_is_one,
	  a_job_that_joins_is_known_from_then_on, remembered_letters_make_room,
	  a_letter_can_be_handed_over, a_letter_of_the_last_slurmctld_waits,
	  a_letter_of_a_reservation_waits)
