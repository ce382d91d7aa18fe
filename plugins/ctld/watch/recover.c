/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/watch/recover.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/abi.h"
#include "plugins/compat/colocate.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/capacity.h"
#include "plugins/ctld/jobs/commit.h"
#include "plugins/ctld/jobs/intake.h"
#include "plugins/ctld/operators/operator.h"
#include "plugins/ctld/start/orphan.h"

/* 2037-01-01 and two months: as far as a 32-bit time goes. */
enum { ROOM_START = 2114380800, ROOM_END = 2119651200 };

struct state {
	const struct rspb_config *config;
	struct rspb_ledger *ledger;
	uint32_t width;
	int64_t now;
	bool fresh;
	size_t n, room, booked, lost;
	uint32_t *back; /* jobs that go back to the waiting room */
	size_t n_orphans, orphan_room;
	char (*orphans)[RSPB_RESV_NAME];
};

static int part_recover(struct state *state, struct rspb_booking *booking,
			uint32_t part, const struct rspb_job *job,
			const struct rspb_contract *contract)
{
	struct rspb_part *asked = &booking->request->parts[part];
	struct rspb_grant *grant = &booking->grants[part];
	char name[RSPB_RESV_NAME];
	struct rspb_resv resv;

	asked->nodes = contract->nodes_asked;
	asked->nodes_min = contract->nodes_least ? contract->nodes_least
						 : contract->nodes_asked;
	asked->has_benefit = contract->flags.has_benefit;
	asked->benefit = contract->flags.benefit;
	asked->share = contract->flags.share;
	asked->share_min = contract->flags.share_min;
	grant->share = contract->share_granted;
	grant->promise = contract->promise;
	grant->benefit = contract->benefit;
	rspb_commit_name(booking->request->id, part, booking->n_grants, name,
			 sizeof(name));
	if (rspb_resv_find(name, state->now, &resv) && resv.has_nodes)
		rspb_resv_nodes(&resv, grant->nodes);
	else if (job->phase == RSPB_JOB_RUNNING)
		rspb_job_nodes(job, grant->nodes);
	return rspb_nodeset_empty(grant->nodes) ? -1 : 0;
}

/* RET the booking of a leader, or NULL: it has none that can be rebuilt. */
static struct rspb_booking *rebuild(struct state *state,
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
	request->priority = rspb_intake_priority(state->config, leader);
	request->ready = contract->ready;
	request->deadline = contract->deadline;
	request->duration = contract->duration;
	request->asap = contract->flags.asap;
	booking = rspb_booking_create(request);
	rspb_request_destroy(request);
	if (!booking || n > RSPB_MAX_PARTS ||
	    rspb_booking_grant(booking, state->width, NULL))
		goto fail;
	booking->state = running ? RSPB_ACTIVE : RSPB_BOOKED;
	booking->start = contract->start;
	booking->end = contract->end;
	/* When it was changed last is not written down, and nodes do not obey
	 * what seems older than what they have. */
	booking->decided_at = running ? state->now : leader->submitted;
	for (i = 0; i < n; i++) {
		struct rspb_contract own;
		struct rspb_job job;

		if (!rspb_job_find(ids[i], &job) || !job.contract ||
		    rspb_contract_parse(job.contract, &own, NULL) ||
		    part_recover(state, booking, i, &job, &own))
			goto fail;
	}
	rspb_booking_value(booking);
	return booking;
fail:
	rspb_booking_destroy(booking);
	return NULL;
}

static void back_to_room(struct state *state, uint32_t id)
{
	if (rspb_array_grow(&state->back, &state->room, state->n + 1,
			    sizeof(*state->back)))
		return;
	state->back[state->n++] = id;
}

static int job_recover(const struct rspb_job *job, void *arg)
{
	struct state *state = arg;
	struct rspb_record record = { .kind = RSPB_REC_BOOK };
	struct rspb_contract contract;
	struct rspb_booking *booking;
	struct rspb_err err = { "its reservation is gone" };

	if (job->phase == RSPB_JOB_DONE || job->component || !job->contract ||
	    rspb_contract_parse(job->contract, &contract, NULL) ||
	    rspb_state_final(contract.state))
		return 0;
	if (state->fresh && job->phase == RSPB_JOB_PENDING &&
	    (contract.state == RSPB_REQUESTED ? contract.ready
					      : contract.start) <= state->now)
		rspb_orphan_suspect(job->id, state->now);
	if (contract.state == RSPB_REQUESTED) {
		back_to_room(state, job->id);
		return 0;
	}
	booking = rebuild(state, job, &contract);
	record.time = state->now;
	record.id = job->id;
	record.booking = booking;
	if (booking && !rspb_ledger_apply(state->ledger, &record, &err)) {
		state->booked++;
	} else {
		rspb_log_error("job %u had a booking that cannot be kept: %s",
			       job->id, err.text);
		state->lost++;
		if (job->phase == RSPB_JOB_PENDING)
			back_to_room(state, job->id);
	}
	rspb_booking_destroy(booking);
	return 0;
}

