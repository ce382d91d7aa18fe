/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Derives from two contracts what has happened to a booking, as its owner sees it. */
#ifndef RSPB_CTLD_POST_EVENT_H
#define RSPB_CTLD_POST_EVENT_H

#include "common/wire/flags.h"

enum rspb_letter_event {
	RSPB_LETTER_BOOKED,
	RSPB_LETTER_DECLINED,
	RSPB_LETTER_MOVED,    /* other nodes, another window */
	RSPB_LETTER_DEGRADED, /* less than before */
	RSPB_LETTER_GROWN,    /* more */
	RSPB_LETTER_HELD,     /* an offer, for a time */
	RSPB_LETTER_STAYS,    /* a change of it is refused */
	RSPB_LETTER_WARNED,   /* something stands in its way */
	RSPB_LETTER_LOST,     /* it waits for a decision again */
	RSPB_LETTER_REMINDER, /* it is to start soon */
	RSPB_LETTER_FIRM,     /* its start does not move any more */
	RSPB_LETTER_ENDED,
	RSPB_LETTER_NOTHING
};

/* RET the event that turned the old contract into the new one, at that second: at most one event. A
 * start that is not firm yet is told once it is. */
enum rspb_letter_event rspb_letter_event(const struct rspb_contract *old,
					 const struct rspb_contract *new, int64_t now);

#endif
