/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Availability of every node over time: which nodes are free, which are
 * booked, for whole nodes held exclusively.
 *
 * Source: Li et al., "Resource Availability-Aware Advance Reservation for
 * Parallel Jobs with Deadlines", section 4 (records, add, delete, search) and 5
 * (start policies). Times are int64 seconds, intervals half-open [start, end).
 * Nothing about the representation can be seen through this header
 * (doc/performance.md draws it).
 *
 * A profile is not locked: one thread at a time may use it, questions included.
 * Copies share memory, whose users are counted atomically: each may be used,
 * changed, copied and destroyed in a thread of its own, and several threads may
 * copy one that none of them changes meanwhile.
 */
#ifndef RSPB_CALENDAR_PROFILE_H
#define RSPB_CALENDAR_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/base/times.h"

struct rspb_profile;

/* The rectangle that one candidate start offers (Li et al., section 5). */
struct rspb_rect {
	int64_t start; /* the candidate start */
	int64_t left;  /* the rectangle's begin: no node of the set is booked
			 * in [left, start), not before `now` */
	int64_t right; /* its end; RSPB_TIME_MAX when open_end says infinite */
	uint32_t free; /* eligible nodes free over [start, start + duration) */
};

/* Where a rectangle ends behind which nothing is booked. */
enum rspb_open_end {
	RSPB_OPEN_DEADLINE, /* max(last record, deadline); the default */
	RSPB_OPEN_INFINITE,
	RSPB_OPEN_LAST,		/* max(last record, start + duration); as _DEADLINE
			 * where there is no record */
	RSPB_OPEN_DEADLINE_ONLY /* max(deadline, start + duration) */
};

struct rspb_query {
	int64_t ready;			     /* earliest start */
	int64_t deadline;		     /* latest end */
	int64_t duration;		     /* > 0 */
	uint32_t nodes;			     /* > 0 */
	const struct rspb_nodeset *eligible; /* NULL: every node */
	enum rspb_open_end open_end;
	uint32_t machine; /* nodes in all, for policies that count in
				 * parts of them; 0: not said */
};

/* How much a rectangle is liked: higher hi first, then higher lo. A pair, since
 * the product of two figures of 64 bits needs 128. */
struct rspb_score {
	int64_t hi;
	uint64_t lo;
};

/*
 * The score of a rectangle of so many free nodes that lasts so many seconds,
 * UINT64_MAX: without an end. It follows either figure in one direction: as one
 * grows and the other stays it never falls, or it never rises. Which of both is
 * found out by asking for the fewest and the most nodes at the shortest length,
 * and for the shortest and the longest rectangle of the fewest nodes; what makes
 * no difference there never does.
 */
typedef struct rspb_score (*rspb_score_fn)(uint32_t nodes, uint64_t length,
					   const struct rspb_query *query);

/* Which of the feasible starts; the earliest among those liked best. */
struct rspb_preference {
	rspb_score_fn score; /* NULL: all alike */
	bool fixed;	     /* only the ready time is looked at */
};

/* RET what a preference with a score gives to a rectangle. */
struct rspb_score rspb_preference_score(const struct rspb_preference *preference,
					const struct rspb_rect *rect,
					const struct rspb_query *query);

/* Nodes that a profile can have. */
enum { RSPB_PROFILE_NODES = 1 << 20 };

/*
 * RET a profile with every node free (NULL: out of memory, or too many nodes). A now outside the
 * range of times counts as its nearest end.
 */
struct rspb_profile *rspb_profile_create(uint32_t nodes, int64_t now);
/* RET an independent copy, at once; what is changed in either is copied then.
 * NULL: out of memory. */
struct rspb_profile *rspb_profile_clone(const struct rspb_profile *profile);
void rspb_profile_destroy(struct rspb_profile *profile);

int64_t rspb_profile_now(const struct rspb_profile *profile);