static int orphan_look(const struct rspb_resv *resv, void *arg)
{
	static const size_t len = sizeof(RSPB_BOOKING_PREFIX) - 1;
	struct state *state = arg;
	uint64_t id;

	if (strncmp(resv->name, RSPB_BOOKING_PREFIX, len) ||
	    !isdigit((unsigned char) resv->name[len]) ||
	    strlen(resv->name) >= RSPB_RESV_NAME)
		return 0;
	id = strtoull(resv->name + len, NULL, 10);
	if (rspb_ledger_find(state->ledger, id))
		return 0;
	if (rspb_array_grow(&state->orphans, &state->orphan_room,
			    state->n_orphans + 1, sizeof(*state->orphans)))
		return 1;
	memcpy(state->orphans[state->n_orphans++], resv->name,
	       strlen(resv->name) + 1);
	return 0;
}

static void room_make(int64_t now)
{
	static const struct rspb_resv_spec spec = {
		.name = RSPB_WAITING_ROOM,
		.tag = "rspb",
		.start = ROOM_START,
		.end = ROOM_END,
	};
	struct rspb_resv room;
	struct rspb_err err;

	if (rspb_resv_find(RSPB_WAITING_ROOM, now, &room)) {
		if (rspb_resv_for_all(&room))
			return;
		/* Made before the site changed its mind about accounts; while
		 * jobs wait in it, this is tried again. */
		if (rspb_resv_delete(RSPB_WAITING_ROOM, &err))
			return;
	}
	if (rspb_resv_create(&spec, &err))
		rspb_log_error("waiting room: %s", err.text);
}

void rspb_recover_send_back(uint32_t id, const char *why)
{
	uint32_t ids[RSPB_MAX_PARTS], n, i;
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return;
	n = rspb_job_components(&job, ids, RSPB_MAX_PARTS);
	for (i = 0; i < n && i < RSPB_MAX_PARTS; i++) {
		if (!rspb_job_find(ids[i], &job) || !job.contract ||
		    rspb_contract_parse(job.contract, &contract, NULL))
			continue;
		rspb_job_attach(ids[i], RSPB_WAITING_ROOM, 0, NULL);
		if (contract.state == RSPB_REQUESTED)
			continue;
		rspb_commit_unfit(ids[i], &contract);
		rspb_job_reopen(
			ids[i], contract.ready,
			contract.deadline > contract.ready +
							contract.duration &&
					!contract.flags.asap
				? contract.deadline
				: 0,
			NULL);
		contract.state = RSPB_REQUESTED;
		contract.start = 0;
		contract.end = 0;
		contract.nodes_granted = 0;
		contract.share_granted = 0;
		contract.promise = 0;
		contract.benefit = (struct rspb_ratio){ 0, 0 };
		if (why)
			snprintf(contract.reason, sizeof(contract.reason), "%s",
				 why);
		rspb_contract_print(&contract, text, sizeof(text));
		rspb_job_set_contract(ids[i], text, NULL);
	}
}

static void repair(struct state *state)
{
	struct rspb_section section;
	struct rspb_err err;
	size_t i = 0;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "repair"))
		return;
	room_make(state->now);
	while (i < state->n + state->n_orphans) {
		if (rspb_section_spent(&section)) {
			rspb_section_leave(&section);
			if (!rspb_section_enter(&section, RSPB_LOCK_WRITE,
						"repair"))
				return;
		}
		if (i < state->n)
			rspb_recover_send_back(state->back[i], NULL);
		else if (rspb_resv_delete(state->orphans[i - state->n], &err))
			rspb_log_verbose("%s", err.text);
		i++;
	}
	rspb_section_leave(&section);
}

/* Which nodes a job may use, and which it names, is not in its contract. Those
 * that it was granted count, whatever has become of their features since. */
static void part_refresh(struct rspb_part *part, uint32_t id,
			 const struct rspb_nodeset *granted)
{
	struct rspb_nodeset *named = rspb_nodeset_create(granted->width);
	struct rspb_job job;
	uint32_t count;

	part->eligible = rspb_nodeset_create(granted->width);
	if (part->eligible) {
		if (rspb_job_find(id, &job))
			rspb_job_eligible(&job, part->eligible, NULL);
		rspb_nodeset_or(part->eligible, granted);
		count = rspb_nodeset_count(part->eligible);
		if (part->nodes_min > count)
			part->nodes_min = count;
	}
	if (named && rspb_job_find(id, &job) &&
	    rspb_job_required(&job, named) &&
	    rspb_nodeset_count(named) <= part->nodes)
		part->fixed = named;
	else
		rspb_nodeset_destroy(named);
}

