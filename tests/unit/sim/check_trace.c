/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces: files of the archive, and what sacct prints. */
#include <string.h>

#include "contrib/sim/replay/sacct_values.h"
#include "contrib/sim/replay/trace.h"
#include "tests/unit/runner.h"

static int parse(struct sim_trace *trace, const char *text, enum sim_trace_format format,
		 uint32_t nodes, struct rspb_err *err)
{
	FILE *in = fmemopen((void *) (uintptr_t) text, strlen(text), "r");
	int rc = sim_trace_parse(trace, in, "trace", format, nodes, 1, err);

	fclose(in);
	return rc;
}

START_TEST(traces_with_faults_are_read)
{
	static const char text[] = "; Version: 2.2\r\n;MaxNodes: 64\n; MaxProcs: 128\n"
				   "1 100 0 50 4 -1 -1 8 200 -1 1 1 1 -1 1 -1 -1 -1\r\n"
				   "\n"
				   "2 40 0 50 4\n" /* before the one above */
				   "3 50 0 -1 4 -1 -1 4 -1 -1 1 1 1 1 1 1 1 1\n"
				   "4 60 0 10 -1 -1 -1 -1 20\n"
				   "5 70 0 10 4000 -1 -1 -1 20\n"
				   "6 -1 0 10 4\n"
				   "7 80\n"
				   "lost\n"
				   "8 100 0 0.5 1\n";
	struct sim_trace trace;
	struct rspb_err err;

	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SWF, 0, &err), 0);
	ck_assert_uint_eq(trace.nodes, 128);
	ck_assert_uint_eq(trace.n, 3);
	ck_assert_uint_eq(trace.unordered, 1);
	ck_assert_int_eq(trace.jobs[0].submit, 40);
	ck_assert_int_eq(trace.jobs[0].duration, 50);
	ck_assert_uint_eq(trace.jobs[0].nodes, 4);
	ck_assert_int_eq(trace.jobs[1].duration, 200);
	ck_assert_uint_eq(trace.jobs[1].nodes, 8);
	ck_assert_int_eq(trace.jobs[2].duration, 1);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_DURATION], 1);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_SIZE], 1);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_WIDE], 1);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_TIME], 1);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_FIELDS], 2);
	sim_trace_fini(&trace);
	ck_assert_int_lt(parse(&trace, "; nothing\n1 2\n", SIM_TRACE_SWF, 0, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "no job"));
}
END_TEST

#define COLUMNS "JobID|Submit|Start|End|TimelimitRaw|NNodes|AllocCPUS|State\n"
#define DAY	"2026-03-01T"

/* One line of a job that ran from 9:00 to 10:00 on so many nodes. */
#define RAN(id, submit, limit, nodes)                                                              \
	id "|" DAY submit "|" DAY "09:00:00|" DAY "10:00:00|" limit "|" nodes "|64|COMPLETED\n"

START_TEST(sacct_is_read_by_its_header)
{
	/* Other columns, in another order, and times in seconds. */
	static const char text[] = "User|State|NNodes|TimelimitRaw|End|Start|Submit|JobIDRaw\r\n"
				   "ann|COMPLETED|3|60|1772359200|1772355600|1772352000|7\r\n";
	struct sim_trace trace;
	struct rspb_err err;

	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SACCT, 0, &err), 0);
	ck_assert_uint_eq(trace.n, 1);
	ck_assert_int_eq(trace.jobs[0].submit, 0);
	ck_assert_int_eq(trace.jobs[0].duration, 3600);
	ck_assert_int_eq(trace.jobs[0].waited, 3600);
	ck_assert_uint_eq(trace.jobs[0].nodes, 3);
	sim_trace_fini(&trace);
	ck_assert_int_lt(parse(&trace, "JobID|Submit\n", SIM_TRACE_SACCT, 0, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "trace:1: "));
	ck_assert_ptr_nonnull(strstr(err.text, "column Start"));
	/* Without AllocCPUS, sizes are no CPUs. */
	ck_assert_int_lt(parse(&trace, text, SIM_TRACE_SACCT_CPUS, 0, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "column AllocCPUS"));
	ck_assert_int_lt(parse(&trace, "", SIM_TRACE_SACCT, 0, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "no job"));
}
END_TEST

