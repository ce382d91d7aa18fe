/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The starts of what recurs: RFC 5545 rules, counted by this host's clock, so that
 * nine o'clock is nine o'clock also where the clocks change. */
#ifndef RSPB_CLIENT_REPEAT_H
#define RSPB_CLIENT_REPEAT_H

#include <stdint.h>

#include "common/base/err.h"

/* The most dates of a series; a user has to read the list. */
enum { RSPB_REPEAT_MOST = 366 };

struct rspb_repeat {
	const char *rule; /* daily, weekdays, weekly, monthly, or an RRULE */
	int64_t begin;	  /* of the first, which the rule may move */
	int64_t until;	  /* none begins later; 0: not given */
	int64_t count;	  /* 0: not given */
	int64_t deadline; /* of what begins at `begin`; 0: not given */
};
/* That of the one that begins then: as many days later as the first one's, at the same
 * time of the day. 0: none was given. */
int64_t rspb_repeat_deadline(const struct rspb_repeat *repeat, int64_t start);
/* RET how many starts there are, in order; -1 with err: the rule is wrong, has no
 * end, or has too many. */
int rspb_repeat_starts(const struct rspb_repeat *repeat, int64_t starts[RSPB_REPEAT_MOST],
		       struct rspb_err *err);

#endif