static struct rspb_booking *refreshed(const struct rspb_booking *old)
{
	struct rspb_booking *new = rspb_booking_clone(old);
	uint32_t ids[RSPB_MAX_PARTS], n, i;
	struct rspb_job job;

	if (!new || !rspb_job_find(old->request->id, &job))
		return new;
	n = rspb_job_components(&job, ids, RSPB_MAX_PARTS);
	for (i = 0; i < n && i < new->request->n_parts; i++)
		part_refresh(&new->request->parts[i], ids[i],
			     old->grants[i].nodes);
	return new;
}

/* Cores have other numbers when nodes have come or gone. */
static void recount_cores(const struct rspb_booking *b,
			  const uint8_t *dedicated)
{
	char name[RSPB_RESV_NAME];

	for (uint32_t i = 0; i < b->n_grants; i++) {
		rspb_commit_name(b->request->id, i, b->n_grants, name,
				 sizeof(name));
		if (b->grants[i].share)
			rspb_colocate_resv(name, dedicated,
					   b->grants[i].nodes->width);
	}
}

/* dedicated: as of the book, where the nodes have changed; else NULL. */
static void refresh_all(struct rspb_ledger *ledger, const uint8_t *dedicated,
			int64_t now)
{
	struct rspb_section section;
	struct rspb_err err;
	size_t i = 0;

	while (i < rspb_ledger_count(ledger) &&
	       rspb_section_enter(&section, RSPB_LOCK_WRITE, "eligible")) {
		do {
			struct rspb_booking *new = refreshed(
				rspb_ledger_at(ledger, i++));
			struct rspb_record record = {
				.kind = RSPB_REC_CHANGE,
				.time = now,
				.booking = new,
			};

			if (new &&rspb_ledger_apply(ledger, &record, &err))
				rspb_log_error("%s", err.text);
			if (new &&dedicated)
				recount_cores(new, dedicated);
			rspb_booking_destroy(new);
			section.items++;
		} while (i < rspb_ledger_count(ledger) &&
			 !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
}

int rspb_recover(const struct rspb_config *config, bool fresh, int64_t now,
		 struct rspb_err *err)
{
	struct state state = { .config = config, .now = now, .fresh = fresh };
	struct rspb_section section;
	uint8_t *dedicated;
	int64_t *capacity;
	uint64_t table, before = rspb_book_table();

	rspb_book_reset(NULL, NULL, 0);
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "recover"))
		return rspb_fail(err, "slurmctld is going down");
	if (!rspb_abi_records_ok()) {
		rspb_section_leave(&section);
		return rspb_fail(err, "bookings stay switched off");
	}
	state.width = rspb_node_width();
	table = rspb_node_fingerprint();
	state.ledger = rspb_capacity_ledger(state.width, now);
	capacity = rspb_capacity_shares(state.width, config);
	dedicated = rspb_capacity_beside(state.width, config);
	if (state.ledger && capacity) {
		rspb_job_each(job_recover, &state);
		state.booked += rspb_door_recover(state.ledger, now);
		rspb_resv_each(now, orphan_look, &state);
		rspb_ledger_resize(state.ledger, capacity);
	}
	rspb_section_leave(&section);
	free(capacity);
	if (!state.ledger || !capacity) {
		rspb_ledger_destroy(state.ledger);
		free(dedicated);
		return rspb_fail(err, "no memory for the ledger");
	}
	repair(&state);
	refresh_all(state.ledger, before && before != table ? dedicated : NULL,
		    now);
	rspb_log_info("ledger for %u nodes: %zu bookings kept, %zu lost, %zu "
		      "jobs wait, %zu reservations without a job removed",
		      state.width, state.booked, state.lost, state.n,
		      state.n_orphans);
	rspb_book_reset(state.ledger, dedicated, table);
	free(state.back);
	free(state.orphans);
	return 0;
}

void rspb_recover_room(int64_t now)
{
	struct rspb_section section;
	struct rspb_resv room;
	bool there;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "room"))
		return;
	there = rspb_resv_find(RSPB_WAITING_ROOM, now, &room);
	rspb_section_leave(&section);
	if (there || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "room"))
		return;
	room_make(now);
	rspb_section_leave(&section);
}

void rspb_recover_close_room(void)
{
	/* No section: those are refused while slurmctld stops, and this is
	 * the one thing left to do then, before it saves its state. */
	if (!rspb_ctld_recovered())
		return;
	rspb_ctld_lock(RSPB_LOCK_WRITE);
	/* Slurm itself refuses while somebody waits in it. */
	rspb_resv_delete(RSPB_WAITING_ROOM, NULL);
	rspb_ctld_unlock(RSPB_LOCK_WRITE);
}
