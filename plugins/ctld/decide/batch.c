/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers the requests that wait, plans them together without locks, and has them committed. The
 * kind of a request knows what it asks for and how it becomes real. All but rspb_batch_announce()
 * is for the agent's thread. */
#include "plugins/ctld/decide/batch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/decide/state.h"
#include "plugins/ctld/request/users.h"

enum {
	APPEAR_MS = 20,	      /* from job_submit to the job in the table, */
	APPEAR_MOST_MS = 500, /* and where slurmctld has much to do */
	QUIET_MS = 40,	      /* without another request: nobody else asks */
	AGAIN_MS = 1000,      /* a batch some of which could not be decided */
	NODES_STEP_MS = 250,
	NAMES_STEP_MS = 50,
	BASIS_MS = 1000,       /* how old what users are told may be */
	BASIS_TIMES = 100,     /* or of what it takes to bring it up to date */
	BASIS_MOST_MS = 10000, /* and where nothing is known to have changed */
};

struct arrival {
	int64_t at;
	uint64_t id;
};

static struct arrival arrival_of(const struct rspb_ask *ask)
{
	return (struct arrival){ ask->request->arrival, ask->request->id };
}

static bool came_before(struct arrival a, struct arrival b)
{
	return a.at != b.at ? a.at < b.at : a.id < b.id;
}

static bool by_operator(const struct rspb_ask *ask)
{
	return rspb_kind_of(ask->request)->by_operator;
}

/* Empty the asks of users who are not known yet, which have no request then. A user may become
 * known while we look. The latest ask comes first, so that an earlier one of the same user then
 * goes ahead of it. RET the first arrival for which others wait. */
static struct arrival empty_unknown(struct rspb_asks *asks, int64_t now)
{
	struct arrival first = { INT64_MAX, UINT64_MAX };

	for (size_t i = asks->n; i-- > 0;) {
		struct rspb_ask *ask = &asks->items[i];

		if (by_operator(ask) || rspb_users_known(ask->request->user, now))
			continue;
		if (rspb_users_soon(ask->request->user) && came_before(arrival_of(ask), first))
			first = arrival_of(ask);
		rspb_ask_fini(ask);
	}
	return first;
}

/* Later requests wait for the lookup of an earlier one, so that they do not go ahead of it. They
 * wait as long as rspb_users_soon() says, two seconds, and no longer if the name service hangs. */
static bool keep_order(struct rspb_asks *asks, int64_t now)
{
	struct arrival first = empty_unknown(asks, now);
	size_t n = 0;
	bool behind = false;

	for (size_t i = 0; i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];

		if (!ask->request)
			continue;
		if (by_operator(ask) || came_before(arrival_of(ask), first)) {
			asks->items[n++] = *ask;
		} else {
			behind = true;
			rspb_ask_fini(ask);
		}
	}
	asks->n = n;
	return behind;
}

/* Submissions call this under Slurm's locks, so it only uses two atomic variables. */
bool rspb_batch_announce(int64_t ready)
{
	int64_t now_ms = rspb_clock_us(CLOCK_REALTIME) / 1000, until;

	atomic_store(&rspb_batch->announced, now_ms);
	until = atomic_load(&rspb_batch->due);
	return until == INT64_MAX || (ready >= now_ms / 1000 && ready * 1000 < until);
}

/* Slurm enters a job into its table only after the submission has been checked, hence the delay. */
void rspb_batch_expect(int64_t now_ms)
{
	if (now_ms + APPEAR_MS < rspb_batch->look)
		rspb_batch->look = now_ms + APPEAR_MS;
}

/* A request that was announced may not be there yet. */
static void expect_announced(int64_t now_ms)
{
	int64_t since = now_ms - atomic_load(&rspb_batch->announced);

	if (since >= 0 && since < APPEAR_MOST_MS)
		rspb_batch_expect(now_ms);
}

int64_t rspb_batch_due(void)
{
	int64_t until = rspb_batch->due;

	return rspb_batch->look < until ? rspb_batch->look : until;
}

/* RET when the interval ends that begins now. A request without company is decided after QUIET_MS.
 * If that has happened RSPB_BATCH_ALONE_MOST times within one interval, more are likely to come,
 * and a whole interval gathers them. */
static int64_t interval_end(const struct rspb_config *config, int64_t now_ms, int64_t waiting)
{
	int64_t since = now_ms - rspb_batch->alone_at[0];

	rspb_batch->alone = waiting == 1 && config->batch_interval_ms > QUIET_MS &&
			    (since < 0 || since >= config->batch_interval_ms);
	rspb_batch->alone_from = now_ms;
	if (rspb_batch->gathered)
		return now_ms;
	return now_ms + (rspb_batch->alone ? QUIET_MS : config->batch_interval_ms);
}

