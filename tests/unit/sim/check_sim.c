/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/alg/alg.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "common/plan/schedule.h"
#include "contrib/sim/journal/journal.h"
#include "contrib/sim/jsonl/read.h"
#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/models/model.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/replay/random.h"
#include "contrib/sim/report/runs.h"
#include "plugins/ctld/record/line.h"
#include "tests/unit/runner.h"
#include "tests/unit/sim/random_draw.h"

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

/* The time left is told from those that are done: at any time they are spread over all. */
START_TEST(runs_that_are_done_are_spread_over_all)
{
	enum { MOST = 6000 };
	static const size_t sizes[] = { 1, 2, 3, 4, 5, 8, 12, 100, 987, 4096, 5752, MOST };

	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		size_t n = sizes[k], quarter[4] = { 0 };
		bool seen[MOST] = { false };

		for (size_t i = 0; i < n; i++) {
			size_t at = sim_pool_order(i, n);

			ck_assert(at < n && !seen[at]);
			seen[at] = true;
			quarter[at * 4 / n]++;
			for (int q = 0; n >= 100 && i >= 40 && q < 4; q++) {
				ck_assert_uint_ge(quarter[q], (i + 1) / 4 - (i + 1) / 16 - 2);
				ck_assert_uint_le(quarter[q], (i + 1) / 4 + (i + 1) / 16 + 2);
			}
		}
	}
}
END_TEST

/* What a controller would have written while it decided. */
static void write_journal(FILE *out, int forged)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_policy policy;
	uint64_t seed = 3, id = 0;

	ck_assert_int_eq(sim_preset_policy("live", &policy, NULL), 0);
	fputs("{\"machine\":{\"nodes\":8,\"preset\":\"live\"}}\n", out);
	for (int64_t now = 0; now < 400; now += draw(&seed, 5, 30)) {
		struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = now };
		struct rspb_request *requests[3];
		struct rspb_booking *decided[3];
		char *text;

		for (int i = 0; i < 3; i++) {
			int64_t length = draw(&seed, 5, 60);
			int64_t ready = now + draw(&seed, 0, 40);

			requests[i] = rspb_request_create(1);
			requests[i]->id = ++id;
			requests[i]->arrival = now;
			requests[i]->ready = ready;
			requests[i]->duration = length;
			requests[i]->deadline = ready + length + draw(&seed, 0, 50);
			requests[i]->parts[0].nodes = requests[i]->parts[0].nodes_min = (uint32_t)
				draw(&seed, 1, 8);
			text = rspb_line_request(now, requests[i]);
			fputs(text, out);
			free(text);
		}
		ck_assert_int_eq(rspb_ledger_apply(ledger, &record, NULL), 0);
		ck_assert_int_eq(rspb_schedule_batch(ledger, &policy,
						     (const struct rspb_request *const *) requests,
						     3, now, decided, NULL),
				 0);
		fprintf(out, "{\"decide\":{\"now\":%ld}}\n", (long) now);
		for (int i = 0; i < 3; i++) {
			if (forged && id == 6 && decided[i]->n_grants) {
				decided[i]->start += 1000;
				decided[i]->end += 1000;
				decided[i]->request->deadline += 1000;
			}
			text = rspb_json_line(rspb_json_write(rspb_json_booking, decided[i]));
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

typedef void write_fn(FILE *out, int forged);

static int replay(write_fn *write, int forged, const char *extra)
{
	char path[] = "/tmp/rspb-journal-XXXXXX";
	char *argv[] = { (char *) "journal", path, NULL };
	int fd = mkstemp(path), rc;
	FILE *out = fdopen(fd, "w");

	ck_assert_ptr_nonnull(out);
	write(out, forged);
	fputs(extra, out);
	fclose(out);
	rc = sim_journal_main(2, argv);
	unlink(path);
	return rc;
}

static struct rspb_request *parse_request(const char *text)
{
	struct rspb_err err;
	struct rspb_request *r = sim_read_request(text, strlen(text), 8, &err);

	ck_assert_msg(r, "%s", err.text);
	return r;
}

/* Three bookings: one that may have less and grow, two that may not. */
static void write_three(FILE *out, struct rspb_ledger *ledger, const struct rspb_policy *policy)
{
	static const char *const texts[3] = {
/* clang-format off */
#define ASKED(id, deadline, benefit, nodes, least)			\
	"{\"id\":" #id ",\"user\":1,\"arrival\":0,\"ready\":100,"	\
	"\"deadline\":" #deadline ",\"duration\":60,\"priority\":" #id ","	\
	"\"asap\":false,\"benefit\":\"" benefit "\",\"parts\":"		\
	"[{\"nodes\":" #nodes ",\"nodes_min\":" #least "}]}"
		/* clang-format on */
		ASKED(1, 160, "linear:25%", 4, 1),
		ASKED(2, 160, "hard", 3, 3),
		ASKED(3, 400, "hard", 2, 2),
	};
	struct rspb_request *requests[3];
	struct rspb_booking *decided[3];

	for (int i = 0; i < 3; i++) {
		requests[i] = parse_request(texts[i]);
		fprintf(out, "{\"request\":%s}\n", texts[i]);
	}
	ck_assert_int_eq(rspb_schedule_batch(ledger, policy,
					     (const struct rspb_request *const *) requests, 3, 0,
					     decided, NULL),
			 0);
	fputs("{\"decide\":{\"now\":0}}\n", out);
	for (int i = 0; i < 3; i++) {
		char *text = rspb_json_line(rspb_json_write(rspb_json_booking, decided[i]));

		ck_assert_int_eq(decided[i]->state, RSPB_BOOKED);
		fprintf(out, "{\"booking\":%s}\n{\"book\":%s}\n", text, text);
		free(text);
		rspb_booking_destroy(decided[i]);
		rspb_request_destroy(requests[i]);
	}
}

/* A clone as of `now`, on which a node is taken. */
static struct rspb_ledger *basis_of(const struct rspb_ledger *ledger, int64_t now,
				    const char *taken, FILE *out)
{
	struct rspb_ledger *basis = rspb_ledger_clone(ledger);
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = now };
	struct rspb_nodeset *set = rspb_nodeset_create(8);
	char *line;

	ck_assert_int_eq(rspb_nodeset_parse(set, taken, NULL), 0);
	ck_assert_int_eq(rspb_ledger_apply(basis, &advance, NULL), 0);
	ck_assert_int_eq(rspb_ledger_block(basis, now, 9999, set, NULL), 0);
	line = rspb_line_block(now, now, 9999, false, set);
	fputs(line, out);
	free(line);
	rspb_nodeset_destroy(set);
	return basis;
}

