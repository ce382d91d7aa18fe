/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The round times between which people look for theirs, by this host's clock. */
#ifndef RSPB_CLIENT_AXIS_H
#define RSPB_CLIENT_AXIS_H

#include <stdint.h>

enum { RSPB_AXIS_TEXT = 24, RSPB_AXIS_DAY = 86400 };

/* Seconds from tick to tick, from a minute to four weeks, so that a span has so
 * many at most. */
int64_t rspb_axis_step(int64_t span, uint32_t most);
/* The first tick after a moment: of less than a day one that is counted from
 * midnight, else a midnight: of a week a Monday's, of four the first of a month. */
int64_t rspb_axis_next(int64_t after, int64_t step);
/* "09:00", or "Tue 24 Nov" of a step of days. RET buf. */
char *rspb_axis_text(int64_t at, int64_t step, char buf[RSPB_AXIS_TEXT]);
/* The zone of the clock at a moment, as "CET". RET buf. */
char *rspb_axis_zone(int64_t at, char buf[RSPB_AXIS_TEXT]);

#endif