/*
 * Book nodes over [start, end). RET -1 with err, nothing changed: end <= start,
 * time out of range, width mismatch, empty set, a node already booked.
 * Parts before `now` are accepted and forgotten.
 */
int rspb_profile_add(struct rspb_profile *profile, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err);
/* Free nodes over [start, end); -1 when one is not booked throughout. */
int rspb_profile_remove(struct rspb_profile *profile, int64_t start, int64_t end,
			const struct rspb_nodeset *nodes, struct rspb_err *err);
/*
 * Book whatever of nodes x [start, end) is still free; what is booked already
 * stays so. For occupancy from outside (running jobs, nodes that are down,
 * other reservations), which may overlap. An empty set is no error.
 */
int rspb_profile_cover(struct rspb_profile *profile, int64_t start, int64_t end,
		       const struct rspb_nodeset *nodes, struct rspb_err *err);
/* Forget everything before now; a now that lies back is an error. */
int rspb_profile_advance(struct rspb_profile *profile, int64_t now, struct rspb_err *err);

/* How many nodes are free within [from, until), as steps that begin at `from`, or now. What the
 * last step says of later times means nothing. RET -1: out of memory. */
struct rspb_ladder;
int rspb_profile_ladder(const struct rspb_profile *profile, int64_t from, int64_t until,
			struct rspb_ladder *ladder);
/* out = the nodes free over all of [start, end). */
int rspb_profile_free_over(const struct rspb_profile *profile, int64_t start, int64_t end,
			   struct rspb_nodeset *out, struct rspb_err *err);
/* Most and fewest nodes booked at any instant of [start, end). */
int rspb_profile_peak(const struct rspb_profile *profile, int64_t start, int64_t end,
		      uint32_t *most, uint32_t *fewest, struct rspb_err *err);
/* Node-seconds booked in [start, end), per node, for load-based choices. */
int rspb_profile_load(const struct rspb_profile *profile, int64_t start, int64_t end,
		      int64_t *per_node, struct rspb_err *err);
/* From the free time before and behind a window to a cost. */
typedef int64_t (*rspb_gap_cost)(int64_t before, int64_t after);
/*
 * Keep of set, all of whose nodes must be free over [start, end), start not before
 * now, the `want` whose gaps cost least, the lowest of equals. Gaps are looked at,
 * not nodes. RET 0, or -1 with err.
 */
int rspb_profile_keep(const struct rspb_profile *profile, int64_t start, int64_t end,
		      rspb_gap_cost cost_of, uint32_t want, struct rspb_nodeset *set,
		      struct rspb_err *err);

/*
 * The best start among: ready (now when that is later), deadline -
 * duration, each record in between, each record - duration in between, that
 * have at least query->nodes free (Li et al., section 4.2). Records are those
 * of all nodes, eligible or not. A `fixed` preference looks at ready alone.
 * RET 1 with rect and set filled, 0 when no start fits (what set holds then
 * means nothing), -1 with err.
 */
int rspb_profile_search(const struct rspb_profile *profile, const struct rspb_query *query,
			const struct rspb_preference *preference, struct rspb_rect *rect,
			struct rspb_nodeset *set, struct rspb_err *err);

/*
 * Every candidate with at least query->nodes free, by start. *rects is
 * malloc'ed (free it), NULL when there is none. RET how many, -1 with err.
 */
int64_t rspb_profile_candidates(const struct rspb_profile *profile, const struct rspb_query *query,
				struct rspb_rect **rects, struct rspb_err *err);

/* The records of the published list: each time at which the booked set
 * changes, and the set booked from then on (Li et al., AvailRectList). */
typedef int (*rspb_profile_record_fn)(int64_t time, const struct rspb_nodeset *booked, void *arg);
/* Calls fn by rising time until it returns non-zero. RET that, else 0. */
int rspb_profile_records(const struct rspb_profile *profile, rspb_profile_record_fn fn, void *arg);

#endif