/* What the plan has otherwise: a line for it, without the last one of it when
 * it is forged, and what follows from it. */
static void write_plan(FILE *out, struct rspb_ledger *ledger, struct rspb_ledger *plan,
		       const struct rspb_rescue *rescue, int64_t now, bool forged)
{
	struct rspb_record move = { .kind = RSPB_REC_MOVE, .time = now };
	const struct rspb_booking **list;
	int64_t n = rspb_ledger_changes(ledger, plan, &list);
	size_t said = (size_t) n - forged;
	char *line;

	ck_assert_int_ge(n, 1);
	line = rescue ? rspb_line_rescue(now, now, rescue, list, said)
		      : rspb_line_grow(now, now, now + 3, list, said);
	fputs(line, out);
	free(line);
	move.bookings = list;
	move.n_bookings = (size_t) n;
	line = rspb_line_record(now, &move);
	fputs(line, out);
	free(line);
	ck_assert_int_eq(rspb_ledger_apply(ledger, &move, NULL), 0);
	free(list);
	rspb_ledger_destroy(plan);
}

enum { FORGED_RESCUE = 1, FORGED_GROWTH };

static void write_plans(FILE *out, int forged)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0), *plan;
	struct rspb_rescue rescue = { .id = 2, .earliest = 12, .yield = RSPB_YIELD_WHOLE };
	struct rspb_policy policy;

	ck_assert_int_eq(sim_preset_policy("lazy-worst", &policy, NULL), 0);
	fputs("{\"machine\":{\"nodes\":8,\"preset\":\"lazy-worst\"}}\n", out);
	write_three(out, ledger, &policy);
	for (uint32_t node = 0; node < 8; node++) {
		const struct rspb_booking *b = rspb_ledger_find(ledger, 2);
		char name[8];

		if (!rspb_nodeset_has(b->grants[0].nodes, node))
			continue;
		snprintf(name, sizeof(name), "%u", node);
		plan = basis_of(ledger, 10, name, out);
		ck_assert_int_eq(rspb_rescue_booking(plan, &policy, &rescue, NULL), 1);
		write_plan(out, ledger, plan, &rescue, 10, forged == FORGED_RESCUE);
		break;
	}
	plan = basis_of(ledger, 98, "0", out);
	ck_assert_int_gt(rspb_refine_all(plan, &policy, 101, NULL), 0);
	write_plan(out, ledger, plan, NULL, 98, forged == FORGED_GROWTH);
	rspb_ledger_destroy(ledger);
}

