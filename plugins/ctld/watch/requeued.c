/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sees that a started job waits again, and lets its booking begin once more in the rest of
 * its time slot. No other nodes are chosen here. */
#include "plugins/ctld/watch/watch.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/observe/following.h"

/* Why what is left of a window begins anew. */
static const char put_back[] = "its job was put back into the queue";
static const char node_lost[] = "a node was lost while it ran";
static const char launch_lost[] = "slurmctld ended before its node had confirmed the launch";

/* Whether a booking has licenses, which others would get while its job is cleaned up. */
static bool has_licenses(const struct rspb_booking *b)
{
	for (uint32_t i = 0; i < b->request->n_parts; i++)
		for (uint32_t q = 0; q < b->request->parts[i].n_quotas; q++)
			if (rspb_quota_of_license(&b->request->parts[i].quotas[q]))
				return true;
	return false;
}

/* With the read lock. RET why an active booking has to be started once more, NULL: it has
 * not. All of its jobs must wait and, but for one with licenses, have left their nodes. A booking
 * that ends within a second is left to its end. */
static const char *was_requeued(const struct rspb_booking *b, const struct rspb_nodeset *lost,
				int64_t now)
{
	uint32_t ids[RSPB_MAX_PARTS], n, i;
	bool licensed = has_licenses(b);
	const char *why = put_back;
	struct rspb_job job;

	if (b->state != RSPB_ACTIVE || b->end <= now + 1 || !rspb_kind_of(b->request)->has_jobs)
		return NULL;
	for (i = 0; i < b->n_grants; i++)
		if (!rspb_nodeset_disjoint(b->grants[i].nodes, lost))
			why = node_lost;
	n = rspb_components(b->request->id, ids);
	for (i = 0; i < n; i++) {
		if (!rspb_job_find(ids[i], &job) || (job.completing && !licensed) ||
		    job.phase != RSPB_JOB_PENDING)
			return NULL;
		if (job.launch_lost)
			why = launch_lost;
	}
	return n ? why : NULL;
}

/* Book the rest of the time slot, as far as the ledger is concerned. The contract keeps the
 * slot as it was granted. */
static void book_rest(const struct rspb_booking *b, const char *why, int64_t now)
{
	struct rspb_booking *rest = rspb_booking_clone(b);
	uint64_t id = b->request->id;
	struct rspb_err err;

	if (!rest)
		return;
	rest->state = RSPB_BOOKED;
	rest->start = now + 1;
	rest->request->ready = rest->start;
	rest->request->duration = rest->end - rest->start;
	if (rest->request->deadline < rest->end)
		rest->request->deadline = rest->end;
	rspb_booking_say(rest, why);
	if (rspb_book_change(rest, now, &err))
		rspb_log_error("booking %" PRIu64 ": %s", id, err.text);
	else
		rspb_log_info("booking %" PRIu64 ": %s; the rest of its time slot begins again", id,
			      why);
	rspb_booking_destroy(rest);
}

struct requeued {
	uint64_t id;
	const char *why;
	bool lost; /* its reservation */
};

void rspb_requeued_watch(const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t count = rspb_ledger_count(ledger), n = 0, i;
	struct requeued *found = calloc(count + 1, sizeof(*found));
	struct rspb_nodeset *lost = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	struct rspb_section section;
	uint32_t returned = rspb_book_returned();
	bool looked = false;

	if (found && lost && rspb_section_enter(&section, RSPB_LOCK_READ, "requeued")) {
		rspb_node_add(RSPB_NODES_UNUSABLE, lost);
		for (i = 0; i < count; i++) {
			const struct rspb_booking *b = rspb_ledger_at(ledger, i);

			/* The ledger is sorted by start: all later bookings have not
			 * begun. */
			if (b->start > now)
				break;
			found[n].id = b->request->id;
			found[n].why = was_requeued(b, lost, now);
			found[n].lost = found[n].why && !rspb_verdict_resv_there(b, NULL, now);
			n += found[n].why != NULL;
		}
		section.items = i;
		rspb_section_leave(&section);
		looked = true;
	}
	/* The changes are made without the lock, by id: they move the bookings in the
	 * ledger. */
	for (i = 0; i < n; i++) {
		book_rest(rspb_ledger_find(ledger, found[i].id), found[i].why, now);
		/* Slurm deletes no reservation in which a job runs: it was lost with an older file
		 * of Slurm, and nobody has deleted it. */
		if (found[i].lost)
			rspb_late_make(found[i].id, config, now);
	}
	/* Bookings that have to begin again count with their licenses from now on. */
	if (looked)
		rspb_book_returned_seen(returned);
	rspb_nodeset_destroy(lost);
	free(found);
}
