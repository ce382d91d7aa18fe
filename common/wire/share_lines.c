/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/share_lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The order of the fields is that of the reader, which accepts no other. */
size_t rspb_share_env_print(const struct rspb_share_env *env, char *buf, size_t size)
{
	return (size_t) snprintf(buf, size,
				 "job=%" PRIu32 " generation=%" PRIu64 " share=%" PRId64
				 " ceiling=%" PRId64 " period=%" PRId64 " report=%" PRId64,
				 env->job, env->generation, env->share, env->ceiling,
				 env->period_ms, env->report_s);
}

/* Read "name=digits" with a value of at most `max` at *text, and the blank or the end after it, and
 * move past it. RET false if something else is there; *text is unchanged then. */
static bool read_field(const char **text, const char *name, uint64_t max, uint64_t *value)
{
	size_t len = strlen(name);
	const char *p = *text;
	uint64_t n = 0;

	if (strncmp(p, name, len) || p[len] != '=')
		return false;
	p += len + 1;
	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		uint64_t digit = (uint64_t) (*p - '0');

		/* The bound is checked before each digit is added, so that no number overflows. */
		if (digit > max || n > (max - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	if (*p && *p != ' ')
		return false;
	*text = *p ? p + 1 : p;
	*value = n;
	return true;
}

/* A node obeys this line, so it is refused as a whole if any field is missing, repeated or out of
 * range. */
int rspb_share_env_parse(const char *text, struct rspb_share_env *out, struct rspb_err *err)
{
	uint64_t job, generation, share, ceiling, period, report = 0;
	const char *p = text;

	if (!read_field(&p, "job", UINT32_MAX, &job) || !job ||
	    !read_field(&p, "generation", INT64_MAX, &generation) || !generation ||
	    !read_field(&p, "share", RSPB_SHARE_NODE, &share) || !share ||
	    !read_field(&p, "ceiling", RSPB_SHARE_NODE, &ceiling) ||
	    !read_field(&p, "period", RSPB_SHARE_PERIOD_MAX, &period) ||
	    period < RSPB_SHARE_PERIOD_MIN ||
	    (*p && !read_field(&p, "report", RSPB_SHARE_REPORT_MAX, &report)) || *p ||
	    text[strlen(text) - 1] == ' ')
		return rspb_fail(err,
				 "'%.80s' is not a granted share: expected "
				 "job=1.. generation=1.. share=1..%d ceiling=0..%d "
				 "period=%d..%d report=0..%d",
				 text, RSPB_SHARE_NODE, RSPB_SHARE_NODE, RSPB_SHARE_PERIOD_MIN,
				 RSPB_SHARE_PERIOD_MAX, RSPB_SHARE_REPORT_MAX);
	/* A ceiling below the share would keep a job from what is guaranteed to it. */
	if (ceiling && ceiling < share)
		return rspb_fail(err, "'%.80s': the ceiling is below the share", text);
	*out = (struct rspb_share_env){
		.job = (uint32_t) job,
		.generation = generation,
		.share = (int64_t) share,
		.ceiling = (int64_t) ceiling,
		.period_ms = (int64_t) period,
		.report_s = (int64_t) report,
	};
	return 0;
}

/* --- the report: printed, and read back exactly --- */

/* The highest number in a report. Sums over many nodes and runs stay within 63 bits, whatever a
 * node claims. */
#define MOST ((uint64_t) 1 << 44)
enum { CPUS_MOST = 1 << 20 };

static const char head[] = RSPB_USE_HEAD "node=";

/* CPU time that is not counted is printed as "?", because 0 would mean that the job was idle. */
size_t rspb_use_line(const struct rspb_use *use, char *buf, size_t size)
{
	char used[32] = "?";

	if (use->used_ms >= 0)
		snprintf(used, sizeof(used), "%" PRId64, use->used_ms);
	return (size_t) snprintf(buf, size,
				 "job=%" PRIu32 " run=%" PRId64 " ended=%d share=%" PRId64
				 " ceiling=%" PRId64 " cpus=%" PRId64 " span=%" PRId64
				 " used=%s periods=%" PRId64 " throttled=%" PRId64
				 " stalled=%" PRId64,
				 use->job, use->run, use->ended, use->share, use->ceiling,
				 use->cpus, use->span_ms, used, use->periods, use->throttled,
				 use->stalled_ms);
}

/* Read the CPU time, or "?" if it is not counted (*known is false then). RET false if something
 * else is there. */
static bool read_used(const char **text, uint64_t *used, bool *known)
{
	static const char none[] = "used=? ";

	*known = strncmp(*text, none, sizeof(none) - 1) != 0;
	if (*known)
		return read_field(text, "used", MOST, used);
	*text += sizeof(none) - 1;
	*used = 0;
	return true;
}

/* Read all fields of a line that ends with a zero byte. *out is set only if all of them are
 * valid. */
static bool read_line(const char *p, struct rspb_use *out)
{
	uint64_t job, run, ended, share, ceiling, cpus, span, used, periods, throttled, stalled;
	bool known;

	if (!read_field(&p, "job", UINT32_MAX, &job) || !job ||
	    !read_field(&p, "run", MOST, &run) || !run || !read_field(&p, "ended", 1, &ended) ||
	    !read_field(&p, "share", RSPB_SHARE_NODE, &share) ||
	    !read_field(&p, "ceiling", RSPB_SHARE_NODE, &ceiling) ||
	    !read_field(&p, "cpus", CPUS_MOST, &cpus) || !cpus ||
	    !read_field(&p, "span", MOST, &span) || !read_used(&p, &used, &known) ||
	    !read_field(&p, "periods", MOST, &periods) ||
	    !read_field(&p, "throttled", periods, &throttled) ||
	    !read_field(&p, "stalled", MOST, &stalled) || *p)
		return false;
	*out = (struct rspb_use){
		.job = (uint32_t) job,
		.run = (int64_t) run,
		.ended = ended,
		.share = (int64_t) share,
		.ceiling = (int64_t) ceiling,
		.cpus = (int64_t) cpus,
		.span_ms = (int64_t) span,
		.used_ms = known ? (int64_t) used : -1,
		.periods = (int64_t) periods,
		.throttled = (int64_t) throttled,
		.stalled_ms = (int64_t) stalled,
	};
	return true;
}

int rspb_use_parse(const char *text, size_t len, struct rspb_use *out, struct rspb_err *err)
{
	char line[RSPB_USE_LINE];

	/* The line is part of a report and is copied, because the readers of fields need a text
	 * that ends with a zero byte. */
	if (len < sizeof(line)) {
		memcpy(line, text, len);
		line[len] = '\0';
		/* A zero byte within the line, or a blank at its end, makes it invalid. */
		if (strlen(line) == len && len && line[len - 1] != ' ' && read_line(line, out))
			return 0;
	}
	return rspb_fail(err,
			 "'%.*s' is not what a job used: expected job=1.. "
			 "run=1.. ended=0..1 share=0..%d ceiling=0..%d cpus=1.. "
			 "span= used= periods= throttled= stalled=",
			 len < 80 ? (int) len : 80, text, RSPB_SHARE_NODE, RSPB_SHARE_NODE);
}

size_t rspb_use_head(const char *node, char *buf, size_t size)
{
	return (size_t) snprintf(buf, size, "%s%s", head, node);
}

/* Tell whether a text can be the name of a node. It goes into sentences and records of jobs, so
 * other characters are refused here. */
static bool is_name(const char *text, size_t len)
{
	if (!len || len >= RSPB_USE_NODE)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char) text[i]) && !strchr("-_.", text[i]))
			return false;
	return true;
}

int rspb_use_report_parse(const char *text, struct rspb_use_report *out, struct rspb_err *err)
{
	/* A report comes over the network, so its length is checked before anything else. */
	size_t len = strnlen(text, RSPB_USE_REPORT), name;

	if (len == RSPB_USE_REPORT)
		return rspb_fail(err, "a report of more than %d characters", RSPB_USE_REPORT - 1);
	if (strncmp(text, head, sizeof(head) - 1))
		return rspb_fail(err, "not a report; it begins with '%s'", head);
	text += sizeof(head) - 1;
	name = strcspn(text, "\n");
	if (!is_name(text, name))
		return rspb_fail(err, "'%.*s' is not the name of a node",
				 name < 80 ? (int) name : 80, text);
	memcpy(out->node, text, name);
	out->node[name] = '\0';
	text += name;
	for (out->n = 0; *text; text += len) {
		text++;
		len = strcspn(text, "\n");
		if (out->n == RSPB_USE_JOBS)
			return rspb_fail(err, "more than %d jobs", RSPB_USE_JOBS);
		if (rspb_use_parse(text, len, &out->uses[out->n++], err))
			return -1;
	}
	return out->n ? 0 : rspb_fail(err, "a report about no job");
}
