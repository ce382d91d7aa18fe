/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/text.h"

#include <string.h>
#include <time.h>

#include "tests/unit/runner.h"

START_TEST(sentences)
{
	struct rspb_err err;
	char longer[RSPB_ERR_TEXT * 2];

	ck_assert_int_eq(rspb_fail(&err, "a\tb%sc", "\x1b\n"), -1);
	ck_assert_str_eq(err.text, "a?b??c");
	ck_assert_int_eq(rspb_fail_at(&err, "line %d", 7), -1);
	ck_assert_str_eq(err.text, "line 7: a?b??c");
	ck_assert_int_eq(rspb_fail(NULL, "x"), -1);
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	rspb_fail(&err, "%s", longer);
	ck_assert_uint_eq(strlen(err.text), RSPB_ERR_TEXT - 1);
	ck_assert_str_eq(err.text + RSPB_ERR_TEXT - 4, "...");
}
END_TEST

START_TEST(hosts)
{
	ck_assert(rspb_text_same_host("n1", "N1.cluster.example"));
	ck_assert(rspb_text_same_host("n1.a", "n1.b"));
	ck_assert(rspb_text_same_host("10.0.0.1", "10.0.0.1"));
	ck_assert(rspb_text_same_host("fd00::1", "FD00::1"));
	ck_assert(!rspb_text_same_host("10.0.0.1", "10.0.0.2"));
	ck_assert(!rspb_text_same_host("10.0.0.1", "10"));
	ck_assert(!rspb_text_same_host("n1", "n10"));
	ck_assert(!rspb_text_same_host("", ""));
	ck_assert(!rspb_text_same_host(NULL, "n1"));
	ck_assert(!rspb_text_same_host("n1", NULL));
}
END_TEST

START_TEST(writer)
{
	char buf[6];
	struct rspb_text t = rspb_text_over(buf, sizeof(buf));

	rspb_text_add(&t, "%s", "abc");
	rspb_text_add(&t, "%s", "def");
	rspb_text_add(&t, "%s", "ghi");
	ck_assert_str_eq(buf, "abcde");
	ck_assert_uint_eq(t.len, 9);
	t = rspb_text_over(NULL, 0);
	rspb_text_add(&t, "12345");
	ck_assert_uint_eq(t.len, 5);
}
END_TEST

START_TEST(names)
{
	ck_assert(rspb_text_same("BatchInterval", "batch_interval"));
	ck_assert(rspb_text_same("a_", "A"));
	ck_assert(!rspb_text_same("a", "ab"));
	ck_assert_uint_eq(rspb_text_distance("kitten", "sitting"), 3);
	ck_assert_uint_eq(rspb_text_distance("", "abc"), 3);
}
END_TEST

START_TEST(quotes_end_between_characters)
{
	struct rspb_quote q;
	char text[60];

	memset(text, 'a', sizeof(text));
	text[39] = '\xc3';
	text[40] = '\xa9';
	ck_assert_uint_eq(strlen(rspb_text_quote(&q, text, 60)), 42);
	ck_assert_str_eq(rspb_text_quote(&q, "abc", 2), "ab");
}
END_TEST

START_TEST(numbers)
{
	int64_t v = 5, den = 5;
	struct rspb_err err;

	ck_assert_int_eq(rspb_text_whole("00120x", 5, 0, 200, &v, &err), 0);
	ck_assert_int_eq(v, 120);
	ck_assert_int_eq(rspb_text_whole("201", 3, 0, 200, &v, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "allowed is 0 to 200"));
	ck_assert_int_eq(rspb_text_whole("", 0, 0, 200, &v, &err), -1);
	ck_assert_int_eq(rspb_text_whole("9999999999999999999", 19, 0, INT64_MAX - 1, &v, &err),
			 -1);
	ck_assert_int_eq(rspb_text_whole("+1", 2, 0, 9, &v, &err), -1);
	ck_assert_int_eq(v, 120);
	ck_assert_int_eq(rspb_text_decimal("12.50", 5, &v, &den, &err), 0);
	ck_assert_int_eq(v, 1250);
	ck_assert_int_eq(den, 100);
	for (const char *const *bad =
		     (const char *const[]){ ".5", "5.", "1,5", "1.2.3", "1e3", "0x1", "nan", "",
					    "1234567890", "1.1234567", "-1", NULL };
	     *bad; bad++)
		ck_assert_int_eq(rspb_text_decimal(*bad, strlen(*bad), &v, &den, &err), -1);
	ck_assert_int_eq(v, 1250);
}
END_TEST

