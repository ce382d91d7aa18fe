/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is between common/calendar/profile.h and the forms in which a profile keeps its
 * records: one table of functions a form, and the checks that are the same
 * for all. For the profile's own files only.
 */
#ifndef RSPB_CALENDAR_FORM_H
#define RSPB_CALENDAR_FORM_H

#include "common/calendar/profile.h"
#include "common/policy/when.h"

/*
 * What a form of the profile does. All has been checked before it is called:
 * the window begins at now at the earliest and is not empty, sets are as wide
 * as the profile and not empty. Where a function can fail it has no effect
 * then.
 */
struct rspb_profile_form {
	/* Make every node free. RET -1 without memory. */
	int (*init)(struct rspb_profile *profile);
	/* The same for a copy; on failure fini may be called. */
	int (*clone)(struct rspb_profile *to, const struct rspb_profile *from);
	/* Give all memory back; init may follow. */
	void (*fini)(struct rspb_profile *profile);

	int (*add)(struct rspb_profile *profile, int64_t start, int64_t end,
		   const struct rspb_nodeset *nodes, struct rspb_err *err);
	int (*remove)(struct rspb_profile *profile, int64_t start, int64_t end,
		      const struct rspb_nodeset *nodes, struct rspb_err *err);
	int (*cover)(struct rspb_profile *profile, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err);
	/* profile->now is still the old one. */
	int (*advance)(struct rspb_profile *profile, int64_t now,
		       struct rspb_err *err);

	/* Time of the last record, now without any. */
	int64_t (*last)(const struct rspb_profile *profile);
	void (*free_over)(const struct rspb_profile *profile, int64_t start,
			  int64_t end, struct rspb_nodeset *out);
	void (*peak)(const struct rspb_profile *profile, int64_t start,
		     int64_t end, uint32_t *most, uint32_t *fewest);
	void (*load)(const struct rspb_profile *profile, int64_t start,
		     int64_t end, int64_t *per_node);
	int (*gaps)(const struct rspb_profile *profile, int64_t start,
		    int64_t end, const struct rspb_nodeset *free_nodes,
		    int64_t *left, int64_t *right, struct rspb_err *err);
	/* Fill rect (and set, unless NULL); RSPB_TIME_MAX when it is open. */
	void (*measure)(const struct rspb_profile *profile,
			const struct rspb_query *query, int64_t start,
			struct rspb_rect *rect, struct rspb_nodeset *set);
	/*
	 * The start that the policy, which is not fixed, likes best; the query
	 * has at least one. RET 1 with rect and set as measure fills them, 0
	 * when none has enough nodes, -1 without memory.
	 */
	int (*search)(const struct rspb_profile *profile,
		      const struct rspb_query *query,
		      const struct rspb_when *when, struct rspb_rect *rect,
		      struct rspb_nodeset *set);
	/* As rspb_profile_candidates; *rects is NULL. -1: no memory. */
	int64_t (*candidates)(const struct rspb_profile *profile,
			      const struct rspb_query *query,
			      struct rspb_rect **rects);
	int (*records)(const struct rspb_profile *profile,
		       rspb_profile_record_fn fn, void *arg);
	/* Write points and groups, add to bytes. */
	void (*stats)(const struct rspb_profile *profile,
		      struct rspb_profile_stats *stats);
	int (*validate)(const struct rspb_profile *profile,
			struct rspb_err *err);
};

/* Memory of a form that was left. */
struct rspb_remnant {
	void *at;
	size_t bytes;
};

enum { RSPB_REMNANTS = 3 };

/* --- which form, and the way from one to the other (profile_choice.c) --- */

/* A change was made, now was advanced: of what the profile is in. */
void rspb_choice_changed(struct rspb_profile *profile, int64_t start,
			 int64_t end, const struct rspb_nodeset *nodes,
			 bool book);
void rspb_choice_advanced(struct rspb_profile *profile, int64_t now);
/* Give up the form that is being made; what is left of the last one. */
void rspb_choice_give_up(struct rspb_profile *profile);
void rspb_choice_shed_all(struct rspb_profile *profile);
/*
 * Be in this form at once, however long it takes. RET -1 without memory,
 * nothing changed. For tests and measurements.
 */
int rspb_profile_turn(struct rspb_profile *profile,
		      const struct rspb_profile_form *form);

/* --- shared checks and figures --- */

int rspb_profile_check_window(int64_t start, int64_t end, struct rspb_err *err);
int rspb_profile_check_width(const struct rspb_profile *profile,
			     const struct rspb_nodeset *set,
			     struct rspb_err *err);
int rspb_profile_check_query(const struct rspb_profile *profile,
			     const struct rspb_query *query,
			     struct rspb_err *err);
int rspb_profile_no_memory(struct rspb_err *err);
int rspb_profile_not_free(int64_t start, int64_t end, struct rspb_err *err);
int rspb_profile_not_booked(int64_t start, int64_t end, struct rspb_err *err);
int rspb_profile_no_gap(int64_t start, int64_t end, struct rspb_err *err);

/*
 * RET whether a policy's score is the same for all starts with one rectangle;
 * with RSPB_OPEN_LAST the rectangle's end can depend on the start.
 */
static inline bool rspb_when_stateless(const struct rspb_when *when,
				       const struct rspb_query *query)
{
	return when->reads && (when->reads == RSPB_READS_FREE ||
			       query->open_end != RSPB_OPEN_LAST);
}

static inline bool rspb_score_better(struct rspb_score a, struct rspb_score b)
{
	return a.hi != b.hi ? a.hi > b.hi : a.lo > b.lo;
}

#endif
