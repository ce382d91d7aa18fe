/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/serve/server.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/runner.h"

static struct rspb_lines lines;
static int64_t now = 1000000;

/* RET the far end of a new connection. */
static int call(void)
{
	int ends[2];

	ck_assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends));
	rspb_lines_add(&lines, ends[0], now);
	return ends[1];
}

static struct rspb_line *newest(void)
{
	return rspb_lines_find(&lines, lines.serial);
}

static void put(int fd, const char *text, size_t len)
{
	ck_assert_int_eq(write(fd, text, len), (ssize_t) len);
}

static void setup(void)
{
	ck_assert(!rspb_lines_init(&lines));
}

static void teardown(void)
{
	rspb_lines_fini(&lines);
}

START_TEST(a_frame_comes_in_any_pieces)
{
	size_t size;
	char *frame = rspb_frame_make("hello", 5, &size);

	for (size_t cut = 1; cut < size; cut++) {
		int fd = call();
		struct rspb_line *line = newest();

		put(fd, frame, cut);
		ck_assert(!rspb_lines_serve(&lines, line, now));
		ck_assert(!rspb_lines_serve(&lines, line, now));
		/* What comes behind it belongs to the next one. */
		put(fd, frame + cut, size - cut);
		put(fd, "\0\0", 2);
		ck_assert(rspb_lines_serve(&lines, line, now));
		ck_assert_str_eq(line->frame.text, "hello");
		ck_assert_int_eq(line->state, RSPB_LINE_WAITING);
		close(fd);
	}
	free(frame);
}
END_TEST

START_TEST(lengths_that_are_not_allowed)
{
	static const uint32_t lengths[] = { 0, RSPB_FRAME_ASKED + 1, 10 * 1024 * 1024, UINT32_MAX };

	for (size_t i = 0; i < 4; i++) {
		uint32_t n = lengths[i];
		const char head[] = { (char) (n >> 24), (char) (n >> 16), (char) (n >> 8),
				      (char) n };
		int fd = call();
		char c;

		put(fd, head, 4);
		ck_assert(!rspb_lines_serve(&lines, newest(), now));
		ck_assert_ptr_null(newest());
		ck_assert_int_eq(read(fd, &c, 1), 0);
		close(fd);
	}
	ck_assert_uint_eq(rspb_lines_sweep(&lines, now), 0);
	ck_assert_uint_eq(lines.n, 0);
}
END_TEST

START_TEST(who_is_too_slow_is_cut_off)
{
	int half = call(), other = call();

	put(half, "\0\0", 2);
	rspb_lines_serve(&lines, &lines.items[0], now);
	put(other, "\0\0\0\1x", 5);
	ck_assert(rspb_lines_serve(&lines, &lines.items[1], now));
	ck_assert_uint_eq(rspb_lines_sweep(&lines, now + RSPB_LINES_ASK_MS - 1), 0);
	ck_assert_uint_eq(rspb_lines_sweep(&lines, now + RSPB_LINES_ASK_MS), 1);
	ck_assert_uint_eq(lines.n, 1);
	ck_assert_uint_eq(rspb_lines_sweep(&lines, now + RSPB_LINES_ANSWER_MS), 1);
	close(half);
	close(other);
}
END_TEST

START_TEST(an_answer_goes_out_as_it_is_taken)
{
	enum { BIG = 900000 };
	char *text = malloc(BIG + 1), *got = malloc(BIG + 4);
	size_t have = 0;
	int fd = call();
	struct rspb_line *line = newest();

	memset(text, 'a', BIG);
	text[BIG] = '\0';
	put(fd, "\0\0\0\1x", 5);
	ck_assert(rspb_lines_serve(&lines, line, now));
	ck_assert(rspb_lines_identify(&lines, line, 7, now));
	rspb_lines_answer(&lines, line, text, false, now);
	ck_assert_int_eq(line->state, RSPB_LINE_TAKING);
	ck_assert_uint_eq(lines.out, BIG + 4);
	while (have < BIG + 4) {
		ssize_t n = read(fd, got + have, BIG + 4 - have);

		have += n > 0 ? (size_t) n : 0;
		rspb_lines_serve(&lines, line, now);
	}
	ck_assert_mem_eq(got, "\0\x0d\xbb\xa0", 4);
	ck_assert_int_eq(line->state, RSPB_LINE_ASKING);
	ck_assert_uint_eq(lines.out, 0);
	free(got);
	close(fd);
}
END_TEST

