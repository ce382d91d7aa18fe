/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at each job once after a restart. The promise in the journal counts (redo.c), and the
 * booking enters the new ledger. Reservations without a booking are deleted. */
#include "plugins/ctld/kinds/recover.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/observe/intake.h"
#include "plugins/ctld/post/letters.h"
#include "plugins/ctld/request/part.h"

/* The functions below make request and grant of a contract again, as of jobs so of reservations.
 * They look at no record of Slurm's. The nodes that a job may have, and what else only the job
 * knows, are added by rspb_intake_refresh(). */

/* The contract has the length on a usual node if the request had one form, which is made of it
 * again. Of several forms only the booked one is left. */
int rspb_recall_request(const struct rspb_contract *contract, struct rspb_request *request)
{
	const struct rspb_form form = { .nodes = contract->terms.nodes,
					.duration = contract->standard };

	request->ready = contract->terms.ready;
	request->deadline = contract->terms.deadline;
	request->duration = contract->terms.duration;
	request->asap = contract->terms.asap;
	request->speed = contract->speed;
	if (form.duration && rspb_request_set_forms(request, &form, 1))
		return -1;
	/* As long as its nodes take, in Slurm's whole minutes. */
	if (form.duration) {
		request->step = 60;
		request->punctual = request->deadline == request->ready + request->duration;
	}
	return rspb_terms_ask(&contract->terms, request);
}

int rspb_recall_part(const struct rspb_contract *contract, struct rspb_part *part)
{
	part->nodes = contract->terms.nodes;
	part->nodes_min = rspb_terms_least(&contract->terms);
	part->share = contract->terms.share;
	part->share_min = contract->terms.share_min;
	return rspb_benefit_keep(&part->benefit, &contract->terms.benefit);
}

void rspb_recall_grant(const struct rspb_contract *contract, struct rspb_grant *grant)
{
	grant->share = contract->share_granted;
	grant->promise = contract->promise;
	grant->had = contract->had;
	/* An outage without `had` is of a job that has lost its booking. */
	grant->outage = contract->had ? contract->outage : 0;
	grant->benefit = contract->benefit.den ? contract->benefit : (struct rspb_ratio){ 1, 1 };
}

/* Fill in what a component asked for and what it was granted. Its nodes come from the
 * contract or the journal, then from its reservation, and last from the running job. RET 0,
 * or -1 if the contract cannot be read or nodes are missing. */
static int part_rebuild(const struct rspb_recovery *to, struct rspb_booking *booking, uint32_t part,
			const struct rspb_job *job, const struct rspb_contract *contract)
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
	rspb_resv_name(booking->request->id, part, booking->n_grants, name, sizeof(name));
	if (nodes[0] && !rspb_node_parse(nodes, grant->nodes, NULL))
		;
	else if (rspb_resv_find(name, to->now, &resv) && resv.has_nodes)
		rspb_resv_nodes(&resv, grant->nodes);
	else if (job->phase == RSPB_JOB_RUNNING)
		rspb_job_nodes(job, RSPB_JOB_HOLDS, grant->nodes);
	/* Slurm keeps a reservation with fewer nodes if the others were removed from
	 * slurm.conf. A pending job needs all nodes that it was granted. */
	if (rspb_nodeset_empty(grant->nodes) ||
	    (job->phase == RSPB_JOB_PENDING &&
	     rspb_nodeset_count(grant->nodes) < contract->nodes_granted))
		return -1;
	if (contract->terms.cores) {
		rspb_part_granted_cores(contract->terms.cores, asked, grant);
		rspb_part_granted_tasks(contract, job->tasks, asked);
		if (rspb_uneven_recall(contract->odd, asked))
			return -1;
	}
	return 0;
}

/* Rebuild the booking of a leader with this contract, and of its components, with at least the read
 * lock. Whether it fits into a ledger is for the caller to find out. RET NULL: none can be made. */
