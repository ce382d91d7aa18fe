/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/select_resv.h"

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY };

const char *rspb_select_resv_name(const resv_desc_msg_t *desc)
{
	return desc->name ? desc->name : "";
}

void rspb_select_resv_window(const resv_desc_msg_t *desc, int64_t *start,
			     int64_t *end)
{
	*start = desc->start_time;
	if (desc->end_time > desc->start_time)
		*end = desc->end_time;
	else if (desc->duration == INFINITE || desc->duration == NO_VAL)
		*end = INT64_MAX;
	else
		*end = *start + INT64_C(60) * desc->duration;
}

int64_t rspb_select_resv_period(const resv_desc_msg_t *desc)
{
	uint64_t days = RESERVE_FLAG_DAILY | RESERVE_FLAG_WEEKDAY |
			RESERVE_FLAG_WEEKEND;

	if (desc->flags & RESERVE_FLAG_HOURLY)
		return HOUR;
	if (desc->flags & days)
		return DAY;
	return desc->flags & RESERVE_FLAG_WEEKLY ? WEEK : 0;
}
