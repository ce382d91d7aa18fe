/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A replay of many requests holds those that wait, not those that are decided. */
#include <malloc.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/replay/preset.h"
#include "contrib/sim/replay/workload.h"
#include "tests/unit/runner.h"

enum { JOBS = 20000, NODES = 10000 };

static size_t held(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void note_most(const struct rspb_booking *booking, void *arg)
{
	size_t *most = arg, now = held();

	(void) booking;
	if (now > *most)
		*most = now;
}

START_TEST(memory_does_not_grow_with_the_requests)
{
	const struct sim_model *model = sim_model_find("lublin");
	struct sim_workload workload = { .n = 0 };
	struct sim_params params;
	struct rspb_policy policy;
	size_t before = held(), read, most = 0;

	sim_params_defaults(model, &params);
	ck_assert_int_eq(sim_params_set(model, &params, "jobs=20000", NULL), 0);
	ck_assert_int_eq(sim_params_set(model, &params, "nodes=10000", NULL),
			 0);
	ck_assert_int_eq(model->workload(&params, 1, &workload, NULL), 0);
	ck_assert_uint_eq(workload.n, JOBS);
	ck_assert_uint_eq(workload.nodes, NODES);
	read = held();
	/* 48 bytes a job, and what the array has to spare. */
	ck_assert_uint_lt(read - before, JOBS * 96);
	ck_assert_int_eq(sim_preset_policy("li-ff", &policy, NULL), 0);
	ck_assert_int_eq(sim_replay(&workload, &policy, note_most, &most, NULL),
			 0);
	/* A few hundred bookings of 4 kB, and the calendar. */
	ck_assert_uint_lt(most - read, 8u << 20);
	sim_workload_fini(&workload);
}
END_TEST

static Suite *make_suite(void)
{
	const TTest *const tests[] = { memory_does_not_grow_with_the_requests };

	return suite_of("replay", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(make_suite)