START_TEST(parts_of_a_heterogeneous_job_are_one)
{
	static const char text[] = COLUMNS RAN("5+0", "08:00:00", "60", "2")
		RAN("4_1", "08:01:00", "60", "1") RAN("5+1", "08:00:00", "90", "3")
			COLUMNS RAN("9+0", "08:02:00", "60", "1");
	struct sim_trace trace;
	struct rspb_err err;

	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SACCT, 0, &err), 0);
	ck_assert_uint_eq(trace.n, 3);
	ck_assert_uint_eq(trace.nodes, 7);
	ck_assert_uint_eq(trace.jobs[0].nodes, 5);
	ck_assert_int_eq(trace.jobs[0].duration, 5400);
	ck_assert_uint_eq(trace.jobs[1].nodes, 1);
	ck_assert_uint_eq(trace.jobs[2].nodes, 1);
	for (int i = 0; i < SIM_TRACE_FAULTS; i++)
		ck_assert_uint_eq(trace.skipped[i], 0);
	sim_trace_fini(&trace);
}
END_TEST

START_TEST(what_never_ran_is_counted)
{
	static const char text[] = COLUMNS
		"1|" DAY "08:00:00|Unknown|Unknown|60|2|0|PENDING\n"
		"2_[1-9%2]|" DAY "08:00:00|Unknown|Unknown|60|2|0|PENDING\n"
		"3|" DAY "08:00:00|None|" DAY "08:01:00|60|2|0|CANCELLED\n"
		"4|" DAY "08:00:00|" DAY "08:01:00|" DAY "08:01:00|60|2|0|CANCELLED by 7\n"
		"5|" DAY "08:00:00|" DAY "08:01:00|" DAY "08:02:00|60|2|8|REVOKED\n"
		"6.batch|" DAY "08:00:00|" DAY "08:01:00|" DAY "08:02:00||1|8|COMPLETED\n"
		"7|a|b|" DAY "08:00:00|" DAY "08:01:00|" DAY "08:02:00|1|8|COMPLETED\n"
		"x|" DAY "08:00:00|" DAY "08:01:00|" DAY "08:02:00|9|1|8|COMPLETED\n"
		"8|" DAY "25:00:00|" DAY "08:01:00|" DAY "08:02:00|9|1|8|COMPLETED\n"
		"9|" DAY "08:00:00|" DAY "08:01:00|" DAY "08:01:00|UNLIMITED|1|8|FAILED\n"
		"10|" DAY "08:00:00|" DAY "08:01:00|" DAY "08:02:00|9||8|COMPLETED\n"
		"11|" DAY "08:00:00|" DAY "08:01:00|Unknown|9|4|8|RUNNING\n"
		"12|" DAY "08:00:00|" DAY "08:01:00|" DAY "08:02:00|UNLIMITED|1|8|COMPLETED\n";
	struct sim_trace trace;
	struct rspb_err err;

	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SACCT, 4, &err), 0);
	ck_assert_uint_eq(trace.n, 2);
	ck_assert_int_eq(trace.jobs[0].duration, 540);
	ck_assert_int_eq(trace.jobs[1].duration, 60);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_WAITED], 5);
	ck_assert_uint_eq(trace.first_line[SIM_TRACE_WAITED], 2);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_STEP], 1);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_FIELDS], 2);
	ck_assert_uint_eq(trace.first_line[SIM_TRACE_FIELDS], 8);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_CLOCK], 1);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_DURATION], 1);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_SIZE], 1);
	sim_trace_fini(&trace);
}
END_TEST

