/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and prints durations, and shows times by the clock of a reader. */
#include "common/wire/time_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"

/* Longer than any calendar: what is beyond is a mistake. */
static const int64_t duration_most_ms = INT64_C(3153600000000);

static const struct unit {
	const char *name;
	int64_t ms;
} units[] = {
	{ "d", 86400000 }, { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 },
};
enum { N_UNITS = sizeof(units) / sizeof(units[0]) };

/* A whole number and one unit: a bare one would be minutes to Slurm, and seconds to
 * others. Nothing at all is the same in any. */
static int parse_unit(const char *text, int64_t *ms)
{
	size_t n = strspn(text, "0123456789");
	const char *unit = strcmp(text, "0") ? text + n : "s";
	int64_t count;

	for (int i = 0; i < N_UNITS; i++) {
		if (strcmp(units[i].name, unit))
			continue;
		if (rspb_text_whole(text, n, 0, duration_most_ms / units[i].ms, &count, NULL) < 0)
			return -1;
		*ms = count * units[i].ms;
		return 0;
	}
	return -1;
}

/* [D-]HH:MM:SS, D-HH, D-HH:MM; within a longer unit each is below its own. */
static int parse_clock(const char *text, int64_t *ms)
{
	static const int64_t scale[] = { 3600000, 60000, 1000 };
	const char *dash = strchr(text, '-');
	int64_t sum = 0, part;
	int fields = 0;

	if (dash) {
		if (rspb_text_whole(text, (size_t) (dash - text), 0, 36500, &part, NULL) < 0)
			return -1;
		sum = part * units[0].ms;
		text = dash + 1;
	}
	for (;;) {
		size_t n = strcspn(text, ":");
		int64_t most = fields ? 59 : dash ? 23 : 876000;

		if (fields == 3 || rspb_text_whole(text, n, 0, most, &part, NULL) < 0)
			return -1;
		sum += part * scale[fields++];
		if (!text[n])
			break;
		text += n + 1;
	}
	if (!dash && fields < 3)
		return -1;
	*ms = sum;
	return 0;
}

int rspb_duration_parse_ms(const char *text, int64_t *ms, struct rspb_err *err)
{
	bool clock = strpbrk(text, ":-");
	struct rspb_quote quote;

	if ((clock ? parse_clock(text, ms) : parse_unit(text, ms)) < 0)
		return rspb_fail(err,
				 "'%s' is not a duration; allowed are a "
				 "whole number with its unit, ms, s, m, h or d, HH:MM:SS "
				 "and D-HH[:MM[:SS]], up to 36500 days",
				 rspb_text_quote(&quote, text, strlen(text)));
	return 0;
}

size_t rspb_duration_print_ms(int64_t ms, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);
	int i = 0;

	while (!ms ? units[i].ms != 1000 : ms % units[i].ms != 0)
		i++;
	rspb_text_add(&out, "%" PRId64 "%s", ms / units[i].ms, units[i].name);
	return out.len;
}

int rspb_duration_seconds(const char *text, size_t len, int64_t *out, struct rspb_err *err)
{
	const int64_t most_ms = INT64_C(3650) * 86400 * 1000;
	char copy[64];
	int64_t ms;

	if (len >= sizeof(copy))
		return rspb_fail(err, "the time is too long");
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (rspb_duration_parse_ms(copy, &ms, err))
		return -1;
	if (ms % 1000 || ms > most_ms)
		return rspb_fail(err, "allowed are whole seconds up to 3650d");
	*out = ms / 1000;
	return 0;
}

/* --- clocks of readers --- */

enum { DAY = 86400, DAYS_AHEAD = 366, TURNS_MOST = 3, OFFSET_MOST = 26 * 3600 };

/* From that second on. */
struct turn {
	int64_t from, offset;
	char name[RSPB_ZONE_NAME];
};

/* --- as a text --------------------------------------------------------------- */

/* RET how many characters "FROM:OFFSET:NAME" takes, of the first one (from 0)
 * without FROM; 0: it is none. */
static int read_turn(const char *text, bool first, struct turn *turn)
{
	int len = -1;

	*turn = (struct turn){ .from = 0 };
	if (first)
		sscanf(text, "%6" SCNd64 ":%7[A-Za-z0-9+-]%n", &turn->offset, turn->name, &len);
	else
		sscanf(text, ",%12" SCNd64 ":%6" SCNd64 ":%7[A-Za-z0-9+-]%n", &turn->from,
		       &turn->offset, turn->name, &len);
	if (len < 0 || turn->from < 0 || turn->offset < -OFFSET_MOST || turn->offset > OFFSET_MOST)
		return 0;
	return len;
}

/* RET how many there are, 0: it is no such text. */
static int read_all(const char *text, struct turn turns[TURNS_MOST])
{
	static const char may[] = "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-:,";
	int n = 0, len;

	/* Refuse the blanks that scanf would skip. */
	if (text[strspn(text, may)])
		return 0;
	while (*text && n < TURNS_MOST) {
		len = read_turn(text, !n, &turns[n]);
		if (!len || (n && turns[n].from <= turns[n - 1].from))
			return 0;
		text += len;
		n++;
	}
	return *text ? 0 : n;
}

