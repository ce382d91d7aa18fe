/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides once more what Slurm would not start where it was put, or the site's limit on
 * what is booked at one time does not allow there, with both as judge. It looks twice at
 * nobody. */
#include "plugins/ctld/decide/again.h"

#include <inttypes.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/decision.h"
#include "plugins/ctld/decide/suits.h"
#include "plugins/ctld/requests/cores.h"
#include "plugins/ctld/requests/limits.h"

/* RET whether the site's limits allow as many nodes as it needs now. */
static bool allowed(struct rspb_ask *ask, const struct rspb_config *config, uint32_t width,
		    int64_t now)
{
	struct rspb_config space;

	if (!rspb_limits_check(ask, rspb_limits_settings(config, ask->request, &space), width, now,
			       &ask->refusal))
		return true;
	ask->refused_for = RSPB_REFUSAL_LIMITS;
	return false;
}

/* Where Slurm would not give a job its cores on as many nodes as we thought it needs,
 * whole ones are looked for, of which select says how many: it has its part of them.
 * RET 0, -1: not possible. */
static int take_nodes(struct rspb_ask *ask)
{
	struct rspb_request *request = ask->request;
	struct rspb_section section;
	struct rspb_err err;
	struct rspb_job job;
	int rc = 0;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "again"))
		return -1;
	for (uint32_t i = 0; !rc && i < request->n_parts; i++)
		if (request->parts[i].whole)
			rc = rspb_job_find(ask->jobs[i], &job)
				     ? rspb_part_take_nodes(&job, &request->parts[i], &err)
				     : -1;
	rspb_section_leave(&section);
	return rc;
}

/* One for which too much is booked in all of its window is told that. */
static void say_crowded(struct rspb_ask *ask, const struct rspb_suits *suits,
			const struct rspb_booking *decision)
{
	if (!decision || decision->state == RSPB_BOOKED || !suits->over.text[0] ||
	    ask->refusal.text[0])
		return;
	ask->refusal = suits->over;
	ask->refused_for = RSPB_REFUSAL_LIMITS;
}

/* booked: what is, with what was decided here; NULL: that is not looked at. RET the new
 * decision, NULL: none. */
static struct rspb_booking *decide(struct rspb_ledger *basis, struct rspb_ledger *booked,
				   const struct rspb_config *config, struct rspb_ask *ask,
				   uint64_t table, int64_t now, const struct rspb_booking *was)
{
	struct rspb_record cancel = {
		.kind = RSPB_REC_EVENT, .time = now, .id = ask->request->id, .event = RSPB_EV_CANCEL
	};
	const struct rspb_request *const one[] = { ask->request };
	struct rspb_booking *out = NULL;
	struct rspb_suits suits;
	struct rspb_config space;
	struct rspb_err err;
	bool more;

	if (!ask->crowded && take_nodes(ask))
		return NULL;
	rspb_suits_init(&suits, ask->request->id, ask->jobs, table);
	if (ask->crowded && booked)
		rspb_suits_within(&suits, booked,
				  rspb_limits_settings(config, ask->request, &space));
	if (rspb_ledger_apply(basis, &cancel, &err)) {
		rspb_log_error("%s", err.text);
		return NULL;
	}
	more = !ask->crowded && rspb_suits_count(&suits, ask->request, basis, was->start, was->end);
	if ((!more || allowed(ask, config, rspb_ledger_nodes(basis), now)) &&
	    rspb_decide(basis, 0, config, one, 1, now, true, &suits, &out, &err)) {
		rspb_log_error("job %" PRIu64 ": %s", ask->request->id, err.text);
		out = NULL;
	}
	if (ask->crowded)
		say_crowded(ask, &suits, out);
	rspb_suits_fini(&suits);
	return out;
}

/* RET a copy of the book where one of them is for want of room below the site's limit, else
 * NULL. */
static struct rspb_ledger *copy_booked(const struct rspb_asks *asks)
{
	for (size_t i = 0; i < asks->n; i++)
		if (asks->items[i].crowded)
			return rspb_ledger_clone(rspb_book_ledger());
	return NULL;
}

/* The next are beside this one. */
static void book(struct rspb_ledger *booked, const struct rspb_booking *decision, int64_t now)
{
	const struct rspb_record record = {
		.kind = RSPB_REC_BOOK,
		.time = now,
		.booking = decision,
	};

	if (booked && decision && decision->state == RSPB_BOOKED)
		rspb_ledger_apply(booked, &record, NULL);
}

bool rspb_again_decide(struct rspb_ledger *basis, const struct rspb_config *config,
		       struct rspb_asks *asks, uint64_t table, int64_t now,
		       struct rspb_booking **decisions)
{
	struct rspb_ledger *booked = copy_booked(asks);
	bool any = false;

	for (size_t i = 0; i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];
		struct rspb_booking *was = decisions[i];

		decisions[i] = NULL;
		if (ask->misfit && was) {
			any = true;
			decisions[i] = decide(basis, booked, config, ask, table, now, was);
			book(booked, decisions[i], now);
		}
		rspb_booking_destroy(was);
	}
	rspb_ledger_destroy(booked);
	return any;
}
