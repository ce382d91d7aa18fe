/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes requests of jobs in the waiting room. It neither plans nor refuses them. */
#include "plugins/ctld/observe/intake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/text.h"
#include "common/wire/flags.h"
#include "plugins/compat/clock.h"
#include "plugins/compat/colocate.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/saver.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/observe/changed.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/request/part.h"

/* Makes jobs of the tasks of arrays that wait for a booking. The rest of the
 * file handles each of them like any other job. */

struct arrays {
	uint32_t *ids;
	size_t n, room;
};

/* Whether a job is an array in the waiting room whose tasks have no records yet. A held array is
 * left alone; its priority is 0. */
static bool divide_due(const struct rspb_job *job)
{
	return job->undivided && job->phase == RSPB_JOB_PENDING && job->priority &&
	       job->reservation && !strcmp(job->reservation, RSPB_WAITING_ROOM) &&
	       rspb_contract_says(job->contract, RSPB_REQUESTED);
}

static int add(const struct rspb_job *job, void *arg)
{
	struct arrays *all = arg;

	if (!divide_due(job))
		return 0;
	if (rspb_array_grow(&all->ids, &all->room, all->n + 1, sizeof(*all->ids)))
		return -1;
	all->ids[all->n++] = job->id;
	return 0;
}

/* Name the array as the series of its tasks. Each task inherits the contract of the record that it
 * is taken from, so that it is written before the first is taken. */
static void make_series(uint32_t id)
{
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_contract_read(id, &job, &contract) || contract.terms.series[0])
		return;
	snprintf(contract.terms.series, sizeof(contract.terms.series), RSPB_ARRAY_PREFIX "%" PRIu32,
		 id);
	rspb_contract_write(id, &contract, NULL);
}

/* Divide one array in write sections, with urgent work between them. The array is looked up in
 * each section, because its owner may cancel it in between. RET false: slurmctld is going down. */
static bool divide(uint32_t id)
{
	struct rspb_section section;
	struct rspb_job job;
	struct rspb_err err;
	int left;

	do {
		rspb_breathe();
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "tasks"))
			return false;
		left = rspb_job_find(id, &job) && divide_due(&job);
		if (left)
			make_series(id);
		while (left > 0 && !rspb_section_spent(&section)) {
			left = rspb_job_divide(id, &err);
			section.items++;
		}
		rspb_section_leave(&section);
	} while (left > 0);
	if (left < 0)
		rspb_log_error("%s", err.text);
	return true;
}

/* Make a job of each task of these, in short write sections. RET whether there are
 * others now. Agent. */
static bool divide_arrays(void)
{
	struct rspb_section section;
	struct arrays all = { .n = 0 };
	bool any;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "arrays"))
		return false;
	rspb_changed_asking(add, &all);
	rspb_section_leave(&section);
	for (size_t i = 0; i < all.n && divide(all.ids[i]); i++)
		;
	any = all.n;
	/* The tasks count as submitted with their array, but Slurm's saved state does not have
	 * their records yet. */
	if (any)
		rspb_saver_outdated();
	free(all.ids);
	return any;
}

/* Like a regular job it waits for the partition, as long as its window lasts. One that begins later
 * is booked: the partition is likely to be up again by then. A list of offers is made in any
 * case. */
bool rspb_intake_rests(const struct rspb_job *job, const struct rspb_contract *contract,
		       struct rspb_err *why)
{
	int64_t now = rspb_clock_us(CLOCK_REALTIME) / 1000000;
	int64_t least = job->least > 0 && job->least < job->limit ? job->least : job->limit;
	uint32_t ids[RSPB_MAX_PARTS], n;
	struct rspb_job one;

	if (contract->terms.offers || job->begin > now ||
	    (job->deadline && job->deadline < now + least))
		return false;
	n = rspb_job_components(job, ids, RSPB_MAX_PARTS);
	for (uint32_t i = 0; i < n && i < RSPB_MAX_PARTS; i++)
		if (rspb_job_find(ids[i], &one) && rspb_job_barred(&one, RSPB_BAR_PARTITION, why))
			return true;
	return false;
}

