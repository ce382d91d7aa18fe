/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of rspb.conf: pairs of a line, values by features of nodes, and hours of the week. */
#include "common/conf/config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* --- values by feature --- */

/* The longest name of a feature in a list. rspb_by_feature_value() copies names into a buffer of
 * this size. */
enum { NAME_MAX_LENGTH = 64 };

/* Read a single value of a list. The sentence has no subject; the caller adds the key, the value
 * and the allowed range. */
static int read_one(enum rspb_by_feature_kind kind, const char *text, size_t len, uint32_t *out,
		    struct rspb_err *err)
{
	char word[8] = "";
	int64_t speed;

	if (kind == RSPB_BY_FEATURE_PERCENT)
		return rspb_text_points(text, len, 0, out, err);
	if (kind == RSPB_BY_FEATURE_SPEED) {
		/* The sign is optional, and only whole percentages make sense as a speed. */
		len -= len && text[len - 1] == '%';
		if (rspb_text_whole(text, len, RSPB_SPEED_SLOWEST, RSPB_SPEED_FASTEST, &speed,
				    NULL))
			return rspb_fail(err, "has a speed that is none of %d%% to %d%%",
					 RSPB_SPEED_SLOWEST, RSPB_SPEED_FASTEST);
		*out = (uint32_t) speed;
		return 0;
	}
	/* A longer word stays empty here and is refused below. */
	if (len < sizeof(word))
		memcpy(word, text, len);
	*out = rspb_text_same(word, "yes");
	return *out || rspb_text_same(word, "no") ? 0 : rspb_fail(err, "is neither yes nor no");
}

/* Print a single value. The unit is printed for the first value only, since rules are stored
 * without it. */
static void print_one(enum rspb_by_feature_kind kind, uint32_t value, const char *unit,
		      struct rspb_text *out)
{
	if (kind == RSPB_BY_FEATURE_YES_NO)
		rspb_text_add(out, "%s", value ? "yes" : "no");
	else
		rspb_text_add(out, "%" PRIu32 "%s", value, unit);
}

/* Add a member FEATURE:VALUE to the rules in canonical form. RET 0 or -1 with err; what the text
 * already has is dropped by the caller then. */
static int add_rule(enum rspb_by_feature_kind kind, const char *member, size_t len,
		    struct rspb_text *out, struct rspb_err *err)
{
	const char *colon = memchr(member, ':', len);
	size_t name = colon ? (size_t) (colon - member) : 0;
	uint32_t value = 0;

	if (!name || name > NAME_MAX_LENGTH)
		return rspb_fail(err, "has a member that is not %s",
				 kind == RSPB_BY_FEATURE_YES_NO ? "FEATURE:yes or FEATURE:no"
								: "FEATURE:PCT");
	if (read_one(kind, colon + 1, len - name - 1, &value, err) < 0)
		return -1;
	rspb_text_add(out, "%s%.*s:", out->len ? "," : "", (int) name, member);
	print_one(kind, value, "", out);
	return 0;
}

int rspb_by_feature_read(enum rspb_by_feature_kind kind, const char *list,
			 struct rspb_by_feature *out, struct rspb_err *err)
{
	struct rspb_by_feature read = { .all = 0 };
	struct rspb_text rules = rspb_text_over(read.rules, sizeof(read.rules));
	size_t len = strcspn(list, ",");

	if (read_one(kind, list, len, &read.all, err) < 0)
		return -1;
	for (; list[len]; len = strcspn(list, ",")) {
		list += len + 1;
		if (add_rule(kind, list, strcspn(list, ","), &rules, err) < 0)
			return -1;
	}
	/* A cut list would silently drop rules, so it is refused as a whole. */
	if (rules.len >= sizeof(read.rules))
		return rspb_fail(err, "is too long");
	*out = read;
	return 0;
}

