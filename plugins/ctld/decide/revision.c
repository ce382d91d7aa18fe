/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/revision.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/since.h"
#include "plugins/ctld/durable/durable.h"

static void item_fini(struct rspb_revision *item)
{
	rspb_booking_destroy(item->new);
	rspb_ask_fini(&item->ask);
	*item = (struct rspb_revision){ .new = NULL };
}

void rspb_revisions_fini(struct rspb_revisions *revisions)
{
	size_t i;

	for (i = 0; i < revisions->n; i++)
		item_fini(&revisions->items[i]);
	free(revisions->items);
	*revisions = (struct rspb_revisions){ .n = 0 };
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

static bool item_fill(struct rspb_revision *item,
		      const struct rspb_booking *old,
		      const struct rspb_booking *new)
{
	const struct rspb_kind *kind = rspb_kind_of(old->request);
	bool lost = rspb_state_final(new->state);

	/* It has begun since the plan was made, which left it as it was. */
	if (old->state == RSPB_ACTIVE && new->state == RSPB_BOOKED)
		return false;
	if ((lost && kind->never_lost) ||
	    !kind->involve(&item->ask, old->request))
		return false;
	if (lost)
		return true;
	item->new = rspb_booking_clone(new);
	item->elsewhere = !same_place(old, new);
	return item->new;
}

static void collect_all(struct rspb_revisions *revisions,
			const struct rspb_ledger *plan)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	const struct rspb_booking *old, *new;
	size_t i = 0;

	while ((old = rspb_ledger_next_changed(book, plan, &i, &new))) {
		struct rspb_revision *item = &revisions->items[revisions->n];

		if (item_fill(item, old, new))
			revisions->n++;
		else
			item_fini(item);
	}
}

int rspb_revisions_collect(struct rspb_revisions *revisions,
			   const struct rspb_ledger *plan, int64_t now,
			   struct rspb_err *err)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	struct rspb_section section;
	const struct rspb_booking *new;
	size_t i = 0, most = 0;

	*revisions = (struct rspb_revisions){ .planned_at = now,
					      .seen = rspb_ledger_seen(plan) };
	while (rspb_ledger_next_changed(book, plan, &i, &new))
		most++;
	if (!most)
		return 0;
	revisions->items = calloc(most, sizeof(*revisions->items));
	if (!revisions->items)
		return rspb_fail(err, "out of memory");
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "look"))
		return rspb_fail(err, "slurmctld is going down");
	collect_all(revisions, plan);
	section.items = revisions->n;
	rspb_section_leave(&section);
	for (i = 0; i < revisions->n; i++)
		rspb_ask_user(&revisions->items[i].ask);
	return 0;
}

void rspb_revision_number(struct rspb_booking *booking, int64_t now)
{
	if (booking->decided_at < booking->start)
		booking->decided_at = booking->start;
	booking->decided_at = now > booking->decided_at
				      ? now
				      : booking->decided_at + 1;
}

/* --- with the write lock held ------------------------------------------- */

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

static void note_change(struct rspb_revision *item,
			const struct rspb_booking *old)
{
	const struct rspb_booking *new = item->new;
	char before[96], after[96], window[RSPB_WINDOW_TEXT];

	size_text(old, before, sizeof(before));
	size_text(new, after, sizeof(after));
	rspb_report_window(new->start, new->end, NULL, window, sizeof(window));
	snprintf(item->said, sizeof(item->said), "%s, %s now, %s before",
		 window, after, before);
}

static bool still_so(const struct rspb_revision *item)
{
	enum rspb_job_phase phase = RSPB_JOB_PENDING;
	struct rspb_job job;
	uint32_t i;

	if (item->new && !item->elsewhere && item->new->state == RSPB_ACTIVE)
		phase = RSPB_JOB_RUNNING;
	for (i = 0; i < item->ask.n_jobs; i++)
		if (!rspb_job_find(item->ask.jobs[i], &job) ||
		    job.phase != phase || job.completing)
			return false;
	return true;
}

/* Whether what is new to it is still free. */
static bool still_free(const struct rspb_revision *item,
		       const struct rspb_booking *old, struct rspb_since *since)
{
	return !item->elsewhere || same_place(old, item->new) ||
	       rspb_since_leaves(since, item->new);
}

