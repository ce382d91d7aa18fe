/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For how long jobs hold their nodes: one that is suspended, or will be by what is
 * booked, one that began in the future as the clock was set back. slurmctld and the book are stand-ins. */
#include "plugins/ctld/book/occupancy.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "plugins/compat/colocate.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/preempt/preempt.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/record/durable.h"
#include "tests/unit/runner.h"

enum { NODES = 4, NOW = 1795000000, KILL_WAIT = 5, MOST = 4 };

/* --- slurmctld: these jobs, each on the node of its number ------------------- */

static struct rspb_job jobs[MOST + 1];
static struct rspb_ledger *book;
static struct rspb_block blocks[MOST];

bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	*out = jobs[id];
	return out->id;
}

/* Those with a number above two share the first node; the last has another one, too. */
bool rspb_job_nodes(const struct rspb_job *job, enum rspb_job_nodes which, struct rspb_nodeset *out)
{
	rspb_nodeset_add(out, job->id > 2 ? 0 : job->id - 1);
	if (job->id == MOST)
		rspb_nodeset_add(out, NODES - 1);
}

static bool preempts = true;

/* That one, too, goes on behind what it is stopped for. */
bool rspb_preempt_suspends(const struct rspb_job *victim)
{
	return victim->id == MOST;
}

void rspb_job_licenses(const struct rspb_job *job, struct rspb_quotas *quotas)
{
	(void) job;
	(void) quotas;
}

void rspb_durable_note(const char *kind, struct json_object *value, int64_t now)
{
	(void) kind;
	(void) now;
	json_object_put(value);
}

struct rspb_slurm_conf rspb_slurm_conf(void)
{
	return (struct rspb_slurm_conf){ .kill_wait = KILL_WAIT, .preempts = preempts };
}

bool rspb_colocate_job(const struct rspb_job *job, uint32_t node, uint32_t percent,
		       uint64_t *memory)
{
	(void) job;
	(void) node;
	(void) percent;
	(void) memory;
	return false;
}

uint32_t rspb_cores_used(const struct rspb_job *job, uint32_t node, struct rspb_quotas *quotas)
{
	(void) job;
	(void) node;
	(void) quotas;
	return 0;
}

/* --- the book ---------------------------------------------------------------- */

uint32_t rspb_cores_reserved(const struct rspb_resv *resv, uint32_t node,
			     struct rspb_quotas *quotas)
{
	(void) resv;
	(void) node;
	(void) quotas;
	return 0;
}

bool rspb_resv_find_id(uint32_t id, int64_t now, struct rspb_resv *out)
{
	(void) id;
	(void) now;
	(void) out;
	return false;
}

const struct rspb_ledger *rspb_book_ledger(void)
{
	return book;
}

const struct rspb_booking *rspb_reserved_find(uint32_t number)
{
	(void) number;
	return NULL;
}

bool rspb_section_spent(const struct rspb_section *section)
{
	(void) section;
	return false;
}

struct rspb_block *rspb_occupancy_add(struct rspb_occupancy *occ, int64_t start, int64_t end)
{
	struct rspb_block *block = &occ->blocks[occ->n++];

	*block = (struct rspb_block){ .start = start,
				      .end = end,
				      .nodes = rspb_nodeset_create(NODES) };
	return block;
}

void rspb_occupancy_hold(struct rspb_occupancy *occupancy, int64_t start, int64_t end,
			 const struct rspb_quotas *quotas, uint32_t on, uint32_t owner)
{
	(void) on;
	(void) owner;
	(void) occupancy;
	(void) start;
	(void) end;
	(void) quotas;
}

void rspb_occupancy_beside(struct rspb_occupancy *occupancy, struct rspb_block *block,
			   const struct rspb_nodeset *room)
{
	(void) occupancy;
	(void) block;
	(void) room;
}

/* --- tests ------------------------------------------------------------------- */

static void runs(uint32_t id, int64_t end)
{
	jobs[id] = (struct rspb_job){
		.id = id, .leader = id, .phase = RSPB_JOB_RUNNING, .start = NOW - 60, .end = end
	};
}

static void begin(void)
{
	for (size_t i = 0; i <= MOST; i++)
		jobs[i] = (struct rspb_job){ .id = 0 };
	book = rspb_ledger_create(NODES, NULL, NOW);
	ck_assert_ptr_nonnull(book);
}

/* RET how many blocks there are. */
static size_t look(void)
{
	int64_t until[NODES] = { 0 };
	struct rspb_occupancy occ = {
		.width = NODES, .now = NOW, .horizon = NOW + 86400, .blocks = blocks, .until = until
	};
	const uint32_t ids[] = { 1, 2, 3, 4 };
	size_t i = 0;

	rspb_occupancy_some(&occ, ids, MOST, &i, NULL);
	ck_assert_uint_eq(i, MOST);
	return occ.n;
}

static void end(void)
{
	for (size_t i = 0; i < MOST; i++) {
		rspb_nodeset_destroy(blocks[i].nodes);
		blocks[i] = (struct rspb_block){ .start = 0 };
	}
	rspb_ledger_destroy(book);
}

START_TEST(a_suspended_one_comes_behind)
{
	begin();
	runs(1, NOW + 55);
	jobs[1].suspended = true;
	runs(2, NOW + 100);
	runs(3, NOW + 200);
	ck_assert_uint_eq(look(), 3);
	ck_assert_int_eq(blocks[0].end, NOW + 200 + KILL_WAIT + 55 + KILL_WAIT);
	ck_assert_int_eq(blocks[1].end, NOW + 100 + KILL_WAIT);
	ck_assert_int_eq(blocks[2].end, NOW + 200 + KILL_WAIT);
	end();
}
END_TEST