START_TEST(half_of_the_descriptors_are_left)
{
	struct rspb_lines few;
	struct rlimit was, less;

	ck_assert_uint_eq(lines.most, RSPB_LINES_MOST);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &was), 0);
	less = (struct rlimit){ 100, was.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &less), 0);
	ck_assert_int_eq(rspb_lines_init(&few), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &was), 0);
	ck_assert_uint_eq(few.most, 50);
	for (int i = 0; i < 60; i++)
		rspb_lines_add(&few, dup(0), now);
	ck_assert_uint_eq(few.n, 50);
	rspb_lines_fini(&few);
}
END_TEST

START_TEST(where_it_is_full_the_unknown_go)
{
	int first = call(), second = call(), last;
	char c;

	ck_assert(rspb_lines_identify(&lines, newest() - 1, 5, now));
	while (lines.n < RSPB_LINES_MOST)
		close(call());
	last = call();
	ck_assert_uint_eq(lines.n, RSPB_LINES_MOST);
	/* The first is known; so the second, which has waited longest. */
	ck_assert_int_eq(read(first, &c, 1), -1);
	ck_assert_int_eq(read(second, &c, 1), 0);
	ck_assert_int_eq(read(last, &c, 1), -1);
	close(first);
	close(second);
	close(last);
}
END_TEST

START_TEST(a_user_has_so_many_connections)
{
	int fds[RSPB_CALLER_LINES + 1];
	struct rspb_line *line;

	for (int i = 0; i < RSPB_CALLER_LINES; i++) {
		fds[i] = call();
		ck_assert(rspb_lines_identify(&lines, newest(), 5, now));
	}
	fds[RSPB_CALLER_LINES] = call();
	line = newest();
	ck_assert(!rspb_lines_identify(&lines, line, 5, now));
	ck_assert(rspb_lines_identify(&lines, line, 6, now));
	ck_assert(!rspb_lines_identify(&lines, line, 5, now));
	/* One who leaves makes room. */
	rspb_lines_drop(&lines, &lines.items[0]);
	close(call());
	ck_assert(rspb_lines_identify(&lines, newest(), 5, now));
	for (int i = 0; i <= RSPB_CALLER_LINES; i++)
		close(fds[i]);
}
END_TEST

START_TEST(a_user_asks_so_often)
{
	struct rspb_callers callers = { .n = 0 };
	int64_t pause = 0;

	ck_assert(rspb_callers_join(&callers, 5, now));
	ck_assert(rspb_callers_join(&callers, 6, now));
	for (int i = 0; i < RSPB_CALLER_BURST; i++)
		ck_assert_int_eq(rspb_callers_charge(&callers, 5, now), 0);
	pause = rspb_callers_charge(&callers, 5, now);
	ck_assert_int_eq(pause, 1000 / RSPB_CALLER_RATE + 1);
	ck_assert_int_eq(rspb_callers_charge(&callers, 6, now), 0);
	/* Leaving and coming back is no way round it. */
	rspb_callers_leave(&callers, 5);
	ck_assert(rspb_callers_join(&callers, 5, now));
	ck_assert_int_gt(rspb_callers_charge(&callers, 5, now), 0);
	ck_assert_int_eq(rspb_callers_charge(&callers, 5, now + 1000), 0);
	/* Who has long been gone is forgotten. */
	rspb_callers_leave(&callers, 5);
	rspb_callers_leave(&callers, 6);
	ck_assert(rspb_callers_join(&callers, 7, now + 3600000));
	ck_assert_uint_eq(callers.n, 1);
	rspb_callers_fini(&callers);
}
END_TEST

/* RET the line of a new connection with a question of a user, which waits for its turn. */
static struct rspb_line *ask_of(uint32_t uid, int *fd)
{
	*fd = call();
	ck_assert(rspb_lines_identify(&lines, newest(), uid, now));
	newest()->state = RSPB_LINE_WAITING;
	rspb_lines_hold(&lines, newest(), strdup("?"), 1);
	return newest();
}

/* RET whose question is next, 0: none. */
static uint32_t next_at(int64_t at, int64_t *until)
{
	char *question;
	size_t len;
	struct rspb_line *line = rspb_lines_next(&lines, &question, &len, at, until);

	if (!line)
		return 0;
	ck_assert_uint_eq(len, 1);
	free(question);
	return line->uid;
}

