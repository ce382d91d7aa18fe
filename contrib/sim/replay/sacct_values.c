/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/sacct_values.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const int64_t most_time = 4000000000000;

int64_t sim_sacct_whole(const char *text, int64_t most)
{
	char *end;
	long long value = strtoll(text, &end, 10);

	return *text && !*end && value >= 0 && value <= most ? value : -1;
}

/* RET what follows a fraction of a second, if there is one. */
static const char *skip_fraction(const char *at)
{
	if ((*at != '.' && *at != ',') || !isdigit((unsigned char) at[1]))
		return at;
	for (at++; isdigit((unsigned char) *at);)
		at++;
	return at;
}

/* RET what follows two digits of at most `most`, NULL: there are none. */
static const char *read_pair(const char *at, int most, int *value)
{
	if (!isdigit((unsigned char) at[0]) || !isdigit((unsigned char) at[1]))
		return NULL;
	*value = 10 * (at[0] - '0') + (at[1] - '0');
	return *value <= most ? at + 2 : NULL;
}

/* Read an offset from UTC, which must end the text. RET whether it could be read. */
static bool read_offset(const char *at, int64_t *seconds)
{
	int hours = 0, minutes = 0;
	int sign = *at == '-' ? -1 : 1;

	*seconds = 0;
	if (*at == 'Z' || *at == 'z')
		at++;
	else if (*at == '+' || *at == '-') {
		at = read_pair(at + 1, 14, &hours);
		if (at && *at)
			at = read_pair(at + (*at == ':'), 59, &minutes);
	}
	*seconds = sign * (INT64_C(3600) * hours + INT64_C(60) * minutes);
	return at && !*at;
}

/* RET seconds since 1970, -1: no calendar has such a day, or no clock such an hour, minute or
 * second (POSIX counts no leap seconds). */
static int64_t seconds_of(const struct tm *tm)
{
	struct tm made = *tm;
	int64_t at = timegm(&made);

	return made.tm_year == tm->tm_year && made.tm_mon == tm->tm_mon &&
			       made.tm_mday == tm->tm_mday && made.tm_hour == tm->tm_hour &&
			       made.tm_min == tm->tm_min && made.tm_sec == tm->tm_sec
		       ? at
		       : -1;
}

/* RET whether a text stands for a time that there is not, or not yet. */
static bool is_no_time(const char *text)
{
	static const char *const names[] = { "", "0", "Unknown", "None", "N/A", "NULL" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcasecmp(text, names[i]))
			return true;
	return false;
}

int64_t sim_sacct_time(const char *text)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	int64_t offset = 0, at = -1;
	char seconds[24];

	if (is_no_time(text))
		return SIM_NO_TIME;
	if (!end) {
		memset(&tm, 0, sizeof(tm));
		end = strptime(text, "%Y-%m-%d %H:%M:%S", &tm);
	}
	/* As date +"%F %T %z" has it. */
	if (end) {
		end = skip_fraction(end);
		end += strspn(end, " ");
	}
	if (end && read_offset(end, &offset)) {
		at = seconds_of(&tm);
		at = at < 0 ? at : at - offset;
	} else if (!end) {
		end = text + strspn(text, "0123456789");
		if (end - text < (ptrdiff_t) sizeof(seconds) && !*skip_fraction(end)) {
			snprintf(seconds, sizeof(seconds), "%.*s", (int) (end - text), text);
			at = sim_sacct_whole(seconds, most_time);
		}
	}
	return at > 0 && at <= most_time ? at : SIM_BAD_TIME;
}

/* RET what follows the next item of a list, NULL: the list is over. */
static const char *next_item(const char *item)
{
	const char *comma = strchr(item, ',');

	return comma ? comma + 1 : NULL;
}

static uint32_t up_to_most(double value)
{
	return value < UINT32_MAX ? (uint32_t) ceil(value) : UINT32_MAX;
}

int sim_sacct_memory(const char *list, uint32_t *mb)
{
	static const char units[] = "KMGTP";

	*mb = 0;
	for (const char *at = list; at; at = next_item(at)) {
		const char *unit;
		double value;
		char *end;

		if (strncmp(at, "mem=", 4))
			continue;
		value = strtod(at + 4, &end);
		unit = *end && *end != ',' ? strchr(units, *end) : NULL;
		if (end == at + 4 || !(value >= 0) ||
		    (unit ? end[1] && end[1] != ',' : *end && *end != ','))
			return -1;
		value = ldexp(value, unit ? 10 * (int) (unit - units) - 10 : 0);
		*mb = up_to_most(value);
		return 0;
	}
	return 0;
}

/* RET the name's rest if an item is of GPUs: "=4", ":a100=4", ":4"; NULL: it is not. */
static const char *gpu_item(const char *item)
{
	if (!strncmp(item, "gres/", 5) || !strncmp(item, "gres:", 5))
		item += 5;
	if (strncmp(item, "gpu", 3))
		return NULL;
	item += 3;
	return !*item || strchr("=:,", *item) ? item : NULL;
}

/* Read the number behind the last '=' or ':' of an item. RET false: there is none. */
static bool read_amount(const char *item, size_t length, double *amount)
{
	size_t at = length;
	char *end;

	while (at > 0 && item[at - 1] != '=' && item[at - 1] != ':')
		at--;
	if (!at || !isdigit((unsigned char) item[at]))
		return false;
	*amount = strtod(item + at, &end);
	return end == item + length;
}

int sim_sacct_gpus(const char *list, uint32_t *gpus)
{
	double plain = -1, typed = 0;

	*gpus = 0;
	for (const char *at = list; at; at = next_item(at)) {
		const char *rest = gpu_item(at);
		size_t length;
		double amount;

		if (!rest)
			continue;
		length = strcspn(rest, ",");
		if (!read_amount(rest, length, &amount))
			return -1;
		/* A type stands between two marks. */
		if (strcspn(rest + 1, "=:,") + 1 < length)
			typed += amount;
		else
			plain = amount > plain ? amount : plain;
	}
	*gpus = up_to_most(plain >= 0 ? plain : typed);
	return 0;
}
