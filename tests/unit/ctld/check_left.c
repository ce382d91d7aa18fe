/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a journal that is there gives a slurmctld that begins, and which is handed on as
 * it is. */
#include "plugins/ctld/record/left.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/wire/json.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/record/promise.h"
#include "tests/unit/runner.h"

enum { NOW = 1795000000, SEVERAL = 3000, MANY = 4000 };

static char folder[32], path[64];
static int reset, took;

struct rspb_slurm_conf rspb_slurm_conf(void)
{
	return (struct rspb_slurm_conf){ .state = folder, .cluster = "one" };
}

static void kind_reset(void)
{
	reset++;
}

static void kind_take(struct json_object *value, int64_t now)
{
	ck_assert_int_eq(now, NOW);
	took += json_object_get_int(value);
}

static const struct rspb_durable_kind kind = { .name = "own",
					       .reset = kind_reset,
					       .take = kind_take };
static const struct rspb_durable_kind *const kinds[] = { &kind, NULL };

static void setup(void)
{
	strcpy(folder, "check_left.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/rspb.journal", folder);
	reset = took = 0;
}

static void teardown(void)
{
	rspb_left_forget();
	unlink(path);
	rmdir(folder);
}

/* Add a sealed line. */
static void put(int64_t at, const char *name, const char *value)
{
	FILE *file = fopen(path, "a");
	char *line;

	ck_assert_ptr_nonnull(file);
	line = rspb_json_sealed(at, name, json_tokener_parse(value));
	ck_assert_ptr_nonnull(line);
	ck_assert_int_ge(fputs(line, file), 0);
	ck_assert_int_eq(fclose(file), 0);
	free(line);
}

static void put_promise(int job, const char *contract)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 "{\"job\":%d,\"leader\":%d,\"user\":7,\"submitted\":%d,"
		 "\"contract\":\"%s\"}",
		 job, job, NOW, contract);
	put(NOW + 1, "promise", text);
}

static void put_file(void)
{
	put(NOW, "journal", "{\"version\":1,\"cluster\":\"one\"}");
	put_promise(9, "rspb: booked");
	put(NOW + 5, "own", "3");
	put_promise(4, "rspb: booked");
	put_promise(9, "rspb: cancelled");
	put(NOW + 4, "alive", "{}");
}

/* RET whether it would be handed on, and then without its first line. */
static bool handed_on(void)
{
	size_t length, all;
	char *lines = rspb_left_lines(&length), *file;
	FILE *from;

	if (!lines)
		return false;
	from = fopen(path, "r");
	file = malloc(1 << 20);
	all = fread(file, 1, 1 << 20, from);
	fclose(from);
	ck_assert_uint_lt(length, all);
	ck_assert_ptr_null(memchr(file, '\n', all - length - 1));
	ck_assert_int_eq(memcmp(file + all - length, lines, length), 0);
	free(file);
	free(lines);
	return true;
}

static const struct rspb_left *read_it(void)
{
	rspb_left_read();
	return rspb_left_found();
}

START_TEST(all_of_it_is_there)
{
	const struct rspb_left *left;

	put_file();
	ck_assert_uint_eq(rspb_left_begin(kinds, NOW), 9);
	left = read_it();
	ck_assert_str_eq(left->refused, "");
	ck_assert_uint_eq(left->found.lines, 6);
	ck_assert_int_eq(left->at, NOW + 5);
	ck_assert_int_eq(reset, 1);
	ck_assert_int_eq(took, 3);
	ck_assert_uint_eq(rspb_promises_count(), 2);
	ck_assert_str_eq(rspb_promise_find(9)->contract, "rspb: cancelled");
	ck_assert_int_eq(rspb_promise_find(4)->at, NOW + 1);
	ck_assert(handed_on());
}
END_TEST

START_TEST(none_is_there)
{
	ck_assert_uint_eq(rspb_left_begin(kinds, NOW), 0);
	ck_assert(!read_it()->found.any);
	ck_assert_str_eq(read_it()->refused, "");
	ck_assert(!handed_on());
}
END_TEST

START_TEST(read_again_where_somebody_has_written)
{
	put_file();
	rspb_left_begin(kinds, NOW);
	rspb_left_read();
	rspb_left_now(NOW);
	ck_assert_int_eq(reset, 1);
	put_promise(12, "rspb: booked");
	ck_assert(!handed_on());
	rspb_left_now(NOW);
	ck_assert_int_eq(reset, 2);
	ck_assert_uint_eq(rspb_promises_count(), 3);
	ck_assert(handed_on());
}
END_TEST

