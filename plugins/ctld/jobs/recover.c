/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds bookings of jobs from what Slurm kept, and puts right what does not fit.
 * What was promised redo.c has put into Slurm before. */
#include "plugins/ctld/jobs/recover.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/asking/intake.h"
#include "plugins/ctld/asking/outcome.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/durable/durable.h"
#include "plugins/ctld/ending/finish.h"
#include "plugins/ctld/jobs/orphan.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/mirror/room.h"
#include "plugins/ctld/requests/cores.h"
#include "plugins/ctld/requests/recall.h"

/* What recover() found for repair(). */
static struct {
	size_t back_room, orphan_room, n_restore, restore_room;
	uint32_t *back; /* jobs that go back to the waiting room */
	char (*orphans)[RSPB_RESV_NAME]; /* reservations without a job */
	uint64_t *restore; /* bookings whose reservations are not as promised */
} found;

/* After as long a node that answers has told of all that it runs. */
enum { LAUNCH_S = 600 };

/* Why the owners of bookings that are lost are told so. */
#define LOST                                                                   \
	"it was booked, which could not be kept when slurmctld was started "   \
	"anew; it is decided again"

static int part_rebuild(struct rspb_recovery *to, struct rspb_booking *booking,
			uint32_t part, const struct rspb_job *job,
			const struct rspb_contract *contract)
{
	struct rspb_part *asked = &booking->request->parts[part];
	struct rspb_grant *grant = &booking->grants[part];
	char name[RSPB_RESV_NAME];
	const char *nodes = rspb_contract_nodes(job, contract);
	struct rspb_resv resv;

	if (rspb_recall_part(contract, asked))
		return -1;
	rspb_recall_grant(contract, grant);
	/* Reservations are saved apart from jobs, and may be older or lost. */
	rspb_mirror_resv_name(booking->request->id, part, booking->n_grants,
			      name, sizeof(name));
	if (nodes[0] && !rspb_node_parse(nodes, grant->nodes, NULL))
		;
	else if (rspb_resv_find(name, to->now, &resv) && resv.has_nodes)
		rspb_resv_nodes(&resv, grant->nodes);
	else if (job->phase == RSPB_JOB_RUNNING)
		rspb_job_nodes(job, grant->nodes);
	if (rspb_nodeset_empty(grant->nodes))
		return -1;
	if (contract->cores)
		rspb_part_granted_cores(contract->cores, asked, grant);
	return 0;
}

/* RET the booking of a leader, or NULL: it has none that can be rebuilt. */
static struct rspb_booking *rebuild(struct rspb_recovery *to,
				    const struct rspb_job *leader,
				    const struct rspb_contract *contract)
{
	uint32_t ids[RSPB_MAX_PARTS], i;
	uint32_t n = rspb_job_components(leader, ids, RSPB_MAX_PARTS);
	struct rspb_request *request = rspb_request_create(n);
	struct rspb_booking *booking;
	bool running = leader->phase == RSPB_JOB_RUNNING;

	if (!request)
		return NULL;
	request->id = leader->id;
	request->user = leader->uid;
	request->arrival = leader->submitted;
	request->priority = rspb_intake_priority(to->config, leader);
	rspb_intake_label(request, leader, contract);
	booking = rspb_recall_request(contract, request)
			  ? NULL
			  : rspb_booking_create(request);
	rspb_request_destroy(request);
	if (!booking || !n || n > RSPB_MAX_PARTS ||
	    rspb_booking_grant(booking, to->width, NULL) ||
	    part_rebuild(to, booking, 0, leader, contract))
		goto fail;
	booking->state = running ? RSPB_ACTIVE : RSPB_BOOKED;
	booking->start = contract->start;
	booking->end = contract->end;
	memcpy(booking->reason, contract->reason, sizeof(booking->reason));
	/* When it was changed last is not written down, and nodes do not obey
	 * what seems older than what they have. */
	booking->decided_at = running ? to->now : leader->submitted;
	for (i = 1; i < n; i++) {
		struct rspb_contract own;
		struct rspb_job job;

		if (!rspb_contract_read(ids[i], &job, &own) ||
		    part_rebuild(to, booking, i, &job, &own))
			goto fail;
	}
	rspb_booking_value(booking);
	return booking;
fail:
	rspb_booking_destroy(booking);
	return NULL;
}

