/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The linear program is a bound: on small workloads, every schedule there is
 * satisfies every row of the text, and the objective counts it in full.
 */
#include "contrib/sim/replay/lp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/runner.h"
#include "tests/unit/sim/random_draw.h"

enum { MOST_JOBS = 4, MOST_TERMS = 600, MOST_ROWS = 64, HORIZON = 64 };

struct term {
	double factor;
	size_t job; /* from 1 on */
	int64_t start;
};

struct row {
	struct term terms[MOST_TERMS];
	size_t n;
	double most; /* of the objective: unused */
	char kind;   /* 'o', 'j', 't' */
};

struct text {
	struct row rows[MOST_ROWS];
	size_t n;
	/* Starts of each job that have a variable, rising. */
	int64_t starts[MOST_JOBS + 1][MOST_TERMS];
	size_t n_starts[MOST_JOBS + 1];
};

/* The terms up to what ends a row: "<=", or the next section. */
static void read_terms(struct row *row, char **at)
{
	double factor = 1;
	char *word;

	while ((word = strtok_r(NULL, " \n", at))) {
		if (!strcmp(word, "<=")) {
			row->most = atof(strtok_r(NULL, " \n", at));
			return;
		}
		if (!strcmp(word, "Subject")) {
			ck_assert_str_eq(strtok_r(NULL, " \n", at), "To");
			return;
		}
		if (!strcmp(word, "+")) {
			factor = 1;
		} else if (*word == 'z') {
			struct term *term = &row->terms[row->n++];
			char *end;

			ck_assert_uint_lt(row->n, MOST_TERMS);
			term->factor = factor;
			term->job = strtoul(word + 1, &end, 10);
			ck_assert_int_eq(*end, '_');
			term->start = strtoll(end + 1, &end, 10);
			ck_assert_int_eq(*end, 0);
		} else {
			factor = atof(word);
		}
	}
	ck_abort_msg("the text ends within a row");
}

static void parse(struct text *text, char *from)
{
	char *body = strstr(from, "Maximize"), *at, *word;

	memset(text, 0, sizeof(*text));
	ck_assert_ptr_nonnull(body);
	word = strtok_r(body, " \n", &at);
	while ((word = strtok_r(NULL, " \n", &at)) && strcmp(word, "End")) {
		struct row *row = &text->rows[text->n++];

		ck_assert_uint_lt(text->n, MOST_ROWS);
		ck_assert_int_eq(word[strlen(word) - 1], ':');
		row->kind = text->n == 1 ? 'o' : *word;
		read_terms(row, &at);
		for (size_t i = 0; row->kind == 'j' && i < row->n; i++) {
			size_t job = row->terms[i].job;

			text->starts[job][text->n_starts[job]++] = row->terms[i].start;
		}
	}
	ck_assert_ptr_nonnull(word);
}

/* How much of the variable (job, start) a job that begins at `real` is: a
 * mixture of the two starts around it. */
static double part_of(const struct text *text, const struct term *term, int64_t real)
{
	const int64_t *starts = text->starts[term->job];
	size_t n = text->n_starts[term->job], i = 0;
	double share;

	if (n == 1)
		return 1;
	while (i + 2 < n && starts[i + 1] <= real)
		i++;
	share = (double) (starts[i + 1] - real) / (double) (starts[i + 1] - starts[i]);
	ck_assert(share >= 0 && share <= 1);
	if (term->start == starts[i])
		return share;
	return term->start == starts[i + 1] ? 1 - share : 0;
}

struct trial {
	const struct sim_workload *workload;
	const struct text *text;
	bool work;
	int64_t start[MOST_JOBS]; /* -1: not taken */
	size_t schedules;
};

static void satisfies(struct trial *trial)
{
	const struct sim_workload *w = trial->workload;
	double want = 0;

	trial->schedules++;
	for (size_t i = 0; i < w->n; i++)
		if (trial->start[i] >= 0)
			want += !trial->work ? 1
					     : (double) (w->jobs[i].nodes * w->jobs[i].duration);
	for (size_t r = 0; r < trial->text->n; r++) {
		const struct row *row = &trial->text->rows[r];
		double sum = 0;

		for (size_t k = 0; k < row->n; k++) {
			int64_t real = trial->start[row->terms[k].job - 1];

			if (real >= 0)
				sum += row->terms[k].factor *
				       part_of(trial->text, &row->terms[k], real);
		}
		if (row->kind == 'o')
			ck_assert_double_eq_tol(sum, want, 1e-6);
		else
			ck_assert(sum <= row->most + 1e-6);
	}
}

