/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has come since a plan was made is seen by that plan, however many others
 * were made meanwhile. slurmctld and the book are stand-ins. */
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/decide/basis.h"
#include "tests/unit/runner.h"

enum { NODES = 4, NOW = 1795000000, SOON = NOW + 30 };

static const struct rspb_config config = { .horizon = 86400 };
static struct rspb_ledger *book;

/* --- slurmctld: at most one job, which runs on the first node ---------------- */

static int64_t others;
static bool job_runs, starts_behind; /* where the walk has been already */

/* As a task of an array, whose number the others of it keep. */
static void a_job_starts(void)
{
	rspb_starts_note_task(5, 2);
	job_runs = true;
}

uint32_t rspb_job_of_task(uint32_t array, uint32_t task)
{
	return array == 5 && task == 2 ? 7 : 0;
}

struct rspb_ctld_counts rspb_ctld_counts(void)
{
	return (struct rspb_ctld_counts){ .others = others };
}

int64_t rspb_ctld_changed(unsigned what)
{
	(void) what;
	return NOW;
}

bool rspb_nodes_are(enum rspb_nodes_all what, const struct rspb_nodeset *nodes)
{
	return what == RSPB_NODES_USABLE || !job_runs || !rspb_nodeset_has(nodes, 0);
}

uint64_t rspb_node_fingerprint(void)
{
	return 1;
}

/* Nobody asks who they are. */
bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	(void) id;
	(void) out;
	ck_abort();
	return false;
}

int rspb_job_walk(rspb_job_mark_fn fn, bool (*rest)(void *arg), void *arg)
{
	(void) fn;
	(void) rest;
	(void) arg;
	ck_abort();
	return -1;
}

bool rspb_job_mark_find(uint32_t id, struct rspb_job_mark *out)
{
	*out = (struct rspb_job_mark){ .id = id, .placed = id == 7 };
	return true;
}

int rspb_walk_jobs(struct rspb_section *section, bool *inside, rspb_job_mark_fn fn, void *arg)
{
	const struct rspb_job_mark waits = { .id = 6 }, runs = { .id = 7, .placed = true };
	int rc = fn(&waits, arg);

	(void) section;
	*inside = true;
	if (!rc && job_runs)
		rc = fn(&runs, arg);
	if (starts_behind)
		a_job_starts();
	return rc;
}

static void block(struct rspb_occupancy *occupancy)
{
	occupancy->blocks = calloc(1, sizeof(*occupancy->blocks));
	occupancy->n = 1;
	occupancy->blocks[0].start = occupancy->now;
	occupancy->blocks[0].end = occupancy->now + 600;
	occupancy->blocks[0].job = 7;
	occupancy->blocks[0].nodes = rspb_nodeset_create(NODES);
	rspb_nodeset_add(occupancy->blocks[0].nodes, 0);
}

void rspb_occupancy_some(struct rspb_occupancy *occupancy, const uint32_t *ids, size_t n, size_t *i,
			 const struct rspb_section *section)
{
	(void) section;
	*i = n;
	if (n && ids[0] == 7)
		block(occupancy);
}

void rspb_occupancy_jobs(struct rspb_occupancy *occupancy, const uint32_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == 7 && job_runs)
			block(occupancy);
}

int rspb_occupancy_collect(struct rspb_occupancy *occupancy, struct rspb_err *err)
{
	(void) err;
	if (others && !occupancy->n)
		block(occupancy);
	return 0;
}

void rspb_occupancy_init(struct rspb_occupancy *occupancy, uint32_t width, int64_t now,
			 int64_t horizon)
{
	*occupancy = (struct rspb_occupancy){ .width = width, .now = now, .horizon = horizon };
}

void rspb_occupancy_fini(struct rspb_occupancy *occupancy)
{
	if (occupancy->n)
		rspb_nodeset_destroy(occupancy->blocks[0].nodes);
	free(occupancy->blocks);
}

int rspb_occupancy_block(const struct rspb_occupancy *occupancy, struct rspb_ledger *ledger,
			 struct rspb_err *err)
{
	const struct rspb_block *b = occupancy->blocks;

	return occupancy->n ? rspb_ledger_block(ledger, b->start, b->end, b->nodes, err) : 0;
}

const struct rspb_block *rspb_occupancy_hit(const struct rspb_occupancy *occupancy, int64_t start,
					    int64_t end, const struct rspb_nodeset *nodes,
					    bool share)
{
	const struct rspb_block *b = occupancy->blocks;

	(void) share;
	return occupancy->n && b->start < end && b->end > start &&
			       !rspb_nodeset_disjoint(b->nodes, nodes)
		       ? b
		       : NULL;
}

/* --- the broker -------------------------------------------------------------- */

