/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the profile share; nobody else includes it. */
#ifndef RSPB_COMMON_PROFILE_INTERNAL_H
#define RSPB_COMMON_PROFILE_INTERNAL_H

#include "common/profile.h"
#include "common/when.h"

/* The booked set from `time` until the next point. */
struct point {
	int64_t time;
	struct rspb_nodeset *busy;
};

struct rspb_profile {
	uint32_t nodes;
	int64_t now;
	struct point *points;	/* rising times; the last set is empty */
	size_t count;
	size_t room;
};

/* RET the index of the first point at or after time. */
size_t rspb_profile_point_at(const struct rspb_profile *profile, int64_t time);
/* RET the time of the last record, or now when nothing is booked. */
int64_t rspb_profile_last(const struct rspb_profile *profile);
int rspb_profile_check_window(int64_t start, int64_t end,
			      struct rspb_err *err);
int rspb_profile_check_width(const struct rspb_profile *profile,
			     const struct rspb_nodeset *set,
			     struct rspb_err *err);

#endif