/* The calendar against the C library's, over centuries. */
START_TEST(times)
{
	for (int64_t t = 0; t < INT64_C(253402300800);
	     t += INT64_C(2246400000) / test_rounds(2000) + 7777) {
		time_t lib = (time_t) t;
		char expected[64], text[64];
		struct rspb_text w = rspb_text_over(text, sizeof(text));
		struct tm tm;
		int64_t again;

		gmtime_r(&lib, &tm);
		strftime(expected, sizeof(expected), "%Y-%m-%dT%H:%M:%SZ", &tm);
		rspb_text_add_time(&w, t);
		ck_assert_str_eq(text, expected);
		ck_assert_int_eq(rspb_text_time(text, w.len, &again, NULL), 0);
		ck_assert_int_eq(again, t);
	}
}
END_TEST

START_TEST(bad_times)
{
	static const char *const bad[] = {
		"",
		"@",
		"@5",
		"@-",
		"2026-13-01T00:00:00Z",
		"2026-00-10T00:00:00Z",
		"2026-02-29T00:00:00Z",
		"2026-01-01T24:00:00Z",
		"2026-01-01T00:00:60Z",
		"0000-00-00T00:00:00Z",
		"2026-01-01T00:00:00",
		"@99999999999999999999",
	};
	int64_t t = 9;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(rspb_text_time(bad[i], strlen(bad[i]), &t, NULL), -1);
	ck_assert_int_eq(t, 9);
	ck_assert_int_eq(rspb_text_time("@-5", 3, &t, NULL), 0);
	ck_assert_int_eq(t, -5);
}
END_TEST

START_TEST(members_of_lists)
{
	static const char *const yes[] = { "ab", "abc", ",ab", ",,ab", "x,ab,y", "x,y,abc" };
	static const char *const no[] = { "", ",", "a", "xab", "x,xab", "a,b" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		ck_assert_msg(rspb_text_list_begins(yes[i], "ab"), "%s", yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		ck_assert_msg(!rspb_text_list_begins(no[i], "ab"), "%s", no[i]);
	ck_assert(rspb_text_listed("ab", "ab"));
	ck_assert(rspb_text_listed("x,ab,y", "ab"));
	ck_assert(rspb_text_listed("x,,ab", "ab"));
	ck_assert(!rspb_text_listed("abc,xab,a,b", "ab"));
	ck_assert(!rspb_text_listed("", "ab"));
	ck_assert(rspb_text_listed_within("x,ab", 4, "ab"));
	ck_assert(!rspb_text_listed_within("x,ab", 3, "ab"));
	ck_assert(!rspb_text_listed_within("ab", 0, "ab"));
}
END_TEST

START_TEST(characters)
{
	static const struct {
		const char *text, *clean;
		size_t first;
	} cases[] = {
		{ "ab", "ab", 1 },
		{ "\xc3\xa4x", "\xc3\xa4x", 2 },
		{ "\xe2\x82\xac", "\xe2\x82\xac", 3 },
		{ "\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82", 4 },
		{ "\x1b[31m\x7f\n", "?[31m??", 1 },
		{ "\xc2\x9bm", "?m", 2 }, /* one byte's worth of "ESC [" */
		{ "\xe2\x80\xae"
		  "b",
		  "?b", 3 }, /* from right to left */
		{ "\xe2\x81\xa6"
		  "b",
		  "?b", 3 },
		{ "\xe2\x80\xa6", "\xe2\x80\xa6", 3 },
		{ "\xc0\xaf", "??", 0 }, /* '/', longer than needed */
		{ "\xe0\x80\xaf", "???", 0 },
		{ "\xed\xa0\x80", "???", 0 },	   /* half a pair */
		{ "\xf4\x90\x80\x80", "????", 0 }, /* beyond the last one */
		{ "\xe2\x82", "??", 0 },	   /* cut */
		{ "\xff", "?", 0 },
		/* No half of one where there is no room. */
		{ "0123456789abcd\xc3\xa4", "0123456789abcd", 1 },
	};
	char clean[16];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rspb_text_clean(clean, sizeof(clean), cases[i].text);
		ck_assert_str_eq(clean, cases[i].clean);
		ck_assert_uint_eq(rspb_text_character(cases[i].text), cases[i].first);
	}
}
END_TEST

RUN_TESTS("text", NULL, NULL, 0, sentences, hosts, writer, names, quotes_end_between_characters,
	  numbers, times, bad_times, members_of_lists, characters)
