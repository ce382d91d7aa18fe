/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations of common/wire/duration.h. */
#include "common/wire/duration.h"

#include <inttypes.h>
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