void rspb_by_feature_print(enum rspb_by_feature_kind kind, const struct rspb_by_feature *value,
			   struct rspb_text *out)
{
	print_one(kind, value->all, "%", out);
	rspb_text_add(out, "%s%s", *value->rules ? "," : "", value->rules);
}

/* The rules were checked when they were read, so each name is followed by a colon and fits. The
 * first rule whose feature the node has decides. */
uint32_t rspb_by_feature_value(const struct rspb_by_feature *value, const char *features)
{
	const char *rules = value->rules;

	while (features && *rules) {
		char name[NAME_MAX_LENGTH + 1] = "";
		size_t len = strcspn(rules, ":");
		const char *rule = rules + len + 1;

		memcpy(name, rules, len);
		if (rspb_text_listed(features, name))
			/* "no" is no number, and strtoul() returns 0 for it. */
			return *rule == 'y' ? 1 : (uint32_t) strtoul(rule, NULL, 10);
		rules = rule + strcspn(rule, ",");
		rules += *rules == ',';
	}
	return value->all;
}

/* --- hours --- */

/* A member of a list, in days from Sunday and minutes. */
struct span {
	int first, last; /* days */
	int from, until; /* minutes of the day */
};

/* Return the day whose name is at *p, from 0 for Sunday, and move past it. RET -1 if there is
 * none. */
static int day(const char **p)
{
	static const char names[] = "SunMonTueWedThuFriSat";

	for (int i = 0; i < 7; i++)
		if (!strncasecmp(*p, names + 3 * i, 3)) {
			*p += 3;
			return i;
		}
	return -1;
}

/* Return the value of two digits, or -1. The second character is read only if the first one is a
 * digit, so a short text is safe. */
