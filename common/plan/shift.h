/* SPDX-License-Identifier: GPL-2.0-or-later */
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
#ifndef RSPB_PLAN_SHIFT_H
#define RSPB_PLAN_SHIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

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