START_TEST(the_machine_is_what_was_in_use_at_once)
{
	/* 9:00 to 10:00 twice, and what begins in the second they end. */
	static const char text[] = COLUMNS RAN("1", "08:00:00", "60", "3")
		RAN("2", "08:00:00", "60", "4") "3|" DAY "08:00:00|" DAY "10:00:00|" DAY
						"11:00:00|60|6|6|COMPLETED\n";
	struct sim_trace trace;
	struct rspb_err err;

	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SACCT, 0, &err), 0);
	ck_assert_uint_eq(trace.nodes, 7);
	sim_trace_fini(&trace);
	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SACCT, 5, &err), 0);
	ck_assert_uint_eq(trace.n, 2);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_WIDE], 1);
	sim_trace_fini(&trace);
	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SACCT_CPUS, 0, &err), 0);
	ck_assert_uint_eq(trace.nodes, 128);
	ck_assert_uint_eq(trace.jobs[2].nodes, 6);
	sim_trace_fini(&trace);
}
END_TEST

/* Runs of a job: one line of each, with its times of day. */
#define RUN_OF(id, submit, start, end, nodes)                                                      \
	id "|" DAY submit "|" DAY start "|" DAY end "|60|" nodes "|8|COMPLETED\n"

START_TEST(runs_of_a_requeued_heterogeneous_job_are_jobs)
{
	/* The second component of the second run starts a second later. */
	static const char text[] = COLUMNS RUN_OF("7+0", "08:00:00", "08:05:00", "08:20:00", "2")
		RUN_OF("7+1", "08:00:00", "08:05:00", "08:20:00", "1")
			RUN_OF("7+0", "08:20:00", "08:30:00", "09:05:00", "2")
				RUN_OF("7+1", "08:20:00", "08:30:01", "09:05:00", "1");
	struct sim_trace trace;
	struct rspb_err err;

	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SACCT, 0, &err), 0);
	ck_assert_uint_eq(trace.n, 2);
	ck_assert_uint_eq(trace.jobs[0].nodes, 3);
	ck_assert_uint_eq(trace.jobs[1].nodes, 3);
	ck_assert_uint_eq(trace.nodes, 3);
	sim_trace_fini(&trace);
}
END_TEST

START_TEST(a_run_in_two_dumps_counts_once)
{
	/* The first dump was made while the second job ran, after which a third one did. */
	static const char text[] = COLUMNS RUN_OF(
		"1", "08:00:00", "08:05:00", "09:05:00",
		"2") "2|" DAY "08:00:00|" DAY "08:05:00|Unknown|60|4|8|RUNNING\n" RUN_OF("5+0",
											 "08:00:00",
											 "10:00:00",
											 "11:00:00",
											 "1")
		RUN_OF("5+1", "08:00:00", "10:00:00", "11:00:00",
		       "2") COLUMNS RUN_OF("1", "08:00:00", "08:05:00", "09:05:00",
					   "2") RUN_OF("2", "08:00:00", "08:05:00", "09:30:00", "4")
			RUN_OF("5+0", "08:00:00", "10:00:00", "11:00:00", "1")
				RUN_OF("5+1", "08:00:00", "10:00:00", "11:00:00", "2")
					RUN_OF("3", "08:00:00", "09:30:00", "09:40:00", "5");
	struct sim_trace trace;
	struct rspb_err err;

	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SACCT, 0, &err), 0);
	ck_assert_uint_eq(trace.n, 4);
	ck_assert_uint_eq(trace.nodes, 6);
	ck_assert_uint_eq(trace.jobs[2].nodes, 3);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_AGAIN], 4);
	ck_assert_uint_eq(trace.first_line[SIM_TRACE_AGAIN], 7);
	sim_trace_fini(&trace);
}
END_TEST

START_TEST(times_may_have_a_zone_and_a_fraction)
{
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00"), 1772438400);
	ck_assert_int_eq(sim_sacct_time("2026-03-02 08:00:00"), 1772438400);
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00.75"), 1772438400);
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00Z"), 1772438400);
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00.5+0100"), 1772434800);
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00+01:00"), 1772434800);
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00-0930"), 1772472600);
	ck_assert_int_eq(sim_sacct_time("1772438400.25"), 1772438400);
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00 CET"), SIM_BAD_TIME);
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00+1"), SIM_BAD_TIME);
	ck_assert_int_eq(sim_sacct_time("2026-03-02T08:00:00."), SIM_BAD_TIME);
	ck_assert_int_eq(sim_sacct_time("Unknown"), SIM_NO_TIME);
	ck_assert_int_eq(sim_sacct_time(""), SIM_NO_TIME);
}
END_TEST

