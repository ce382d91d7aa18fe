/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations as users write them, among them Slurm's forms. */
#ifndef RSPB_WIRE_DURATION_H
#define RSPB_WIRE_DURATION_H

#include <stddef.h>
#include <stdint.h>

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

#endif
