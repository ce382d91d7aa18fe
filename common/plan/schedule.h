/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meta-request: decide a batch of requests together, as
 * order -> when -> where -> degrade -> commit or undo, whole co-reservations
 * at a time. The simulator and the live agent use this same call.
 *
 * Source: Min, thesis, figures 3.4-3.5 (RSPB) and chapter 4 (Co-RSPB,
 * Co-RSBF, Co-RSBFR); the start by Li et al., section 5.
 */
#ifndef RSPB_PLAN_SCHEDULE_H
#define RSPB_PLAN_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/text.h"
#include "common/ledger/ledger.h"
#include "common/plan/plan.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

/* --- schedule.c --- */

/* Steps of a policy that only the simulator has (contrib/sim/policy/preset.c). */
struct rspb_steps {
	/* Decide a request in place of rspb_search_book(), with the same arguments and results.
	 * The booking may stay in policy->waiting without grants. NULL: the search decides. */
	int (*decide)(struct rspb_plan *plan, struct rspb_ledger *ledger,
		      struct rspb_booking *booking, int64_t now, struct rspb_err *why,
		      struct rspb_err *err);
	/* RET the booking of that request as it waits, owned by policy->waiting, or NULL. */
	const struct rspb_booking *(*find)(const void *waiting, uint64_t id);
};

/*
 * Decide n requests at `now` on a ledger the caller may throw away (a clone):
 * each accepted one is booked in it, so that later ones see it. A policy that
 * makes room may also move bookings that wait in the ledger.
 * out[i] receives a booking for requests[i], owned by the caller, in state
 * booked (start, end, grants, benefit filled) or declined (reason filled, one
 * sentence a user can act on, with what could be had instead for the first
 * of them when policy->offer_horizon is set; times in UTC). RET 0; -1 with err
 * (out of memory, a request that fails validation) and every out[i] NULL.
 */
int rspb_schedule_batch(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			const struct rspb_request *const *requests, size_t n, int64_t now,
			struct rspb_booking **out, struct rspb_err *err);

/*
 * When the next batch must be decided, given the due time of the running
 * interval and the earliest ready time waiting: early when a start would come
 * before the batch is due (thesis, section 3.3). INT64_MAX: nothing waits.
 */
int64_t rspb_schedule_due(int64_t due, int64_t earliest_ready, int64_t now);

/* --- offers.c --- */

/* The notice of offers that people read (struct rspb_policy). */
enum { RSPB_OFFER_NOTICE_S = 120 };

enum rspb_offer_kind {
	RSPB_OFFER_LATER,
	RSPB_OFFER_SHORTER,
	RSPB_OFFER_LESS,
	RSPB_OFFER_LONGER,
	RSPB_N_OFFERS
};
struct rspb_offer {
	enum rspb_offer_kind kind;
	int64_t start, end;
	int64_t nodes, share;	   /* share of each node; 0: whole nodes */
	int64_t tasks;		   /* in all, of work that counts in them; else 0 */
	uint32_t distance;	   /* of its nodes from those preferred, on the mean */
	struct rspb_ratio benefit; /* of what is less: nodes, share, or time */
};
/* Find the offers for a request that does not fit at `now` on this ledger, each of which ends by
 * `until`. longest: the longest duration for fewer nodes, 0: not longer. A request that fits has no
 * other offer. A request with forms (request/request.h) is offered each form as soon as it fits,
 * where no other that is over as soon takes as few node-seconds. By kind; where the start counts,
 * or those who pay more come first (policy->order), what is worth most first, then, of these, the
 * cheapest. RET how many, or -1 with err. */
int rspb_offers_find(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		     const struct rspb_request *request, int64_t now, int64_t until,
		     int64_t longest, struct rspb_offer out[RSPB_N_OFFERS], struct rspb_err *err);
/* As one word, which `rspb accept` takes back: "4@20261124T110000Z+3600",
 * "35.5%@...", "1/6@..." with six tasks on one node, with nothing before '@' where there are
 * components. */
void rspb_offer_word(const struct rspb_offer *offer, const struct rspb_request *asked,
		     struct rspb_text *text);
/* The flags of ours and of sbatch which ask for just that, with their times in
 * UTC (rspb_zone_localize() knows them by the '='): " -N4 --time=60 --begin=...", behind
 * --book. */
void rspb_offer_flags(const struct rspb_offer *offer, const struct rspb_request *asked,
		      struct rspb_text *text);
/*
 * Add them to a text of at most size - 1 bytes: "; on offer: 6 nodes from
 * 2026-11-24T09:00:00Z: rspb accept 17 6@20261124T090000Z+3600 or ...", as many
 * as fit; for who is not there to accept one "6 nodes with -N6 --time=60 ...", and to
 * an operator "6 nodes from 2026-...". RET 0, or -1 with err.
 */
