/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/requests/batch.h"

#include <stdlib.h>
#include <string.h>

#include "common/plan/schedule.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/decide.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/book/revision.h"
#include "plugins/ctld/jobs/commit.h"
#include "plugins/ctld/jobs/intake.h"
#include "plugins/ctld/jobs/lifecycle.h"
#include "plugins/ctld/operators/operator.h"

enum {
	APPEAR_MS = 20,	   /* from job_submit to the job in the table */
	AGAIN_MS = 1000,   /* a batch some of which could not be decided */
	SETTLE_MS = 30000, /* how long nodes get to answer after a start */
	SETTLE_STEP_MS = 250,
	BASIS_MS = 1000 /* how old what users are told may be */
};

static int64_t due = INT64_MAX;	 /* end of the running interval */
static int64_t look = INT64_MAX; /* an expected job should be there */
static int64_t basis_at;
static int64_t settle_until;

void rspb_batch_reset(void)
{
	due = INT64_MAX;
	look = INT64_MAX;
	basis_at = 0;
	settle_until = 0;
}

/* Just started, slurmctld has not heard from its nodes. Requests would be
 * declined for no good reason: they wait, but not for ever. */
static bool settling(int64_t now_ms)
{
	uint32_t width = rspb_ledger_nodes(rspb_book_ledger());
	struct rspb_section section;
	struct rspb_nodeset *silent;
	bool any = false;

	if (!settle_until)
		settle_until = now_ms + SETTLE_MS;
	if (now_ms >= settle_until)
		return false;
	silent = rspb_nodeset_create(width);
	if (silent && rspb_section_enter(&section, RSPB_LOCK_READ, "settle")) {
		rspb_node_silent(silent);
		rspb_section_leave(&section);
		any = !rspb_nodeset_empty(silent);
	}
	rspb_nodeset_destroy(silent);
	if (!any)
		settle_until = now_ms;
	return any;
}

void rspb_batch_expect(const struct rspb_config *config, int64_t now_ms)
{
	(void) config;
	if (now_ms + APPEAR_MS < look)
		look = now_ms + APPEAR_MS;
}

int64_t rspb_batch_due(void)
{
	return look < due ? look : due;
}

/* Start the interval when somebody waits, cut it short for those who want to
 * start before it ends. */
static void plan_due(const struct rspb_config *config, int64_t now_ms,
		     int64_t earliest)
{
	int64_t ready = earliest < INT64_MAX / 1000 ? earliest * 1000
						    : INT64_MAX;

	if (due == INT64_MAX)
		due = now_ms + config->batch_interval_ms;
	/* Those who want to start now wait for one interval, no longer. */
	if (ready > now_ms)
		due = rspb_schedule_due(due, ready, now_ms);
}

static void see_who_waits(const struct rspb_config *config, int64_t now_ms)
{
	int64_t earliest, n;
	uint32_t *ids = NULL;

	look = INT64_MAX;
	n = rspb_intake_scan(&ids, &earliest);
	if (n < 0)
		return;
	free(ids);
	n += rspb_door_waiting(&earliest);
	if (n > 0)
		plan_due(config, now_ms, earliest);
	else
		due = INT64_MAX;
}

struct rspb_ledger *rspb_batch_basis(const struct rspb_config *config,
				     int64_t now)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	struct rspb_occupancy occupancy;
	struct rspb_ledger *basis;
	struct rspb_section section;
	const struct rspb_record advance = {
		.kind = RSPB_REC_ADVANCE,
		.time = now,
	};
	struct rspb_err err;
	bool good;

	rspb_occupancy_init(&occupancy, rspb_ledger_nodes(book), now,
			    now + config->horizon + 1);
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "occupancy"))
		return NULL;
	good = rspb_node_fingerprint() == rspb_book_table() &&
	       !rspb_occupancy_collect(&occupancy, 0, &err);
	section.items = occupancy.n;
	rspb_section_leave(&section);
	basis = good ? rspb_ledger_clone(book) : NULL;
	/* What is over lies in nobody's way. Time may have gone back. */
	if (basis)
		rspb_ledger_apply(basis, &advance, NULL);
	if (basis && rspb_occupancy_block(&occupancy, basis, &err)) {
		rspb_log_error("occupancy: %s", err.text);
		rspb_ledger_destroy(basis);
		basis = NULL;
	}
	rspb_occupancy_fini(&occupancy);
	return basis;
}

