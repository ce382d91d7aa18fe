/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps ordinary jobs from licenses that are booked while they may run. It counts none
 * itself. */
#include <stdlib.h>

#include "common/calendar/profile.h"
#include "plugins/compat/limit/license.h"
#include "plugins/ctld/broker.h"
#include "plugins/select/place.h"

bool rspb_place_licenses(const struct rspb_quotas *wanted, int64_t start, int64_t end, int64_t now)
{
	int64_t used, most;

	for (size_t i = 0; i < wanted->n; i++) {
		const struct rspb_quota *want = &wanted->items[i];
		int64_t booked = rspb_broker_license(want->key, start, end);

		if (booked && rspb_license_now(want->key, &used, &most) &&
		    want->use + booked + (start > now ? 0 : used) > most)
			return false;
	}
	return true;
}

bool rspb_place_licensed(const struct rspb_select_call *call, int64_t now)
{
	int64_t seconds = rspb_select_call_seconds(call);
	struct rspb_quotas wanted = { .n = 0 };
	bool enough;

	rspb_select_call_licenses(call, &wanted);
	enough = rspb_place_licenses(&wanted, now, seconds < 0 ? RSPB_TIME_MAX : now + seconds,
				     now);
	free(wanted.items);
	return enough;
}