static struct rspb_booking *rebuild(const struct rspb_recovery *to, const struct rspb_job *leader,
				    const struct rspb_contract *contract)
{
	uint32_t ids[RSPB_MAX_PARTS], i;
	uint32_t n = rspb_job_components(leader, ids, RSPB_MAX_PARTS);
	struct rspb_request *request = rspb_request_create(n);
	struct rspb_booking *booking;
	/* A booking may outlast the job: other components run, or ReleaseEarly=no. */
	bool running = leader->phase == RSPB_JOB_RUNNING ||
		       (leader->phase == RSPB_JOB_DONE && contract->state == RSPB_ACTIVE);

	if (!request)
		return NULL;
	request->id = leader->id;
	request->user = leader->uid;
	request->arrival = leader->submitted;
	request->priority = rspb_intake_priority(to->config, leader);
	rspb_intake_label(request, leader, contract);
	booking = rspb_recall_request(contract, request) ? NULL : rspb_booking_create(request);
	rspb_request_destroy(request);
	if (!booking || !n || n > RSPB_MAX_PARTS || rspb_booking_grant(booking, to->width, NULL) ||
	    part_rebuild(to, booking, 0, leader, contract))
		goto fail;
	booking->state = running ? RSPB_ACTIVE : RSPB_BOOKED;
	booking->start = contract->start;
	booking->end = contract->end;
	rspb_booking_say(booking, contract->reason);
	/* The time of the last change is not recorded. Nodes ignore a share message that
	 * seems older than the last one. Therefore a running booking counts as decided
	 * now. */
	booking->decided_at = running ? to->now : leader->submitted;
	for (i = 1; i < n; i++) {
		struct rspb_contract own;
		struct rspb_job job;

		if (!rspb_contract_read(ids[i], &job, &own) ||
		    part_rebuild(to, booking, i, &job, &own))
			goto fail;
		/* The components run together, so the booking is as long as the longest
		 * needs. */
		if (booking->request->n_forms && own.standard > booking->request->forms[0].duration)
			booking->request->forms[0].duration = own.standard;
	}
	rspb_booking_value(booking);
	return booking;
fail:
	rspb_booking_destroy(booking);
	return NULL;
}

/* Seconds after which a node that answers has reported all jobs that it runs. */
enum { LAUNCH_S = 600 };

/* The reason that owners of lost bookings are given. */
#define LOST                                                                                       \
	"its booking could not be kept when slurmctld was started "                                \
	"anew; it is decided again"

/* RET the second in which the journal says that a job was started; 0: it does not say so. */
static int64_t launched_at(const struct rspb_job *job)
{
	const struct rspb_promise *promise = rspb_contract_promised(job);

	return promise && rspb_contract_says(promise->contract, RSPB_ACTIVE) ? promise->at : 0;
}

/* Note runs about which slurmctld and the nodes may disagree. A pending job whose start has
 * passed may have been launched before the crash. A job that started in the last ten minutes
 * may never have reached its node. A request has no start, so its ready time counts. */
static void doubt(const struct rspb_recovery *to, const struct rspb_job *job,
		  const struct rspb_contract *contract)
{
	int64_t start = contract->state == RSPB_REQUESTED ? contract->terms.ready : contract->start;

	if (job->phase == RSPB_JOB_PENDING && start <= to->now)
		rspb_orphan_suspect(job->id, launched_at(job), to->now);
	if (job->phase == RSPB_JOB_RUNNING && job->start + LAUNCH_S > to->now)
		rspb_orphan_launch(job->id, job->start, true, to->now);
}

/* Enter a booking into the ledger under construction. The first try includes what only Slurm
 * knows, such as the nodes that the job may use now. If the settings or the nodes have
 * changed so that it does not fit, the second try enters it as granted. RET the booking for
 * the caller to destroy, NULL with err. */
static struct rspb_booking *book(struct rspb_recovery *to, const struct rspb_job *job,
				 const struct rspb_contract *contract, struct rspb_err *err)
{
	for (int known = 1; known >= 0; known--) {
		struct rspb_record record = { .kind = RSPB_REC_BOOK,
					      .time = to->now,
					      .id = job->id };
		struct rspb_booking *b = rebuild(to, job, contract);

		record.booking = b;
		if (!b)
			return NULL;
		if (known)
			rspb_intake_refresh(b, to->moved);
		if (!rspb_ledger_apply(to->ledger, &record, err))
			return b;
		if (known)
			rspb_log_info("job %u: %s; it is booked as it was "
				      "granted",
				      job->id, err->text);
		rspb_booking_destroy(b);
	}
	return NULL;
}

/* Keep the promise of a job whose contract is authoritative by now. A pending job whose
 * booking cannot be kept returns to the waiting room and is decided again. */
