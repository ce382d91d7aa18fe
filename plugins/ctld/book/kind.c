/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the kind of a request, and asks all of them in turn. What a kind does is in
 * its own room. */
#include "plugins/ctld/book/kind.h"

#include "common/base/times.h"

static const struct rspb_kind *const none[] = { NULL };
static const struct rspb_kind *const *kinds = none;

void rspb_kind_use(const struct rspb_kind *const *rows)
{
	kinds = rows;
}

const struct rspb_kind *rspb_kind_of(const struct rspb_request *request)
{
	const struct rspb_kind *const *k = kinds;

	while (*k && !(*k)->owns(request))
		k++;
	return *k ? *k : kinds[0];
}

int64_t rspb_kinds_waiting(int64_t *earliest)
{
	int64_t n = 0, some;

	for (const struct rspb_kind *const *k = kinds; *k; k++) {
		some = (*k)->waiting ? (*k)->waiting(earliest) : 0;
		if (some < 0)
			return some;
		n += some;
	}
	return n;
}

int rspb_kinds_collect(uint32_t width, const struct rspb_config *config,
		       int64_t now, struct rspb_asks *asks,
		       struct rspb_err *err)
{
	int rc = 0;

	for (const struct rspb_kind *const *k = kinds; *k && !rc; k++)
		if ((*k)->collect)
			rc = (*k)->collect(width, config, now, asks, err);
	return rc;
}

void rspb_kinds_ended(const struct rspb_config *config, int64_t now)
{
	for (const struct rspb_kind *const *k = kinds; *k; k++)
		if ((*k)->ended)
			(*k)->ended(config, now);
}

const struct rspb_booking *rspb_kinds_of_resv(uint32_t number)
{
	const struct rspb_booking *b = NULL;

	for (const struct rspb_kind *const *k = kinds; *k && !b; k++)
		if ((*k)->of_resv)
			b = (*k)->of_resv(number);
	return b;
}

int64_t rspb_kinds_resv_end(uint32_t number)
{
	int64_t end = INT64_MAX;

	for (const struct rspb_kind *const *k = kinds; *k; k++)
		if ((*k)->resv_end)
			end = rspb_earlier(end, (*k)->resv_end(number));
	return end;
}