START_TEST(gpus_count_in_each_spelling)
{
	static const struct {
		const char *list;
		int rc;
		uint32_t gpus;
	} rows[] = {
		{ "cpu=8,gres/gpu:a100=4", 0, 4 },
		{ "cpu=8,gres/gpu=4,gres/gpu:a100=4", 0, 4 },
		{ "gres/gpu:a100=4,gres/gpu=4", 0, 4 },
		{ "gres/gpu:a100=2,gres/gpu:v100=3,mem=4G", 0, 5 },
		{ "cpu=8,gres:gpu:4", 0, 4 },
		{ "gpu:a100:2,gpu:v100:1", 0, 3 },
		{ "gres/gpumem=1024,gres/gpuutil=3", 0, 0 },
		{ "", 0, 0 },
		{ "gres/gpu=", -1, 0 },
		{ "gres/gpu:a100", -1, 0 },
		{ "gres/gpu=four", -1, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t gpus;

		ck_assert_msg(sim_sacct_gpus(rows[i].list, &gpus) == rows[i].rc, "%s",
			      rows[i].list);
		ck_assert_msg(gpus == rows[i].gpus, "%s: %u", rows[i].list, gpus);
	}
}
END_TEST

START_TEST(a_guess_is_counted)
{
	static const char text[] = "; MaxProcs: 1,024\n"
				   "1 0 10 3600 8 -1 -1 8 7200 -1 1 3 1 -1 1 -1 -1 -1\n"
				   "1 0 10 1800 8 -1 -1 8 7200 -1 2 3 1 -1 1 -1 -1 -1\n"
				   "1 0 10 1800 8 -1 -1 8 7200 -1 3 3 1 -1 1 -1 -1 -1\n"
				   "2 60 20 1800 16\n"
				   "3 70 20 -1 -1 -1 -1 16 600 -1 5 3 1 -1 1 -1 -1 -1\n";
	struct sim_trace trace;
	struct rspb_err err;

	ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SWF, 0, &err), 0);
	ck_assert_uint_eq(trace.nodes, 1024);
	ck_assert_uint_eq(trace.n, 3);
	ck_assert_uint_eq(trace.skipped[SIM_TRACE_PART], 2);
	ck_assert_uint_eq(trace.guessed[SIM_GUESS_CUT], 1);
	ck_assert_uint_eq(trace.guessed[SIM_GUESS_LIMIT], 1);
	ck_assert_uint_eq(trace.guessed[SIM_GUESS_SIZE], 1);
	ck_assert_uint_eq(trace.guessed[SIM_GUESS_CANCELLED], 1);
	ck_assert_uint_eq(trace.guessed_line[SIM_GUESS_CANCELLED], 6);
	sim_trace_fini(&trace);
}
END_TEST

START_TEST(a_machine_of_unknown_size_is_asked_for)
{
	static const char *const headers[] = { "", "; MaxProcs: 1.024\n", "; MaxProcs: many\n" };
	char text[128];
	struct sim_trace trace;
	struct rspb_err err;

	for (size_t i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "%s1 0 10 3600 8\n", headers[i]);
		ck_assert_int_lt(parse(&trace, text, SIM_TRACE_SWF, 0, &err), 0);
		ck_assert_ptr_nonnull(strstr(err.text, "give nodes=N"));
		ck_assert_int_eq(parse(&trace, text, SIM_TRACE_SWF, 806, &err), 0);
		ck_assert_uint_eq(trace.nodes, 806);
		sim_trace_fini(&trace);
	}
}
END_TEST

RUN_TESTS("trace", NULL, NULL, 0, traces_with_faults_are_read, sacct_is_read_by_its_header,
	  parts_of_a_heterogeneous_job_are_one, what_never_ran_is_counted,
	  the_machine_is_what_was_in_use_at_once, runs_of_a_requeued_heterogeneous_job_are_jobs,
	  a_run_in_two_dumps_counts_once, times_may_have_a_zone_and_a_fraction,
	  gpus_count_in_each_spelling, a_guess_is_counted, a_machine_of_unknown_size_is_asked_for)
