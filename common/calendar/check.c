/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks that every call makes, and their messages. */
#include <inttypes.h>

#include "common/calendar/internal.h"

int rspb_profile_no_memory(struct rspb_err *err)
{
	return rspb_fail(err, "out of memory for the availability profile");
}

int rspb_profile_not_free(int64_t start, int64_t end, const char *only, struct rspb_err *err)
{
	return rspb_fail(err, "a node is already booked within %" PRId64 " to %" PRId64 "; %s",
			 start, end, only);
}

int rspb_profile_check_window(int64_t start, int64_t end, struct rspb_err *err)
{
	/* The ends of the range mean that a gap has no begin or no end, so no window may touch
	 * them. */
	if (start <= RSPB_TIME_MIN || end >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " is out of range; times lie within 2^61 "
				 "seconds of the epoch",
				 start, end);
	if (end <= start)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " is empty; its end must lie after its start",
				 start, end);
	return 0;
}

int rspb_profile_check_width(const struct rspb_profile *profile, const struct rspb_nodeset *set,
			     struct rspb_err *err)
{
	if (set->width != profile->nodes)
		return rspb_fail(err,
				 "a set of %" PRIu32 " nodes was given "
				 "for a profile of %" PRIu32 "; the widths "
				 "must be equal",
				 set->width, profile->nodes);
	/* A slim set holds only some of its words, and the functions here index words by their
	 * place. */
	if (set->kept)
		return rspb_fail(err, "a set that is only kept was given; a "
				      "clone of it will do");
	return 0;
}

int rspb_profile_check_query(const struct rspb_profile *profile, const struct rspb_query *query,
			     struct rspb_err *err)
{
	if (query->duration <= 0 || query->duration >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "duration %" PRId64 " is out of range; "
				 "it must be at least 1 and under 2^61 seconds",
				 query->duration);
	if (!query->nodes)
		return rspb_fail(err, "0 nodes were asked for; at least 1 is "
				      "needed");
	/* Within this range, and with such a duration, sums and differences of two times cannot
	 * overflow. The searches also double them. */
	if (query->ready <= RSPB_TIME_MIN || query->ready >= RSPB_TIME_MAX ||
	    query->deadline <= RSPB_TIME_MIN || query->deadline >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "ready %" PRId64 " or deadline %" PRId64
				 " is out of range; times lie within 2^61 "
				 "seconds of the epoch",
				 query->ready, query->deadline);
	if (query->eligible)
		return rspb_profile_check_width(profile, query->eligible, err);
	return 0;
}