/* A job whose dependency can never be met is decided, too: rspb_intake_fill() refuses it with that
 * reason. */
bool rspb_intake_waits(const struct rspb_job *job)
{
	struct rspb_contract contract;
	int64_t end;

	return job->phase == RSPB_JOB_PENDING && !job->completing && !job->undivided &&
	       job->priority && job->reservation && !strcmp(job->reservation, RSPB_WAITING_ROOM) &&
	       job->contract && !rspb_contract_parse(job->contract, &contract, NULL) &&
	       contract.state == RSPB_REQUESTED &&
	       (!job->dependent || rspb_after_booked(job, &end) || rspb_after_never(job)) &&
	       !rspb_intake_rests(job, &contract, NULL);
}

/* A batch holds no more: others wait for their turn. */
enum { BATCH_MOST = 500 };

struct scan {
	uint32_t *ids;
	uint32_t *users; /* of each */
	size_t users_room;
	size_t n, room;
	uint32_t *gone; /* jobs that ended before they were decided */
	size_t n_gone, gone_room;
	int64_t earliest;
	bool undivided; /* there are arrays without records of their tasks */
	bool short_of_memory;
};

/* Without memory the contract of the job stays as it is, which concerns only what accounting
 * shows. */
static int add_gone(struct scan *scan, uint32_t id)
{
	if (!rspb_array_grow(&scan->gone, &scan->gone_room, scan->n_gone + 1, sizeof(*scan->gone)))
		scan->gone[scan->n_gone++] = id;
	return 0;
}

static int scan_job(const struct rspb_job *job, void *arg)
{
	struct scan *scan = arg;

	if (job->phase == RSPB_JOB_DONE) {
		if (rspb_contract_says(job->contract, RSPB_REQUESTED))
			return add_gone(scan, job->id);
		/* A job that was declined and cancelled stays so. */
		rspb_contract_promise(job->id, job->contract, NULL, NULL);
		return 0;
	}
	scan->undivided |= divide_due(job);
	/* Components come one after the other. */
	if (!rspb_intake_waits(job) || (scan->n && scan->ids[scan->n - 1] == job->leader))
		return 0;
	if (rspb_array_grow(&scan->ids, &scan->room, scan->n + 1, sizeof(*scan->ids)) ||
	    rspb_array_grow(&scan->users, &scan->users_room, scan->n + 1, sizeof(*scan->users))) {
		scan->short_of_memory = true;
		return 1;
	}
	scan->users[scan->n] = job->uid;
	scan->ids[scan->n++] = job->leader;
	if (job->begin < scan->earliest)
		scan->earliest = job->begin;
	return 0;
}

/* Write the last state of these requests, which users and accounting read. */
static void close_requests(const uint32_t *ids, size_t n)
{
	struct rspb_section section = { .what = NULL };

	for (size_t i = 0; i < n && rspb_section_next(&section, RSPB_LOCK_WRITE, "close"); i++) {
		rspb_contract_state(ids[i], RSPB_CANCELLED, "its job ended before it was decided");
		rspb_job_make_so(ids[i], &(struct rspb_job_wanted){ .accounted = true }, NULL);
	}
	rspb_section_end(&section);
}

/* RET 0, or -1: shutdown or no memory, nothing to free. */
static int scan_once(struct scan *scan)
{
	struct rspb_section section;

	*scan = (struct scan){ .earliest = INT64_MAX };
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "scan"))
		return -1;
	/* If this fails, the section has been left. */
	if (!rspb_changed_look_new(&section))
		return -1;
	rspb_changed_asking(scan_job, scan);
	section.items = scan->n;
	rspb_section_leave(&section);
	/* Contracts are written under the write lock, so that this follows the section. */
	close_requests(scan->gone, scan->n_gone);
	free(scan->gone);
	if (!scan->short_of_memory)
		return 0;
	free(scan->ids);
	free(scan->users);
	return -1;
}

