/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/moldable.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/duration.h"

static int read_point(const char *text, size_t len, struct rspb_moldable *out, struct rspb_err *err)
{
	const char *at = memchr(text, '@', len);
	struct rspb_form *form = &out->table[out->n];
	struct rspb_quote quote;
	int64_t nodes;

	if (out->n == RSPB_MOLDABLE_POINTS)
		return rspb_fail(err, "more than %d entries", RSPB_MOLDABLE_POINTS);
	if (!at)
		return rspb_fail(err,
				 "'%s': '@' is missing; allowed are "
				 "NODES@TIME,NODES@TIME",
				 rspb_text_quote(&quote, text, len));
	if (rspb_text_whole(text, (size_t) (at - text), 1, UINT32_MAX - 2, &nodes, err) ||
	    rspb_duration_seconds(at + 1, len - (size_t) (at + 1 - text), &form->duration, err))
		return -1;
	if (!form->duration)
		return rspb_fail(err, "a time of 0; allowed is 1s or more");
	form->nodes = (uint32_t) nodes;
	if (out->n && form->nodes <= form[-1].nodes)
		return rspb_fail(err,
				 "%" PRIu32 " nodes after %" PRIu32 "; numbers of nodes must rise",
				 form->nodes, form[-1].nodes);
	out->n++;
	return 0;
}

static int read_table(const char *text, struct rspb_moldable *out, struct rspb_err *err)
{
	for (;;) {
		size_t len = strcspn(text, ",");

		if (read_point(text, len, out, err))
			return -1;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

static int read_whole(const char *text, struct rspb_moldable *out, struct rspb_err *err)
{
	size_t len = strcspn(text, ":");
	const char *serial = text + len + 1;

	/* Times such as 1-12:00:00 hold colons themselves. */
	if (!text[len] || !strchr(serial, '%')) {
		len = strlen(text);
		serial = NULL;
	}
	if (rspb_duration_seconds(text, len, &out->seconds, err))
		return -1;
	if (!out->seconds)
		return rspb_fail(err, "a time of 0; allowed is 1s or more");
	return serial && rspb_text_percent(serial, strlen(serial), 0, RSPB_MOLDABLE_WHOLE,
					   &out->serial, err)
		       ? rspb_fail_at(err, "the serial part")
		       : 0;
}

int rspb_moldable_parse(const char *text, struct rspb_moldable *out, struct rspb_err *err)
{
	struct rspb_moldable work = { .seconds = 0 };

	if (strchr(text, '@') ? read_table(text, &work, err) : read_whole(text, &work, err))
		return -1;
	*out = work;
	return 0;
}

size_t rspb_moldable_print(const struct rspb_moldable *work, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	for (uint32_t i = 0; i < work->n; i++)
		rspb_text_add(&out, "%s%" PRIu32 "@%" PRId64 "s", i ? "," : "",
			      work->table[i].nodes, work->table[i].duration);
	if (work->seconds)
		rspb_text_add(&out, "%" PRId64 "s", work->seconds);
	if (work->serial) {
		rspb_text_add(&out, ":");
		rspb_text_add_percent(&out, work->serial);
	}
	return out.len;
}
