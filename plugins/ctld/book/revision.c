/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/book/revision.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/jobs/commit.h"
#include "plugins/ctld/operators/operator.h"
#include "plugins/ctld/shares/message.h"
#include "plugins/ctld/watch/recover.h"

static void item_fini(struct rspb_settle_item *item)
{
	rspb_booking_destroy(item->new);
	rspb_request_destroy(item->ask.request);
	free(item->ask.jobs);
	free(item->ask.contracts);
	*item = (struct rspb_settle_item){ .new = NULL };
}

void rspb_settle_fini(struct rspb_settlement *settlement)
{
	size_t i;

	for (i = 0; i < settlement->n; i++)
		item_fini(&settlement->items[i]);
	free(settlement->items);
	*settlement = (struct rspb_settlement){ .n = 0 };
}

static bool same_place(const struct rspb_booking *a,
		       const struct rspb_booking *b)
{
	uint32_t i;

	for (i = 0; i < a->n_grants; i++)
		if (!rspb_nodeset_equal(a->grants[i].nodes, b->grants[i].nodes))
			return false;
	return a->start == b->start && a->end == b->end;
}

/* Wants the write lock. RET false: its jobs are not there as they should. */
static bool ask_fill(struct rspb_ask *ask, const struct rspb_request *request)
{
	uint32_t n = request->n_parts, i;
	struct rspb_job job;

	ask->request = rspb_request_clone(request);
	ask->n_jobs = n;
	ask->jobs = calloc(n, sizeof(*ask->jobs));
	ask->contracts = calloc(n, sizeof(*ask->contracts));
	if (!ask->request || !ask->jobs || !ask->contracts ||
	    !rspb_job_find(request->id, &job) ||
	    rspb_job_components(&job, ask->jobs, n) != n)
		return false;
	for (i = 0; i < n; i++)
		if (!rspb_job_find(ask->jobs[i], &job) || !job.contract ||
		    rspb_contract_parse(job.contract, &ask->contracts[i], NULL))
			return false;
	return true;
}

static bool item_fill(struct rspb_settle_item *item,
		      const struct rspb_booking *old,
		      const struct rspb_booking *new)
{
	if (rspb_door_is(old->request->id)) {
		/* A reservation of an operator is never given up for others. */
		item->ask.request = rspb_request_clone(old->request);
		if (!item->ask.request || rspb_state_final(new->state))
			return false;
	} else if (!ask_fill(&item->ask, old->request)) {
		return false;
	}
	if (rspb_state_final(new->state))
		return true;
	item->new = rspb_booking_clone(new);
	item->remake = !same_place(old, new);
	return item->new;
}

static void collect_all(struct rspb_settlement *settlement,
			const struct rspb_ledger *plan)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	size_t i;

	for (i = 0; i < rspb_ledger_count(book); i++) {
		const struct rspb_booking *old = rspb_ledger_at(book, i);
		const struct rspb_booking *new = rspb_ledger_changed(old, plan);
		struct rspb_settle_item *item =
			&settlement->items[settlement->n];

		if (!new)
			continue;
		if (item_fill(item, old, new))
			settlement->n++;
		else
			item_fini(item);
	}
}

int rspb_settle_collect(struct rspb_settlement *settlement,
			const struct rspb_ledger *plan, int64_t now,
			struct rspb_err *err)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	struct rspb_section section;
	size_t i, most = 0;

	*settlement = (struct rspb_settlement){ .planned_at = now };
	for (i = 0; i < rspb_ledger_count(book); i++)
		most += rspb_ledger_changed(rspb_ledger_at(book, i), plan) !=
			NULL;
	if (!most)
		return 0;
	settlement->items = calloc(most, sizeof(*settlement->items));
	if (!settlement->items)
		return rspb_fail(err, "out of memory");
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "look"))
		return rspb_fail(err, "slurmctld is going down");
	collect_all(settlement, plan);
	section.items = settlement->n;
	rspb_section_leave(&section);
	for (i = 0; i < settlement->n; i++)
		rspb_intake_user(&settlement->items[i].ask);
	return 0;
}

void rspb_settle_number(struct rspb_booking *booking, int64_t now)
{
	if (booking->decided_at < booking->start)
		booking->decided_at = booking->start;
	booking->decided_at = now > booking->decided_at
				      ? now
				      : booking->decided_at + 1;
}