/* Start the interval when a request waits, and end it early for those that want to start before its
 * end. A short interval becomes a whole one when a second request comes. */
static void plan_due(const struct rspb_config *config, int64_t now_ms, int64_t earliest,
		     int64_t waiting)
{
	int64_t ready = earliest < INT64_MAX / 1000 ? earliest * 1000 : INT64_MAX;

	if (rspb_batch->due == INT64_MAX) {
		rspb_batch->due = interval_end(config, now_ms, waiting);
	} else if (rspb_batch->alone && waiting > 1) {
		rspb_batch->alone = false;
		rspb_batch->due = rspb_batch->alone_from + config->batch_interval_ms;
	}
	/* Requests that want to start now wait for one interval, no longer. */
	if (ready > now_ms)
		rspb_batch->due = rspb_schedule_due(rspb_batch->due, ready, now_ms);
}

/* Start the interval, or end it if no request is left. If it cannot be said now how many wait (-1),
 * the interval stays as it is. */
static void see_who_waits(const struct rspb_config *config, int64_t now_ms)
{
	int64_t earliest = INT64_MAX, n;

	rspb_batch->look = INT64_MAX;
	n = rspb_sources_waiting(&earliest);
	if (n > 0) {
		plan_due(config, now_ms, earliest, n);
	} else if (!n) {
		rspb_batch->due = INT64_MAX;
		expect_announced(now_ms);
	}
	rspb_batch->gathered = false;
}

/* Publish a newer basis, from which submissions get their provisional answers. Making one may take
 * long on a large cluster, so the next is due after a hundred times as long, but within ten
 * seconds. None is made while nodes may still answer after a start. */
static void refresh_basis(const struct rspb_config *config, int64_t now_ms)
{
	int64_t began = rspb_section_clock_us();
	struct rspb_ledger *basis;

	if (now_ms < rspb_batch->basis_at + rspb_batch->basis_ms || rspb_silent_wait(now_ms))
		return;
	/* Jobs that only wait change nothing of it; what has changed in the
	 * second in which it was made is new. */
	if (now_ms >= rspb_batch->basis_at && now_ms < rspb_batch->basis_at + BASIS_MOST_MS &&
	    rspb_batch->basis_version == rspb_book_version() &&
	    rspb_ctld_changed(RSPB_CHANGED_NODES | RSPB_CHANGED_RESVS) <
		    rspb_batch->basis_at / 1000)
		return;
	basis = rspb_basis_make(config, now_ms / 1000);
	if (!basis)
		return;
	rspb_batch->basis_at = now_ms;
	rspb_batch->basis_version = rspb_book_version();
	rspb_published_set(basis, rspb_ledger_clone(rspb_book_ledger()), now_ms / 1000);
	rspb_batch->basis_ms = (rspb_section_clock_us() - began) * BASIS_TIMES / 1000;
	if (rspb_batch->basis_ms < BASIS_MS)
		rspb_batch->basis_ms = BASIS_MS;
	if (rspb_batch->basis_ms > BASIS_MOST_MS)
		rspb_batch->basis_ms = BASIS_MOST_MS;
}

void rspb_batch_look(const struct rspb_config *config, int64_t now_ms)
{
	see_who_waits(config, now_ms);
	refresh_basis(config, now_ms);
}

/* Plan the requests that are not refused already; decisions[i] belongs to asks->items[i]. RET 0, or
 * -1 with err: nothing is decided. */
static int plan(struct rspb_ledger *basis, const struct rspb_config *config,
		const struct rspb_asks *asks, uint64_t table, int64_t now,
		struct rspb_booking **decisions, struct rspb_err *err)
{
	const struct rspb_request **requests;
	struct rspb_offer_suits offers;
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
	/* Running jobs count against the limits of requests, and nodes that sleep are not free at
	 * once. */
	rc = rspb_holds_add(basis, requests, n, now) ? rspb_fail(err, "the jobs could not be read")
						     : rspb_resume_block(basis, now, NULL, err);
	/* Slurm is asked about starts at the commit, but about offers here: an owner who accepts
	 * one must not be refused. */
	rspb_offer_suits_init(&offers, asks, table);
	if (!rc && n)
		rc = rspb_decide(basis, 0, config, requests, n, now, true, NULL, &offers.judge, out,
				 err);
	rspb_offer_suits_fini(&offers);
	for (i = 0; i < n && !rc; i++)
		decisions[from[i]] = out[i];
out:
	free(requests);
	free(out);
	free(from);
	return rc;
}

