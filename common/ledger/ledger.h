/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger: all bookings that count, with the profile and the shares they
 * occupy, kept consistent. Every change goes through rspb_ledger_apply() as one
 * record, so that a journal can be put behind that one call.
 */
#ifndef RSPB_LEDGER_LEDGER_H
#define RSPB_LEDGER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/calendar/profile.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"
#include "common/shares/shares.h"

struct rspb_ledger;

enum rspb_record_kind {
	RSPB_REC_BOOK,	 /* booking is added: state booked or active */
	RSPB_REC_CHANGE, /* booking takes the place of that of its id */
	RSPB_REC_MOVE,	 /* bookings[n_bookings] take the places of those
				 * of their ids, or are new, all at once */
	RSPB_REC_EVENT,	 /* event happens to booking `id` at `time` */
	RSPB_REC_ADVANCE /* time goes on to `time` */
};

struct rspb_record {
	enum rspb_record_kind kind;
	int64_t time;
	uint64_t id;
	enum rspb_event event;
	const char *reason;			    /* NULL: none */
	const struct rspb_booking *booking;	    /* BOOK, CHANGE: copied */
	const struct rspb_booking *const *bookings; /* MOVE: copied */
	size_t n_bookings;
};

/* capacity[nodes]: share units of each node that may be booked, NULL: none. */
struct rspb_ledger *rspb_ledger_create(uint32_t nodes, const int64_t *capacity, int64_t now);
/* Other capacities from now on. What is booked stands: a node of which more is
 * booked keeps as much. RET -1: out of memory, some are as they were. */
int rspb_ledger_resize(struct rspb_ledger *ledger, const int64_t *capacity);
/* How dear the nodes are, by Slurm's weight first (plugins/compat/node.h),
 * weights[nodes], copied: of nodes that do as well, those of lower weight are taken
 * first. NULL: all alike. RET 0, -1: out of memory. */
int rspb_ledger_weigh(struct rspb_ledger *ledger, const uint32_t *weights);
/* On which leaf each node is (policy/policy.h), likewise. */
int rspb_ledger_leaf(struct rspb_ledger *ledger, const uint32_t *leaves);
enum { RSPB_SPEED_USUAL = 100 };
/* How fast each node is, in 1/100 of a standard one, likewise: forms of requests
 * (request/request.h) are as long as on a standard one. */
int rspb_ledger_speed(struct rspb_ledger *ledger, const uint32_t *speeds);
/* RET all of them, owned by the ledger. */
struct rspb_marks rspb_ledger_marks(const struct rspb_ledger *ledger);
/* Declare how much of a kind each node has besides shares: of[nodes], copied, once for each key.
 * RET as above. */
int rspb_ledger_add_room(struct rspb_ledger *ledger, uint64_t key, const uint32_t *of);
/* RET one of them, owned by the ledger; NULL: there is none. */
const uint32_t *rspb_ledger_room(const struct rspb_ledger *ledger, uint64_t key);
/* RET how much of one kind a part takes on a node. It may be more than there is; a part that takes
 * all takes what there is. room: the room of that kind. */
int64_t rspb_ledger_takes(const struct rspb_ledger *ledger, const struct rspb_part *part,
			  const struct rspb_quota *quota, const uint32_t *room, uint32_t node);
/* The most that is taken of one kind within a window, into most[nodes]. RET 0, or -1
 * with err. */
int rspb_ledger_taken(const struct rspb_ledger *ledger, uint64_t key, int64_t start, int64_t end,
		      int64_t *most, struct rspb_err *err);
/* A calendar, for the caller to destroy, in which a node is free where that part of it can
 * be had; eligible: to look at, without those of which it never can. NULL: out of memory. */
struct rspb_profile *rspb_ledger_for_part(const struct rspb_ledger *ledger,
					  const struct rspb_part *part,
					  struct rspb_nodeset *eligible);
/* A booking that has parts of nodes, one of which has not enough of something for it
 * and those that were asked for before. */
struct rspb_overfull {
	uint64_t id;
	uint32_t node;
	const char *what; /* the ledger's, good until it changes */
};
/* All of them that have not begun, by id, into *list, which the caller frees: where a
 * node has less than when they were booked. RET how many, -1: out of memory. */
int64_t rspb_ledger_overfull(const struct rspb_ledger *ledger, struct rspb_overfull **list);
/* RET n of them, owned by the ledger. */
const struct rspb_room *rspb_ledger_rooms(const struct rspb_ledger *ledger, size_t *n);
/* An independent copy to plan on. */
struct rspb_ledger *rspb_ledger_clone(const struct rspb_ledger *ledger);
/* The state beside which a plan was made, as the planner counts it. The ledger and its copies keep
 * it for the caller; 0 before the first call. */