/* What was decided without a request is decided again, too. */
START_TEST(rescues_and_growth_replayed_are_the_same)
{
	ck_assert_int_eq(replay(write_plans, 0, ""), SIM_OK);
	ck_assert_int_eq(replay(write_plans, FORGED_RESCUE, ""), SIM_TROUBLE);
	ck_assert_int_eq(replay(write_plans, FORGED_GROWTH, ""), SIM_TROUBLE);
	ck_assert_int_eq(replay(write_plans, 0,
				"{\"rescue\":{\"now\":99,"
				"\"id\":7,\"earliest\":101,\"bookings\":[]}}\n"),
			 SIM_BAD_INPUT);
	ck_assert_int_eq(replay(write_plans, 0,
				"{\"rescue\":{\"now\":99,"
				"\"id\":2,\"earliest\":101,\"bookings\":[]}}\n"),
			 SIM_OK);
	ck_assert_int_eq(replay(write_plans, 0,
				"{\"rescue\":{\"now\":99,"
				"\"id\":2,\"earliest\":5,\"bookings\":[]}}\n"),
			 SIM_BAD_INPUT);
	ck_assert_int_eq(replay(write_plans, 0, "{\"grow\":{\"now\":99}}\n"), SIM_BAD_INPUT);
}
END_TEST

START_TEST(a_journal_replayed_decides_the_same)
{
	ck_assert_int_eq(replay(write_journal, 0, ""), SIM_OK);
	ck_assert_int_eq(replay(write_journal, 1, ""), SIM_TROUBLE);
	ck_assert_int_eq(replay(write_journal, 0, "{\"what\":1}\n"), SIM_BAD_INPUT);
	ck_assert_int_eq(replay(write_journal, 0, "{\"request\":{\"id\":1}}\n"), SIM_BAD_INPUT);
}
END_TEST

/* A workload is the same for every policy, and a policy decides the same
 * whenever it is asked. */
START_TEST(runs_repeat)
{
	static const char *const names[] = { "lublin", "min", "fair", "vrc", "tarr" };
	static const char *const presets[] = { "li-pe-worst", "co-rspb", "afto", "vrc", "tarr" };
	static const char *const small[] = { "jobs=300", "requests=200", "tasks=8", "requests=200",
					     "tasks=50" };

	for (size_t i = 0; i < 5; i++) {
		const struct sim_model *model = sim_model_find(names[i]);
		struct sim_metrics runs[2];
		struct sim_params params;
		struct rspb_err err;

		sim_params_defaults(model->params, &params);
		ck_assert_int_eq(sim_model_set(model, &params, small[i], &err), 0);
		for (int k = 0; k < 2; k++) {
			sim_metrics_clear(&runs[k]);
			ck_assert_int_eq(model->run(&params, 11, presets[i], NULL, &runs[k], &err),
					 0);
		}
		for (int m = 0; m < SIM_METRICS; m++)
			ck_assert(runs[0].value[m] == runs[1].value[m] || isnan(runs[0].value[m]));
		ck_assert_int_lt(sim_model_set(model, &params, "bogus=1", &err), 0);
		ck_assert_int_lt(sim_model_set(model, &params, "", &err), 0);
	}
}
END_TEST

RUN_TESTS("sim", NULL, NULL, 0, seeds_mean_the_same_everywhere, distributions_have_their_means,
	  a_journal_replayed_decides_the_same, rescues_and_growth_replayed_are_the_same,
	  runs_repeat, runs_that_are_done_are_spread_over_all)
