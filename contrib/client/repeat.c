/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/repeat.h"

#include <time.h>

#include "common/base/text.h"

/* Days since 1970 of a date, whatever the clock shows. */
static int64_t day_of(struct tm tm)
{
	tm.tm_hour = 12;
	tm.tm_min = tm.tm_sec = 0;
	return timegm(&tm) / 86400;
}

int64_t rspb_repeat_deadline(const struct rspb_repeat *repeat, int64_t start)
{
	time_t first = repeat->begin, last = repeat->deadline, then = start;
	struct tm begin, end, tm;

	if (!repeat->deadline)
		return 0;
	localtime_r(&first, &begin);
	localtime_r(&last, &end);
	localtime_r(&then, &tm);
	tm.tm_mday += (int) (day_of(end) - day_of(begin));
	tm.tm_hour = end.tm_hour;
	tm.tm_min = end.tm_min;
	tm.tm_sec = end.tm_sec;
	tm.tm_isdst = -1;
	return mktime(&tm);
}

#ifdef HAVE_ICAL
#include <libical/ical.h>
#include <string.h>

static const char *rule_of(const char *word)
{
	static const struct {
		const char *word, *rule;
	} words[] = {
		{ "daily", "FREQ=DAILY" },
		{ "weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" },
		{ "weekly", "FREQ=WEEKLY" },
		{ "monthly", "FREQ=MONTHLY" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (rspb_text_same(word, words[i].word))
			return words[i].rule;
	return word;
}

static struct icaltimetype local_of(int64_t at)
{
	struct icaltimetype t = icaltime_null_time();
	time_t then = at;
	struct tm tm;

	localtime_r(&then, &tm);
	t.year = tm.tm_year + 1900;
	t.month = tm.tm_mon + 1;
	t.day = tm.tm_mday;
	t.hour = tm.tm_hour;
	t.minute = tm.tm_min;
	t.second = tm.tm_sec;
	return t;
}

static int64_t time_of(struct icaltimetype t)
{
	struct tm tm = {
		.tm_year = t.year - 1900,
		.tm_mon = t.month - 1,
		.tm_mday = t.day,
		.tm_hour = t.hour,
		.tm_min = t.minute,
		.tm_sec = t.second,
		.tm_isdst = -1,
	};

	return mktime(&tm);
}

static int read_rule(const struct rspb_repeat *repeat, struct icalrecurrencetype *rule,
		     struct rspb_err *err)
{
	struct rspb_quote quote;
	bool ends;

	*rule = icalrecurrencetype_from_string(rule_of(repeat->rule));
	if (rule->freq == ICAL_NO_RECURRENCE)
		return rspb_fail(err,
				 "--repeat=%s: allowed is daily, weekdays, "
				 "weekly, monthly, or a rule like "
				 "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10",
				 rspb_text_quote(&quote, repeat->rule, strlen(repeat->rule)));
	/* Ours are local, as all that is compared with them. */
	if (!icaltime_is_null_time(rule->until) && icaltime_is_utc(rule->until))
		rule->until = local_of(icaltime_as_timet(rule->until));
	/* A date without a time is all of that day. */
	if (!icaltime_is_null_time(rule->until) && rule->until.is_date) {
		rule->until.is_date = 0;
		rule->until.hour = 23;
		rule->until.minute = rule->until.second = 59;
	}
	ends = rule->count || !icaltime_is_null_time(rule->until);
	if (!ends && !repeat->count && !repeat->until)
		return rspb_fail(err, "--repeat: the rule has no end; give --count or --until");
	return 0;
}

int rspb_repeat_starts(const struct rspb_repeat *repeat, int64_t starts[RSPB_REPEAT_MOST],
		       struct rspb_err *err)
{
	struct icalrecurrencetype rule;
	icalrecur_iterator *at;
	struct icaltimetype t;
	int n = 0;

	if (read_rule(repeat, &rule, err))
		return -1;
	at = icalrecur_iterator_new(rule, local_of(repeat->begin));
	if (!at)
		return rspb_fail(err, "--repeat=%.60s: %s", repeat->rule,
				 icalerror_strerror(icalerrno));
	while (n >= 0 && !icaltime_is_null_time(t = icalrecur_iterator_next(at))) {
		int64_t start = time_of(t);

		if ((repeat->count && n == repeat->count) ||
		    (repeat->until && start > repeat->until))
			break;
		if (n == RSPB_REPEAT_MOST)
			n = rspb_fail(err, "--repeat: more than %d dates", RSPB_REPEAT_MOST);
		else
			starts[n++] = start;
	}
	icalrecur_iterator_free(at);
	return n ? n : rspb_fail(err, "--repeat: no date begins by then");
}

#else

int rspb_repeat_starts(const struct rspb_repeat *repeat, int64_t starts[RSPB_REPEAT_MOST],
		       struct rspb_err *err)
{
	(void) starts;
	return rspb_fail(err,
			 "--repeat=%.60s: this rspb was built without libical, "
			 "which knows such rules",
			 repeat->rule);
}

#endif