static void back_to_room(struct rspb_recovery *to, uint32_t id)
{
	if (rspb_array_grow(&found.back, &found.back_room, to->waiting + 1,
			    sizeof(*found.back)))
		return;
	found.back[to->waiting++] = id;
}

static struct rspb_resv_keys there; /* for a while; without slots: no memory */
static bool resv_find(const struct rspb_booking *b, uint32_t part, int64_t now,
		      struct rspb_resv *resv)
{
	return there.slots ? rspb_resv_keys_find(&there, b->request->id, part,
						 now, resv)
			   : rspb_mirror_resv_find(b, part, now, resv);
}

/* Whether its reservations are there, as they were promised. */
static bool as_promised(const struct rspb_booking *b, int64_t now)
{
	struct rspb_nodeset *scratch = rspb_nodeset_create(
		b->grants[0].nodes->width);
	struct rspb_resv resv;
	bool good = scratch;

	for (uint32_t i = 0; good && i < b->n_grants; i++)
		good = resv_find(b, i, now, &resv)
			       ? rspb_mirror_resv_as_booked(&resv, b, i, now,
							    scratch)
			       : rspb_mirror_resv_without(b, i);
	rspb_nodeset_destroy(scratch);
	return good;
}

/*
 * Whether jobs of it were about to be put into its reservation: they are in the
 * waiting room, or in none, as Slurm had not saved that one yet. Out of it somebody
 * takes them, too; what we saw of that is in the journal, and the job not booked.
 */
static bool is_loose(const struct rspb_recovery *to,
		     const struct rspb_booking *b)
{
	bool unseen = !to->fresh || !rspb_durable_lost(RSPB_DURABLE_UNSEEN_S);
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	bool loose = false;

	for (uint32_t i = 0; i < n; i++) {
		char name[RSPB_RESV_NAME];
		struct rspb_job job;

		rspb_mirror_resv_name(b->request->id, i, b->n_grants, name,
				      sizeof(name));
		if (!rspb_job_find(ids[i], &job) ||
		    job.phase != RSPB_JOB_PENDING ||
		    rspb_mirror_resv_tied(&job, name))
			continue;
		loose = job.reservation
				? !strcmp(job.reservation, RSPB_WAITING_ROOM)
				: !unseen;
		if (!loose)
			return false;
	}
	return loose;
}

/* Whether the reservation of one that runs is there, and was saved before its job:
 * its text is of then, which an operator's change of it leaves alone. */
static bool is_older(const struct rspb_booking *b, int64_t now)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);

	for (uint32_t i = 0; i < n && i < b->n_grants; i++) {
		struct rspb_contract said, counts;
		struct rspb_resv resv;
		struct rspb_job job;

		if (!resv_find(b, i, now, &resv) ||
		    !rspb_contract_read(ids[i], &job, &counts) ||
		    rspb_contract_parse(resv.tag, &said, NULL))
			return false;
		if (said.end != counts.end || strcmp(said.on, counts.on) != 0)
			return true;
	}
	return false;
}

static void to_restore(const struct rspb_recovery *to,
		       const struct rspb_booking *b)
{
	bool waits = b->state == RSPB_BOOKED;

	if (b->end > to->now &&
	    ((waits && is_loose(to, b)) || !as_promised(b, to->now)) &&
	    (waits || is_older(b, to->now)) &&
	    !rspb_array_grow(&found.restore, &found.restore_room,
			     found.n_restore + 1, sizeof(*found.restore)))
		found.restore[found.n_restore++] = b->request->id;
}

/* When a job was started, by the journal; 0: it does not say so. */
static int64_t launched_at(const struct rspb_job *job)
{
	const struct rspb_promise *promise = rspb_promise_find(job->id);

	return promise && promise->submitted == job->submitted &&
			       rspb_contract_says(promise->contract,
						  RSPB_ACTIVE)
		       ? promise->at
		       : 0;
}

