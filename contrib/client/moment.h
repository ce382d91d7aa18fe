/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A moment as it is typed for --begin of sbatch. */
#ifndef RSPB_CLIENT_MOMENT_H
#define RSPB_CLIENT_MOMENT_H

#include <stdint.h>

#include "common/base/err.h"

/* Read a moment by this host's clock into *out, in seconds since 1970: all forms that sbatch(1)
 * lists for --begin, with the same meaning: 09:00[:00] [AM|PM] (the next one), MMDDYY, MM/DD[/YY],
 * MM.DD[.YY], 2026-11-24[T09:00[:00]], today, tomorrow, midnight, noon, elevenses, fika, teatime, a
 * day and a time of it, now[+-COUNT[seconds|minutes|hours|days| weeks]], uts and seconds since
 * 1970. Beside that now+2h, now+1:30:00 and 2026-11-24T09:00:00Z, which is in UTC. RET 0, or -1
 * with err. */
int rspb_moment_parse(const char *text, int64_t now, int64_t *out, struct rspb_err *err);
/* The same of an end, seen from now: a date without a time of the day is all of that day. */
int rspb_moment_until(const char *text, int64_t *until, struct rspb_err *err);

#endif
