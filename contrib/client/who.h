/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the kinds of holders of nodes in the calendar. */
#ifndef RSPB_CLIENT_WHO_H
#define RSPB_CLIENT_WHO_H

#include <json-c/json.h>

/* The kinds; of two that take as much, the later one is shown. */
enum rspb_who {
	RSPB_WHO_DOWN,
	RSPB_WHO_JOB,
	RSPB_WHO_RESERVED,
	RSPB_WHO_MAINTENANCE,
	RSPB_WHO_BOOKED,
	RSPB_WHO_MINE,
	RSPB_N_WHO
};
extern const char *const rspb_who_names[RSPB_N_WHO];

enum { RSPB_WHO_TITLE = 64 };

/* RET the kind of an entry in the bookings or others of contrib/calendar/page.h. */
enum rspb_who rspb_who_of(json_object *item);
/* A booking's number or name, and its owner: "12 ann"; what else stands there as
 * rspb_who_names has it. RET buf. */
char *rspb_who_title(json_object *item, char buf[RSPB_WHO_TITLE]);

#endif
