/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations and times as texts of users, among them Slurm's forms. */
#ifndef RSPB_WIRE_TIME_TEXT_H
#define RSPB_WIRE_TIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/base/err.h"

/*
 * Durations as text: 90s, 500ms, 15m, 2h, 1d, and Slurm's HH:MM:SS,
 * D-HH, D-HH:MM, D-HH:MM:SS, in milliseconds. MM:SS is refused, since it reads
 * like HH:MM, and a number without a unit, but 0. RET 0 or -1 with err, *ms unchanged.
 */
int rspb_duration_parse_ms(const char *text, int64_t *ms, struct rspb_err *err);
/* A time in whole seconds, 3650 days at most, of the len characters at text. RET as
 * that. */
int rspb_duration_seconds(const char *text, size_t len, int64_t *out, struct rspb_err *err);
/* The shortest of those forms with one unit: "90s", "2h"; as snprintf. */
size_t rspb_duration_print_ms(int64_t ms, char *buf, size_t size);

/* --- the clock of a reader, as a text that goes from host to host: its distance from UTC and
 * its name, now and after its next changes.
 *   -18000:EST,1772953200:-14400:EDT,1793512800:-18000:EST
 * An empty text is this process's own clock --- */

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