static int job_recover(const struct rspb_job *job, void *arg)
{
	struct rspb_recovery *to = arg;
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = to->now };
	struct rspb_contract contract;
	struct rspb_booking *booking;
	struct rspb_err err = { "its reservation is gone" };

	if (job->phase == RSPB_JOB_DONE || job->component || !job->contract ||
	    rspb_contract_parse(job->contract, &contract, NULL) ||
	    rspb_state_final(contract.state))
		return 0;
	if (to->fresh && job->phase == RSPB_JOB_PENDING &&
	    (contract.state == RSPB_REQUESTED ? contract.ready
					      : contract.start) <= to->now)
		rspb_orphan_suspect(job->id, launched_at(job), to->now);
	if (to->fresh && job->phase == RSPB_JOB_RUNNING &&
	    job->start + LAUNCH_S > to->now)
		rspb_orphan_launch(job->id, job->start, true, to->now);
	if (contract.state == RSPB_REQUESTED) {
		back_to_room(to, job->id);
		return 0;
	}
	booking = rebuild(to, job, &contract);
	record.id = job->id;
	record.booking = booking;
	if (booking && !rspb_ledger_apply(to->ledger, &record, &err)) {
		to->booked++;
		to_restore(to, booking);
	} else {
		rspb_log_error("job %u had a booking that cannot be kept: %s",
			       job->id, err.text);
		to->lost++;
		if (job->phase == RSPB_JOB_PENDING)
			back_to_room(to, job->id);
	}
	rspb_booking_destroy(booking);
	return 0;
}

static int orphan_look(const struct rspb_resv *resv, void *arg)
{
	struct rspb_recovery *to = arg;
	uint64_t id;

	if (!rspb_mirror_resv_is(resv->name, &id) ||
	    strlen(resv->name) >= RSPB_RESV_NAME ||
	    rspb_ledger_find(to->ledger, id))
		return 0;
	if (rspb_array_grow(&found.orphans, &found.orphan_room, to->removed + 1,
			    sizeof(*found.orphans)))
		return 1;
	memcpy(found.orphans[to->removed++], resv->name,
	       strlen(resv->name) + 1);
	return 0;
}

void rspb_jobs_recover(struct rspb_recovery *to)
{
	if (rspb_resv_keys_init(&there))
		rspb_resv_keys_fini(&there);
	rspb_job_each(job_recover, to);
	rspb_resv_keys_fini(&there);
	rspb_resv_each(to->now, orphan_look, to);
}

static void repair_all(const struct rspb_recovery *from)
{
	struct rspb_section section;
	struct rspb_err err;
	size_t i = 0;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "repair"))
		return;
	rspb_room_make(from->now);
	while (i < from->waiting + from->removed) {
		if (rspb_section_spent(&section)) {
			rspb_section_leave(&section);
			if (!rspb_section_enter(&section, RSPB_LOCK_WRITE,
						"repair"))
				return;
		}
		if (i < from->waiting)
			rspb_room_send_back(found.back[i], LOST);
		else if (rspb_resv_delete(found.orphans[i - from->waiting],
					  &err))
			rspb_log_verbose("%s", err.text);
		i++;
	}
	rspb_section_leave(&section);
}

static void give_up(struct rspb_recovery *to, uint64_t id,
		    const struct rspb_ask *ask, const char *why)
{
	struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
				      .time = to->now,
				      .id = id,
				      .event = RSPB_EV_CANCEL };
	struct rspb_section section;

	rspb_log_error("job %" PRIu64 " had a booking that cannot be kept: %s",
		       id, why);
	rspb_ledger_apply(to->ledger, &cancel, NULL);
	to->booked--;
	to->lost++;
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "repair"))
		return;
	rspb_outcome_lose(ask, id, LOST);
	rspb_section_leave(&section);
}

static void restore_one(struct rspb_recovery *to, uint64_t id)
{
	struct rspb_ask ask = { .n_jobs = 0 };
	struct rspb_err err;
	int rc = rspb_outcome_again(to->ledger, id, &ask, to->config, to->now,
				    &err);

	if (rc < 0)
		give_up(to, id, &ask, err.text);
	else if (!rc)
		rspb_log_info("booking %" PRIu64 ": its reservation was lost "
			      "or older than its contract, and is as promised "
			      "again",
			      id);
	rspb_ask_fini(&ask);
}

void rspb_jobs_repair(struct rspb_recovery *from)
{
	rspb_end_unseen();
	rspb_mirror_resv_set_now(from->config, from->now);
	repair_all(from);
	for (size_t i = 0; i < found.n_restore; i++)
		restore_one(from, found.restore[i]);
	free(found.restore);
	free(found.back);
	free(found.orphans);
	memset(&found, 0, sizeof(found));
}