/* Find who waits: leaders by submission, whose lists the caller frees. RET as above. */
static int scan_all(struct scan *scan)
{
	if (scan_once(scan))
		return -1;
	/* Tasks that have records now are jobs of their own: scan again to find them. */
	if (!scan->undivided || !divide_arrays())
		return 0;
	free(scan->ids);
	free(scan->users);
	return scan_once(scan);
}

/* Keep only the requests whose turn it is. The numbers taken rise, so that the list can be
 * shortened in place. RET 0, -1: out of memory. */
static int take_turns(struct scan *scan)
{
	size_t *taken = calloc(scan->n + 1, sizeof(*taken));
	int64_t n = taken ? rspb_turns_take(scan->users, scan->n, BATCH_MOST, taken) : -1;

	for (int64_t i = 0; i < n; i++)
		scan->ids[i] = scan->ids[taken[i]];
	if (n >= 0)
		scan->n = (size_t) n;
	free(taken);
	return n < 0 ? -1 : 0;
}

int64_t rspb_intake_priority(const struct rspb_config *config, const struct rspb_job *leader)
{
	return config->policy.headroom ? leader->qos_priority : leader->priority;
}

/* A component without flags of its own is part of the co-reservation all the
 * same: whole nodes, all or nothing. */
static void contract_of(const struct rspb_job *job, struct rspb_contract *contract)
{
	if (job->contract && !rspb_contract_parse(job->contract, contract, NULL))
		return;
	*contract = (struct rspb_contract){ .state = RSPB_REQUESTED };
	contract->terms.book = true;
}

/* Allocate what an ask needs for all components. RET 0, or -1 with err; the caller finishes the
 * ask either way. */
static int ask_alloc(struct rspb_ask *ask, const struct rspb_job *leader, struct rspb_err *err)
{
	uint32_t n = rspb_job_components(leader, NULL, 0);

	if (n > RSPB_MAX_PARTS)
		return rspb_fail(err,
				 "job %u has %u components, at most %d "
				 "can be booked together",
				 leader->id, n, RSPB_MAX_PARTS);
	ask->n_jobs = n;
	ask->request = rspb_request_create(n);
	ask->jobs = calloc(n, sizeof(*ask->jobs));
	ask->contracts = calloc(n, sizeof(*ask->contracts));
	if (!ask->request || !ask->jobs || !ask->contracts)
		return rspb_fail(err, "out of memory");
	/* The lock is held since the count, so that there are as many. */
	rspb_job_components(leader, ask->jobs, n);
	return 0;
}

void rspb_intake_label(struct rspb_request *request, const struct rspb_job *leader,
		       const struct rspb_contract *contract)
{
	char name[RSPB_REQUEST_NAME];

	rspb_request_label(request, leader->account, leader->qos, leader->partition);
	rspb_request_series(request, contract->terms.series);
	rspb_text_clean(name, sizeof(name), leader->name ? leader->name : "");
	rspb_text_keep(&request->name, name);
	request->array = leader->array;
	request->task = leader->task;
	request->held = contract->held;
	request->moves = rspb_contract_moves(contract);
	/* An interactive user who waits is told and refused instead. */
	request->stays = leader->batch;
}

static void fill_part(const struct rspb_job *job, struct rspb_contract *contract, uint32_t width,
		      struct rspb_part *part, struct rspb_err *err)
{
	struct rspb_terms flags = contract->terms;

	/* An accepted offer is wanted as a whole. */
	if (rspb_contract_of_offer(contract))
		flags.benefit.n_points = 0;
	rspb_numbers_begin(job, &flags, width, part, err);
	/* Write the benefit of a range into the contract, too; work is always done as a whole. */
	if (!rspb_contract_of_offer(contract) && !rspb_moldable_said(&flags.work))
		rspb_benefit_set(&contract->terms.benefit, part->benefit);
}