static int apply(struct rspb_revision *items, size_t n, int64_t now,
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

static void follow(const struct rspb_revision *item, int64_t now,
		   const struct rspb_config *config)
{
	if (item->new)
		rspb_log_info("booking %" PRIu64 ": %s: %s",
			      item->ask.request->id, item->said, item->why);
	rspb_kind_of(item->ask.request)
		->follow(&(struct rspb_followed){
			.ask = &item->ask,
			.booking = item->new,
			.elsewhere = item->elsewhere,
			.why = item->why,
			.now = now,
			.config = config,
		});
}

/* Look at all of them once more, and say what will be. */
static bool prepare(struct rspb_revision *items, size_t n,
		    struct rspb_since *since)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct rspb_booking *new = items[i].new;
		const struct rspb_booking *old = rspb_ledger_find(
			rspb_book_ledger(), items[i].ask.request->id);

		if (!old || rspb_state_final(old->state) ||
		    (new &&
		     old->state == RSPB_ACTIVE &&new->state == RSPB_BOOKED) ||
		    !still_so(&items[i]) ||
		    (new && !still_free(&items[i], old, since)))
			return false;
		if (!new)
			continue;
		rspb_revision_number(new, since->planned_at);
		note_change(&items[i], old);
	}
	return true;
}

/* Into the journal what the first n are about to become, or what they are still.
 * They go on without it: a booking that has lost its nodes needs others also
 * when a disk is full. */
static void note(const struct rspb_revision *items, size_t n, bool still,
		 int64_t now)
{
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "promise"))
		return;
	for (size_t i = 0; i < n; i++) {
		const struct rspb_ask *ask = &items[i].ask;
		const struct rspb_kind *kind = rspb_kind_of(ask->request);

		if (still && !items[i].lost && kind->withdraw)
			kind->withdraw(ask);
		else if (!still && items[i].new && kind->promise)
			kind->promise(ask, items[i].new);
		section.items++;
	}
	rspb_section_leave(&section);
	rspb_durable_sync(now, NULL);
}

void rspb_revisions_promise(struct rspb_revisions *revisions, size_t first,
			    size_t n, const char *why)
{
	struct rspb_revision *items = revisions->items + first;

	for (size_t i = 0; i < n; i++) {
		struct rspb_booking *new = items[i].new;

		if (!items[i].why[0])
			snprintf(items[i].why, sizeof(items[i].why), "%s", why);
		if (new)
			snprintf(new->reason, sizeof(new->reason), "%s",
				 items[i].why);
	}
	note(items, n, false, revisions->planned_at);
}

void rspb_revisions_withdraw(const struct rspb_revisions *revisions,
			     size_t first, size_t n)
{
	note(revisions->items + first, n, true, revisions->planned_at);
}

bool rspb_revisions_commit(struct rspb_revisions *revisions, size_t first,
			   size_t n, const char *why,
			   const struct rspb_config *config)
{
	struct rspb_revision *items = revisions->items + first;
	int64_t now = revisions->planned_at;
	struct rspb_since since;
	struct rspb_section section;
	struct rspb_err err = { "something has changed since it was planned" };
	bool done = false;
	size_t i;

	rspb_revisions_promise(revisions, first, n, why);
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "revise"))
		return false;
	rspb_since_init(&since, config, now, revisions->seen);
	done = prepare(items, n, &since) && !apply(items, n, now, &err);
	/* The ledger says so now; whoever is late sees what was. */
	for (i = 0; i < n; i++) {
		if (!done && !items[i].lost)
			continue;
		if (i && rspb_section_spent(&section)) {
			rspb_section_leave(&section);
			if (!rspb_section_enter(&section, RSPB_LOCK_WRITE,
						"revise"))
				goto out;
		}
		follow(&items[i], now, config);
		section.items++;
	}
	rspb_section_leave(&section);
	if (!done) {
		rspb_log_verbose("%s: %s", why, err.text);
		rspb_revisions_withdraw(revisions, first, n);
	}
out:
	rspb_since_fini(&since);
	return done;
}

bool rspb_revisions_commit_others(struct rspb_revisions *revisions, uint64_t id,
				  const char *why,
				  const struct rspb_config *config)
{
	struct rspb_revision *items = revisions->items, last;
	size_t n = revisions->n, i;

	for (i = 0; i + 1 < n && items[i].ask.request->id != id; i++)
		;
	if (n && items[i].ask.request->id == id) {
		last = items[--n];
		items[n] = items[i];
		items[i] = last;
	}
	return n && rspb_revisions_commit(revisions, 0, n, why, config);
}
