/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the kind that operators ask for, and what it can do without. It holds no
 * logic of the files beside it. */
#include "plugins/ctld/operators/operator.h"

#include "plugins/ctld/operators/internal.h"

static bool owns(const struct rspb_request *request)
{
	return rspb_reserved_is(request->id) && !rspb_reserved_owner(request);
}

const struct rspb_kind rspb_kind_operator = {
	.owns = owns,
	.by_operator = true,
	RSPB_OPERATOR_ROWS,
};

const struct rspb_source rspb_source_operators = {
	.waiting = rspb_operator_waiting,
	.collect = rspb_operator_collect,
};
