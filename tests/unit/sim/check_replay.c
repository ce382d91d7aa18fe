/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A replay of many requests holds those that wait, not those that are decided. */
#include <malloc.h>
#include <time.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/policy/preset.h"
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

	sim_params_defaults(model->params, &params);
	ck_assert_int_eq(sim_model_set(model, &params, "jobs=20000", NULL), 0);
	ck_assert_int_eq(sim_model_set(model, &params, "nodes=10000", NULL), 0);
	ck_assert_int_eq(model->workload(&params, 1, &workload, NULL), 0);
	ck_assert_uint_eq(workload.n, JOBS);
	ck_assert_uint_eq(workload.nodes, NODES);
	read = held();
	/* 48 bytes a job, and what the array has to spare. */
	ck_assert_uint_lt(read - before, JOBS * 96);
	ck_assert_int_eq(sim_preset_policy("li-ff", &policy, NULL), 0);
	ck_assert_int_eq(sim_replay(&workload, &policy, note_most, &most, NULL), 0);
	/* A few hundred bookings of 4 kB, and the calendar. */
	ck_assert_uint_lt(most - read, 8u << 20);
	sim_workload_fini(&workload);
}
END_TEST

/* The least processor time of three runs of a preset. */
static double seconds(const struct sim_workload *workload, const char *preset)
{
	struct rspb_policy policy;
	double least = 1e9, took;
	clock_t began;

	ck_assert_int_eq(sim_preset_policy(preset, &policy, NULL), 0);
	for (int i = 0; i < 3; i++) {
		began = clock();
		ck_assert_int_eq(sim_replay(workload, &policy, NULL, NULL, NULL), 0);
		took = (double) (clock() - began) / CLOCKS_PER_SEC;
		least = took < least ? took : least;
	}
	return least;
}

/* Many wait in wide windows, and half of the requests do not fit. */
START_TEST(bookings_move_in_a_few_times_first_fits_time)
{
	static const char *const settings[] = { "jobs=3000", "artime=10", "deadline=10",
						"arrival=1.5" };
	const struct sim_model *model = sim_model_find("lublin");
	struct sim_workload workload = { .n = 0 };
	struct sim_params params;
	double first_fit;

	sim_params_defaults(model->params, &params);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		ck_assert_int_eq(sim_model_set(model, &params, settings[i], NULL), 0);
	ck_assert_int_eq(model->workload(&params, 1, &workload, NULL), 0);
	first_fit = seconds(&workload, "li-ff");
	ck_assert_double_lt(seconds(&workload, "flex"), 5 * first_fit);
	ck_assert_double_lt(seconds(&workload, "flex-tide"), 5 * first_fit);
	sim_workload_fini(&workload);
}
END_TEST

RUN_TESTS("replay", NULL, NULL, 0, memory_does_not_grow_with_the_requests,
	  bookings_move_in_a_few_times_first_fits_time)
