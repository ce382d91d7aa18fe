/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/book/kind.h"

static const struct rspb_kind *const none[] = { NULL };
static const struct rspb_kind *const *kinds = none;

void rspb_kind_use(const struct rspb_kind *const *rows)
{
	kinds = rows;
}

const struct rspb_kind *const *rspb_kind_all(void)
{
	return kinds;
}

const struct rspb_kind *rspb_kind_of(const struct rspb_request *request)
{
	const struct rspb_kind *const *k = kinds;

	while (*k && !(*k)->owns(request))
		k++;
	return *k ? *k : kinds[0];
}

bool rspb_kind_holds(const struct rspb_resv *resv)
{
	for (const struct rspb_kind *const *k = kinds; *k; k++)
		if ((*k)->holds && (*k)->holds(resv))
			return true;
	return false;
}

const struct rspb_booking *rspb_kind_of_resv(uint32_t number)
{
	const struct rspb_booking *b = NULL;

	for (const struct rspb_kind *const *k = kinds; *k && !b; k++)
		if ((*k)->of_resv)
			b = (*k)->of_resv(number);
	return b;
}

int64_t rspb_kind_resv_end(uint32_t number)
{
	int64_t end = INT64_MAX;

	for (const struct rspb_kind *const *k = kinds; *k; k++) {
		int64_t at = (*k)->resv_end ? (*k)->resv_end(number)
					    : INT64_MAX;

		end = at < end ? at : end;
	}
	return end;
}
