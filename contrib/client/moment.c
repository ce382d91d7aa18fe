/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/moment.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "common/base/text.h"
#include "contrib/client/words.h"

/* The parts of a moment that have been read. */
struct moment {
	struct tm now;
	int64_t tomorrow; /* as far ahead as sbatch takes it to be */
	struct tm said;	  /* its day and its time of day, where they are said */
	bool day, year, hour;
};

static const struct {
	const char *name;
	int hour;
} hours[] = {
	{ "midnight", 0 }, { "noon", 12 }, { "elevenses", 11 }, { "fika", 15 }, { "teatime", 16 },
};
static const struct {
	const char *name;
	int64_t seconds;
} units[] = {
	{ "seconds", 1 },    { "second", 1 },	 { "minutes", 60 }, { "minute", 60 },
	{ "hours", 3600 },   { "hour", 3600 },	 { "days", 86400 }, { "day", 86400 },
	{ "weeks", 604800 }, { "week", 604800 },
};
enum { N_HOURS = sizeof(hours) / sizeof(hours[0]), N_UNITS = sizeof(units) / sizeof(units[0]) };

static bool begins(const char *text, const char *word)
{
	return !strncasecmp(text, word, strlen(word));
}

static const char *skip(const char *at)
{
	return at + strspn(at, " \t");
}

/* A number of least to most digits, none of them passed over. RET what is behind
 * it, NULL: there is none. */
static const char *number(const char *at, int least, int most, int *out)
{
	int n = 0;

	for (*out = 0; n < most && isdigit((unsigned char) at[n]); n++)
		*out = *out * 10 + (at[n] - '0');
	return n < least ? NULL : at + n;
}

/* --- from now on ------------------------------------------------------------- */

/* "3hours", "3 hours" or "180", which are seconds. RET whether it is one. */
static bool read_count(const char *at, int64_t *seconds)
{
	const char *unit;
	int count;

	at = number(skip(at), 1, 9, &count);
	if (!at)
		return false;
	unit = skip(at);
	*seconds = count;
	if (!*unit)
		return true;
	for (int i = 0; i < N_UNITS; i++)
		if (!strcasecmp(unit, units[i].name)) {
			*seconds *= units[i].seconds;
			return true;
		}
	return false;
}

static bool read_now(const char *text, int64_t now, int64_t *out)
{
	const char *sign = skip(text + 3);
	int64_t seconds = 0;

	if (!*sign) {
		*out = now;
		return true;
	}
	if ((*sign != '+' && *sign != '-') ||
	    (!read_count(sign + 1, &seconds) && rspb_words_duration(sign + 1, &seconds, NULL)))
		return false;
	*out = *sign == '+' ? now + seconds : now - seconds;
	return true;
}

/* --- a day, a time of it ------------------------------------------------------ */

/* Each RET what is behind it, NULL: it is none. */

static const char *take_day(const char *at, struct moment *m)
{
	time_t seconds = m->tomorrow;
	struct tm tm = m->now;

	if (!begins(at, "today"))
		localtime_r(&seconds, &tm);
	m->said.tm_year = tm.tm_year;
	m->said.tm_mon = tm.tm_mon;
	m->said.tm_mday = tm.tm_mday;
	m->day = m->year = true;
	return at + strlen(begins(at, "today") ? "today" : "tomorrow");
}

static const char *take_word(const char *at, struct moment *m)
{
	if (begins(at, "today") || begins(at, "tomorrow"))
		return take_day(at, m);
	for (int i = 0; i < N_HOURS; i++) {
		if (!begins(at, hours[i].name))
			continue;
		m->said.tm_hour = hours[i].hour;
		m->said.tm_min = m->said.tm_sec = 0;
		m->hour = true;
		return at + strlen(hours[i].name);
	}
	return NULL;
}

/* An hour by its half of the day, of which there may be one. */
static const char *take_half(const char *at, int *hour)
{
	const char *half = skip(at);
	bool after = begins(half, "pm");

	if (!after && !begins(half, "am"))
		return at;
	/* An hour from 13 on is in the second half, and never in the first. */
	if (*hour > 12)
		return NULL;
	*hour = *hour % 12 + (after ? 12 : 0);
	return half + 2;
}

static const char *take_hour(const char *at, struct moment *m)
{
	int hour, minute, second = 0;

	at = number(at, 1, 2, &hour);
	at = at && *at == ':' ? number(at + 1, 2, 2, &minute) : NULL;
	if (at && *at == ':')
		at = number(at + 1, 2, 2, &second);
	if (!at || hour > 23 || minute > 59 || second > 59)
		return NULL;
	at = take_half(at, &hour);
	m->said.tm_hour = hour;
	m->said.tm_min = minute;
	m->said.tm_sec = second;
	m->hour = true;
	return at;
}

