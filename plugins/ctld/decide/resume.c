/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps new bookings off nodes that sleep until they can be awake, and has them woken
 * in time. It starts nothing on them. */
#include "plugins/ctld/decide/resume.h"

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"

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
		rspb_node_asleep(nodes);
	rspb_section_leave(&section);
	if (any) {
		*any = !rspb_nodeset_empty(nodes);
		lead += MARGIN_S;
	}
	if (!rspb_nodeset_empty(nodes))
		rc = rspb_ledger_block(basis, now, now + lead + SLACK_S, nodes, err);
	rspb_nodeset_destroy(nodes);
	return rc;
}

/* Nodes of what begins until then and has not begun. */
static void gather(struct rspb_nodeset *nodes, int64_t until)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > until)
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
	static int64_t at;
	struct rspb_section section;
	struct rspb_nodeset *nodes;
	int64_t lead;

	if ((now < at && at <= now + EVERY_S) || rspb_book_idle())
		return;
	at = now + EVERY_S;
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