int rspb_zone_check(const char *text, struct rspb_err *err)
{
	struct turn turns[TURNS_MOST];
	struct rspb_quote quote;

	if (strnlen(text, RSPB_ZONE_TEXT) < RSPB_ZONE_TEXT && read_all(text, turns))
		return 0;
	return rspb_fail(err,
			 "'%s' is no clock; allowed is SECONDS:NAME, and then "
			 "FROM:SECONDS:NAME, separated by commas",
			 rspb_text_quote(&quote, text, strnlen(text, RSPB_ZONE_TEXT)));
}

/* --- this process's ------------------------------------------------------------ */

/* How the clock here is at a second. RET false: there is no such time. */
static bool look_up_turn(int64_t at, struct turn *turn)
{
	time_t seconds = at;
	struct tm tm;
	char name[64];

	*turn = (struct turn){ .from = at };
	if (!localtime_r(&seconds, &tm) || !strftime(name, sizeof(name), "%Z", &tm))
		return false;
	turn->offset = tm.tm_gmtoff;
	snprintf(turn->name, sizeof(turn->name), "%.7s", name);
	return true;
}

static bool same(const struct turn *a, const struct turn *b)
{
	return a->offset == b->offset && !strcmp(a->name, b->name);
}

/* The second between the two from which on it is as at the later one. */
static int64_t turns_at(int64_t early, int64_t late, const struct turn *before)
{
	struct turn turn;

	while (late - early > 1) {
		int64_t middle = early + (late - early) / 2;

		if (look_up_turn(middle, &turn) && same(&turn, before))
			early = middle;
		else
			late = middle;
	}
	return late;
}

void rspb_zone_here(int64_t now, char text[RSPB_ZONE_TEXT])
{
	struct rspb_text out = rspb_text_over(text, RSPB_ZONE_TEXT);
	struct turn last, turn;
	int n = 1;

	if (!look_up_turn(now, &last))
		return;
	rspb_text_add(&out, "%" PRId64 ":%s", last.offset, last.name);
	for (int day = 1; day <= DAYS_AHEAD && n < TURNS_MOST; day++) {
		int64_t at = now + (int64_t) day * DAY;

		if (!look_up_turn(at, &turn) || same(&turn, &last))
			continue;
		rspb_text_add(&out, ",%" PRId64 ":%" PRId64 ":%s", turns_at(at - DAY, at, &last),
			      turn.offset, turn.name);
		last = turn;
		n++;
	}
	if (out.len >= out.size || rspb_zone_check(text, NULL))
		text[0] = '\0';
}

bool rspb_zone_is_here(const char *zone, int64_t now)
{
	struct turn turns[TURNS_MOST], here;
	int n = read_all(zone, turns);

	for (int i = 0; i < n; i++)
		if (!look_up_turn(turns[i].from > now ? turns[i].from : now, &here) ||
		    (!same(&turns[i], &here) && (i + 1 == n || turns[i + 1].from > now)))
			return false;
	return true;
}

/* --- what it shows --------------------------------------------------------------- */

bool rspb_zone_tm(const char *zone, int64_t at, struct tm *tm, char name[RSPB_ZONE_NAME])
{
	struct turn turns[TURNS_MOST], here;
	int n = read_all(zone, turns), i = 0;
	time_t seconds = at;

	if (!n) {
		if (!look_up_turn(at, &here) || !localtime_r(&seconds, tm))
			return false;
		memcpy(name, here.name, sizeof(here.name));
		return true;
	}
	while (i + 1 < n && turns[i + 1].from <= at)
		i++;
	seconds += turns[i].offset;
	memcpy(name, turns[i].name, sizeof(turns[i].name));
	return gmtime_r(&seconds, tm);
}

void rspb_zone_localize(const char *zone, const char *text, char *buf, size_t size)
{
	enum { UTC_TIME = sizeof("2026-11-24T09:00:00Z") - 1 };
	struct rspb_text out = rspb_text_over(buf, size);
	const char *begin = text;

	while (*text && out.len < size) {
		/* sbatch takes no zone. */
		bool flag = text > begin && text[-1] == '=';
		char local[32], name[RSPB_ZONE_NAME];
		struct tm tm;
		int64_t at;

		if (strlen(text) < UTC_TIME || rspb_text_time(text, UTC_TIME, &at, NULL) ||
		    !rspb_zone_tm(zone, at, &tm, name) ||
		    !strftime(local, sizeof(local), "%FT%T", &tm)) {
			rspb_text_add(&out, "%c", *text++);
			continue;
		}
		rspb_text_add(&out, "%s%s%s", local, flag ? "" : " ", flag ? "" : name);
		text += UTC_TIME;
	}
}