static bool is_in(const struct rspb_ledger *ledger, uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(ledger, id);

	return b && !rspb_state_final(b->state);
}

/* Take over the basis and publish it for questions about what is free. If a plan was not kept, its
 * nodes are free after all, and the next plan is published instead. */
static void publish(struct rspb_ledger *basis, const struct rspb_asks *asks, int64_t now)
{
	for (size_t i = 0; i < asks->n; i++) {
		uint64_t id = asks->items[i].request->id;

		if (!is_in(basis, id) || is_in(rspb_book_ledger(), id))
			continue;
		rspb_ledger_destroy(basis);
		rspb_batch->basis_at = 0;
		return;
	}
	rspb_published_set(basis, rspb_ledger_clone(rspb_book_ledger()), now);
	rspb_batch->basis_at = now * 1000;
	rspb_batch->basis_version = rspb_book_version();
}

/* Others take back what they gave up for trials that were lost. With headroom they may have given
 * way for nodes that are to stay free, which the basis does not know. */
static void undo_needless(const struct rspb_round *round)
{
	struct rspb_err err;

	if (!round->config->policy.headroom &&
	    rspb_yield_undo(round->basis, rspb_book_ledger(), &err))
		rspb_log_error("%s", err.text);
}

/* Single requests are decided once more where another form or Slurm's selection may do better. */
static void decide_better(struct rspb_round *round, struct rspb_booking **decisions)
{
	rspb_recount_decide(round, decisions);
	rspb_preempt_decide(round, decisions);
}

/* Decide what is marked once more, which is the last time, beside what is booked by then (NULL: the
 * book). RET whether there is anything. */
static bool decide_again(struct rspb_round *round, const struct rspb_ledger *booked,
			 struct rspb_booking **decisions)
{
	if (!rspb_again_decide(round, booked, decisions))
		return false;
	decide_better(round, decisions);
	return true;
}

/* Nobody gives way for a decision that would not be kept: it is made once more, or refused, before
 * others change. again[i]: the second decisions. */
static void foresee(struct rspb_round *round, struct rspb_booking **decisions,
		    struct rspb_booking **again)
{
	struct rspb_ledger *booked = rspb_commit_foresee(round->asks, decisions, round->config,
							 round->basis, round->now);

	if (!booked)
		return;
	for (size_t i = 0; i < round->asks->n; i++) {
		const struct rspb_ask *ask = &round->asks->items[i];

		if (ask->misfit) {
			again[i] = decisions[i];
			decisions[i] = NULL;
		} else if (ask->refusal.text[0]) {
			rspb_decide_forget(round->basis, decisions[i], round->now);
			rspb_booking_destroy(decisions[i]);
			decisions[i] = NULL;
		}
	}
	decide_again(round, booked, again);
	rspb_ledger_destroy(booked);
	undo_needless(round);
}

/* Make the decisions real. again[i] is room for second decisions. RET how many were decided. */
static size_t commit(struct rspb_round *round, struct rspb_booking **decisions,
		     struct rspb_booking **again)
{
	const struct rspb_config *config = round->config;
	struct rspb_asks *asks = round->asks;
	int64_t now = round->now;
	size_t done;
	bool changed;

	undo_needless(round);
	foresee(round, decisions, again);
	for (size_t i = 0; i < asks->n; i++)
		if (again[i])
			decisions[i] = again[i];
	/* Other bookings give up their nodes before newcomers take them. If they do not, the ledger
	 * refuses the newcomers, and they are decided again. */
	changed = rspb_others_change(round->basis, config, now, asks, decisions);
	done = rspb_commit_batch(asks, decisions, config, round->table, now,
				 rspb_ledger_seen(round->basis), false);
	/* Second decisions are the last, so only first ones are made once more. */
	for (size_t i = 0; i < asks->n; i++)
		if (again[i])
			asks->items[i].misfit = false;
	/* Slurm would not start some of them there. */
	if (decide_again(round, NULL, decisions)) {
		undo_needless(round);
		if (changed)
			rspb_others_change(round->basis, config, now, asks, decisions);
		done += rspb_commit_batch(asks, decisions, config, round->table, now,
					  rspb_ledger_seen(round->basis), true);
	}
	return done;
}

/* RET how many were decided; *held: how many were not, since a node has not answered yet. If no
 * basis can be made now, all requests wait for the next batch. */
