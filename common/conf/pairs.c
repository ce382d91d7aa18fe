/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/pairs.h"

#include <string.h>

#include "common/base/text.h"

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Where a value that begins at p ends; *p may be a quote. RET behind it. */
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
	while (stop < end && !strchr(" \t\r=\"", *stop))
		stop++;
	*value = p;
	*len = (size_t) (stop - p);
	return stop;
}

/* Refuse the rest of a line whose first pair does not end at a blank. */
static int trailing(const char *p, const char *end, struct rspb_err *err)
{
	struct rspb_quote quote;

	return rspb_fail(err,
			 "'%s' is not Key=Value; allowed are pairs of "
			 "them and, behind '#', a comment",
			 rspb_text_quote(&quote, p, (size_t) (end - p)));
}

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
	if (next < end && !strchr(" \t\r", *next))
		return trailing(pair->key, end, err);
	*at = next;
	return 1;
}