int rspb_offers_add(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		    const struct rspb_request *request, int64_t now, int64_t until, char *text,
		    size_t size, struct rspb_err *err);

/* --- yield.c --- */

/* How far a booking gives way. */
enum rspb_yield {
	RSPB_YIELD_NONE,
	RSPB_YIELD_SURPLUS, /* to what it was promised */
	RSPB_YIELD_PART,    /* to the least that is acceptable */
	RSPB_YIELD_WHOLE    /* it is cancelled */
};

/* The question which bookings can give room, and for which one. Bookings that have started give
 * only shares, and are never cancelled; named nodes stay with the booking that named them. */
struct rspb_yield_query {
	int64_t start, end;		  /* when room is wanted */
	const struct rspb_nodeset *nodes; /* where; NULL: anywhere */
	uint64_t except;		  /* whose room it is to be */
	int64_t priority;		  /* only those of less priority give more than
				 * what they grew by */
};

/* A booking that may give way. */
struct rspb_yielder {
	const struct rspb_request *request; /* the ledger's */
	enum rspb_yield most, level;	    /* what it can give; what it gives */
};

/*
 * Find who may give way, the least valuable first: the lowest priority, then
 * the latest arrival, then the highest id; `level` is NONE. *list is malloc'ed.
 * RET how many, -1 with err.
 */
int64_t rspb_yield_find(const struct rspb_ledger *ledger, const struct rspb_yield_query *query,
			struct rspb_yielder **list, struct rspb_err *err);

/* Book or change what is to have the room, in a ledger where others have given
 * way. RET 1 done, 0 there is not enough room, -1 with err. */
typedef int (*rspb_yield_fn)(struct rspb_ledger *ledger, void *arg, struct rspb_err *err);

/*
 * Let list[n] give way to their level on a copy of the ledger (of whole nodes, those in `wanted`
 * first; NULL: any), call `place` there, let them take back what is left over, the most valuable
 * first, and then make it so in the ledger: a cancel of each that lost its booking, and one
 * RSPB_REC_MOVE with all that changed. RET 1; 0 and nothing changed when place() said so; -1 with
 * err.
 */
int rspb_yield_try(struct rspb_ledger *ledger, const struct rspb_yielder *list, size_t n,
		   const struct rspb_nodeset *wanted, rspb_yield_fn place, void *arg,
		   struct rspb_err *err);

/*
 * Book the request of `booking`, which is in state requested, with the help of
 * what others grew by beyond their promise. RET 1: the ledger holds it, and
 * `booking` says what it got; 0: nothing changed; -1 with err.
 */
int rspb_yield_newcomer(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			struct rspb_booking *booking, int64_t now, struct rspb_err *err);

/*
 * Let bookings of a plan, a changed clone of the ledger, take back what they have given up there: a
 * later start than in the ledger, other nodes, less of them. That is what they gave up for trials
 * that were lost, as those that were kept hold what they need. Bookings with limits or licenses
 * stay as they are if the plan has others with such that are new or changed: the ledger does not
 * count them. RET 0, or -1 with err.
 */
int rspb_yield_undo(struct rspb_ledger *plan, const struct rspb_ledger *ledger,
		    struct rspb_err *err);

/* The same as rspb_yield_newcomer() for another version of a booking that stands. */
int rspb_yield_change(struct rspb_ledger *ledger, const struct rspb_booking *changed,
		      struct rspb_err *err);

/* --- rescue.c --- */

/* Which way was found, in the order in which they are tried. */
enum rspb_rescued {
	RSPB_RESCUED_NOT,
	RSPB_RESCUED_REPLACED, /* other nodes, the same start and size */
	RSPB_RESCUED_SURPLUS,  /* so, out of what others grew by */
	RSPB_RESCUED_SLOWER,   /* all of it, on slower nodes, for longer */
	RSPB_RESCUED_DEGRADED, /* less, at the same start */
	RSPB_RESCUED_MOVED,    /* another start within its window */
	RSPB_RESCUED_PART,     /* others got less within their functions */
	RSPB_RESCUED_WHOLE,    /* others lost their bookings */
	RSPB_RESCUED_SOONER,   /* an earlier start: it could have stayed */
	RSPB_RESCUED_RESTORED, /* more, at the same start, of what an outage has taken */
	RSPB_N_RESCUED
};
/* "other nodes", "less", ...; a few words for messages. */
const char *rspb_rescued_text(enum rspb_rescued how);

