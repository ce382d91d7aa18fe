/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hours of the week, by whatever clock: "Mon-Fri/09:00-17:00,Sat/10:00-12:00".
 * Behind a day, or the first and last of some, comes from when until when; until
 * 24:00 at most, or, when that is earlier, on the day behind.
 */
#ifndef RSPB_CONF_HOURS_H
#define RSPB_CONF_HOURS_H

#include "common/base/err.h"

enum { RSPB_HOURS_DAY = 24 * 60, RSPB_HOURS_WEEK = 7 * RSPB_HOURS_DAY };

/* RET 0, or -1 with a few words on what is wrong. */
int rspb_hours_check(const char *hours, struct rspb_err *err);
/* In how many minutes a minute of the week, from Sunday 00:00 on, is followed by
 * one that is within the hours (open) or without. RET 0: it is so itself; -1:
 * never. No hours are all hours. */
int rspb_hours_next(const char *hours, int minute, int open);

#endif