int rspb_intake_fill(struct rspb_ask *ask, const struct rspb_job *leader, uint32_t width,
		     const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	struct rspb_request *request;
	struct rspb_config space;
	int64_t end;

	if (ask_alloc(ask, leader, err))
		return -1;
	request = ask->request;
	request->id = leader->id;
	request->user = leader->uid;
	request->arrival = leader->submitted;
	request->priority = rspb_intake_priority(config, leader);
	snprintf(ask->account, sizeof(ask->account), "%s", leader->account ? leader->account : "");
	snprintf(ask->qos, sizeof(ask->qos), "%s", leader->qos ? leader->qos : "");
	for (uint32_t i = 0; i < ask->n_jobs; i++) {
		struct rspb_contract *c = &ask->contracts[i];
		struct rspb_job job;

		if (!rspb_job_find(ask->jobs[i], &job) || job.phase != RSPB_JOB_PENDING)
			return 1;
		contract_of(&job, c);
		request->gated |= job.gated;
		rspb_window_add(request, &job, c->terms.asap && !rspb_contract_of_offer(c), now);
		if (!ask->refusal.text[0])
			fill_part(&job, c, width, &request->parts[i], &ask->refusal);
	}
	if (!ask->refusal.text[0])
		rspb_want_fill(ask->contracts, request, leader->limit, &ask->refusal);
	rspb_intake_label(request, leader, ask->contracts);
	/* observe/dependents.c moves the booking when the end of those jobs changes. */
	if (leader->dependent)
		rspb_after_note(leader->id);
	if (!ask->refusal.text[0] && rspb_after_never(leader))
		rspb_fail(&ask->refusal, RSPB_AFTER_NEVER);
	if (rspb_after_booked(leader, &end) && end > request->ready)
		request->ready = end;
	/* The rules that apply depend on account, QOS and partition, which the label has. */
	config = rspb_limits_settings(config, request, &space);
	rspb_window_close(request, config, now);
	/* Other requests cannot move a dependent booking: the jobs that it waits for may end later
	 * than is known. */
	rspb_limits_moves(request, config,
			  leader->dependent ? RSPB_FIRM_AT_ONCE : ask->contracts->terms.firm);
	rspb_want_speed(config, request, rspb_contract_of_offer(ask->contracts), &ask->refusal);
	if (!rspb_contract_of_offer(ask->contracts) &&
	    !rspb_moldable_said(&ask->contracts->terms.work))
		rspb_want_shorter(leader->least, request, &ask->refusal);
	return 0;
}

static int collect_one(uint32_t id, uint32_t width, const struct rspb_config *config, int64_t now,
		       struct rspb_asks *asks, struct rspb_err *err)
{
	struct rspb_ask *ask = rspb_asks_add(asks);
	struct rspb_job leader;
	int rc;

	if (!ask)
		return rspb_fail(err, "out of memory");
	/* The job may have changed since the scan. Its place in the list is not counted, and the
	 * next job uses it. */
	if (!rspb_job_find(id, &leader) || !rspb_intake_waits(&leader))
		return 0;
	rc = rspb_intake_fill(ask, &leader, width, config, now, err);
	if (rc) {
		rspb_ask_fini(ask);
		return rc < 0 ? -1 : 0;
	}
	if (!ask->refusal.text[0] && rspb_held_allow(ask, asks, now, &ask->refusal))
		ask->refused_for = RSPB_REFUSAL_LIMITS;
	if (ask->contracts[0].terms.offers && !ask->refusal.text[0]) {
		ask->refused_for = RSPB_N_REFUSALS;
		rspb_fail(&ask->refusal,
			  "nothing is booked, as requested; rspb offers %u lists what is "
			  "available",
			  id);
	}
	/* A declined job that does not stay in the queue cannot accept an offer. */
	if (config->on_decline != RSPB_DECLINE_HOLD && !ask->contracts[0].terms.offers)
		ask->request->stays = false;
	asks->n++;
	return 0;
}

int64_t rspb_intake_waiting(int64_t *earliest)
{
	struct scan scan;

	if (scan_all(&scan))
		return -1;
	free(scan.ids);
	free(scan.users);
	if (scan.n && scan.earliest < *earliest)
		*earliest = scan.earliest;
	return (int64_t) scan.n;
}