static void refresh_basis(const struct rspb_config *config, int64_t now_ms)
{
	struct rspb_ledger *basis;

	if (now_ms < basis_at + BASIS_MS || settling(now_ms))
		return;
	basis = rspb_batch_basis(config, now_ms / 1000);
	if (!basis)
		return;
	basis_at = now_ms;
	rspb_book_publish(basis, now_ms / 1000);
}

void rspb_batch_look(const struct rspb_config *config, int64_t now_ms)
{
	see_who_waits(config, now_ms);
	refresh_basis(config, now_ms);
}

/* Plan what is not refused already; decisions[i] belongs to asks->items[i]. */
static int plan(struct rspb_ledger *basis, const struct rspb_config *config,
		const struct rspb_asks *asks, int64_t now,
		struct rspb_booking **decisions, struct rspb_err *err)
{
	const struct rspb_request **requests;
	struct rspb_booking **out;
	size_t *from, n = 0, i;
	int rc = -1;

	requests = calloc(asks->n, sizeof(*requests));
	out = calloc(asks->n, sizeof(*out));
	from = calloc(asks->n, sizeof(*from));
	if (!requests || !out || !from) {
		rspb_fail(err, "out of memory");
		goto out;
	}
	for (i = 0; i < asks->n; i++) {
		if (asks->items[i].refusal.text[0])
			continue;
		requests[n] = asks->items[i].request;
		from[n++] = i;
	}
	rc = n ? rspb_decide(basis, 0, config, requests, n, now, out, err) : 0;
	for (i = 0; i < n && !rc; i++)
		decisions[from[i]] = out[i];
out:
	free(requests);
	free(out);
	free(from);
	return rc;
}

/* Requests may have got what bookings had grown by. */
static void shrink_others(const struct rspb_ledger *basis,
			  const struct rspb_config *config, int64_t now)
{
	struct rspb_settlement settlement;
	struct rspb_err err;

	if (rspb_settle_collect(&settlement, basis, now, &err))
		rspb_log_error("%s", err.text);
	else if (settlement.n)
		rspb_settle_commit(&settlement, 0, settlement.n,
				   "back to "
				   "what a newcomer leaves",
				   config);
	rspb_settle_fini(&settlement);
}

static size_t decide(const struct rspb_config *config,
		     const struct rspb_asks *asks, int64_t now)
{
	struct rspb_ledger *basis;
	uint64_t table = rspb_book_table();
	struct rspb_booking **decisions;
	struct rspb_err err;
	int64_t began = rspb_section_clock_us();
	size_t i, done = 0;

	/* What has ended since the last look is free for these already. */
	rspb_lifecycle_watch(config, now);
	basis = rspb_batch_basis(config, now);
	decisions = calloc(asks->n, sizeof(*decisions));
	if (!basis || !decisions) {
		rspb_ledger_destroy(basis);
		free(decisions);
		return 0;
	}
	if (plan(basis, config, asks, now, decisions, &err)) {
		rspb_log_error("planning: %s", err.text);
		rspb_ledger_destroy(basis);
	} else {
		rspb_log_debug("planned %zu requests in %lld us", asks->n,
			       (long long) (rspb_section_clock_us() - began));
		shrink_others(basis, config, now);
		done = rspb_commit_batch(asks, decisions, config, table, now);
		rspb_book_publish(basis, now);
		basis_at = now * 1000;
	}
	for (i = 0; i < asks->n; i++)
		rspb_booking_destroy(decisions[i]);
	free(decisions);
	return done;
}

bool rspb_batch_run(const struct rspb_config *config, int64_t now_ms)
{
	uint32_t width = rspb_ledger_nodes(rspb_book_ledger());
	struct rspb_asks asks = { 0 };
	int64_t earliest, n;
	struct rspb_err err;
	uint32_t *ids = NULL;
	size_t done = 0;

	if (now_ms >= look)
		see_who_waits(config, now_ms);
	if (now_ms < due)
		return false;
	if (settling(now_ms)) {
		due = now_ms + SETTLE_STEP_MS;
		return false;
	}
	due = INT64_MAX;
	n = rspb_intake_scan(&ids, &earliest);
	if (n >= 0 && rspb_intake_collect(ids, n, width, config, now_ms / 1000,
					  &asks, &err))
		rspb_log_error("requests: %s", err.text);
	else if (asks.n)
		done = decide(config, &asks, now_ms / 1000);
	if (done < asks.n)
		due = now_ms + AGAIN_MS;
	rspb_asks_fini(&asks);
	free(ids);
	return done;
}