struct rspb_seen {
	int64_t others;
	uint32_t starts;
};
void rspb_ledger_see(struct rspb_ledger *ledger, struct rspb_seen seen);
struct rspb_seen rspb_ledger_seen(const struct rspb_ledger *ledger);
void rspb_ledger_destroy(struct rspb_ledger *ledger);

/*
 * RET 0, or -1 with err and nothing changed: id unknown, or taken by one that is
 * not over, transition refused, nodes or shares not free over the window, set
 * of another width.
 * A final event frees what is left of the window from record->time on (all of
 * it when time is before the start); the booking stays to be found until
 * it is purged.
 */
int rspb_ledger_apply(struct rspb_ledger *ledger, const struct rspb_record *record,
		      struct rspb_err *err);
/* Cancel a booking at that second, or end one that runs, as on a copy that is planned on without
 * the rest of it. RET as above. */
int rspb_ledger_cancel(struct rspb_ledger *ledger, uint64_t id, int64_t time, struct rspb_err *err);
/* Take a booking out without a trace, so that only clones that are planned on may lose it. RET as
 * above. */
int rspb_ledger_lift(struct rspb_ledger *ledger, uint64_t id, struct rspb_err *err);
/* Add a booking as RSPB_REC_BOOK does, which the ledger owns then. RET as above; after a failure
 * it is still the caller's. */
int rspb_ledger_enter(struct rspb_ledger *ledger, struct rspb_booking *booking,
		      struct rspb_err *err);
/* Let a plan, a clone of the ledger in which a booking was lifted and entered again at its old
 * place, have the ledger's own booking, so that it does not count as changed. RET 0; -1: it holds
 * something else, or out of memory, and nothing was done. */
int rspb_ledger_resume(struct rspb_ledger *plan, const struct rspb_ledger *ledger, uint64_t id);
/* Give a ledger the bookings of a plan, a clone in which bookings alone were changed, and the plan
 * those of the ledger. Marks, rooms, blocks and holds stay where they are. */
void rspb_ledger_adopt(struct rspb_ledger *ledger, struct rspb_ledger *plan);
/* Forget final bookings whose window ended before `before`. RET how many. */
size_t rspb_ledger_purge(struct rspb_ledger *ledger, int64_t before);

/* Occupancy from outside, which may overlap anything; only for clones that
 * are planned on, and lost with them. */
int rspb_ledger_block(struct rspb_ledger *ledger, int64_t start, int64_t end,
		      const struct rspb_nodeset *nodes, struct rspb_err *err);
/* The same by who leaves room for shares beside: whole nodes can't be booked
 * there, shares can. */
int rspb_ledger_block_beside(struct rspb_ledger *ledger, int64_t start, int64_t end,
			     const struct rspb_nodeset *nodes, struct rspb_err *err);

/* The use that a block stands for, which reasons and pictures name. */
enum rspb_block_kind {
	RSPB_BLOCK_ANY, /* nobody has said */
	RSPB_BLOCK_DOWN,
	RSPB_BLOCK_JOB,
	RSPB_BLOCK_RESERVATION,
	RSPB_BLOCK_MAINTENANCE
};

/* Name the block that was added last by its kind and owner, a number of the caller's, 0 if the
 * caller does not say; the others ask these of the i-th block. */
void rspb_ledger_block_name(struct rspb_ledger *ledger, uint8_t kind, uint32_t owner);
uint8_t rspb_ledger_block_kind(const struct rspb_ledger *ledger, size_t i);
uint32_t rspb_ledger_block_owner(const struct rspb_ledger *ledger, size_t i);

/* Add a use without a booking that counts against limits; it may also be added to such clones
 * alone. RET 0, -1: out of memory. */
int rspb_ledger_hold(struct rspb_ledger *ledger, const struct rspb_hold *hold);
/* All of them, in the order they came; owned by the ledger. */
const struct rspb_hold *rspb_ledger_holds(const struct rspb_ledger *ledger, size_t *n);

/* The excess of one kind that is taken of a node in a second over what the node has: below
 * 0 where some is left, far below where it is not counted there. */
int64_t rspb_ledger_excess(const struct rspb_ledger *ledger, uint64_t key, uint32_t node,
			   int64_t at);
/* RET the holds for one node (hold->on), which are not among the ones above. */
const struct rspb_hold *rspb_ledger_uses(const struct rspb_ledger *ledger, size_t *n);

/* The same, to be written down: how many blocks there are, and the i-th, in the
 * order they came; *beside: of the second kind. RET its nodes, owned by the
 * ledger. */