START_TEST(processor_time_is_charged)
{
	struct rspb_callers *callers = &lines.callers;
	int64_t least;

	ck_assert(rspb_callers_join(callers, 5, now));
	rspb_callers_use(callers, 5, 1500 * RSPB_CALLER_COST_US, now);
	ck_assert_int_eq(rspb_callers_credit(callers, 5, now), (RSPB_CALLER_BURST - 1500) * 1000);
	rspb_callers_use(callers, 5, 1500 * RSPB_CALLER_COST_US, now);
	ck_assert_int_gt(rspb_callers_charge(callers, 5, now), 1000 * 1000 / RSPB_CALLER_RATE);
	/* Nobody is shut out for longer than a burst. */
	rspb_callers_use(callers, 5, 3600 * INT64_C(1000000), now);
	least = 1000 * RSPB_CALLER_BURST / RSPB_CALLER_RATE;
	ck_assert_int_lt(rspb_callers_credit(callers, 5, now), 0);
	ck_assert_int_ge(rspb_callers_credit(callers, 5, now + least), 0);
	ck_assert_int_eq(rspb_callers_credit(callers, 6, now), RSPB_CALLER_BURST * 1000);
}
END_TEST

START_TEST(who_has_used_least_is_next)
{
	int64_t until = INT64_MAX;
	int fds[5];

	for (int i = 0; i < 4; i++)
		ask_of(5, &fds[i]);
	ask_of(6, &fds[4]);
	/* Another user has asked less. */
	ck_assert_uint_eq(next_at(now, &until), 6);
	ck_assert_uint_eq(next_at(now, &until), 5);
	rspb_callers_use(&lines.callers, 5, 58000, now);
	close(fds[4]);
	ask_of(6, &fds[4]);
	ck_assert_uint_eq(next_at(now, &until), 6);
	ck_assert_int_eq(until, INT64_MAX);
	/* The first question of a user comes first. */
	ck_assert_ptr_nonnull(lines.items[1].question);
	ck_assert_uint_eq(next_at(now, &until), 5);
	ck_assert_ptr_null(lines.items[1].question);
	ck_assert_ptr_nonnull(lines.items[2].question);
	for (int i = 0; i < 5; i++)
		close(fds[i]);
}
END_TEST

START_TEST(a_question_waits_while_its_user_is_in_debt)
{
	int64_t until = INT64_MAX, debt;
	int fd;

	rspb_callers_join(&lines.callers, 5, now);
	rspb_callers_use(&lines.callers, 5, RSPB_CALLER_BURST * RSPB_CALLER_COST_US, now);
	/* Connections that are reset are no way round it: none is answered, each counts. */
	for (int i = 0; i < 100; i++) {
		struct rspb_line *line = ask_of(5, &fd);

		ck_assert_uint_eq(next_at(now, &until), 0);
		rspb_lines_drop(&lines, line);
		rspb_lines_sweep(&lines, now);
		close(fd);
	}
	debt = -rspb_callers_credit(&lines.callers, 5, now);
	ck_assert_int_eq(debt, 100 * 1000);
	ask_of(5, &fd);
	until = INT64_MAX;
	ck_assert_uint_eq(next_at(now, &until), 0);
	ck_assert_int_eq(until, now + (debt + 1000) / RSPB_CALLER_RATE + 1);
	ck_assert_uint_eq(rspb_lines_sweep(&lines, until), 0);
	ck_assert_uint_eq(next_at(until, &until), 5);
	close(fd);
}
END_TEST

static Suite *lines_suite(void)
{
	Suite *suite = suite_create("lines");
	TCase *tcase = tcase_create("lines");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_frame_comes_in_any_pieces);
	tcase_add_test(tcase, lengths_that_are_not_allowed);
	tcase_add_test(tcase, who_is_too_slow_is_cut_off);
	tcase_add_test(tcase, an_answer_goes_out_as_it_is_taken);
	tcase_add_test(tcase, half_of_the_descriptors_are_left);
	tcase_add_test(tcase, where_it_is_full_the_unknown_go);
	tcase_add_test(tcase, a_user_has_so_many_connections);
	tcase_add_test(tcase, a_user_asks_so_often);
	tcase_add_test(tcase, processor_time_is_charged);
	tcase_add_test(tcase, who_has_used_least_is_next);
	tcase_add_test(tcase, a_question_waits_while_its_user_is_in_debt);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(lines_suite)