const struct rspb_ledger *rspb_book_ledger(void)
{
	return book;
}

uint64_t rspb_book_table(void)
{
	return 1;
}

bool rspb_section_enter(struct rspb_section *section, enum rspb_lock lock, const char *what)
{
	(void) section;
	(void) lock;
	(void) what;
	return true;
}

void rspb_section_leave(struct rspb_section *section)
{
	(void) section;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) level;
	(void) fmt;
}

/* --- tests ------------------------------------------------------------------- */

/* RET one on the first node, from start on. */
static struct rspb_booking *decided(int64_t start)
{
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_booking *booking;

	request->id = 12;
	request->parts[0].nodes = 1;
	request->duration = 60;
	booking = rspb_booking_create(request);
	rspb_request_destroy(request);
	ck_assert_int_eq(rspb_booking_grant(booking, NODES, NULL), 0);
	rspb_nodeset_add(booking->grants[0].nodes, 0);
	booking->state = RSPB_BOOKED;
	booking->start = start;
	booking->end = start + 60;
	return booking;
}

static struct rspb_ledger *plan(void)
{
	struct rspb_ledger *basis = rspb_basis_make(&config, NOW);

	ck_assert_ptr_nonnull(basis);
	return basis;
}

/* RET the first, beside nobody. */
static struct rspb_ledger *begin(void)
{
	book = rspb_ledger_create(NODES, NULL, NOW);
	ck_assert_ptr_nonnull(book);
	others = 0;
	job_runs = starts_behind = false;
	rspb_placed_reset();
	return plan();
}

static bool leaves(const struct rspb_ledger *basis, int64_t start)
{
	struct rspb_booking *booking = decided(start);
	struct rspb_since since;
	bool free;

	rspb_since_init(&since, &config, NOW, rspb_ledger_seen(basis));
	free = rspb_since_leaves(&since, booking);
	rspb_since_fini(&since);
	rspb_booking_destroy(booking);
	return free;
}

START_TEST(what_has_started_is_seen)
{
	struct rspb_ledger *basis = begin();

	ck_assert(leaves(basis, SOON));
	ck_assert(leaves(basis, NOW + 300));
	a_job_starts();
	ck_assert(!leaves(basis, SOON));
	ck_assert(!leaves(basis, NOW + 300));
	ck_assert(leaves(basis, NOW + 600));
	rspb_ledger_destroy(basis);
	rspb_ledger_destroy(book);
}
END_TEST

START_TEST(also_behind_another_plan)
{
	struct rspb_ledger *basis = begin(), *copy, *later;

	a_job_starts();
	later = plan();
	copy = rspb_ledger_clone(basis);
	ck_assert(!leaves(basis, NOW + 300));
	ck_assert(!leaves(copy, NOW + 300));
	ck_assert_uint_eq(rspb_ledger_seen(later).starts, rspb_ledger_seen(basis).starts + 1);
	rspb_ledger_destroy(later);
	rspb_ledger_destroy(copy);
	rspb_ledger_destroy(basis);
	rspb_ledger_destroy(book);
}
END_TEST

START_TEST(so_are_reservations)
{
	struct rspb_ledger *basis = begin(), *later;

	others = 1;
	job_runs = true;
	later = plan();
	ck_assert(!leaves(basis, NOW + 300));
	rspb_ledger_destroy(later);
	rspb_ledger_destroy(basis);
	rspb_ledger_destroy(book);
}
END_TEST

/* Jobs are listed a millisecond at a time, and one that is listed starts. */
START_TEST(so_is_who_starts_while_jobs_are_listed)
{
	struct rspb_ledger *basis = begin(), *later;

	starts_behind = true;
	rspb_placed_reset();
	later = plan();
	ck_assert(!leaves(later, NOW + 300));
	ck_assert(leaves(later, NOW + 600));
	rspb_ledger_destroy(later);
	rspb_ledger_destroy(basis);
	rspb_ledger_destroy(book);
}
END_TEST

START_TEST(nobody_may_have_started_unseen)
{
	struct rspb_ledger *basis = begin();

	a_job_starts();
	for (uint32_t i = 1; i < RSPB_STARTS_MOST; i++)
		rspb_starts_note(i % 2 ? 7 : 8);
	ck_assert(leaves(basis, NOW + 600));
	rspb_starts_note(8);
	ck_assert(!leaves(basis, NOW + 600));
	rspb_ledger_destroy(basis);
	rspb_ledger_destroy(book);
}
END_TEST

RUN_TESTS("since", NULL, NULL, 0, what_has_started_is_seen, also_behind_another_plan,
	  so_are_reservations, so_is_who_starts_while_jobs_are_listed,
	  nobody_may_have_started_unseen)
