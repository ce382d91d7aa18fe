/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/sim.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "common/json.h"
#include "common/schedule.h"
#include "contrib/sim/model.h"
#include "contrib/sim/swf.h"
#include "tests/unit/random_draw.h"
#include "tests/unit/runner.h"

/* Known answers of xoshiro256** seeded by splitmix64(1). */
START_TEST(seeds_mean_the_same_everywhere)
{
	struct sim_random random;

	sim_random_seed(&random, 1);
	ck_assert(random.state[0] == UINT64_C(0x910a2dec89025cc1));
	ck_assert(random.state[1] == UINT64_C(0xbeeb8da1658eec67));
	ck_assert(sim_random_next(&random) == UINT64_C(0xb3f2af6d0fc710c5));
}
END_TEST

START_TEST(distributions_have_their_means)
{
	enum { DRAWS = 200000 };
	struct sim_random random;
	double gamma = 0, normal = 0, exponential = 0, whole = 0;

	sim_random_seed(&random, 7);
	for (int i = 0; i < DRAWS; i++) {
		gamma += sim_random_gamma(&random, 4.2, 0.94) / DRAWS;
		normal += sim_random_normal(&random, 3, 2) / DRAWS;
		exponential += sim_random_exponential(&random, 5) / DRAWS;
		whole += (double) sim_random_whole(&random, -3, 10) / DRAWS;
	}
	ck_assert_double_eq_tol(gamma, 4.2 * 0.94, 0.02);
	ck_assert_double_eq_tol(normal, 3, 0.02);
	ck_assert_double_eq_tol(exponential, 5, 0.05);
	ck_assert_double_eq_tol(whole, 3.5, 0.04);
}
END_TEST

static int parse(struct sim_swf *swf, const char *text, uint32_t nodes,
		 struct rspb_err *err)
{
	FILE *in = fmemopen((void *) (uintptr_t) text, strlen(text), "r");
	int rc = sim_swf_parse(swf, in, "trace", nodes, err);

	fclose(in);
	return rc;
}

START_TEST(traces_with_faults_are_read)
{
	static const char text[] =
		"; Version: 2.2\r\n;MaxNodes: 64\n; MaxProcs: 128\n"
		"1 100 0 50 4 -1 -1 8 200 -1 1 1 1 -1 1 -1 -1 -1\r\n"
		"\n"
		"2 40 0 50 4\n"			/* before the one above */
		"3 50 0 -1 4 -1 -1 4 -1 -1 1 1 1 1 1 1 1 1\n"
		"4 60 0 10 -1 -1 -1 -1 20\n"
		"5 70 0 10 4000 -1 -1 -1 20\n"
		"6 -1 0 10 4\n"
		"7 80\n"
		"lost\n"
		"8 100 0 0.5 1\n";
	struct sim_swf swf;
	struct rspb_err err;

	ck_assert_int_eq(parse(&swf, text, 0, &err), 0);
	ck_assert_uint_eq(swf.nodes, 128);
	ck_assert_uint_eq(swf.n, 3);
	ck_assert_uint_eq(swf.unordered, 1);
	ck_assert_int_eq(swf.jobs[0].submit, 40);
	ck_assert_int_eq(swf.jobs[0].duration, 50);
	ck_assert_uint_eq(swf.jobs[0].nodes, 4);
	ck_assert_int_eq(swf.jobs[1].duration, 200);
	ck_assert_uint_eq(swf.jobs[1].nodes, 8);
	ck_assert_int_eq(swf.jobs[2].duration, 1);
	ck_assert_uint_eq(swf.skipped[SIM_SWF_DURATION], 1);
	ck_assert_uint_eq(swf.skipped[SIM_SWF_SIZE], 1);
	ck_assert_uint_eq(swf.skipped[SIM_SWF_WIDE], 1);
	ck_assert_uint_eq(swf.skipped[SIM_SWF_TIME], 1);
	ck_assert_uint_eq(swf.skipped[SIM_SWF_FIELDS], 2);
	sim_swf_fini(&swf);
	ck_assert_int_lt(parse(&swf, "; nothing\n1 2\n", 0, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "no job"));
}
END_TEST

