/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/again.h"

#include <inttypes.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/decide/decision.h"
#include "plugins/ctld/decide/suits.h"
#include "plugins/ctld/requests/limits.h"

/* RET whether the site's limits allow as many nodes as it needs now. */
static bool allowed(struct rspb_ask *ask, const struct rspb_config *config,
		    uint32_t width, int64_t now)
{
	struct rspb_config space;

	if (!rspb_limits_check(ask,
			       rspb_limits_settings(config, ask->request,
						    &space),
			       width, now, &ask->refusal))
		return true;
	ask->refused_for = RSPB_REFUSAL_LIMITS;
	return false;
}

/* RET the new decision, NULL: none. */
static struct rspb_booking *decide(struct rspb_ledger *basis,
				   const struct rspb_config *config,
				   struct rspb_ask *ask, uint64_t table,
				   int64_t now, const struct rspb_booking *was)
{
	struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
				      .time = now,
				      .id = ask->request->id,
				      .event = RSPB_EV_CANCEL };
	const struct rspb_request *const one[] = { ask->request };
	struct rspb_booking *out = NULL;
	struct rspb_suits suits;
	struct rspb_err err;
	bool more;

	rspb_suits_init(&suits, ask->request->id, ask->jobs, table);
	if (rspb_ledger_apply(basis, &cancel, &err)) {
		rspb_log_error("%s", err.text);
		return NULL;
	}
	more = rspb_suits_count(&suits, ask->request, basis, was->start,
				was->end);
	if ((!more || allowed(ask, config, rspb_ledger_nodes(basis), now)) &&
	    rspb_decide(basis, 0, config, one, 1, now, true, &suits, &out,
			&err)) {
		rspb_log_error("job %" PRIu64 ": %s", ask->request->id,
			       err.text);
		out = NULL;
	}
	rspb_suits_fini(&suits);
	return out;
}

bool rspb_again_decide(struct rspb_ledger *basis,
		       const struct rspb_config *config, struct rspb_asks *asks,
		       uint64_t table, int64_t now,
		       struct rspb_booking **decisions)
{
	bool any = false;

	for (size_t i = 0; i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];
		struct rspb_booking *was = decisions[i];

		decisions[i] = NULL;
		if (ask->misfit && was) {
			any = true;
			decisions[i] = decide(basis, config, ask, table, now,
					      was);
		}
		rspb_booking_destroy(was);
	}
	return any;
}
