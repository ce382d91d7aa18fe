/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of common/base/text.h: strict, exact, no locale, no floating point. */
#include "common/base/text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* RET how many of the first len characters are digits. */
static size_t digits(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] >= '0' && text[n] <= '9')
		n++;
	return n;
}

/* Return the value of `len` digits, or -1 if it exceeds 63 bits. The caller has checked that they
 * are digits, and an empty text is 0. */
static int64_t value(const char *text, size_t len)
{
	int64_t v = 0;

	for (size_t i = 0; i < len; i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, text[i] - '0', &v))
			return -1;
	return v;
}

int rspb_text_whole(const char *text, size_t len, int64_t low, int64_t high, int64_t *out,
		    struct rspb_err *err)
{
	struct rspb_quote quote;
	size_t n = digits(text, len);
	int64_t v;

	if (!n || n < len)
		return rspb_fail(err,
				 "'%s' is not a whole number; allowed "
				 "is %" PRId64 " to %" PRId64,
				 rspb_text_quote(&quote, text, len), low, high);
	/* An overflow is -1 and fails here even if `low` is negative, although no text with a sign
	 * gets this far. */
	v = value(text, n);
	if (v < 0 || v < low || v > high)
		return rspb_fail(err, "%s is out of range; allowed is %" PRId64 " to %" PRId64,
				 rspb_text_quote(&quote, text, len), low, high);
	*out = v;
	return 0;
}

int rspb_text_mib(const char *text, size_t len, int64_t *out, struct rspb_err *err)
{
	static const char units[] = "KMGT";
	const char *unit = len ? strchr(units, text[len - 1]) : NULL;
	/* Sizes are calculated in KiB, the smallest unit. A number without a unit is MiB, as for
	 * --mem of Slurm. */
	int shift = unit ? 10 * (int) (unit - units) : 10;
	int64_t size;

	if (rspb_text_whole(text, len - (unit != NULL), 1, RSPB_MIB_MOST >> shift, &size, err))
		return -1;
	*out = (size << shift) >> 10;
	/* A size such as 512K is valid text and rounds down to 0 MiB, and 0 means in a tag that no
	 * size was given. */
	return *out ? 0 : rspb_fail(err, "less than 1M");
}

int rspb_text_decimal(const char *text, size_t len, int64_t *num, int64_t *den,
		      struct rspb_err *err)
{
	struct rspb_quote quote;
	/* The limits on digits keep the numerator below 10^15, so callers may multiply it by 100
	 * without an overflow. */
	size_t whole = digits(text, len), decimals = 0;
	int64_t scale = 1;

	if (whole < len && text[whole] == '.')
		decimals = digits(text + whole + 1, len - whole - 1);
	/* The parts that were found must make up the whole text. A dot without digits after it
	 * fails here, too. */
	if (!whole || (decimals ? whole + 1 + decimals : whole) != len)
		return rspb_fail(err,
				 "'%s' is not a number; allowed are "
				 "digits with at most one dot, as in 12.5",
				 rspb_text_quote(&quote, text, len));
	if (whole > RSPB_DIGITS_WHOLE || decimals > RSPB_DIGITS_DECIMAL)
		return rspb_fail(err,
				 "'%s' has too many digits; allowed are "
				 "%d before and %d after the dot",
				 rspb_text_quote(&quote, text, len), RSPB_DIGITS_WHOLE,
				 RSPB_DIGITS_DECIMAL);
	for (size_t i = 0; i < decimals; i++)
		scale *= 10;
	*num = value(text, whole) * scale + value(text + whole + 1, decimals);
	*den = scale;
	return 0;
}

int rspb_text_percent(const char *text, size_t len, int64_t low, int64_t high, int64_t *out,
		      struct rspb_err *err)
{
	char lowest[32], highest[32];
	struct rspb_text l = rspb_text_over(lowest, sizeof(lowest));
	struct rspb_text h = rspb_text_over(highest, sizeof(highest));
	struct rspb_quote quote;
	size_t bare = len && text[len - 1] == '%' ? len - 1 : len;
	int64_t num, den;

	rspb_text_add_percent(&l, low);
	rspb_text_add_percent(&h, high);
	if (rspb_text_decimal(text, bare, &num, &den, NULL) < 0 || num * 100 % den)
		return rspb_fail(err,
				 "'%s' is not a percentage; allowed is "
				 "%s to %s with at most two decimals",
				 rspb_text_quote(&quote, text, len), lowest, highest);
	/* A user who writes 0.3 may mean 30% or 0.3%. Neither is assumed: below 1, the sign is
	 * required. */
	if (bare == len && num && num < den)
		return rspb_fail(err,
				 "'%s' may be %s%% or a part of 1; allowed is "
				 "%s to %s, below 1%% with the sign",
				 rspb_text_quote(&quote, text, len), quote.text, lowest, highest);
	num = num * 100 / den;
	if (num < low || num > high)
		return rspb_fail(err, "%s is out of range; allowed is %s to %s",
				 rspb_text_quote(&quote, text, len), lowest, highest);
	*out = num;
	return 0;
}

