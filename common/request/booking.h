/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A booking: a request, what was granted, and where in its life it is.
 *
 * Source of the states: Wu and Luo, figure 2 and table 1; an active
 * reservation is terminated, not cancelled.
 */
#ifndef RSPB_REQUEST_BOOKING_H
#define RSPB_REQUEST_BOOKING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/request/request.h"

enum rspb_state {
	RSPB_REQUESTED,
	RSPB_BOOKED,
	RSPB_BOOKED_CHANGE, /* booked, a change is asked for */
	RSPB_ACTIVE,
	RSPB_ACTIVE_CHANGE,
	RSPB_DECLINED, /* this and all below are final */
	RSPB_CANCELLED,
	RSPB_COMPLETED,
	RSPB_TERMINATED,
	RSPB_N_STATES
};

enum rspb_event {
	RSPB_EV_ACCEPT,
	RSPB_EV_DECLINE,
	RSPB_EV_CHANGE,
	RSPB_EV_CANCEL,
	RSPB_EV_START,
	RSPB_EV_TERMINATE,
	RSPB_EV_END,
	RSPB_N_EVENTS
};

extern const char *const rspb_state_names[RSPB_N_STATES];
const char *rspb_state_name(enum rspb_state state);
int rspb_state_parse(const char *name, enum rspb_state *state);
const char *rspb_event_name(enum rspb_event event);
int rspb_event_parse(const char *name, enum rspb_event *event);
bool rspb_state_final(enum rspb_state state);
/*
 * Which of SNAP's agreements it is (Wu and Luo, section 2, by Czajkowski et al.):
 * "task" of a request, what is asked for; "resource" of a booking, what is promised
 * for a time; "binding" of one that is active, task and nodes together. NULL: none any
 * more.
 */
const char *rspb_state_agreement(enum rspb_state state);
/*
 * RET 0 with *state moved on, -1 with err when the event is refused there.
 * Accepted are: requested: accept, decline; booked: change, cancel, start;
 * active: change, terminate, end; while a change is asked for, only its answer
 * (accept, decline). A request that is withdrawn is declined.
 */
int rspb_state_next(enum rspb_state *state, enum rspb_event event, struct rspb_err *err);

/* The grant of one part. */
struct rspb_grant {
	struct rspb_nodeset *nodes; /* owned */
	int64_t share;		    /* 0: whole nodes; else units per node */
	/* Units (nodes, or share per node) that the owner can count on; 0: all
	 * of them. What it grew by beyond may be taken back. */
	int64_t promise;
	struct rspb_ratio benefit;
	/* Units that were promised before an outage took some of them, and since when they
	 * are missing, in seconds: they come back. 0: none are. */
	int64_t had, outage;
};

/* Units granted: nodes, or share per node; and those that are promised. */
int64_t rspb_grant_units(const struct rspb_grant *grant);
int64_t rspb_grant_promised(const struct rspb_grant *grant);
/* An outage has left a grant less than `was` promised: note what comes back. */
void rspb_grant_lose(struct rspb_grant *grant, const struct rspb_grant *was, int64_t now);
/* Keep of the same part what an outage has taken, as far as it is not there again. */
void rspb_grant_keep_outage(struct rspb_grant *grant, const struct rspb_grant *was);

struct rspb_booking {
	struct rspb_request *request; /* owned */
	enum rspb_state state;
	int64_t start, end; /* end - start is what was granted */
	int64_t decided_at;
	struct rspb_ratio benefit; /* mean over the parts (thesis, B_k) */
	uint32_t n_grants;	   /* request->n_parts once granted, else 0 */
	struct rspb_grant *grants; /* owned */
	char *why;		   /* of the last transition, owned; NULL: none */
};

/* RET a booking in state requested that owns a clone of request (NULL: out of
 * memory). */
struct rspb_booking *rspb_booking_create(const struct rspb_request *request);
struct rspb_booking *rspb_booking_clone(const struct rspb_booking *booking);
/* The same for one that is kept and read: the sets of its grants are slim, so that its
 * nodes may not be changed. */
struct rspb_booking *rspb_booking_keep(const struct rspb_booking *booking);
void rspb_booking_destroy(struct rspb_booking *booking);
/* Why it is as it is, "": that is not said; and say it, in RSPB_ERR_TEXT - 1 bytes at
 * most, where there is memory for it. */
const char *rspb_booking_why(const struct rspb_booking *booking);
void rspb_booking_say(struct rspb_booking *booking, const char *why);
/* Each becomes what the other is. */
void rspb_booking_swap(struct rspb_booking *a, struct rspb_booking *b);
/* Limit the promise of `new` to the promise of `old`, because growth is not promised. What an
 * outage has taken and not yet returned still comes back. */
void rspb_booking_keep_promise(struct rspb_booking *new, const struct rspb_booking *old);
/* Allocate the empty grants, one per part, each with a set of width nodes. */
int rspb_booking_grant(struct rspb_booking *booking, uint32_t width, struct rspb_err *err);
/* Whether two of the same request have the same nodes over the same time. */
bool rspb_booking_same_place(const struct rspb_booking *a, const struct rspb_booking *b);
/* Add the nodes of all grants to the set, which is as wide. */
void rspb_booking_cover(const struct rspb_booking *booking, struct rspb_nodeset *nodes);
/* RET how many nodes all grants have together. */
uint32_t rspb_booking_nodes(const struct rspb_booking *booking);
/* RET units of a part that an outage has taken and that it still asks for; 0: none. */
int64_t rspb_booking_missing(const struct rspb_booking *booking, uint32_t part);
/* Until when it may get another start in its window (request->moves); 0: it does not. */
int64_t rspb_booking_firm_from(const struct rspb_booking *booking);
/* Fill booking->benefit, and that of each grant, from what is granted and when. */
void rspb_booking_value(struct rspb_booking *booking);

/* Nodes, or shares of machines, times seconds that it has from `from` on, in 1/10000. */
int64_t rspb_booking_work(const struct rspb_booking *booking, int64_t from);
/* How many nodes the grant of a part is, a share as the part that it is. */
double rspb_grant_nodes(const struct rspb_part *part, const struct rspb_grant *grant);

#endif
