/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Node sets as text: ranges such as "0-3,7". */
#include <inttypes.h>
#include <string.h>

#include "common/base/nodeset.h"
#include "common/base/text.h"

/* Read a decimal node number at *at and step behind it. */
static int read_number(const char **at, uint32_t *number)
{
	size_t len = strspn(*at, "0123456789");
	int64_t value;

	if (rspb_text_whole(*at, len, 0, UINT32_MAX, &value, NULL) < 0)
		return -1;
	*at += len;
	*number = (uint32_t) value;
	return 0;
}

/*
 * Walk the ranges of text, into set when there is one. Called first without
 * a set, so that a fault further on leaves the caller's set as it was.
 */
static int walk(const char *text, uint32_t width, struct rspb_nodeset *set, struct rspb_err *err)
{
	const char *p = text;

	while (*p) {
		uint32_t first, last;

		if (read_number(&p, &first))
			goto malformed;
		last = first;
		if (*p == '-') {
			p++;
			if (read_number(&p, &last))
				goto malformed;
		}
		if (last < first)
			return rspb_fail(err,
					 "node range %" PRIu32 "-%" PRIu32
					 " runs backwards; give the lower "
					 "number first",
					 first, last);
		if (last >= width)
			return rspb_fail(err,
					 "node %" PRIu32 " does not exist;"
					 " there are %" PRIu32 " nodes, "
					 "numbered from 0",
					 last, width);
		for (uint32_t n = first; set && n <= last; n++)
			rspb_nodeset_add(set, n);
		if (*p == ',' && p[1])
			p++;
		else if (*p)
			goto malformed;
	}
	return 0;
malformed:
	return rspb_fail(err,
			 "node list \"%.60s\" is not made of numbers and "
			 "ranges such as 0-3,7 (at \"%.20s\")",
			 text, p);
}

int rspb_nodeset_parse(struct rspb_nodeset *set, const char *text, struct rspb_err *err)
{
	if (walk(text, set->width, NULL, err))
		return -1;
	rspb_nodeset_clear(set);
	return walk(text, set->width, set, err);
}

size_t rspb_nodeset_print(const struct rspb_nodeset *set, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);
	uint32_t n = rspb_nodeset_next(set, 0), last;

	for (; n < set->width; n = rspb_nodeset_next(set, last + 1)) {
		for (last = n; rspb_nodeset_has(set, last + 1);)
			last++;
		rspb_text_add(&out, "%s%" PRIu32, out.len ? "," : "", n);
		if (last > n)
			rspb_text_add(&out, "-%" PRIu32, last);
	}
	return out.len;
}