int rspb_text_points(const char *text, size_t len, int64_t low, uint32_t *out, struct rspb_err *err)
{
	int64_t hundredths;

	/* The sentence of rspb_text_percent() is dropped. Callers add the text and the allowed
	 * range to theirs. */
	if (rspb_text_percent(text, len, low * 100, 10000, &hundredths, NULL) < 0 ||
	    hundredths % 100)
		return rspb_fail(err, "is not a whole percentage");
	*out = (uint32_t) (hundredths / 100);
	return 0;
}

void rspb_text_add_percent(struct rspb_text *text, int64_t hundredths)
{
	/* A trailing zero is left out, so that 35.5% has one text whatever its user wrote. */
	int64_t part = hundredths % 100;

	rspb_text_add(text, "%" PRId64, hundredths / 100);
	if (part)
		rspb_text_add(text, part % 10 ? ".%02" PRId64 : ".%" PRId64,
			      part % 10 ? part : part / 10);
	rspb_text_add(text, "%%");
}

/* The last second of year 9999. */
static const int64_t last_second = INT64_C(253402300799);

void rspb_text_add_time(struct rspb_text *text, int64_t seconds)
{
	time_t time = (time_t) seconds;
	char utc[32];
	struct tm tm;

	/* Times outside the years 1970 to 9999 are printed as numbers. rspb_text_time() reads both
	 * forms. */
	if (seconds < 0 || seconds > last_second) {
		rspb_text_add(text, "@%" PRId64, seconds);
		return;
	}
	gmtime_r(&time, &tm);
	strftime(utc, sizeof(utc), "%Y-%m-%dT%H:%M:%SZ", &tm);
	rspb_text_add(text, "%s", utc);
}

/* Return the days since 1970 of a date from 1970 on, or -1 if the month has no such day. It
 * replaces timegm(), which normalises the 31st of June and costs much more. */
static int64_t day_of(int64_t year, int64_t month, int64_t day)
{
	static const int16_t before[] = {
		0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365
	};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	int64_t last = year - 1, most;

	most = before[month] - before[month - 1] + (month == 2 && leap);
	if (day < 1 || day > most)
		return -1;
	/* 477 leap days before 1970. */
	return 365 * (year - 1970) + last / 4 - last / 100 + last / 400 - 477 + before[month - 1] +
	       (month > 2 && leap) + day - 1;
}

/* Read a time digit by digit, in exactly the form that rspb_text_add_time() writes. A restart reads
 * four or five times for each contract, and strptime() took a tenth of it. */
static int read_utc(const char *text, size_t len, int64_t *seconds)
{
	static const char form[] = "YYYY-MM-DDThh:mm:ssZ";
	int64_t parts[6] = { 0 }, *part = parts, days;

	if (len != sizeof(form) - 1)
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (form[i] == '-' || form[i] == ':' || form[i] == 'T' || form[i] == 'Z') {
			if (text[i] != form[i])
				return -1;
			part++;
		} else if (text[i] < '0' || text[i] > '9') {
			return -1;
		} else {
			*part = *part * 10 + text[i] - '0';
		}
	}
	/* Years before 1970 are refused because they are never written this way. A leap second is
	 * refused, too. */
	if (parts[0] < 1970 || parts[1] < 1 || parts[1] > 12 || parts[3] > 23 || parts[4] > 59 ||
	    parts[5] > 59)
		return -1;
	days = day_of(parts[0], parts[1], parts[2]);
	if (days < 0)
		return -1;
	*seconds = ((days * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5];
	return 0;
}

/* Read a number of seconds after "@". It must be canonical: a time that has a date, and a number
 * with leading zeros, are refused. */
static int read_raw_time(const char *text, size_t len, int64_t *seconds)
{
	char again[32];
	struct rspb_text writer = rspb_text_over(again, sizeof(again));
	bool minus = len && *text == '-';

	if (rspb_text_whole(text + minus, len - minus, 0, INT64_MAX, seconds, NULL) < 0)
		return -1;
	if (minus)
		*seconds = -*seconds;
	/* The number is written again and compared, so that each time has exactly one text. */
	rspb_text_add_time(&writer, *seconds);
	return writer.len == len + 1 && !memcmp(again + 1, text, len) ? 0 : -1;
}

int rspb_text_time(const char *text, size_t len, int64_t *seconds, struct rspb_err *err)
{
	struct rspb_quote quote;
	int64_t t;

	if (len && *text == '@' ? read_raw_time(text + 1, len - 1, &t) : read_utc(text, len, &t))
		return rspb_fail(err,
				 "'%s' is not a time; allowed is "
				 "YYYY-MM-DDThh:mm:ssZ",
				 rspb_text_quote(&quote, text, len));
	*seconds = t;
	return 0;
}
