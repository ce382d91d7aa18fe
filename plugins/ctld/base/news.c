/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks under the read lock whether reservations may have changed. Callers find out themselves which
 * ones have. */
#include "plugins/ctld/base/section.h"

/* Seconds. Slurm stamps no change when a time slot begins or ends, so all is looked at this
 * often in any case. */
enum { ALL_S = 10 };

bool rspb_news_of_resvs(struct rspb_resv_seen_at *seen, const char *what, int64_t now)
{
	struct rspb_section section;
	bool news;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, what))
		return false;
	news = rspb_resv_news(seen, now);
	rspb_section_leave(&section);
	return news;
}

bool rspb_news_overdue(int64_t looked, int64_t now)
{
	/* Aligned seconds let all callers look in the same second, whenever each of them began. */
	return now % ALL_S == 0 || now < looked || now >= looked + ALL_S;
}
