/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of somebody who reads, as a text that goes from host to host: how far
 * it is from UTC, and what it is called, now and behind its next changes.
 *   -18000:EST,1772953200:-14400:EDT,1793512800:-18000:EST
 * An empty text is this process's own clock.
 */
#ifndef RSPB_WIRE_ZONE_H
#define RSPB_WIRE_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/base/err.h"

enum { RSPB_ZONE_TEXT = 96, RSPB_ZONE_NAME = 8 };

/* Describe this process's clock from `now` on, for a year. */
void rspb_zone_here(int64_t now, char text[RSPB_ZONE_TEXT]);
/* Whether a text is one. RET 0, or -1 with err. */
int rspb_zone_check(const char *text, struct rspb_err *err);
/* Whether this process's clock says the same, at every moment that it names. */
bool rspb_zone_is_here(const char *zone, int64_t now);
/* A second (since 1970) as that clock shows it, and its name. RET false: there is
 * no such time. */
bool rspb_zone_tm(const char *zone, int64_t at, struct tm *tm, char name[RSPB_ZONE_NAME]);
/* A text for who reads by that clock: its times, which are UTC
 * ("2026-11-24T09:00:00Z"), by it, with its name, but in a flag ("--begin="),
 * where sbatch takes none. What does not fit is left out. */
void rspb_zone_localize(const char *zone, const char *text, char *buf, size_t size);

#endif
