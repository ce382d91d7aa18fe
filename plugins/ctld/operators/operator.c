/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the kind that operators ask for, and what it can do without. It holds no
 * logic of the files beside it. */
#include "plugins/ctld/operators/operator.h"

#include "plugins/ctld/operators/group.h"
#include "plugins/ctld/operators/internal.h"

static bool owns(const struct rspb_request *request)
{
	return rspb_operator_is(request->id) && !rspb_group_owner(request);
}

/* Slurm itself starts what waits in it. */
enum rspb_readiness rspb_operator_ready(const struct rspb_booking *b,
					int64_t now, struct rspb_err *err)
{
	(void) b;
	(void) now;
	(void) err;
	return RSPB_READY;
}

int rspb_operator_start(const struct rspb_booking *b, int64_t now,
			struct rspb_err *err)
{
	(void) b;
	(void) now;
	(void) err;
	return 0;
}

bool rspb_operator_involve(struct rspb_ask *ask,
			   const struct rspb_request *request)
{
	ask->request = rspb_request_clone(request);
	return ask->request;
}

const struct rspb_kind rspb_kind_operator = {
	.owns = owns,
	.by_operator = true,
	RSPB_OPERATOR_ROWS,
	.waiting = rspb_operator_waiting,
	.collect = rspb_operator_collect,
	.of_resv = rspb_operator_find,
	.resv_end = rspb_operator_end,
};