/* --- with the write lock held ------------------------------------------- */

static void tell_share(const struct rspb_booking *booking, uint32_t part,
		       uint32_t id)
{
	char text[RSPB_CONTRACT_TEXT], name[RSPB_RESV_NAME];
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_job_find(id, &job) || !job.contract ||
	    rspb_contract_parse(job.contract, &contract, NULL))
		return;
	if (contract.flags.share) {
		const struct rspb_part *asked = &booking->request->parts[part];

		contract.flags.share = asked->share;
		contract.flags.share_min = asked->share_min < asked->share
						   ? asked->share_min
						   : 0;
	}
	rspb_report_contract(booking, part, &contract);
	rspb_contract_print(&contract, text, sizeof(text));
	rspb_job_set_contract(id, text, NULL);
	rspb_commit_name(booking->request->id, part, booking->request->n_parts,
			 name, sizeof(name));
	rspb_resv_set_tag(name, text);
}

void rspb_settle_share(const struct rspb_booking *booking, const uint32_t *ids,
		       uint32_t n, const struct rspb_config *config)
{
	uint32_t i;

	if (booking->state == RSPB_ACTIVE)
		rspb_grant_send(booking, ids, n, config);
	for (i = 0; i < n; i++)
		tell_share(booking, i, ids[i]);
}

static void to_waiting_room(const struct rspb_ask *ask)
{
	uint32_t i;

	for (i = 0; i < ask->n_jobs; i++)
		rspb_job_attach(ask->jobs[i], RSPB_WAITING_ROOM, 0, NULL);
	rspb_commit_release(ask->request->id, ask->n_jobs);
}

/* It waits for a decision again. */
static void lose(const struct rspb_ask *ask, const char *why)
{
	rspb_log_info("booking %" PRIu64 " is given up: %s", ask->request->id,
		      why);
	to_waiting_room(ask);
	rspb_recover_send_back(ask->jobs[0], why);
	rspb_wake_up(RSPB_WAKE_SUBMIT);
}

/* New reservations in place of the old ones. */
static void remake(const struct rspb_settle_item *item, int64_t now,
		   const struct rspb_config *config)
{
	const struct rspb_ask *ask = &item->ask;
	struct rspb_err err;
	uint32_t i;

	to_waiting_room(ask);
	for (i = 0; i < ask->n_jobs; i++) {
		if (!rspb_commit_part(ask, item->new, i, config, &err))
			continue;
		rspb_log_error("booking %" PRIu64 ": %s", ask->request->id,
			       err.text);
		rspb_book_event(ask->request->id, RSPB_EV_CANCEL, now, err.text,
				NULL);
		lose(ask, err.text);
		return;
	}
}

/* "1 of 2 nodes", "35% of each of 2 nodes". */
static void size_text(const struct rspb_booking *b, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);
	uint32_t i;

	for (i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *grant = &b->grants[i];

		rspb_text_add(&out, "%s%u node%s", i ? " : " : "",
			      rspb_nodeset_count(grant->nodes),
			      rspb_nodeset_count(grant->nodes) == 1 ? "" : "s");
		if (!grant->share)
			continue;
		rspb_text_add(&out, " with ");
		rspb_text_add_percent(&out, grant->share);
	}
}

static void note_change(struct rspb_settle_item *item,
			const struct rspb_booking *old)
{
	const struct rspb_booking *new = item->new;
	char before[96], after[96], window[RSPB_WINDOW_TEXT];

	size_text(old, before, sizeof(before));
	size_text(new, after, sizeof(after));
	rspb_report_window(new->start, new->end, window, sizeof(window));
	snprintf(item->said, sizeof(item->said), "%s, %s now, %s before",
		 window, after, before);
}

static bool still_so(const struct rspb_settle_item *item)
{
	enum rspb_job_phase phase = RSPB_JOB_PENDING;
	struct rspb_job job;
	uint32_t i;

	if (item->new && !item->remake && item->new->state == RSPB_ACTIVE)
		phase = RSPB_JOB_RUNNING;
	for (i = 0; i < item->ask.n_jobs; i++)
		if (!rspb_job_find(item->ask.jobs[i], &job) ||
		    job.phase != phase || job.completing)
			return false;
	return true;
}

