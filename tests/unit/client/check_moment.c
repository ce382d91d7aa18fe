/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is typed for --begin means what it means to sbatch: by a table, and where
 * Slurm's library is at hand by its own answers. */
#include "contrib/client/moment.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/runner.h"

static time_t clock_s;

/* Also for the library. */
time_t time(time_t *out)
{
	if (out)
		*out = clock_s;
	return clock_s;
}

static void set_clock(int month, int day, int hour, int minute, int second)
{
	struct tm tm = { .tm_year = 126,
			 .tm_mon = month - 1,
			 .tm_mday = day,
			 .tm_hour = hour,
			 .tm_min = minute,
			 .tm_sec = second,
			 .tm_isdst = -1 };

	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	clock_s = mktime(&tm);
}

/* By the clock of the wall; "": it is refused. */
static void says(const char *text, const char *wanted)
{
	char got[32] = "";
	struct rspb_err err;
	int64_t out = -7;
	time_t at;

	if (rspb_moment_parse(text, clock_s, &out, &err)) {
		ck_assert_int_eq(out, -7);
	} else {
		at = out;
		strftime(got, sizeof(got), "%F %T", localtime_r(&at, &(struct tm){ 0 }));
	}
	ck_assert_msg(!strcmp(got, wanted), "%s: %s, and not %s", text, got, wanted);
}

START_TEST(table)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {
		{ "now", "2026-11-22 15:30:10" },
		{ "now+3hour", "2026-11-22 18:30:10" },
		{ "now+3hours", "2026-11-22 18:30:10" },
		{ "now + 90 minutes", "2026-11-22 17:00:10" },
		{ "now+60", "2026-11-22 15:31:10" },
		{ "NOW+1Week", "2026-11-29 15:30:10" },
		{ "now-1day", "2026-11-21 15:30:10" },
		{ "now+2h", "2026-11-22 17:30:10" },
		{ "now+1:30:00", "2026-11-22 17:00:10" },
		{ "today", "2026-11-22 00:00:00" },
		{ "tomorrow", "2026-11-23 00:00:00" },
		{ "midnight", "2026-11-23 00:00:00" },
		{ "noon", "2026-11-23 12:00:00" },
		{ "elevenses", "2026-11-23 11:00:00" },
		{ "fika", "2026-11-23 15:00:00" },
		{ "teatime", "2026-11-22 16:00:00" },
		{ "tomorrow teatime", "2026-11-23 16:00:00" },
		{ "16:00 today", "2026-11-22 16:00:00" },
		{ "15:30", "2026-11-23 15:30:00" },
		{ "15:31", "2026-11-22 15:31:00" },
		{ "3:31pm", "2026-11-22 15:31:00" },
		{ "9:00 AM", "2026-11-23 09:00:00" },
		{ "12:00:05am", "2026-11-23 00:00:05" },
		{ "12:05pm", "2026-11-23 12:05:00" },
		{ "112426", "2026-11-24 00:00:00" },
		{ "1124", "2026-11-24 00:00:00" },
		{ "11/24", "2026-11-24 00:00:00" },
		{ "11.24.27", "2027-11-24 00:00:00" },
		{ "11/22", "2027-11-22 00:00:00" },
		{ "11/22-16:00", "2026-11-22 16:00:00" },
		{ "11/24/26-09:15:20", "2026-11-24 09:15:20" },
		{ "2026-11-24", "2026-11-24 00:00:00" },
		{ "2026-11-24T09:00", "2026-11-24 09:00:00" },
		{ "2026-11-24T09:00:05", "2026-11-24 09:00:05" },
		{ "2026-07-24T09:00:05Z", "2026-07-24 11:00:05" },
		{ "uts1795000000", "2026-11-18 12:06:40" },
		{ "", "" },
		{ "T", "" },
		{ "soon", "" },
		{ "now+", "" },
		{ "now+hour", "" },
		{ "now*2", "" },
		{ "now+3parsecs", "" },
		{ "24:00", "" },
		{ "9:60", "" },
		{ "13:00pm", "" },
		{ "13:00am", "" },
		{ "9:0", "" },
		{ "13/24", "" },
		{ "11/32", "" },
		{ "2026-13-01", "" },
		{ "2026-11-24T09:00x", "" },
		{ "uts12", "" },
	};

	set_clock(11, 22, 15, 30, 10);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		says(rows[i].text, rows[i].wanted);
}
END_TEST

/* --- Slurm's own ------------------------------------------------------------- */

typedef time_t parse_fn(const char *text, int past);

/* RET NULL: it is not there. */
static parse_fn *find(void)
{
	char name[32] = "libslurm.so";
	void *library = dlopen(name, RTLD_LAZY);

	for (int i = 38; !library && i < 60; i++) {
		snprintf(name, sizeof(name), "libslurm.so.%d", i);
		library = dlopen(name, RTLD_LAZY);
	}
	return library ? (parse_fn *) dlsym(library, "slurm_parse_time") : NULL;
}

/* A day, a time of it, both or what is neither. */
static void make(char *text, size_t size)
{
	static const char *const days[] = {
		"today",    "tomorrow", "",	      "",	  "%d/%d",
		"%02d%02d", "%d.%d.27", "%02d%02d28", "%d/%d/26", "2027-%02d-%02d",
	};
	static const char *const times[] = {
		"midnight", "noon",	      "fika",	   "teatime",	 "",
		"%d:%02d",  "%02d:%02d:%02d", "%d:%02dpm", "%d:%02d AM", "%02d:%02d:%02d PM",
	};
	static const char *const between[] = { "T", " ", "-" };
	static const char *const units[] = { "",    "seconds", "minute", "hours",
					     "day", "weeks",   " weeks" };
	int n;

	if (!(random() % 4)) {
		snprintf(text, size, "now%c%ld%s", random() % 4 ? '+' : '-', random() % 3000,
			 units[random() % 7]);
		return;
	}
	n = snprintf(text, size, days[random() % 10], (int) (random() % 13), (int) (random() % 33));
	n += snprintf(text + n, size - n, "%s", between[random() % 3]);
	snprintf(text + n, size - n, times[random() % 10], (int) (random() % 25),
		 (int) (random() % 61), (int) (random() % 61));
}

START_TEST(slurm)
{
	parse_fn *parse = find();
	int refused = 0;

	if (!parse)
		return;
	srandom(11);
	/* What it says of what it refuses is of no interest. */
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	for (int i = 0, n = test_rounds(100000); i < n; i++) {
		char text[80];
		int64_t out = 0;
		time_t wanted;

		if (!(i % 10))
			set_clock(1 + (int) (random() % 12), 1 + (int) (random() % 31),
				  (int) (random() % 24), (int) (random() % 60),
				  (int) (random() % 60));
		make(text, sizeof(text));
		wanted = parse(text, 0);
		if (rspb_moment_parse(text, clock_s, &out, NULL))
			out = 0;
		refused += !out;
		ck_assert_msg(out == wanted, "%s at %ld: %ld, and not %ld", text, (long) clock_s,
			      (long) out, (long) wanted);
	}
	ck_assert_int_gt(refused, 0);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { table, slurm };

	return suite_of("moment", tests, 2);
}

RUN_SUITE(suite)
