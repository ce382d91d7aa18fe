/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has bookings grow that were promised less than they asked for. They take only what no other
 * booking has. */
#include "plugins/ctld/watch/watch.h"

#include <inttypes.h>

#include "common/policy/policy.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/watch/state.h"

/* Growth before a start takes place so many seconds before its nodes are prepared, if they
 * are. No new request can have a start so near any more. The time is enough for the
 * reservation and the nodes to follow. */
enum { AHEAD_S = 2 };

static int64_t ahead(void)
{
	return AHEAD_S + rspb_gap(RSPB_GAP_PREPARE);
}

/* Whether a running booking has a smaller share than it could have. */
static bool any_lacks(void)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t i;
	uint32_t g;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		for (g = 0; b->state == RSPB_ACTIVE && g < b->n_grants; g++)
			if (b->grants[g].share &&
			    b->grants[g].share < rspb_part_full(b->request, g))
				return true;
	}
	return false;
}

/* Whether a block on the nodes of shares may be gone, such as a job that was being cleaned
 * up. Jobs or nodes have changed since the last look then. */
static bool worth_another_look(int64_t now)
{
	return now > rspb_watch->grow.looked_at &&
	       rspb_ctld_changed(RSPB_CHANGED_ANY) >= rspb_watch->grow.looked_at && any_lacks();
}

/* RET the first start that has not been looked at, INT64_MAX: none waits. */
static int64_t next_start(int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->state == RSPB_BOOKED && b->start > now &&
		    b->start >= rspb_watch->grow.looked_until)
			return b->start;
	}
	return INT64_MAX;
}

/* A ledger in which all has grown that could; NULL: nothing has. */
static struct rspb_ledger *plan(const struct rspb_config *config, int64_t now)
{
	struct rspb_ledger *basis = rspb_basis_make(config, now);
	struct rspb_err err;
	int64_t grown;

	if (!basis)
		return NULL;
	grown = rspb_decide_growth(basis, now + ahead() + 1, config, now, &err);
	if (grown > 0)
		return basis;
	if (grown < 0)
		rspb_log_error("growing: %s", err.text);
	rspb_ledger_destroy(basis);
	return NULL;
}

/* Whether a booking may grow as planned, under the write lock: it does not start in this
 * second, and the site's limits allow it. */
static bool allowed(const struct rspb_proposed *one, const struct rspb_proposal *all)
{
	const struct rspb_booking *b = one->terms;
	struct rspb_config space;
	struct rspb_err err;

	if (!b)
		return true;
	/* The booking starts in this moment. More tasks on its nodes are no hindrance. */
	if (one->elsewhere && b->start <= all->now)
		return false;
	if (!rspb_limits_growth(rspb_book_ledger(), b,
				rspb_limits_settings(all->config, b->request, &space), &err))
		return true;
	rspb_log_debug("booking %" PRIu64 " does not grow: %s", b->request->id, err.text);
	return false;
}

static void grow(const struct rspb_config *config, int64_t now)
{
	struct rspb_ledger *basis = plan(config, now);
	/* They only took what was free, so each stands for itself. */
	struct rspb_proposal all = { .config = config,
				     .why = "grown into free resources",
				     .apart = true,
				     .holds = allowed };
	struct rspb_err err;

	if (!basis)
		return;
	if (rspb_proposal_collect(&all, basis, now, &err))
		rspb_log_error("growing: %s", err.text);
	rspb_propose(&all);
	rspb_proposal_fini(&all);
	rspb_ledger_destroy(basis);
}

int64_t rspb_grow_run(const struct rspb_config *config, int64_t now_ms)
{
	int64_t now = now_ms / 1000, next;

	if (config->policy.degrade->refine != RSPB_REFINE_LAZY || rspb_book_idle())
		return INT64_MAX;
	next = next_start(now);
	if (rspb_book_version() != rspb_watch->grow.seen || next <= now + ahead() ||
	    worth_another_look(now)) {
		grow(config, now);
		/* Also after a look in vain: only a change, or the next start, makes another
		 * one useful. */
		rspb_watch->grow.looked_at = now;
		rspb_watch->grow.seen = rspb_book_version();
		rspb_watch->grow.looked_until = now + ahead() + 1;
		next = next_start(now);
	}
	return next == INT64_MAX ? next : (next - ahead()) * 1000;
}
