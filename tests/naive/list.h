/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The availability profile as published, plain and well made: an array, sorted
 * by time, of the set booked from then on; the rows of each candidate are or-ed
 * (Li et al., section 4). It is the oracle of the differential tests and the
 * denominator of the benchmark, and uses nothing of the calendar but its types.
 * Every function means what its namesake in common/calendar/profile.h means.
 */
#ifndef RSPB_TESTS_NAIVE_LIST_H
#define RSPB_TESTS_NAIVE_LIST_H

#include "common/calendar/profile.h"

struct naive_point {
	int64_t time;
	struct rspb_nodeset *busy;
};

struct naive_list {
	uint32_t nodes;
	int64_t now;
	struct naive_point *points; /* rising; the last set is empty */
	size_t count;
	size_t room;
};

struct naive_list *naive_list_create(uint32_t nodes, int64_t now);
struct naive_list *naive_list_clone(const struct naive_list *list);
void naive_list_destroy(struct naive_list *list);

int naive_list_add(struct naive_list *list, int64_t start, int64_t end,
		   const struct rspb_nodeset *nodes, struct rspb_err *err);
int naive_list_remove(struct naive_list *list, int64_t start, int64_t end,
		      const struct rspb_nodeset *nodes, struct rspb_err *err);
int naive_list_cover(struct naive_list *list, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err);
int naive_list_advance(struct naive_list *list, int64_t now, struct rspb_err *err);
int naive_list_free_over(const struct naive_list *list, int64_t start, int64_t end,
			 struct rspb_nodeset *out, struct rspb_err *err);
int naive_list_peak(const struct naive_list *list, int64_t start, int64_t end, uint32_t *most,
		    uint32_t *fewest, struct rspb_err *err);
int naive_list_load(const struct naive_list *list, int64_t start, int64_t end, int64_t *per_node,
		    struct rspb_err *err);
int naive_list_gaps(const struct naive_list *list, int64_t start, int64_t end,
		    const struct rspb_nodeset *free_nodes, int64_t *left, int64_t *right,
		    struct rspb_err *err);
int naive_list_search(const struct naive_list *list, const struct rspb_query *query,
		      const struct rspb_preference *prefers, struct rspb_rect *rect,
		      struct rspb_nodeset *set, struct rspb_err *err);
int64_t naive_list_candidates(const struct naive_list *list, const struct rspb_query *query,
			      struct rspb_rect **rects, struct rspb_err *err);
int naive_list_records(const struct naive_list *list, rspb_profile_record_fn fn, void *arg);
int naive_list_validate(const struct naive_list *list, struct rspb_err *err);

/* Shared by the two files of the list. */
size_t naive_list_point_at(const struct naive_list *list, int64_t time);
int64_t naive_list_last(const struct naive_list *list);
int naive_list_check_window(int64_t start, int64_t end, struct rspb_err *err);
int naive_list_check_width(const struct naive_list *list, const struct rspb_nodeset *set,
			   struct rspb_err *err);

#endif
