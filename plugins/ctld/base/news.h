/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether there may be anything new about reservations. */
#ifndef RSPB_CTLD_BASE_NEWS_H
#define RSPB_CTLD_BASE_NEWS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/resv.h"

/* As rspb_resv_news(), taking the read lock for it (what: its name in the log).
 * RET false also when slurmctld is going down. */
bool rspb_news_of_resvs(struct rspb_resv_seen_at *seen, const char *what, int64_t now);

/* How often all is looked at whatever is known, in seconds: whether it is time,
 * also where the clock was set back behind the last look. */
bool rspb_news_overdue(int64_t looked, int64_t now);

#endif