/* Whether what is new to it is still free. */
static bool still_free(const struct rspb_settle_item *item,
		       const struct rspb_booking *old,
		       const struct rspb_occupancy *since)
{
	return !item->remake || rspb_commit_still_free(item->new, since) ||
	       same_place(old, item->new);
}

static int apply(struct rspb_settle_item *items, size_t n, int64_t now,
		 struct rspb_err *err)
{
	const struct rspb_booking **list = calloc(n + 1, sizeof(*list));
	struct rspb_record move = {
		.kind = RSPB_REC_MOVE,
		.time = now,
		.bookings = list,
	};
	int rc = list ? 0 : rspb_fail(err, "out of memory");
	size_t i;

	rspb_book_advance(now);
	for (i = 0; i < n && !rc; i++) {
		if (items[i].new)
			list[move.n_bookings++] = items[i].new;
		else
			rc = rspb_book_event(items[i].ask.request->id,
					     RSPB_EV_CANCEL, now, items[i].why,
					     err);
		items[i].lost = !rc && !items[i].new;
	}
	if (!rc && move.n_bookings)
		rc = rspb_book_apply(&move, err);
	free(list);
	return rc;
}

static void follow(const struct rspb_settle_item *item, int64_t now,
		   const struct rspb_config *config)
{
	if (item->new)
		rspb_log_info("booking %" PRIu64 ": %s: %s",
			      item->ask.request->id, item->said, item->why);
	if (rspb_door_is(item->ask.request->id))
		rspb_door_follow(item->new);
	else if (!item->new)
		lose(&item->ask, item->why);
	else if (item->remake)
		remake(item, now, config);
	else
		rspb_settle_share(item->new, item->ask.jobs, item->ask.n_jobs,
				  config);
}

/* Look at all of them once more, and say what will be. */
static bool prepare(struct rspb_settle_item *items, size_t n, const char *why,
		    const struct rspb_occupancy *since)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct rspb_booking *new = items[i].new;
		const struct rspb_booking *old = rspb_ledger_find(
			rspb_book_ledger(), items[i].ask.request->id);

		if (!items[i].why[0])
			snprintf(items[i].why, sizeof(items[i].why), "%s", why);
		if (!old || rspb_state_final(old->state) ||
		    !still_so(&items[i]) ||
		    (new && !still_free(&items[i], old, since)))
			return false;
		if (!new)
			continue;
		snprintf(new->reason, sizeof(new->reason), "%s", items[i].why);
		rspb_settle_number(new, since->now);
		note_change(&items[i], old);
	}
	return true;
}

bool rspb_settle_commit(struct rspb_settlement *settlement, size_t first,
			size_t n, const char *why,
			const struct rspb_config *config)
{
	struct rspb_settle_item *items = settlement->items + first;
	int64_t now = settlement->planned_at;
	struct rspb_occupancy since;
	struct rspb_section section;
	struct rspb_err err = { "something has changed since it was planned" };
	bool done = false;
	size_t i;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "settle"))
		return false;
	rspb_occupancy_init(&since, rspb_ledger_nodes(rspb_book_ledger()), now,
			    now + config->horizon + 1);
	done = !rspb_occupancy_collect(&since, now, &err) &&
	       prepare(items, n, why, &since) && !apply(items, n, now, &err);
	/* The ledger says so now; whoever is late sees what was. */
	for (i = 0; i < n; i++) {
		if (!done && !items[i].lost)
			continue;
		if (i && rspb_section_spent(&section)) {
			rspb_section_leave(&section);
			if (!rspb_section_enter(&section, RSPB_LOCK_WRITE,
						"settle"))
				goto out;
		}
		follow(&items[i], now, config);
		section.items++;
	}
	rspb_section_leave(&section);
	if (!done)
		rspb_log_verbose("%s: %s", why, err.text);
out:
	rspb_occupancy_fini(&since);
	return done;
}

bool rspb_settle_others(struct rspb_settlement *settlement, uint64_t id,
			const char *why, const struct rspb_config *config)
{
	struct rspb_settle_item *items = settlement->items, last;
	size_t n = settlement->n, i;

	for (i = 0; i + 1 < n && items[i].ask.request->id != id; i++)
		;
	if (n && items[i].ask.request->id == id) {
		last = items[--n];
		items[n] = items[i];
		items[i] = last;
	}
	return n && rspb_settle_commit(settlement, 0, n, why, config);
}
