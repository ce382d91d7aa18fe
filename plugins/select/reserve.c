/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "common/calendar/profile.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/broker.h"
#include "plugins/select/place.h"

static void take_out(bitstr_t *available, const struct rspb_nodeset *booked)
{
	for (uint32_t n = rspb_nodeset_next(booked, 0); n < booked->width;
	     n = rspb_nodeset_next(booked, n + 1))
		bit_clear(available, n);
}

/* No booking ends later than this. */
static int64_t last_instant(int64_t now)
{
	struct rspb_config config;

	rspb_settings_get(&config);
	return now + config.horizon;
}

void rspb_place_reservation(const resv_desc_msg_t *desc, bitstr_t *available,
			    int64_t now)
{
	struct rspb_nodeset *booked;
	int64_t start, end, period, last;

	if (!strncmp(rspb_select_resv_name(desc), RSPB_BOOKING_PREFIX,
		     strlen(RSPB_BOOKING_PREFIX)))
		return;
	booked = rspb_nodeset_create(bit_size(available));
	if (!booked)
		return;
	last = last_instant(now);
	period = rspb_select_resv_period(desc);
	rspb_select_resv_window(desc, &start, &end);
	if (end > RSPB_TIME_MAX)
		end = RSPB_TIME_MAX;
	do {
		if (end > start && rspb_broker_booked(start, end, 0, booked))
			take_out(available, booked);
		start += period;
		end += period;
	} while (period && start < last);
	rspb_nodeset_destroy(booked);
}