size_t rspb_ledger_blocks(const struct rspb_ledger *ledger);
const struct rspb_nodeset *rspb_ledger_block_at(const struct rspb_ledger *ledger, size_t i,
						int64_t *start, int64_t *end, bool *beside);

/* Pointers stay valid until the next change of the ledger. */
const struct rspb_booking *rspb_ledger_find(const struct rspb_ledger *ledger, uint64_t id);
/* RET when its nodes are free for others: after its end whole nodes may be cleaned up. 0:
 * there is none of that id. */
int64_t rspb_ledger_until(const struct rspb_ledger *ledger, uint64_t id);
/* The same of the i-th booking by start. */
int64_t rspb_ledger_until_at(const struct rspb_ledger *ledger, size_t i);
/* The one with the lowest id that is not below `id`, NULL: there is none; for those who
 * want some kind of ids alone. */
const struct rspb_booking *rspb_ledger_from(const struct rspb_ledger *ledger, uint64_t id);
size_t rspb_ledger_count(const struct rspb_ledger *ledger);
/* The i-th booking by start, then id; i < count. */
const struct rspb_booking *rspb_ledger_at(const struct rspb_ledger *ledger, size_t i);
/* RET the first place by start, from i on, of a booking of the same user as a request, or that may
 * be of the same account; count when there is none. A walk over the bookings of an owner costs
 * about a fortieth of one over all. */
size_t rspb_ledger_next_of(const struct rspb_ledger *ledger, const struct rspb_request *request,
			   bool account, size_t i);

/* The next booking of the ledger by start, from the *i-th on, which moves behind it,
 * that another one does not have: it has none of that id, or it was changed in one of
 * them since one was made of the other. Start with *i = 0. RET NULL: there is none. */
const struct rspb_booking *rspb_ledger_next_own(const struct rspb_ledger *ledger,
						const struct rspb_ledger *other, size_t *i);
/* The next, as above, of those that are not over and that plan, a clone of the ledger that
 * was changed, has otherwise: the ledger's own, *new the plan's. */
const struct rspb_booking *rspb_ledger_next_changed(const struct rspb_ledger *ledger,
						    const struct rspb_ledger *plan, size_t *i,
						    const struct rspb_booking **new);
/* The same for all, in the order of the ledger: the plan's bookings, into
 * *list, which the caller frees. RET how many, -1: out of memory. */
int64_t rspb_ledger_changes(const struct rspb_ledger *ledger, const struct rspb_ledger *plan,
			    const struct rspb_booking ***list);

/* Let a plan, a clone with blocks that was changed, share the bookings of the ledger,
 * which was changed likewise since: as if it had just been made of it. RET 0; -1: some
 * booking holds something else in one of them, or out of memory, and nothing was done. */
int rspb_ledger_rebase(struct rspb_ledger *plan, const struct rspb_ledger *ledger);

/*
 * A clone of the ledger to plan on, with what a plan that was made of it has
 * otherwise, and with the blocks and holds of another one (which may be that plan),
 * of which the i-th block ends at ends[i] at the latest (NULL: they end where they
 * do), and with it what its owner uses of nodes that it leaves room on. A block may lie
 * over what is booked. RET NULL with err: out of memory, or
 * bookings of the plan do not fit into the ledger any more.
 */
struct rspb_ledger *rspb_ledger_through(const struct rspb_ledger *ledger,
					const struct rspb_ledger *plan,
					const struct rspb_ledger *blocks, const int64_t *ends,
					struct rspb_err *err);

uint32_t rspb_ledger_nodes(const struct rspb_ledger *ledger);
/* How many of them there are: all, until it is said that some are but places which
 * a node may come to (MaxNodeCount of slurm.conf). */
uint32_t rspb_ledger_machine(const struct rspb_ledger *ledger);
void rspb_ledger_set_machine(struct rspb_ledger *ledger, uint32_t nodes);
int64_t rspb_ledger_now(const struct rspb_ledger *ledger);
/* Whole-node occupancy: whole-node bookings, blocks, and, for whole-node
 * requests, nodes that carry shares. NULL shares: no capacity was given. */
const struct rspb_profile *rspb_ledger_profile(const struct rspb_ledger *l);
/* The same without nodes that carry shares alone. */
const struct rspb_profile *rspb_ledger_whole(const struct rspb_ledger *l);
const struct rspb_shares *rspb_ledger_shares(const struct rspb_ledger *l);
/* out = nodes on which no whole-node booking or block lies over the window;
 * shares may be booked on them. */
int rspb_ledger_shareable_over(const struct rspb_ledger *ledger, int64_t start, int64_t end,
			       struct rspb_nodeset *out, struct rspb_err *err);

#endif
