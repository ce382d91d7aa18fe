/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which form of a moldable request is booked (common/request/forms.h). */
#ifndef RSPB_PLAN_FORMS_H
#define RSPB_PLAN_FORMS_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/plan/plan.h"

/*
 * Let the request have the nodes and the duration of one of its forms: of those that
 * have a place at `now` the one that is over first, thus worth most by any benefit that
 * falls in time, then of the least node-seconds.
 * Where nodes have speeds (rspb_ledger_speed()) each form is tried on the fastest alone,
 * then with slower ones, as long as the slowest of them takes, in whole request->step;
 * of a form alone, which may be a range of nodes, or several parts, more counts before
 * sooner. Where none has a place, or bookings wait without nodes (policy->waiting), it is
 * as it came, on the fastest, or those that its length is meant for. A request without
 * forms stays as it is. RET 0, or -1 with err.
 */
int rspb_form_settle(struct rspb_plan *plan, struct rspb_request *request, int64_t now,
		     struct rspb_err *err);

/*
 * Let the one part of a request, of cores, have fewer tasks where it has no place with all of
 * them: the most that have one, as policy->degrade takes them; where its start is worth
 * something, that which is worth most then. Without a place it is as it came. RET 0, or -1
 * with err.
 */
int rspb_tasks_settle(struct rspb_plan *plan, struct rspb_request *request, int64_t now,
		      struct rspb_err *err);

/* How long a request is, in whole request->step, on nodes of that speed (0: usual ones) that
 * is so long on a usual one. */
int64_t rspb_form_length(const struct rspb_request *request, int64_t standard, uint32_t speed);
/* The next lower speed of a node than that; 0: there is none, or nobody says. */
uint32_t rspb_form_slower(const struct rspb_ledger *ledger, uint32_t than);

#endif
