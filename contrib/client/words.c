/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/texts.h"

enum { MOST = 1000000 };

int rspb_words_count(const char *text, int64_t *out, struct rspb_err *err)
{
	return rspb_text_whole(text, strlen(text), 1, MOST, out, err)
		       ? rspb_fail_at(err, "%s", text)
		       : 0;
}

int rspb_words_port(const char *text, int64_t *out, struct rspb_err *err)
{
	return rspb_text_whole(text, strlen(text), 0, UINT16_MAX, out, err);
}

/* Up to three numbers with colons between, nothing behind. RET how many, 0: it
 * is none. */
static int fields(const char *text, unsigned n[3])
{
	int len = -1, count = 0;

	for (const char *at = text; *at; at++)
		if (!isdigit((unsigned char) *at) && *at != ':')
			return 0;
	if (strlen(text) > 20)
		return 0;
	if (sscanf(text, "%9u:%9u:%9u%n", &n[0], &n[1], &n[2], &len) == 3)
		count = 3;
	else if (sscanf(text, "%9u:%9u%n", &n[0], &n[1], &len) == 2)
		count = 2;
	else if (sscanf(text, "%9u%n", &n[0], &len) == 1)
		count = 1;
	return len == (int) strlen(text) ? count : 0;
}

int rspb_words_limit(const char *text, int64_t *out, struct rspb_err *err)
{
	const char *dash = strchr(text, '-');
	unsigned n[3] = { 0 }, days = 0;
	int count = fields(dash ? dash + 1 : text, n), len = 0;
	int64_t s = 0;

	if (dash && (sscanf(text, "%6u%n", &days, &len) != 1 || text + len != dash))
		count = 0;
	if (dash)
		s = days * INT64_C(86400) + n[0] * INT64_C(3600) + n[1] * INT64_C(60) + n[2];
	else if (count == 3)
		s = n[0] * INT64_C(3600) + n[1] * INT64_C(60) + n[2];
	else
		s = n[0] * INT64_C(60) + n[1];
	if (!count || s <= 0)
		return rspb_fail(err,
				 "%s is not a time; write it as for --time of sbatch (30, "
				 "2:00:00, 1-12)",
				 text);
	/* Slurm counts a minute that is begun as a whole one. */
	*out = (s + 59) / 60 * 60;
	return 0;
}

int rspb_words_span(const char *text, int64_t *out, struct rspb_err *err)
{
	if (*text && !text[strspn(text, "0123456789")])
		return rspb_fail(err, "%.20s: the unit is missing; write %.20sd, %.20sh or %.20sm",
				 text, text, text, text);
	return rspb_words_duration(text, out, err);
}

int rspb_words_duration(const char *text, int64_t *out, struct rspb_err *err)
{
	int64_t ms;

	if (isalpha((unsigned char) text[strlen(text) - !!*text]) &&
	    !rspb_duration_parse_ms(text, &ms, NULL) && ms >= 1000) {
		*out = ms / 1000;
		return 0;
	}
	return rspb_words_limit(text, out, err)
		       ? rspb_fail(err,
				   "%s is not a duration; write 90s, 30m, 12h, 7d, or a value as "
				   "for --time of sbatch",
				   text)
		       : 0;
}
