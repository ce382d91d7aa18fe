/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and prints durations, and shows times by the clock of a reader. */
#include "common/wire/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A hundred years of 365 days. Longer times are mistakes, and sums of several such times stay far
 * below 63 bits. */
static const int64_t duration_most_ms = INT64_C(3153600000000);

/* The units, from the longest to the shortest, in the order in which rspb_duration_print_ms() tries
 * them. */
static const struct unit {
	const char *name;
	int64_t ms;
} units[] = {
	{ "d", 86400000 }, { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 },
};
enum { N_UNITS = sizeof(units) / sizeof(units[0]) };

/* Read a whole number with one unit. A bare number is refused, because it would be minutes to Slurm
 * and seconds to others. 0 needs no unit. */
static int parse_unit(const char *text, int64_t *ms)
{
	size_t n = strspn(text, "0123456789");
	const char *unit = strcmp(text, "0") ? text + n : "s";
	int64_t count;

	for (int i = 0; i < N_UNITS; i++) {
		if (strcmp(units[i].name, unit))
			continue;
		/* The limit is divided by the unit, so that the product below cannot overflow. */
		if (rspb_text_whole(text, n, 0, duration_most_ms / units[i].ms, &count, NULL) < 0)
			return -1;
		*ms = count * units[i].ms;
		return 0;
	}
	return -1;
}

/* Read [D-]HH:MM:SS, D-HH or D-HH:MM, as Slurm does. A field after a longer one is below 24 or
 * 60. */
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
	/* "10:30" is refused: Slurm reads it as minutes and seconds, many users as hours and
	 * minutes. */
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

/* The longest unit that divides the time exactly is used. The loop ends, because every time is a
 * whole number of milliseconds. 0 is printed in seconds. */
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
	/* The text is a part of a longer one, and rspb_duration_parse_ms() needs its end. */
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

/* A description has the present state of a clock and up to two changes within a year. The bound on
 * offsets is wider than any zone. */
enum { DAY = 86400, DAYS_AHEAD = 366, TURNS_MOST = 3, OFFSET_MOST = 26 * 3600 };

/* How a clock is from a second on: its distance from UTC in seconds, and its name. */
struct turn {
	int64_t from, offset;
	char name[RSPB_ZONE_NAME];
};

/* --- as a text --------------------------------------------------------------- */

/* Read "FROM:OFFSET:NAME", without FROM in the first entry. RET how many characters it takes, or 0:
 * it is no such entry. */
static int read_turn(const char *text, bool first, struct turn *turn)
{
	int len = -1;

	/* The widths in the formats keep numbers within 64 bits and names within their buffer. %n
	 * is reached only if all fields were read. */
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

/* Read a whole description. RET how many entries it has, or 0 if it is no description; an empty
 * text is none, either. */
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
		/* Entries must rise in time, because rspb_zone_tm() takes the last one that has
		 * begun. */
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

	/* The text comes from a client, so its length is bounded before it is read. */
	if (strnlen(text, RSPB_ZONE_TEXT) < RSPB_ZONE_TEXT && read_all(text, turns))
		return 0;
	return rspb_fail(err,
			 "'%s' is no clock; allowed is SECONDS:NAME, and then "
			 "FROM:SECONDS:NAME, separated by commas",
			 rspb_text_quote(&quote, text, strnlen(text, RSPB_ZONE_TEXT)));
}

/* --- this process's ------------------------------------------------------------ */

/* Look up how the clock of this process is at a second. A name of more than seven characters is
 * cut. RET false if there is no such time. */
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

/* Return the second from which on the clock differs from `before`, by halving between `early`,
 * where it agrees, and `late`. If it changes several times in between, any of these changes is
 * found. */
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

	/* The text stays empty, which means the clock of whoever reads it. */
	if (!look_up_turn(now, &last))
		return;
	rspb_text_add(&out, "%" PRId64 ":%s", last.offset, last.name);
	/* libc has no way to ask for the next change, so each day of the year is looked at. */
	for (int day = 1; day <= DAYS_AHEAD && n < TURNS_MOST; day++) {
		int64_t at = now + (int64_t) day * DAY;

		if (!look_up_turn(at, &turn) || same(&turn, &last))
			continue;
		rspb_text_add(&out, ",%" PRId64 ":%" PRId64 ":%s", turns_at(at - DAY, at, &last),
			      turn.offset, turn.name);
		last = turn;
		n++;
	}
	/* A description that the receiver would refuse, such as one with an unusual name, is not
	 * sent at all. */
	if (out.len >= out.size || rspb_zone_check(text, NULL))
		text[0] = '\0';
}

bool rspb_zone_is_here(const char *zone, int64_t now)
{
	struct turn turns[TURNS_MOST], here;
	int n = read_all(zone, turns);

	for (int i = 0; i < n; i++)
		/* Each entry is compared at its first second, or at `now` if it has begun. An entry
		 * that another one has replaced by `now` need not agree. */
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

	/* Without a description the clock of this process is used. */
	if (!n) {
		if (!look_up_turn(at, &here) || !localtime_r(&seconds, tm))
			return false;
		memcpy(name, here.name, sizeof(here.name));
		return true;
	}
	/* Times before the first entry and after the last one get the nearest entry, although the
	 * zone may have changed then. */
	while (i + 1 < n && turns[i + 1].from <= at)
		i++;
	/* gmtime_r() with the offset added shows the local time of any zone, without changing the
	 * zone of the process, which other threads use. */
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
		/* sbatch accepts no zone in a time, and users copy flags from this text. */
		bool flag = text > begin && text[-1] == '=';
		char local[32], name[RSPB_ZONE_NAME];
		struct tm tm;
		int64_t at;

		/* A time may begin at any place of the text. All other characters are copied as
		 * they are. */
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
