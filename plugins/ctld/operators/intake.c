/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of operators for a batch. */
#include <stdio.h>
#include <stdlib.h>

#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/operators/group.h"
#include "plugins/ctld/operators/internal.h"

/* RET NULL: out of memory. */
static struct rspb_ask *ask_make(struct rspb_asks *asks, const struct rspb_resv *resv)
{
	struct rspb_ask *ask = rspb_asks_add(asks);
	struct rspb_resv_seen *seen = malloc(sizeof(*seen));

	if (!ask || !seen || !rspb_operator_snap(resv, seen)) {
		free(seen);
		return NULL;
	}
	ask->source = seen;
	snprintf(ask->user, sizeof(ask->user), "reservation");
	return ask;
}

struct collect {
	struct rspb_asks *asks;
	const struct rspb_config *config;
	uint32_t width;
	int64_t now;
};

static int collect_one(const struct rspb_resv *resv, void *arg)
{
	struct collect *to = arg;
	struct rspb_ask *ask;

	if (!rspb_tag_ours(resv->tag) || rspb_reserved_find(resv->id) ||
	    rspb_operator_judge(resv, NULL, to->now) != RSPB_OPERATOR_WAITS)
		return 0;
	ask = ask_make(to->asks, resv);
	if (!ask)
		return 0;
	rspb_operator_request(resv, to->width, to->config, to->now, &ask->request, &ask->refusal);
	if (!ask->request)
		return 1;
	rspb_group_name(ask->request, ask->account, sizeof(ask->account));
	ask->request->id = rspb_reserved_new_id(rspb_book_ledger(), resv->id);
	to->asks->n++;
	return 0;
}

int rspb_operator_collect(uint32_t width, const struct rspb_config *config, int64_t now,
			  struct rspb_asks *asks, struct rspb_err *err)
{
	struct collect to = {
		.asks = asks,
		.config = config,
		.width = width,
		.now = now,
	};
	struct rspb_section section;
	int64_t earliest = INT64_MAX;

	if (!rspb_operator_waiting(&earliest))
		return 0;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "operators"))
		return rspb_fail(err, "slurmctld is shutting down");
	rspb_resv_each_other(now, collect_one, &to);
	rspb_section_leave(&section);
	return 0;
}
