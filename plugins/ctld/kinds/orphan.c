/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Knows runs that slurmctld and nodes do not agree about, and clears nodes before
 * another one. It starts none. */
#include "plugins/ctld/kinds/recover.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/kinds/state.h"

enum {
	SUSPECT_S = 60,	 /* by then all nodes have registered */
	PATIENCE_S = 30, /* with nodes that do not answer */
	/*
	 * A node that registered before it was cleared was told by Slurm itself
	 * to end the job, and may get that word, or be about to clean up, when
	 * it has answered ours. And what is started within the second of
	 * that is taken for what was cleared.
	 */
	AFTER_CLEAR_S = 2,
	AFTER_CLEAN_S = 1,
	NODES_THERE_S = 2 /* after a start of slurmctld they can be asked */
};

static struct rspb_orphan *suspect_of(uint64_t id)
{
	return rspb_array_find(&id, rspb_of_kinds->suspects.items, rspb_of_kinds->suspects.n,
			       sizeof(struct rspb_orphan), rspb_array_by_u64);
}

/* Without memory the job is no suspect, and starts without a look at its nodes. */
void rspb_orphan_suspect(uint64_t id, int64_t launched, int64_t now)
{
	const struct rspb_orphan new = { .id = id, .launched = launched, .noted = now };

	if (!suspect_of(id))
		rspb_array_insert(&rspb_of_kinds->suspects.items, &rspb_of_kinds->suspects.room,
				  &rspb_of_kinds->suspects.n,
				  rspb_array_place(&id, rspb_of_kinds->suspects.items,
						   rspb_of_kinds->suspects.n, sizeof(new),
						   rspb_array_by_u64),
				  &new, sizeof(new));
}

int64_t rspb_orphan_launched(uint64_t id)
{
	const struct rspb_orphan *s = suspect_of(id);

	return s ? s->launched : 0;
}

void rspb_orphan_forget(uint64_t id)
{
	rspb_array_remove(rspb_of_kinds->suspects.items, &rspb_of_kinds->suspects.n, suspect_of(id),
			  sizeof(struct rspb_orphan));
}

/* Whether a job of the booking completes. A job whose nodes are being cleared does, like one
 * that was requeued. */
static bool completing(const uint32_t *ids, uint32_t n)
{
	struct rspb_job job;
	uint32_t i;

	for (i = 0; i < n; i++)
		if (rspb_job_find(ids[i], &job) && job.completing)
			return true;
	return false;
}

/* Tell the nodes of all components to end what they may run of them. An error is logged, and
 * the time of the try counts, so that the booking does not wait for it. */
static void clear(struct rspb_orphan *s, const struct rspb_booking *b, const uint32_t *ids,
		  uint32_t n, int64_t now)
{
	struct rspb_err err;
	uint32_t i;

	rspb_log_info(
		"booking %" PRIu64
		" was %s before slurmctld did: its nodes end any of its steps that still run there",
		s->id, s->launched ? "started, which was not saved," : "to start");
	for (i = 0; i < n && i < b->n_grants; i++)
		if (rspb_job_clear(ids[i], b->grants[i].nodes, &err))
			rspb_log_error("booking %" PRIu64 ": %s", s->id, err.text);
	s->cleared = now;
}

bool rspb_orphan_gone(const struct rspb_booking *b, const uint32_t *ids, uint32_t n, int64_t now,
		      struct rspb_err *err)
{
	struct rspb_orphan *s = suspect_of(b->request->id);
	uint32_t i;

	if (!s)
		return true;
	/* All nodes have registered by now, and Slurm knows what they run. */
	if (!s->cleared && now >= s->noted + SUSPECT_S) {
		rspb_orphan_forget(s->id);
		return true;
	}
	if (!s->cleared)
		clear(s, b, ids, n, now);
	/* A node that answers is waited for, however long it takes. A step that ended without
	 * a slurmctld is reported to the next one a minute later. A start before that would
	 * have the node drained for a second copy of the job. */
	for (i = 0; i < n && now >= s->cleared + PATIENCE_S; i++)
		rspb_job_clear(ids[i], NULL, NULL);
	if (completing(ids, n)) {
		rspb_fail(err, "its nodes end any of its steps that still run there");
		return false;
	}
	/* A job that starts within a second of this would be taken for the cleared one. */
	if (!s->clean)
		s->clean = now;
	if (now >= s->cleared + AFTER_CLEAR_S && now >= s->clean + AFTER_CLEAN_S)
		return true;
	rspb_fail(err, "its nodes have just been cleared");
	return false;
}

void rspb_orphan_launch(uint64_t id, int64_t start, bool doubt, int64_t now)
{
	int64_t due = start + rspb_slurm_conf().missing;

	/* Just after a start of slurmctld, nodes cannot be asked yet. */
	if (doubt && due < now + NODES_THERE_S)
		due = now + NODES_THERE_S;
	if (!rspb_array_grow(&rspb_of_kinds->launches.items, &rspb_of_kinds->launches.room,
			     rspb_of_kinds->launches.n + 1, sizeof(*rspb_of_kinds->launches.items)))
		rspb_of_kinds->launches.items[rspb_of_kinds->launches.n++] =
			(struct rspb_orphan_launch){ id, due, doubt };
}

/* Look at the agent's own list, so that no lock is taken each second for nothing. */
static bool any_due(int64_t now)
{
	for (size_t i = 0; i < rspb_of_kinds->launches.n; i++)
		if (rspb_of_kinds->launches.items[i].due <= now)
			return true;
	return false;
}

void rspb_orphan_look(int64_t now)
{
	struct rspb_section section;
	size_t left = 0;

	if (!any_due(now) || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "launches"))
		return;
	for (size_t i = 0; i < rspb_of_kinds->launches.n; i++) {
		const struct rspb_orphan_launch one = rspb_of_kinds->launches.items[i];

		/* Entries that are not due, or for which the section has no time left, stay
		 * in the list. */
		if (one.due > now || rspb_section_spent(&section))
			rspb_of_kinds->launches.items[left++] = one;
		else if (rspb_job_ask_node((uint32_t) one.id, one.doubt))
			rspb_log_verbose("job %" PRIu64 ": asking its node whether it runs there",
					 one.id);
	}
	rspb_of_kinds->launches.n = left;
	rspb_section_leave(&section);
}