START_TEST(whom_somebody_suspended_does_not)
{
	begin();
	runs(1, NOW + 55);
	jobs[1].suspended = jobs[1].suspended_held = true;
	runs(3, NOW + 200);
	ck_assert_uint_eq(look(), 2);
	ck_assert_int_eq(blocks[0].end, NOW + 55 + KILL_WAIT);
	end();
}
END_TEST

/* Booked for the first node, from start on. */
static void is_booked(uint32_t id, int64_t start, bool active)
{
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_booking *booking;
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = NOW, .id = id };

	request->id = id;
	request->parts[0].nodes = 1;
	request->duration = 600;
	request->ready = start;
	request->deadline = start + 600;
	booking = rspb_booking_create(request);
	rspb_request_destroy(request);
	ck_assert_int_eq(rspb_booking_grant(booking, NODES, NULL), 0);
	rspb_nodeset_add(booking->grants[0].nodes, 0);
	booking->state = active ? RSPB_ACTIVE : RSPB_BOOKED;
	booking->start = start;
	booking->end = start + 600;
	record.booking = booking;
	ck_assert_int_eq(rspb_ledger_apply(book, &record, NULL), 0);
	rspb_booking_destroy(booking);
}

START_TEST(a_booked_one_holds_its_nodes_from_now_on)
{
	begin();
	runs(1, NOW + 300 + 600);
	is_booked(1, NOW + 300, true);
	ck_assert_uint_eq(look(), 1);
	ck_assert_int_eq(blocks[0].start, NOW);
	ck_assert_int_eq(blocks[0].end, NOW + 300);
	ck_assert(rspb_nodeset_has(blocks[0].nodes, 0));
	end();
}
END_TEST

START_TEST(else_the_ledger_has_it)
{
	begin();
	runs(1, NOW + 540);
	is_booked(1, NOW - 60, true);
	/* Preempted by what is booked. */
	runs(3, NOW + 50);
	jobs[3].suspended = true;
	ck_assert_uint_eq(look(), 1);
	ck_assert_int_eq(blocks[0].end, NOW + 540 + 50 + KILL_WAIT);
	end();
}
END_TEST

/* What the blocks are in a ledger that is planned on: the i-th is on that node within
 * these seconds. */
static void lies(const struct rspb_ledger *basis, size_t i, uint32_t node, int64_t from,
		 int64_t until)
{
	int64_t start, over;
	bool beside;
	const struct rspb_nodeset *nodes = rspb_ledger_block_at(basis, i, &start, &over, &beside);

	ck_assert_uint_eq(rspb_ledger_block_owner(basis, i), MOST);
	ck_assert_uint_eq(rspb_nodeset_count(nodes), 1);
	ck_assert(rspb_nodeset_has(nodes, node));
	ck_assert_int_eq(start - NOW, from);
	ck_assert_int_eq(over - NOW, until);
}

static void blocks_in(struct rspb_ledger *basis, size_t n)
{
	const struct rspb_occupancy occ = {
		.width = NODES, .now = NOW, .horizon = NOW + 86400, .n = n, .blocks = blocks
	};

	ck_assert_int_eq(rspb_occupancy_block(&occ, basis, NULL), 0);
}

START_TEST(one_that_is_suspended_for_bookings_goes_on_behind)
{
	begin();
	runs(MOST, NOW + 1000);
	is_booked(8, NOW + 100, false);
	is_booked(9, NOW + 800, false);
	blocks_in(book, look());
	ck_assert_uint_eq(rspb_ledger_blocks(book), 4);
	lies(book, 0, 0, 0, 100);
	lies(book, 1, 0, 700, 800);
	lies(book, 2, 0, 1400, 1000 + KILL_WAIT + 1200);
	lies(book, 3, NODES - 1, 0, 1000 + KILL_WAIT + 1200);
	end();
}
END_TEST

START_TEST(so_does_one_that_is_suspended_already)
{
	begin();
	runs(3, NOW + 300);
	runs(MOST, NOW + 500);
	jobs[MOST].suspended = true;
	is_booked(8, NOW + 310, false);
	blocks_in(book, look());
	/* The other one's; then 5 s of its own, and 500 behind the booking. */
	ck_assert_uint_eq(rspb_ledger_blocks(book), 4);
	lies(book, 1, 0, 0, 310);
	lies(book, 2, 0, 910, 910 + 500);
	end();
}
END_TEST

START_TEST(one_that_ends_for_them_does_not)
{
	begin();
	runs(1, NOW + 1000);
	is_booked(8, NOW + 100, false);
	blocks_in(book, look());
	ck_assert_uint_eq(rspb_ledger_blocks(book), 1);
	end();
}
END_TEST

/* Without preemption a regular job has its nodes until its limit, whatever is booked there. */
START_TEST(one_within_its_limit_stays)
{
	int64_t start, over;
	bool beside;

	for (int i = 0; i < 2; i++) {
		preempts = i;
		begin();
		runs(1, NOW + 1000);
		is_booked(8, NOW + 100, false);
		blocks_in(book, look());
		rspb_ledger_block_at(book, 0, &start, &over, &beside);
		ck_assert_int_eq(over - NOW, preempts ? 100 : 1000 + KILL_WAIT);
		end();
	}
}
END_TEST

RUN_TESTS("occupancy", NULL, NULL, 0, a_suspended_one_comes_behind,
	  whom_somebody_suspended_does_not, a_booked_one_holds_its_nodes_from_now_on,
	  else_the_ledger_has_it, one_that_is_suspended_for_bookings_goes_on_behind,
	  so_does_one_that_is_suspended_already, one_that_ends_for_them_does_not,
	  one_within_its_limit_stays)