struct rspb_rescue {
	uint64_t id;
	/* The earliest start of one that moves; not before the time of the
	 * ledger. */
	int64_t earliest;
	bool same;	/* neither less, nor another start, nor at the
				 * cost of what was promised to others */
	int64_t sooner; /* it can stay, and moves, with all that it has, to a start
			 * at that second or before alone; 0: it cannot stay */
	bool restore;	/* likewise it can stay, and gets back what an outage has taken */
	/* Nodes for those that a part of different sizes has lost (stand_in.h), for each part;
	 * NULL: none. */
	struct rspb_nodeset *const *others;
	enum rspb_yield yield; /* the most that others are asked for */
	enum rspb_rescued how; /* set: what was done */
};

/*
 * Find the booking a place on a ledger in which all that is in its way is
 * blocked. RET 1: the ledger holds it, and those that gave way; 0: nothing
 * changed, there is none; -1 with err.
 */
int rspb_rescue_booking(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			struct rspb_rescue *rescue, struct rspb_err *err);

/* --- refine.c --- */

/*
 * Let the booking of that id grow towards full benefit; the ledger holds the
 * changed one afterwards. What it grows by is beyond its promise. `move`:
 * shares on single machines may move. Of one that has started only shares grow.
 * RET 1 when it grew, 0 when there was nothing to gain, -1 with err.
 */
int rspb_refine_booking(struct rspb_ledger *ledger, const struct rspb_policy *policy, uint64_t id,
			bool move, struct rspb_err *err);

/* Told of each booking that grew; it is the ledger's. */
typedef void (*rspb_refine_fn)(const struct rspb_booking *booking, void *arg);

/*
 * Lazy refinement: grow every booking that waits to start in [now, before) in
 * place, the highest priority first. To be called after each batch, with
 * `before` the time of the next one. RET how many grew, -1 with err.
 */
int64_t rspb_refine_due(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			int64_t before, rspb_refine_fn fn, void *arg, struct rspb_err *err);

/*
 * Let the shares of bookings that have started grow into what has come free
 * since, until their ends, the highest priority first. The time of the ledger
 * (RSPB_REC_ADVANCE) must be the present. RET how many grew, -1 with err.
 */
int64_t rspb_refine_running(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			    rspb_refine_fn fn, void *arg, struct rspb_err *err);

/* Both: those that start before `before`, and what runs. */
int64_t rspb_refine_all(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			int64_t before, struct rspb_err *err);

/* --- shift.c --- */

/*
 * Bookings on nodes that move within their windows, so that one more finds a place:
 * what a booking with a window was promised is the window. It is contrib/sim/policy/flex.h
 * for a calendar of nodes, where each booking has its own, and where as few as can be
 * move: the newcomer is placed as if those that may move were not there, all that it
 * leaves alone stay, and the others find another place, by their latest start. Who
 * finds none stays, and the newcomer is placed around it.
 *
 * Source: this project; doc/policies.md says what it gains.
 */

/*
 * Whether a booking may get another start: it has not begun, its window has room for
 * another one, and more seconds are left before its start than its request->moves says.
 */
bool rspb_shift_movable(const struct rspb_booking *booking, int64_t now);

/*
 * Book the request of `booking`, which is in state requested, where others move within
 * their windows: up to policy->shift of them are looked at, as far as policy->patience
 * goes, and for who takes no more than policy->shift_part of the nodes, or four. *moves: how
 * many may move, less those that did in the end. RET 1: the ledger holds it and those that
 * moved, and `booking` says what it got; 0: nothing changed; -1 with err.
 */
int rspb_shift_newcomer(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			struct rspb_booking *booking, int64_t now, size_t *moves,
			struct rspb_err *err);

/*
 * Let bookings begin earlier: *moves of those that may move, up to the last one of `fresh` that has
 * to wait, are placed anew, each at its earliest start, in the order of their latest starts or of
 * their durations. Some may begin later for it, if all in all the delays get less (each in
 * durations of its booking). `fresh` are the decisions of this batch (NULL: one failed): nobody
 * was told of them yet, so that they may begin at any time. *moves counts down those that did.
 * Source: Liu and Layland 1973 (the order); doc/policies.md. RET 1: the ledger holds those that
 * moved; 0: nothing changed; -1 with err.
 */
int rspb_shift_forward(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		       struct rspb_booking *const *fresh, size_t n_fresh, int64_t now,
		       size_t *moves, struct rspb_err *err);

/*
 * The same for an ordinary job, which finds no place as they are: it is not booked, and who
 * is in its way keeps its start and gets other nodes. RET 1: the ledger has them there,
 * and as many nodes as `request` wants are free in its window; 0: nothing changed, as nobody
 * is in its way, or somebody has to be; -1 with err.
 */
int rspb_shift_aside(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		     const struct rspb_request *request, int64_t now, struct rspb_err *err);

#endif