START_TEST(what_is_damaged_is_not_handed_on)
{
	FILE *file;

	put_file();
	file = fopen(path, "a");
	fputs("{\"at\":1,\"promise\":{\"job\":99,", file);
	fclose(file);
	ck_assert_uint_eq(rspb_left_begin(kinds, NOW), 9);
	ck_assert_int_gt(read_it()->found.torn_bytes, 0);
	ck_assert(!handed_on());
}
END_TEST

/* A line with a wrong checksum. */
static void put_damaged(void)
{
	FILE *file = fopen(path, "a");

	ck_assert_ptr_nonnull(file);
	fputs("{\"at\":1,\"promise\":{\"job\":8,\"contract\":\"rspb: booked\"},\"crc\":\"00000000\"}\n",
	      file);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(promises_before_a_damaged_line_are_doubted)
{
	put(NOW, "journal", "{\"version\":1,\"cluster\":\"one\"}");
	put_promise(9, "rspb: booked");
	put_promise(4, "rspb: booked");
	put_damaged();
	put_damaged();
	put_promise(4, "rspb: cancelled");
	put_promise(5, "rspb: booked");
	rspb_left_begin(kinds, NOW);
	ck_assert_uint_eq(read_it()->found.broken, 2);
	ck_assert(rspb_promise_find(9)->doubted);
	ck_assert(!rspb_promise_find(4)->doubted);
	ck_assert(!rspb_promise_find(5)->doubted);
	put_damaged();
	rspb_left_now(NOW);
	ck_assert(rspb_promise_find(4)->doubted);
	ck_assert(rspb_promise_find(5)->doubted);
}
END_TEST

START_TEST(without_its_first_line_nothing_is_doubted)
{
	put_promise(9, "rspb: booked");
	put_promise(4, "rspb: booked");
	rspb_left_begin(kinds, NOW);
	ck_assert_uint_eq(read_it()->found.broken, 1);
	ck_assert(!rspb_promise_find(9)->doubted);
	ck_assert(!rspb_promise_find(4)->doubted);
}
END_TEST

START_TEST(what_only_replays_need_is_not_handed_on)
{
	put_file();
	put(NOW, "decision", "{}");
	rspb_left_begin(kinds, NOW);
	read_it();
	ck_assert(!handed_on());
}
END_TEST

START_TEST(what_is_grown_is_not_handed_on)
{
	put_file();
	for (int i = 0; i < SEVERAL; i++)
		put_promise(5, i % 2 ? "rspb: booked" : "rspb: cancelled");
	rspb_left_begin(kinds, NOW);
	read_it();
	ck_assert(!handed_on());
}
END_TEST

START_TEST(anothers_is_left_alone)
{
	put(NOW, "journal", "{\"version\":1,\"cluster\":\"two\"}");
	put_promise(9, "rspb: booked");
	rspb_left_begin(kinds, NOW);
	ck_assert_str_ne(read_it()->refused, "");
	ck_assert_uint_eq(rspb_promises_count(), 0);
	ck_assert(!handed_on());
}
END_TEST

/* As a disk gives them back, behind more than is read at once. */
START_TEST(a_gigabyte_of_zeros)
{
	char wide[1500];
	FILE *file;

	memset(wide, 'x', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	put_file();
	put_promise(76, "rspb: booked");
	for (int i = 0; i < MANY; i++)
		put_promise(10, wide);
	ck_assert_uint_eq(rspb_left_begin(kinds, NOW), 76);
	read_it();
	put_promise(77, "rspb: booked");
	ck_assert(test_memory(256 << 20));
	ck_assert_uint_eq(rspb_left_begin(kinds, NOW), 77);
	read_it();
	ck_assert_int_eq(truncate(path, 1 << 30), 0);
	file = fopen(path, "a");
	fputs("\n", file);
	fclose(file);
	put_promise(50, "rspb: booked");
	ck_assert_uint_eq(rspb_left_begin(kinds, NOW), 77);
	read_it();
	ck_assert(!handed_on());
}
END_TEST

RUN_TESTS("left", setup, teardown, 60, all_of_it_is_there, none_is_there,
	  read_again_where_somebody_has_written, what_is_damaged_is_not_handed_on,
	  promises_before_a_damaged_line_are_doubted, without_its_first_line_nothing_is_doubted,
	  what_only_replays_need_is_not_handed_on, what_is_grown_is_not_handed_on,
	  anothers_is_left_alone, a_gigabyte_of_zeros)