static const char *take_month(const char *at, int *month, int *day, char dash)
{
	at = number(at, 1, 2, month);
	if (at && dash && *at++ != dash)
		return NULL;
	if (at && !dash && (*at == '.' || *at == '/'))
		at++;
	at = at ? number(at, 1, 2, day) : NULL;
	return at && *month >= 1 && *month <= 12 && *day >= 1 && *day <= 31 ? at : NULL;
}

static const char *take_date(const char *at, struct moment *m)
{
	int year, month, day;
	const char *dash = number(at, 4, 4, &year);
	bool whole = dash && strnlen(dash, 4) == 4 && dash[0] == '-' && dash[3] == '-';

	at = take_month(whole ? dash + 1 : at, &month, &day, whole ? '-' : 0);
	if (!at)
		return NULL;
	if (whole)
		m->said.tm_year = year - 1900;
	else if (*at == '.' || *at == '/')
		at++;
	if (!whole && isdigit((unsigned char) *at)) {
		at = number(at, 2, 2, &year);
		m->said.tm_year = 100 + year;
		whole = true;
	}
	m->said.tm_mon = month - 1;
	m->said.tm_mday = day;
	m->day = true;
	m->year |= whole;
	return at;
}

static bool read_all(const char *at, struct moment *m)
{
	while (at && *at) {
		if (strchr(" \t-T", *at))
			at++;
		else if (!isdigit((unsigned char) *at))
			at = take_word(at, m);
		else if (at[1] == ':' || (at[1] && at[2] == ':'))
			at = take_hour(at, m);
		else
			at = take_date(at, m);
	}
	return at && (m->day || m->hour);
}

/* --- which one ---------------------------------------------------------------- */

/* Whether a day and time of a year are over, to the minute. */
static bool over(const struct tm *said, const struct tm *now)
{
	const int a[] = { said->tm_mon, said->tm_mday, said->tm_hour, said->tm_min };
	const int b[] = { now->tm_mon, now->tm_mday, now->tm_hour, now->tm_min };

	for (size_t i = 0; i < sizeof(a) / sizeof(a[0]); i++)
		if (a[i] != b[i])
			return a[i] < b[i];
	return true;
}

/* RET the next moment with what was said; the rest is filled in. */
static int64_t settle(struct moment *m)
{
	struct tm tm = m->said;

	if (!m->day) {
		tm.tm_mon = m->now.tm_mon;
		tm.tm_mday = m->now.tm_mday;
		take_day(over(&tm, &m->now) ? "tomorrow" : "today", m);
		tm = m->said;
	}
	if (!m->year)
		tm.tm_year = m->now.tm_year + over(&tm, &m->now);
	tm.tm_isdst = -1;
	return mktime(&tm);
}

static bool read(const char *text, int64_t now, int64_t *out)
{
	struct moment m = { .tomorrow = now + 86400 };
	time_t seconds = now;

	if (!rspb_text_time(text, strlen(text), out, NULL))
		return true;
	if (begins(text, "uts"))
		return !rspb_text_whole(text + 3, strlen(text + 3), 1000000, INT64_MAX / 4, out,
					NULL);
	if (begins(text, "now"))
		return read_now(text, now, out);
	localtime_r(&seconds, &m.now);
	if (!read_all(text, &m))
		return false;
	*out = settle(&m);
	return true;
}

int rspb_moment_parse(const char *text, int64_t now, int64_t *out, struct rspb_err *err)
{
	int64_t at;

	if (!read(text, now, &at))
		return rspb_fail(err,
				 "%.80s is not a time; write it as for --begin of sbatch "
				 "(2026-11-24T09:00, 09:00, 11/24, tomorrow, teatime, "
				 "now+2hours), and now+2h",
				 text);
	*out = at;
	return 0;
}

int rspb_moment_until(const char *text, int64_t *until, struct rspb_err *err)
{
	time_t at;
	struct tm tm;

	if (rspb_moment_parse(text, time(NULL), until, err))
		return -1;
	at = *until;
	if (strpbrk(text, ":n") || !strpbrk(text, "0123456789") || !localtime_r(&at, &tm) ||
	    tm.tm_hour || tm.tm_min || tm.tm_sec)
		return 0;
	tm.tm_hour = 23;
	tm.tm_min = tm.tm_sec = 59;
	tm.tm_isdst = -1;
	*until = mktime(&tm);
	return 0;
}
