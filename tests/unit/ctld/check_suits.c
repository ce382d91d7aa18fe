/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of one request that Slurm would have on other nodes do not meet where their GPUs are too
 * many. */
#include "plugins/ctld/decide/batch.h"

#include <stdlib.h>

#include "common/plan/schedule.h"
#include "common/policy/policy.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/occupancy.h"
#include "tests/unit/plan/requests.h"

enum { MACHINE = 4, CORES = 16, GPUS = 4, GPU = 7, BEST = 2, SECOND = 3 };

/* --- stand-ins --------------------------------------------------------------------- */

/* Slurm starts jobs on two of the nodes only, and prefers one of them. */
bool rspb_layout_pick(const struct rspb_job *job, const struct rspb_pick *pick,
		      const struct rspb_layout *layout, struct rspb_nodeset *out)
{
	(void) job;
	(void) layout;
	if (rspb_nodeset_has(pick->among, BEST))
		rspb_nodeset_add(out, BEST);
	else if (rspb_nodeset_has(pick->among, SECOND))
		rspb_nodeset_add(out, SECOND);
	return !rspb_nodeset_empty(out);
}

int rspb_placed_each(rspb_job_fn fn, void *arg)
{
	(void) fn;
	(void) arg;
	return 0;
}

bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	(void) id;
	(void) out;
	return false;
}

uint64_t rspb_node_fingerprint(void)
{
	return 0;
}

void rspb_breathe(void)
{
}

bool rspb_section_enter(struct rspb_section *section, enum rspb_lock kind, const char *what)
{
	(void) section;
	(void) kind;
	(void) what;
	return false;
}

void rspb_section_leave(struct rspb_section *section)
{
	(void) section;
}

/* --- tests ------------------------------------------------------------------------- */

/* Two parts of a node, each with three of its four GPUs. */
static struct rspb_request *two_parts(void)
{
	struct rspb_request *request = rspb_request_create(2);

	request->id = 1;
	request->ready = 0;
	request->duration = request->deadline = 600;
	for (int i = 0; i < 2; i++) {
		struct rspb_part *part = &request->parts[i];

		part->nodes = part->nodes_min = 1;
		part->whole = CORES * RSPB_SHARE_CORE;
		part->share = part->share_min = RSPB_SHARE_CORE;
		part->quotas = calloc(1, sizeof(*part->quotas));
		part->n_quotas = 1;
		part->quotas[0] = (struct rspb_quota){
			.key = GPU, .most = -1, .per_node = GPUS - 1, .name = "gpu"
		};
	}
	return request;
}

START_TEST(parts_that_move_keep_their_gpus)
{
	const int64_t cores = CORES * RSPB_SHARE_CORE;
	const int64_t capacity[MACHINE] = { cores, cores, cores, cores };
	const uint32_t gpus[MACHINE] = { GPUS, GPUS, GPUS, GPUS };
	struct rspb_ledger *ledger = rspb_ledger_create(MACHINE, capacity, 0);
	struct rspb_request *request = two_parts();
	const struct rspb_request *list[] = { request };
	struct rspb_policy policy = policy_of("live");
	const struct rspb_job draft = { .id = 1 };
	struct rspb_err err = { "" };
	struct rspb_booking *out;
	struct rspb_suits suits;

	ck_assert_int_eq(rspb_ledger_add_room(ledger, GPU, gpus), 0);
	rspb_suits_init_draft(&suits, &draft);
	suits.id = request->id;
	suits.starts_now = true;
	policy.judge = &suits.judge;
	ck_assert_msg(!rspb_schedule_batch(ledger, &policy, list, 1, 0, &out, &err), "%s",
		      err.text);
	ck_assert_msg(out->state == RSPB_BOOKED, "%s", rspb_booking_why(out));
	ck_assert(suits.took);
	ck_assert(rspb_nodeset_disjoint(out->grants[0].nodes, out->grants[1].nodes));
	rspb_suits_fini(&suits);
	rspb_booking_destroy(out);
	rspb_request_destroy(request);
	rspb_ledger_destroy(ledger);
}
END_TEST

RUN_TESTS("suits", NULL, NULL, 0, parts_that_move_keep_their_gpus)