static int two_digits(const char *p)
{
	if (p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9')
		return -1;
	return (p[0] - '0') * 10 + p[1] - '0';
}

/* Return the minute of the day of "HH:MM" at *p, and move past it. RET -1 if there is none. */
static int clock_time(const char **p)
{
	/* 24:00 is allowed here, because it is a valid end. The caller refuses it as a begin. */
	int hour = two_digits(*p), minute = -1;

	if (hour >= 0 && (*p)[2] == ':')
		minute = two_digits(*p + 3);
	if (minute < 0 || minute > 59 || hour * 60 + minute > RSPB_HOURS_DAY)
		return -1;
	*p += 5;
	return hour * 60 + minute;
}

/* Read one member. RET whether it is valid; *p is past it and its comma then, and undefined
 * otherwise. */
static bool read_span(const char **p, struct span *span)
{
	span->first = span->last = day(p);
	/* A single day is the first and the last one. */
	if (**p == '-') {
		(*p)++;
		span->last = day(p);
	}
	if (span->first < 0 || span->last < 0 || *(*p)++ != '/')
		return false;
	span->from = clock_time(p);
	if (span->from < 0 || *(*p)++ != '-')
		return false;
	/* Equal times are refused, because they could mean no time or a whole day. An end before
	 * the begin is on the next day. */
	span->until = clock_time(p);
	if (span->until < 0 || span->until == span->from || span->from == RSPB_HOURS_DAY ||
	    (**p && **p != ','))
		return false;
	*p += **p == ',';
	return true;
}

int rspb_hours_check(const char *hours, struct rspb_err *err)
{
	struct span span;

	while (*hours)
		if (!read_span(&hours, &span))
			return rspb_fail(err, "is not a list of days and hours");
	return 0;
}

/* Mark the minutes of a span. */
static void mark(const struct span *span, bool *week)
{
	int minutes = span->until - span->from;
	/* Days and hours wrap around the week: "Sat-Mon" has three days, and a night from Saturday
	 * ends on Sunday. */
	int days = (span->last - span->first + 7) % 7;

	if (minutes < 0)
		minutes += RSPB_HOURS_DAY;
	for (int d = 0; d <= days; d++)
		for (int m = 0; m < minutes; m++)
			week[((span->first + d) * RSPB_HOURS_DAY + span->from + m) %
			     RSPB_HOURS_WEEK] = true;
}

int rspb_hours_next(const char *hours, int minute, int open)
{
	/* A week of minutes is marked and searched, which needs no case for spans that overlap or
	 * wrap around. It takes 10 kB of the stack. */
	bool week[RSPB_HOURS_WEEK] = { false };
	struct span span;

	/* No hours are all hours, so every minute is open and none is closed. */
	if (!*hours)
		return open ? 0 : -1;
	while (*hours && read_span(&hours, &span))
		mark(&span, week);
	for (int i = 0; i < RSPB_HOURS_WEEK; i++)
		if (week[(minute + i) % RSPB_HOURS_WEEK] == !!open)
			return i;
	return -1;
}

/* RET the minute since Sunday 00:00. */
static int minute_of_week(int64_t at)
{
	time_t then = at;
	struct tm tm;

	localtime_r(&then, &tm);
	return tm.tm_wday * RSPB_HOURS_DAY + tm.tm_hour * 60 + tm.tm_min;
}

int64_t rspb_hours_from(const char *hours, int64_t at, bool open)
{
	/* If the clocks change meanwhile, the next look corrects the time. */
	for (int i = 0; i < 4; i++) {
		int minutes = rspb_hours_next(hours, minute_of_week(at), open);

		if (minutes < 0)
			return INT64_MAX;
		if (!minutes)
			break;
		at += (int64_t) minutes * 60 - at % 60;
	}
	return at;
}

/* --- pairs --- */

/* Skip blanks of a line. A carriage return is one, so that files from other systems can be read. */
static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Find the end of a value that begins at p, and may be quoted. RET the place after it, or NULL if a
 * quote is not closed. */
static const char *scan_value(const char *p, const char *end, const char **value, size_t *len)
{
	const char *stop = p;

	if (p < end && *p == '"') {
		stop = memchr(p + 1, '"', (size_t) (end - p - 1));
		if (!stop)
			return NULL;
		*value = p + 1;
		*len = (size_t) (stop - p - 1);
		return stop + 1;
	}
	/* A plain value ends before "=" and before a quote. rspb_pair_next() then refuses the line,
	 * since a blank is probably missing. */
	while (stop < end && !strchr(" \t\r=\"", *stop))
		stop++;
	*value = p;
	*len = (size_t) (stop - p);
	return stop;
}

/* Refuse the rest of a line that is no pair. The sentence quotes it from the first wrong key on.
 * RET -1. */
static int trailing(const char *p, const char *end, struct rspb_err *err)
{
	struct rspb_quote quote;

	return rspb_fail(err,
			 "'%s' is not Key=Value; allowed are pairs of "
			 "them and, behind '#', a comment",
			 rspb_text_quote(&quote, p, (size_t) (end - p)));
}

/* Slurm allows blanks around "=", so they are skipped before it is looked for. *at moves only after
 * a good pair. */
int rspb_pair_next(const char **at, const char *end, struct rspb_pair *pair, struct rspb_err *err)
{
	const char *p = skip_blanks(*at, end), *next;

	if (p == end)
		return 0;
	pair->key = p;
	while (p < end && !strchr(" \t\r=\"", *p))
		p++;
	pair->key_len = (size_t) (p - pair->key);
	p = skip_blanks(p, end);
	if (!pair->key_len || p == end || *p != '=')
		return trailing(pair->key, end, err);
	next = scan_value(skip_blanks(p + 1, end), end, &pair->value, &pair->len);
	if (!next)
		return rspb_fail(err, "a quote is not closed; "
				      "allowed is Key=\"Value\"");
	/* Text directly after a value, as in a="b"c, belongs to no pair. */
	if (next < end && !strchr(" \t\r", *next))
		return trailing(pair->key, end, err);
	*at = next;
	return 1;
}
