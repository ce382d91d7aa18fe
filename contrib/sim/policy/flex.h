/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings that wait as counts: a booking with a window promises the window, and
 * its start and its nodes stay open until it begins. What waits is placed anew
 * when somebody finds no place; nothing that was promised is taken back.
 *
 * A calendar of counts for each class of like nodes (contrib/sim/policy/class_counts.h) holds
 * what is booked on nodes and what waits. Why there always are nodes for who starts:
 *
 *   Take one class of N nodes, and let L be the longest duration that waits. X(t)
 *   are the nodes that the ledger has booked at any time of [t, t + L); U(t) is
 *   how many of the class the plan gives at t to those that wait or waited. A
 *   plan is looked for in N - |X| and holds |X(t)| + U(t) <= N wherever one of
 *   them lies. Nodes are bound in the order of the starts. When one starts at s
 *   that wants n of the class, those before it have U(s) - n at most, so at least
 *   N - |X(s)| - (U(s) - n) >= n nodes have nobody on them, and the ledger gives
 *   none of these away before s + L, when it is gone. Nobody who waits was
 *   promised any of them, so it may have whichever `where` likes.
 *
 *   A class is split only while nothing in the ledger starts later. Then what is
 *   free of either part grows until the next start, so who starts first finds its
 *   nodes in both parts together, as above, and goes on having them.
 *
 * What wants certain machines, parts, a share of nodes, or a start that is worth
 * more than others can't wait as a count: it is decided on nodes beside those who
 * wait, which are bound by their starts for that, and it is taken if the counts hold
 * with it in the ledger. So is one that is longer than the counts allow.
 *
 * Source: this project; the late binding is Wu and Luo's. doc/policies.md says
 * what it gains.
 */
#ifndef RSPB_SIM_POLICY_FLEX_H
#define RSPB_SIM_POLICY_FLEX_H

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

struct rspb_flex;

/* Nobody waits. RET NULL: out of memory. It belongs to one ledger of that many
 * nodes. What else is entered there has to begin at once, on nodes that rspb_flex_block()
 * leaves free, and is told by rspb_flex_changed(). */
struct rspb_flex *rspb_flex_create(uint32_t nodes);
void rspb_flex_destroy(struct rspb_flex *flex);

/*
 * Decide the request of `booking`, which is in state requested.
 * RET 1: it is booked, with a start that may still move; it has no grants as long
 * as it waits, and those of the ledger when it was decided on nodes; 0: it has no
 * place, and nothing changed; -1 with err.
 */
int rspb_flex_decide(struct rspb_flex *flex, struct rspb_ledger *ledger,
		     const struct rspb_policy *policy, struct rspb_booking *booking, int64_t now,
		     struct rspb_err *err);

/* RET the start of who starts next; INT64_MAX: nobody waits. */
int64_t rspb_flex_next(const struct rspb_flex *flex);
/* RET the booking of that request as it waits, NULL: it does not. It stays valid
 * until the next decision. */
const struct rspb_booking *rspb_flex_find(const struct rspb_flex *flex, uint64_t id);
/* Told of each booking that starts, with its nodes. RET 0 or -1 with err. */
typedef int (*rspb_flex_bound_fn)(const struct rspb_booking *booking, void *arg,
				  struct rspb_err *err);
/* Bind nodes to whoever starts up to now and book them in the ledger, by their
 * starts. RET 0 or -1 with err. */
int rspb_flex_bind(struct rspb_flex *flex, struct rspb_ledger *ledger,
		   const struct rspb_policy *policy, int64_t now, rspb_flex_bound_fn fn, void *arg,
		   struct rspb_err *err);

/* --- what else is in the ledger: regular jobs and failures, in the simulator --- */

/* The ledger has changed by something else, or an end came early: it is read before the
 * next decision. */
void rspb_flex_changed(struct rspb_flex *flex);
/* Block the nodes of all who wait in a copy of the ledger, those they would be given by the
 * plan. RET 0 or -1 with err. */
int rspb_flex_block(struct rspb_flex *flex, struct rspb_ledger *copy,
		    const struct rspb_policy *policy, struct rspb_err *err);
/* RET 1: all who wait have room in a copy of the ledger that has something more, which begins
 * now on nodes that are not blocked; 0, -1 with err. */
int rspb_flex_allows(struct rspb_flex *flex, const struct rspb_ledger *copy, int64_t now,
		     struct rspb_err *err);
/* Nodes were lost: place those who wait anew if they have to be. RET 1, 0: not all of them have
 * room, and one has to be dropped before anything else is decided; -1 with err. */
int rspb_flex_repair(struct rspb_flex *flex, const struct rspb_ledger *ledger,
		     const struct rspb_policy *policy, int64_t now, struct rspb_err *err);
/* Take out the last that was decided of those who wait for a time slot in [from, until), or
 * of all if there is none. RET its booking, for the caller, with nodes that it could have had;
 * NULL with err: nobody waits, or out of memory. */
struct rspb_booking *rspb_flex_drop(struct rspb_flex *flex, int64_t from, int64_t until,
				    struct rspb_err *err);
/* RET how many wait. */
size_t rspb_flex_count(const struct rspb_flex *flex);

#endif
