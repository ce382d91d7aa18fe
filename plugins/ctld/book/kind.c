/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the kind of a request, and asks all sources in turn. Each kind has a file of its own. */
#include "plugins/ctld/book/kind.h"

#include "plugins/ctld/book/state.h"

/* Until rspb_kind_use() was called there are no rows, and loops over them end at once. */
static const struct rspb_kind *const none[] = { NULL };
static const struct rspb_source *const nothing[] = { NULL };

void rspb_kind_use(const struct rspb_kind *const *rows, const struct rspb_source *const *from)
{
	rspb_book->kinds = rows;
	rspb_book->sources = from;
}

static const struct rspb_source *const *sources(void)
{
	return rspb_book->sources ? rspb_book->sources : nothing;
}

const struct rspb_kind *rspb_kind_of(const struct rspb_request *request)
{
	const struct rspb_kind *const *kinds = rspb_book->kinds ? rspb_book->kinds : none;
	const struct rspb_kind *const *k = kinds;

	while (*k && !(*k)->owns(request))
		k++;
	/* Without an owner the first row counts. */
	return *k ? *k : kinds[0];
}

int64_t rspb_sources_waiting(int64_t *earliest)
{
	int64_t n = 0, some;

	/* If one source cannot say how many wait, the sum is of no use, and the caller asks
	 * again later. */
	for (const struct rspb_source *const *s = sources(); *s; s++) {
		some = (*s)->waiting(earliest);
		if (some < 0)
			return some;
		n += some;
	}
	return n;
}

int rspb_sources_collect(uint32_t width, const struct rspb_config *config, int64_t now,
			 struct rspb_asks *asks, struct rspb_err *err)
{
	int rc = 0;

	for (const struct rspb_source *const *s = sources(); *s && !rc; s++)
		rc = (*s)->collect(width, config, now, asks, err);
	return rc;
}
