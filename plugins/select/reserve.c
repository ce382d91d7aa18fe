/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps reservations of others off booked nodes. It makes none. */
#include <string.h>

#include "common/base/times.h"
#include "common/calendar/profile.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/broker.h"
#include "plugins/select/place.h"

/* No booking ends later than this. */
static int64_t last_instant(int64_t now)
{
	return now + rspb_settings_get()->horizon;
}

void rspb_place_reservation(const struct rspb_select_resv *resv, struct rspb_nodeset *available,
			    int64_t now)
{
	int64_t start = resv->start, end = rspb_earlier(resv->end, RSPB_TIME_MAX);
	struct rspb_nodeset *booked;
	int64_t last;

	if (rspb_resv_ours(resv->name))
		return;
	booked = rspb_nodeset_create(available->width);
	if (!booked)
		return;
	last = last_instant(now);
	do {
		if (end > start && rspb_broker_booked(start, end, booked))
			rspb_nodeset_minus(available, booked);
		start += resv->period;
		end += resv->period;
	} while (resv->period && start < last);
	rspb_nodeset_destroy(booked);
}