/* What a controller would have written while it decided. */
static void write_journal(FILE *out, bool forged)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_policy policy;
	uint64_t seed = 3, id = 0;

	ck_assert_int_eq(sim_preset_policy("live", &policy, NULL), 0);
	fputs("{\"machine\":{\"nodes\":8,\"preset\":\"live\"}}\n", out);
	for (int64_t now = 0; now < 400; now += draw(&seed, 5, 30)) {
		struct rspb_record record = {
			.kind = RSPB_REC_ADVANCE, .time = now
		};
		struct rspb_request *requests[3];
		struct rspb_booking *decided[3];
		char *text;

		for (int i = 0; i < 3; i++) {
			int64_t length = draw(&seed, 5, 60);
			int64_t ready = now + draw(&seed, 0, 40);

			requests[i] = sim_workload_job(++id, now, ready,
				length, ready + length + draw(&seed, 0, 50),
				(uint32_t) draw(&seed, 1, 8));
			text = rspb_request_to_json(requests[i]);
			fprintf(out, "{\"request\":%s}\n", text);
			free(text);
		}
		ck_assert_int_eq(rspb_ledger_apply(ledger, &record, NULL), 0);
		ck_assert_int_eq(rspb_schedule_batch(ledger, &policy,
			(const struct rspb_request *const *) requests, 3, now,
			decided, NULL), 0);
		fprintf(out, "{\"decide\":{\"now\":%ld}}\n", (long) now);
		for (int i = 0; i < 3; i++) {
			if (forged && id == 6 && decided[i]->n_grants) {
				decided[i]->start += 1000;
				decided[i]->end += 1000;
				decided[i]->request->deadline += 1000;
			}
			text = rspb_booking_to_json(decided[i]);
			fprintf(out, "{\"booking\":%s}\n", text);
			if (decided[i]->n_grants)
				fprintf(out, "{\"book\":%s}\n", text);
			free(text);
			rspb_booking_destroy(decided[i]);
			rspb_request_destroy(requests[i]);
		}
	}
	rspb_ledger_destroy(ledger);
}

static int replay(bool forged, const char *extra)
{
	char path[] = "/tmp/rspb-journal-XXXXXX";
	char *argv[] = { (char *) "journal", path, NULL };
	int fd = mkstemp(path), rc;
	FILE *out = fdopen(fd, "w");

	ck_assert_ptr_nonnull(out);
	write_journal(out, forged);
	fputs(extra, out);
	fclose(out);
	rc = sim_journal_main(2, argv);
	unlink(path);
	return rc;
}

START_TEST(a_journal_replayed_decides_the_same)
{
	ck_assert_int_eq(replay(false, ""), SIM_OK);
	ck_assert_int_eq(replay(true, ""), SIM_TROUBLE);
	ck_assert_int_eq(replay(false, "{\"what\":1}\n"), SIM_BAD_INPUT);
	ck_assert_int_eq(replay(false, "{\"request\":{\"id\":1}}\n"),
			 SIM_BAD_INPUT);
}
END_TEST

/* A workload is the same for every policy, and a policy decides the same
 * whenever it is asked. */
START_TEST(runs_repeat)
{
	static const char *const names[] = { "lublin", "min", "fair", "vrc",
		"tarr" };
	static const char *const presets[] = { "li-pe-worst", "co-rspb",
		"afto", "vrc", "tarr" };
	static const char *const small[] = { "jobs=300", "requests=200",
		"tasks=8", "requests=200", "tasks=50" };

	for (size_t i = 0; i < 5; i++) {
		const struct sim_model *model = sim_model_find(names[i]);
		struct sim_metrics runs[2];
		struct sim_params params;
		struct rspb_err err;

		sim_params_defaults(model, &params);
		ck_assert_int_eq(sim_params_set(model, &params, small[i],
						&err), 0);
		for (int k = 0; k < 2; k++) {
			sim_metrics_clear(&runs[k]);
			ck_assert_int_eq(model->run(&params, 11, presets[i],
				NULL, &runs[k], &err), 0);
		}
		for (int m = 0; m < SIM_METRICS; m++)
			ck_assert(runs[0].value[m] == runs[1].value[m] ||
				  isnan(runs[0].value[m]));
		ck_assert_int_lt(sim_params_set(model, &params, "bogus=1",
						&err), 0);
		ck_assert_int_lt(sim_params_set(model, &params, "", &err), 0);
	}
}
END_TEST

static Suite *make_suite(void)
{
	const TTest *const tests[] = {
		seeds_mean_the_same_everywhere,
		distributions_have_their_means, traces_with_faults_are_read,
		a_journal_replayed_decides_the_same, runs_repeat,
	};

	return suite_of("sim", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(make_suite)