static void keep_promise(struct rspb_recovery *to, const struct rspb_job *job)
{
	struct rspb_err err = { "its reservation or one of its nodes no longer exists" };
	struct rspb_contract contract;
	struct rspb_booking *b = NULL;

	if (rspb_contract_parse(job->contract, &contract, NULL) || rspb_state_final(contract.state))
		return;
	/* A ledger that is built again within one life of slurmctld has lost no launch. */
	if (to->fresh)
		doubt(to, job, &contract);
	if (contract.state != RSPB_REQUESTED) {
		b = book(to, job, &contract, &err);
		if (b) {
			const struct rspb_promise *promise = rspb_contract_promised(job);

			to->booked++;
			if (promise && promise->doubted)
				rspb_letters_stands(job->id, to->now);
			/* Its start is checked again when the jobs that it waits for end at
			 * other times. */
			if (job->dependent && b->state == RSPB_BOOKED)
				rspb_after_note(job->id);
			rspb_booking_destroy(b);
			return;
		}
		rspb_log_error("job %u had a booking that cannot be kept: %s", job->id, err.text);
		to->lost++;
		/* A running job cannot return to the waiting room. It continues without a
		 * booking. */
		if (job->phase != RSPB_JOB_PENDING)
			return;
	}
	rspb_room_send_back(job->id, LOST);
	to->waiting++;
}

/* Whether the booking of a job that is over goes on: another component is not over, or the nodes
 * stay booked until the end (ReleaseEarly=no). It is charged as a whole when it ends. */
static bool outlasts(const struct rspb_recovery *to, const struct rspb_job *job)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(job->leader, ids);
	struct rspb_contract contract;
	struct rspb_job one;

	if (!rspb_contract_read(job->leader, &one, &contract) || contract.state != RSPB_ACTIVE)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (rspb_job_find(ids[i], &one) && one.phase != RSPB_JOB_DONE &&
		    !(to->fresh && rspb_redo_end(&one)))
			return true;
	return !to->config->release_early && contract.end > to->now;
}

/* Charge one component of a booking whose job ended while nobody looked. Only an active
 * contract is charged: a charge and the final state are written under one lock. Each
 * component is charged at its own visit. If the booking cannot be rebuilt, for instance
 * because its nodes are unknown, nothing is charged. */
static void charge_unseen(const struct rspb_recovery *to, const struct rspb_job *job, int64_t end)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(job->leader, ids), part = 0;
	struct rspb_contract contract;
	struct rspb_job leader;
	struct rspb_booking *b;

	if (!rspb_contract_says(job->contract, RSPB_ACTIVE) ||
	    !rspb_contract_read(job->leader, &leader, &contract))
		return;
	while (part < n && ids[part] != job->id)
		part++;
	/* With ReleaseEarly=no the nodes stayed booked. */
	if (!to->config->release_early && end < contract.end)
		end = contract.end;
	/* The time slot and the price are those of the whole booking, which the leader's
	 * contract has. */
	b = rebuild(to, &leader, &contract);
	if (b && part < b->n_grants)
		rspb_charge_part(b, part, end);
	rspb_booking_destroy(b);
}

/* End the booking of a job that is over. If Slurm had lost the end, the job was ended again
 * just now, and the time in the journal counts. The charge is written into the contract
 * first: the final state then reaches the journal in the same line. */
static void end_unseen(const struct rspb_recovery *to, uint32_t id)
{
	const struct rspb_promise *promise;
	struct rspb_job job;

	if (!rspb_job_find(id, &job) || job.phase != RSPB_JOB_DONE || !job.contract)
		return;
	if (to->fresh)
		rspb_redo_record(&job);
	if (!rspb_job_find(id, &job) || outlasts(to, &job))
		return;
	promise = rspb_redo_end(&job);
	charge_unseen(to, &job, promise && promise->at < job.end ? promise->at : job.end);
	if (rspb_job_find(id, &job))
		rspb_end_unseen(&job);
}

/* Bring a job, its contract and the ledger together, under the write lock. The view of the
 * job is taken again after each step that may change or end the job. If slurmctld has not
 * just begun, nothing is looked for that only a crash can cause. */