static size_t decide(const struct rspb_config *config, struct rspb_asks *asks, int64_t now,
		     size_t *held)
{
	struct rspb_round round = {
		.config = config,
		.asks = asks,
		.table = rspb_book_table(),
		.now = now,
		.basis = rspb_basis_make(config, now),
	};
	struct rspb_booking **decisions = calloc(asks->n, sizeof(*decisions));
	struct rspb_booking **again = calloc(asks->n, sizeof(*again));
	int64_t began = rspb_section_clock_us();
	struct rspb_err err;
	size_t done = 0;

	if (!round.basis || !decisions || !again) {
		rspb_ledger_destroy(round.basis);
	} else if (plan(round.basis, config, asks, round.table, now, decisions, &err)) {
		rspb_log_error("planning: %s", err.text);
		rspb_ledger_destroy(round.basis);
	} else {
		rspb_log_debug("planned %zu requests in %lld us", asks->n,
			       (long long) (rspb_section_clock_us() - began));
		rspb_dense_decide(&round, decisions);
		decide_better(&round, decisions);
		*held = rspb_silent_hold(asks, decisions, now * 1000);
		done = commit(&round, decisions, again);
		publish(round.basis, asks, now);
		/* The next basis lets the jobs that make way end when their bookings begin. */
		if (round.early)
			rspb_batch->basis_at = 0;
	}
	for (size_t i = 0; decisions && i < asks->n; i++)
		rspb_booking_destroy(decisions[i]);
	free(decisions);
	free(again);
	return done;
}

/* Collect the requests that wait. RET 0, 1: not now, or -1 with err. *behind: some wait for the
 * lookup of an earlier request's user. */
static int collect(const struct rspb_config *config, int64_t now, struct rspb_asks *asks,
		   bool *behind, struct rspb_err *err)
{
	uint32_t width = rspb_ledger_nodes(rspb_book_ledger());
	int rc = rspb_sources_collect(width, config, now, asks, err);

	/* Users who are not known yet are left out first, because their limits cannot be judged. */
	if (!rc && asks->n)
		*behind = keep_order(asks, now);
	for (size_t i = 0; i < asks->n && !rc; i++) {
		struct rspb_ask *ask = &asks->items[i];
		struct rspb_config space;

		if (!ask->refusal.text[0] &&
		    rspb_limits_check(ask, rspb_limits_settings(config, ask->request, &space),
				      width, now, &ask->refusal))
			ask->refused_for = RSPB_REFUSAL_LIMITS;
	}
	return rc;
}

bool rspb_batch_run(const struct rspb_config *config, int64_t now_ms)
{
	struct rspb_asks asks = { 0 };
	struct rspb_err err;
	size_t done = 0, held = 0;
	bool behind = false;
	int64_t began;
	int rc;

	/* A short interval ends with a last look: if a second request has come it becomes a whole
	 * one. */
	if (now_ms >= rspb_batch->look ||
	    (rspb_batch->alone && now_ms >= rspb_batch->due && rspb_batch->due != INT64_MAX))
		see_who_waits(config, now_ms);
	if (now_ms < rspb_batch->due)
		return false;
	if (rspb_batch->alone) {
		memmove(rspb_batch->alone_at, rspb_batch->alone_at + 1,
			sizeof(rspb_batch->alone_at) - sizeof(rspb_batch->alone_at[0]));
		rspb_batch->alone_at[RSPB_BATCH_ALONE_MOST - 1] = now_ms;
		rspb_batch->alone = false;
	}
	rspb_batch->due = INT64_MAX;
	began = rspb_section_clock_us();
	expect_announced(now_ms);
	rc = collect(config, now_ms / 1000, &asks, &behind, &err);
	if (rc < 0)
		rspb_log_error("requests: %s", err.text);
	else if (!rc && asks.n)
		done = decide(config, &asks, now_ms / 1000, &held);
	if (done)
		rspb_tally_time(RSPB_TALLY_BATCHES, rspb_section_clock_us() - began);
	/* Requests that were not decided are tried again after a moment, which is shorter if only
	 * nodes have to answer. Requests that wait for their turn are decided at once. */
	if (done < asks.n)
		rspb_batch->due = now_ms + (held ? NODES_STEP_MS : AGAIN_MS);
	else if (asks.more)
		rspb_batch->due = now_ms;
	else if (behind)
		rspb_batch->due = now_ms + NAMES_STEP_MS;
	rspb_asks_fini(&asks);
	return done;
}