/* All schedules of the jobs from `job` on. */
static void try_all(struct trial *trial, size_t job, int *busy)
{
	const struct sim_workload *w = trial->workload;
	const struct sim_job *request;
	int nodes;

	if (job == w->n) {
		satisfies(trial);
		return;
	}
	trial->start[job] = -1;
	try_all(trial, job + 1, busy);
	request = &w->jobs[job];
	nodes = (int) request->nodes;
	for (int64_t s = request->ready; s + request->duration <= request->deadline; s++) {
		bool fits = true;

		for (int64_t t = s; t < s + request->duration; t++)
			fits &= busy[t] + nodes <= (int) w->nodes;
		if (!fits)
			continue;
		for (int64_t t = s; t < s + request->duration; t++)
			busy[t] += nodes;
		trial->start[job] = s;
		try_all(trial, job + 1, busy);
		for (int64_t t = s; t < s + request->duration; t++)
			busy[t] -= nodes;
	}
	trial->start[job] = -1;
}

static void fill(struct sim_workload *w, uint64_t *seed)
{
	size_t n = (size_t) draw(seed, 1, MOST_JOBS);

	w->nodes = (uint32_t) draw(seed, 2, 4);
	for (size_t i = 0; i < n; i++) {
		int64_t ready = draw(seed, 0, 6), length = draw(seed, 1, 9);

		struct sim_job job = {
			.ready = ready,
			.duration = length,
			.deadline = ready + length + draw(seed, -1, 5),
			.nodes = (uint32_t) draw(seed, 1, 4),
		};

		ck_assert_int_eq(sim_workload_add(w, &job, NULL), 0);
	}
}

START_TEST(every_schedule_is_a_solution)
{
	struct text *text = malloc(sizeof(*text));
	uint64_t seed = 4;
	size_t capacity_rows = 0;

	for (int round = 0; round < 400; round++) {
		struct sim_workload w = { .n = 0 };
		struct sim_lp_options options = { .work = round % 2, .bucket = draw(&seed, 1, 11) };
		struct trial trial = { .workload = &w, .text = text, .work = options.work };
		int busy[HORIZON] = { 0 };
		char *printed;
		size_t length;
		FILE *out = open_memstream(&printed, &length);

		fill(&w, &seed);
		ck_assert_int_eq(sim_lp_write(&w, &options, out, NULL), 0);
		fclose(out);
		parse(text, printed);
		for (size_t r = 0; r < text->n; r++)
			capacity_rows += text->rows[r].kind == 't';
		try_all(&trial, 0, busy);
		ck_assert_uint_ge(trial.schedules, 1);
		free(printed);
		sim_workload_fini(&w);
	}
	/* It would be a bound without any, but none worth its name. */
	ck_assert_uint_gt(capacity_rows, 200);
	free(text);
}
END_TEST

START_TEST(other_workloads_are_refused)
{
	struct sim_lp_options options = { .bucket = 10 };
	struct sim_workload w = { .nodes = 4 };
	struct sim_job job = { .duration = 5, .deadline = 9, .nodes = 1 };
	struct rspb_err err;
	FILE *out = tmpfile();

	ck_assert_int_eq(sim_workload_add(&w, &job, NULL), 0);
	w.jobs[0].request = rspb_request_create(2);
	ck_assert_int_eq(sim_lp_write(&w, &options, out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "request 1: a linear program"));
	rspb_request_destroy(w.jobs[0].request);
	w.jobs[0].request = NULL;
	w.jobs[0].deadline = INT64_MAX;
	ck_assert_int_eq(sim_lp_write(&w, &options, out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "too far apart"));
	fclose(out);
	sim_workload_fini(&w);
}
END_TEST

RUN_TESTS("lp", NULL, NULL, 0, every_schedule_is_a_solution, other_workloads_are_refused)