static void visit(struct rspb_recovery *to, uint32_t id)
{
	struct rspb_job job;
	bool lost;

	if (!rspb_job_find(id, &job) || !job.contract)
		return;
	if (job.phase == RSPB_JOB_RUNNING)
		rspb_job_make_so(id, &(struct rspb_job_wanted){ .released = true }, NULL);
	lost = to->fresh && rspb_lost_script(&job, to->now);
	rspb_job_find(id, &job); /* it may have been ended with that */
	if (job.phase == RSPB_JOB_DONE) {
		if (!lost)
			end_unseen(to, id);
	} else if (to->fresh && rspb_job_redo(&job, to->config)) {
		/* The journal may have the end of the job, and not yet that of its booking. */
		end_unseen(to, id);
	}
	/* A heterogeneous job has one booking, which is entered with its first component. */
	if (!job.component && rspb_job_find(id, &job) && job.contract &&
	    (job.phase != RSPB_JOB_DONE || (!lost && outlasts(to, &job))))
		keep_promise(to, &job);
}

struct ids {
	uint32_t *items;
	size_t n, room;
};

/* Keep the id alone: no pointer to a job outlives its section. */
static int add_id(const struct rspb_job_mark *mark, void *arg)
{
	struct ids *ids = arg;

	if (rspb_array_grow(&ids->items, &ids->room, ids->n + 1, sizeof(*ids->items)))
		return 1;
	ids->items[ids->n++] = mark->id;
	return 0;
}

/* Visit the jobs of one section. RET 0, 1: the nodes have changed, or -1: slurmctld is going
 * down. */
static int visit_some(struct rspb_recovery *to, const struct ids *ids, size_t *at)
{
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "recover"))
		return -1;
	/* The ledger counts nodes by number, and the numbers of another table mean other
	 * nodes. */
	if (rspb_node_fingerprint() != to->table) {
		rspb_section_leave(&section);
		return 1;
	}
	do {
		visit(to, ids->items[(*at)++]);
		section.items++;
	} while (*at < ids->n && !rspb_section_spent(&section));
	rspb_section_leave(&section);
	return 0;
}

int rspb_jobs_recover(struct rspb_recovery *to)
{
	struct rspb_section section;
	struct ids ids = { 0 };
	bool inside = true;
	size_t at = 0;
	int rc = 0;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "jobs"))
		return -1;
	/* A list that memory cut short would leave bookings out of the ledger, so it is a
	 * failure. */
	if (rspb_walk_jobs(&section, &inside, add_id, &ids) || !inside)
		rc = -1;
	if (inside)
		rspb_section_leave(&section);
	while (at < ids.n && !rc)
		rc = visit_some(to, &ids, &at);
	free(ids.items);
	return rc;
}

/* Reservations without a booking, by name: the locks are released before they are deleted. */
struct orphans {
	char (*items)[RSPB_RESV_NAME]; /* owned */
	size_t n, room;
};

/* Note the reservation of a job that has no booking in the ledger. RET 0, or 1 if there is no
 * memory, which ends the walk: the remaining orphans stay. */
static int orphan_look(const struct rspb_resv *resv, void *arg)
{
	struct orphans *orphans = arg;
	uint64_t id;
	uint32_t part;

	if (!rspb_resv_of_job(resv->name, &id, &part) || strlen(resv->name) >= RSPB_RESV_NAME ||
	    rspb_ledger_find(rspb_book_ledger(), id))
		return 0;
	if (rspb_array_grow(&orphans->items, &orphans->room, orphans->n + 1,
			    sizeof(*orphans->items)))
		return 1;
	memcpy(orphans->items[orphans->n++], resv->name, strlen(resv->name) + 1);
	return 0;
}

/* Slurm keeps a reservation in which a job still runs. */
size_t rspb_jobs_remove_orphans(int64_t now)
{
	struct orphans orphans = { .n = 0 };
	struct rspb_section section = { .what = NULL };
	struct rspb_err err;
	size_t i = 0;

	if (rspb_section_next(&section, RSPB_LOCK_READ, "orphans"))
		rspb_resv_each(RSPB_RESV_ALL, now, orphan_look, &orphans);
	rspb_section_end(&section);
	while (i < orphans.n && rspb_section_next(&section, RSPB_LOCK_WRITE, "orphans"))
		if (rspb_resv_delete(orphans.items[i++], &err))
			rspb_log_verbose("%s", err.text);
	rspb_section_end(&section);
	free(orphans.items);
	return i;
}
