/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Knows the nodes that a new slurmctld has not heard from, and tells the owners of requests that
 * wait for them. It does not wait itself: the batch is tried again until the nodes have answered.
 * Only the agent's thread runs this file. */
#include "plugins/ctld/decide/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/decide/state.h"

enum {
	ANSWER_MS = 30000, /* how long nodes get to answer after a start */
	SOON_TIMES = 2	   /* with the gap that windows leave before them */
};

struct silent {
	struct rspb_nodeset *nodes; /* owned; NULL: there are none */
	char *names;		    /* owned */
};

static void silent_fini(struct silent *silent)
{
	rspb_nodeset_destroy(silent->nodes);
	free(silent->names);
}

/* RET the nodes that do not answer at the moment, and their names for people. Without memory, or at
 * shutdown, there are none: nobody is to wait for that. */
static struct silent silent_now(void)
{
	struct silent silent = { rspb_nodeset_create(rspb_ledger_nodes(rspb_book_ledger())), NULL };
	struct rspb_section section;

	if (silent.nodes && rspb_section_enter(&section, RSPB_LOCK_READ, "silent")) {
		rspb_node_add(RSPB_NODES_SILENT, silent.nodes);
		if (!rspb_nodeset_empty(silent.nodes))
			silent.names = rspb_node_names(NULL, silent.nodes);
		rspb_section_leave(&section);
	}
	if (!silent.names) {
		rspb_nodeset_destroy(silent.nodes);
		silent.nodes = NULL;
	}
	return silent;
}

/* RET the nodes that may still answer after a start. Once all have answered, or ANSWER_MS have
 * passed, the wait is over for good: a node that falls silent later delays no request. */
static struct silent awaited(int64_t now_ms)
{
	struct silent silent = { NULL, NULL };

	if (!rspb_decisions->silent_until)
		rspb_decisions->silent_until = now_ms + ANSWER_MS;
	if (now_ms < rspb_decisions->silent_until)
		silent = silent_now();
	/* Callers pass times of different precision, so the present is not over for all. */
	if (!silent.nodes)
		rspb_decisions->silent_until = 1;
	return silent;
}

bool rspb_silent_wait(int64_t now_ms)
{
	struct silent silent = awaited(now_ms);
	bool any = silent.nodes;

	silent_fini(&silent);
	return any;
}

/* Tell the owner why a request waits. The batch is tried again several times a second, so a text
 * that the contract has already is not written again. */
static void say_why(const struct rspb_ask *ask, const char *why)
{
	const struct rspb_kind *kind = rspb_kind_of(ask->request);
	struct rspb_section section;

	if (!ask->n_jobs || !strcmp(ask->contracts[0].reason, why) ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "silent"))
		return;
	if (kind->waits(ask))
		kind->tell(ask->request->id, why);
	rspb_section_leave(&section);
}

/* Whether a booking on silent nodes begins only when they are expected back, though it could begin
 * before. If they answer, it can. */
static bool comes_late(const struct rspb_booking *booking, const struct rspb_nodeset *silent,
		       int64_t now)
{
	if (booking->start <= booking->request->ready ||
	    booking->start > now + SOON_TIMES * RSPB_SILENT_S)
		return false;
	for (uint32_t i = 0; i < booking->n_grants; i++)
		if (!rspb_nodeset_disjoint(booking->grants[i].nodes, silent))
			return true;
	return false;
}

size_t rspb_silent_hold(const struct rspb_asks *asks, struct rspb_booking **decisions,
			int64_t now_ms)
{
	struct silent silent = awaited(now_ms);
	char why[RSPB_ERR_TEXT];
	size_t n = 0;

	if (!silent.nodes)
		return 0;
	snprintf(why, sizeof(why),
		 "slurmctld has just started and waits, for up to %d s, until "
		 "%.100s%s answered",
		 ANSWER_MS / 1000, silent.names, strpbrk(silent.names, "[,") ? " have" : " has");
	for (size_t i = 0; i < asks->n; i++) {
		if (!decisions[i] || (decisions[i]->state == RSPB_BOOKED &&
				      !comes_late(decisions[i], silent.nodes, now_ms / 1000)))
			continue;
		rspb_booking_destroy(decisions[i]);
		decisions[i] = NULL;
		say_why(&asks->items[i], why);
		n++;
	}
	silent_fini(&silent);
	return n;
}

/* Keeps new bookings off nodes that sleep until they can be awake, and has them woken in time. It
 * starts nothing on them. */

/* Slurm's own power saving looks every few seconds, too. Nodes are woken so much
 * before they have to be (MARGIN_S) that one which does not come up within
 * ResumeTimeout is replaced before the start. */
enum { EVERY_S = 5, SLACK_S = 5, MARGIN_S = 30 };

int rspb_resume_block(struct rspb_ledger *basis, int64_t now, bool *any, struct rspb_err *err)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_ledger_nodes(basis));
	struct rspb_section section;
	int64_t lead = 0;
	int rc = 0;

	if (!nodes)
		return rspb_fail(err, "out of memory");
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "asleep")) {
		rspb_nodeset_destroy(nodes);
		return rspb_fail(err, "slurmctld is shutting down");
	}
	lead = rspb_node_resume_time();
	if (lead)
		rspb_node_add(RSPB_NODES_ASLEEP, nodes);
	rspb_section_leave(&section);
	/* A rescue has to be able to replace a node that does not come up in time. */
	if (any) {
		*any = !rspb_nodeset_empty(nodes);
		lead += MARGIN_S;
	}
	if (!rspb_nodeset_empty(nodes))
		rc = rspb_ledger_block(basis, now, now + lead + SLACK_S, nodes, err);
	rspb_nodeset_destroy(nodes);
	return rc;
}

/* Nodes of what begins until `last` and has not begun. */
static void gather(struct rspb_nodeset *nodes, int64_t last)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > last)
			break;
		if (b->state == RSPB_BOOKED)
			rspb_booking_cover(b, nodes);
	}
}

static void wake(const struct rspb_nodeset *nodes, int64_t now)
{
	struct rspb_section section;
	struct rspb_err err;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "wake"))
		return;
	if (rspb_node_wake(nodes, now, &err))
		rspb_log_error("%s", err.text);
	rspb_section_leave(&section);
}

void rspb_resume_run(int64_t now)
{
	struct rspb_section section;
	struct rspb_nodeset *nodes;
	int64_t lead;

	/* A clock that was set back does not stop this. */
	if ((now < rspb_decisions->woken_at && rspb_decisions->woken_at <= now + EVERY_S) ||
	    rspb_book_idle())
		return;
	rspb_decisions->woken_at = now + EVERY_S;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "lead"))
		return;
	lead = rspb_node_resume_time();
	rspb_section_leave(&section);
	nodes = lead ? rspb_nodeset_create(rspb_ledger_nodes(rspb_book_ledger())) : NULL;
	if (nodes)
		gather(nodes, now + lead + MARGIN_S + EVERY_S);
	if (nodes && !rspb_nodeset_empty(nodes))
		wake(nodes, now);
	rspb_nodeset_destroy(nodes);
}
