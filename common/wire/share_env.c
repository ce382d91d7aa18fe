/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/share_env.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

size_t rspb_share_env_print(const struct rspb_share_env *env, char *buf, size_t size)
{
	return (size_t) snprintf(buf, size,
				 "job=%" PRIu32 " generation=%" PRIu64 " share=%" PRId64
				 " ceiling=%" PRId64 " period=%" PRId64 " report=%" PRId64,
				 env->job, env->generation, env->share, env->ceiling,
				 env->period_ms, env->report_s);
}

bool rspb_share_field(const char **text, const char *name, uint64_t max, uint64_t *value)
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

int rspb_share_env_parse(const char *text, struct rspb_share_env *out, struct rspb_err *err)
{
	uint64_t job, generation, share, ceiling, period, report = 0;
	const char *p = text;

	if (!rspb_share_field(&p, "job", UINT32_MAX, &job) || !job ||
	    !rspb_share_field(&p, "generation", INT64_MAX, &generation) || !generation ||
	    !rspb_share_field(&p, "share", RSPB_SHARE_NODE, &share) || !share ||
	    !rspb_share_field(&p, "ceiling", RSPB_SHARE_NODE, &ceiling) ||
	    !rspb_share_field(&p, "period", RSPB_SHARE_PERIOD_MAX, &period) ||
	    period < RSPB_SHARE_PERIOD_MIN ||
	    (*p && !rspb_share_field(&p, "report", RSPB_SHARE_REPORT_MAX, &report)) || *p ||
	    text[strlen(text) - 1] == ' ')
		return rspb_fail(err,
				 "'%.80s' is not a granted share: expected "
				 "job=1.. generation=1.. share=1..%d ceiling=0..%d "
				 "period=%d..%d report=0..%d",
				 text, RSPB_SHARE_NODE, RSPB_SHARE_NODE, RSPB_SHARE_PERIOD_MIN,
				 RSPB_SHARE_PERIOD_MAX, RSPB_SHARE_REPORT_MAX);
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
