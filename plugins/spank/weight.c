/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers alone: from shares to weights and quotas of the kernel, and back. No file is
 * touched. */
#include "plugins/spank/tree.h"

#include <stdlib.h>

#include "common/wire/share_lines.h"

/* RET the nearest number within [low, high]. */
static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* factor * share, rounded; share is cut to the node first, so that nothing
 * can overflow. */
static int64_t scale(int64_t share, int64_t factor)
{
	share = clamp(share, 0, RSPB_SHARE_NODE);
	return (factor * share + RSPB_SHARE_NODE / 2) / RSPB_SHARE_NODE;
}

int64_t rspb_weight_v2(int64_t share)
{
	return clamp(scale(share, RSPB_V2_WHOLE), 1, RSPB_V2_WEIGHT_TOP);
}

int64_t rspb_weight_v1(int64_t share)
{
	return clamp(scale(share, RSPB_V1_WHOLE), 2, RSPB_V1_SHARES_TOP);
}

int64_t rspb_quota_us(int64_t ceiling, int64_t n_cpus, int64_t period_us)
{
	int64_t quota;

	if (!ceiling)
		return -1;
	quota = scale(ceiling, clamp(n_cpus, 1, 1 << 20) *
				       clamp(period_us, RSPB_PERIOD_MIN_US, RSPB_PERIOD_MAX_US));
	/* The kernel refuses a quota of less than a millisecond. */
	return quota < RSPB_QUOTA_MIN_US ? RSPB_QUOTA_MIN_US : quota;
}

int64_t rspb_weight_share(int64_t weight, int64_t whole)
{
	weight = clamp(weight, 0, whole);
	return (weight * RSPB_SHARE_NODE + whole / 2) / whole;
}

int64_t rspb_quota_ceiling(int64_t quota_us, int64_t n_cpus, int64_t period_us)
{
	int64_t all = clamp(n_cpus, 1, 1 << 20) * clamp(period_us, 1, 1000000);

	if (quota_us <= 0)
		return 0;
	quota_us = clamp(quota_us, 0, all);
	return clamp((quota_us * RSPB_SHARE_NODE + all / 2) / all, 1, RSPB_SHARE_NODE);
}

int64_t rspb_share_of_cores(int64_t cores, int64_t node_cores)
{
	if (cores <= 0 || node_cores <= 0 || cores >= node_cores)
		return RSPB_SHARE_NODE;
	return clamp(RSPB_SHARE_NODE * cores / node_cores, 1, RSPB_SHARE_NODE);
}

int64_t rspb_share_beside(int64_t own, int64_t granted, int64_t others)
{
	int64_t left = RSPB_SHARE_NODE - clamp(granted, 0, RSPB_SHARE_NODE);

	own = clamp(own, 1, RSPB_SHARE_NODE);
	/* Weights are only relative: less weight helps nobody while there is room for all. */
	if (granted <= 0 || others <= left)
		return own;
	return clamp(own * left / others, 1, RSPB_SHARE_NODE);
}

/* A number from *text on, which moves behind it; -1 when there is none. */
static int64_t number(const char **text)
{
	char *end;
	long value;

	if (**text < '0' || **text > '9')
		return -1;
	value = strtol(*text, &end, 10);
	*text = end;
	/* No host has so many CPUs. The bound also keeps later products small. */
	return value > 1 << 20 ? -1 : value;
}

int64_t rspb_list_count(const char *text)
{
	int64_t n = 0, from, to;

	while (*text && *text != '\n') {
		from = to = number(&text);
		if (*text == '-') {
			text++;
			to = number(&text);
		}
		if (from < 0 || to < from)
			return -1;
		n += to - from + 1;
		if (*text == ',')
			text++;
		else if (*text && *text != '\n')
			return -1;
	}
	return n;
}
