/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether there may be anything new about reservations. */
#ifndef RSPB_CTLD_BASE_NEWS_H
#define RSPB_CTLD_BASE_NEWS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/resv.h"

/* The same as rspb_resv_news(), but this takes the read lock (what: the section's name in the
 * log). RET false also if slurmctld is shutting down. */
bool rspb_news_of_resvs(struct rspb_resv_seen_at *seen, const char *what, int64_t now);

/* RET whether it is time to look at all, whatever is known: every ten seconds, and if the clock was
 * set back to before the last look. */
bool rspb_news_overdue(int64_t looked, int64_t now);

#endif