/* In short write sections. RET 0, or -1 with err. */
static int collect_all(const uint32_t *ids, size_t n, uint32_t width,
		       const struct rspb_config *config, int64_t now, struct rspb_asks *asks,
		       struct rspb_err *err)
{
	struct rspb_section section;
	size_t i = 0;
	int rc = 0;

	while (i < n && !rc) {
		rspb_breathe();
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "collect"))
			return rspb_fail(err, "slurmctld is shutting down");
		do {
			rc = collect_one(ids[i++], width, config, now, asks, err);
			section.items++;
		} while (i < n && !rc && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
	return rc;
}

int rspb_intake_collect(uint32_t width, const struct rspb_config *config, int64_t now,
			struct rspb_asks *asks, struct rspb_err *err)
{
	size_t first = asks->n, i, all;
	struct scan scan;
	int rc;

	if (scan_all(&scan))
		return 1;
	all = scan.n;
	rc = take_turns(&scan) ? rspb_fail(err, "out of memory")
			       : collect_all(scan.ids, scan.n, width, config, now, asks, err);
	/* Requests that were left out are decided in the next batch. */
	asks->more |= scan.n < all;
	free(scan.ids);
	free(scan.users);
	/* Names of users come from a cache that has a lock of its own; Slurm's locks are not held
	 * here. */
	for (i = first; i < asks->n && !rc; i++)
		rspb_ask_user(&asks->items[i]);
	return rc;
}

/* Refreshes the members of a booking's request that only its jobs know, as they are now. It decides
 * nothing. */

/* Read again which nodes a job may use and which it names, because the contract does not have
 * them. The nodes that it was granted stay allowed, even if their features have changed. */
static void part_refresh(struct rspb_part *part, uint32_t id, const struct rspb_nodeset *granted)
{
	struct rspb_nodeset *named = rspb_nodeset_create(granted->width);
	struct rspb_job job;
	uint32_t count;

	rspb_part_forget_nodes(part);
	part->eligible = rspb_nodeset_create(granted->width);
	if (part->eligible) {
		if (rspb_job_find(id, &job)) {
			rspb_job_eligible(&job, part->eligible, NULL);
			rspb_part_keep_lent(part);
			/* With different amounts on its nodes no other nodes will do, and limits
			 * count what these give. */
			if (part->n_odd)
				rspb_nodeset_copy(part->eligible, granted);
			else
				rspb_part_keep_cores(&job, part);
			rspb_part_count(&job, part, NULL);
			if (part->n_odd)
				rspb_part_weigh_odd(part);
			rspb_want_again(&job, part);
		}
		rspb_nodeset_or(part->eligible, granted);
		count = rspb_nodeset_count(part->eligible);
		/* Fewer nodes may be suitable than when the booking was made. */
		if (part->nodes_min > count)
			part->nodes_min = count;
	}
	if (named && rspb_job_find(id, &job) && rspb_job_nodes(&job, RSPB_JOB_NAMES, named) &&
	    rspb_nodeset_count(named) <= part->nodes)
		part->fixed = named;
	else
		rspb_nodeset_destroy(named);
}

/* Cores have other numbers when nodes have come or gone. */
static void renumber(const struct rspb_booking *b, uint32_t part, const uint8_t *dedicated)
{
	char name[RSPB_RESV_NAME];

	if (!b->grants[part].share || b->request->parts[part].whole)
		return;
	rspb_resv_name(b->request->id, part, b->n_grants, name, sizeof(name));
	rspb_colocate_resv(name, dedicated, b->grants[part].nodes->width);
}

void rspb_intake_refresh(struct rspb_booking *booking, const uint8_t *dedicated)
{
	uint32_t ids[RSPB_MAX_PARTS], n, i;

	n = rspb_components(booking->request->id, ids);
	for (i = 0; i < n && i < booking->request->n_parts; i++)
		part_refresh(&booking->request->parts[i], ids[i], booking->grants[i].nodes);
	for (i = 0; dedicated && i < booking->n_grants; i++)
		renumber(booking, i, dedicated);
}
