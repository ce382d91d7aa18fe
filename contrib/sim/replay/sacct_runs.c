/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/sacct_runs.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/hash.h"

/* No machine is larger; a job above that is skipped. */
static const int64_t most_size = 100000000;
/* Slurm starts the components of a job one after another, seconds apart at most. */
enum { TOGETHER = 5 };

struct run {
	struct sim_sacct_run of;
	uint64_t key;  /* of the number, the submission and the start */
	uint64_t lead; /* of a heterogeneous job's number; 0: an ordinary job */
	bool is_again; /* an earlier line has it */
};

/* A number of nodes that are taken or given back. */
struct change {
	int64_t time, nodes;
};

/* Numbers of runs by a key, from 1; 0: no run. */
struct table {
	size_t *row;
	size_t rows;
	uint64_t *key; /* of each run */
};

struct sim_runs {
	struct run *run;
	size_t n, room;
};

struct sim_runs *sim_runs_open(void)
{
	return calloc(1, sizeof(struct sim_runs));
}

void sim_runs_close(struct sim_runs *runs)
{
	if (runs)
		free(runs->run);
	free(runs);
}

static uint64_t hash_time(uint64_t hash, int64_t time)
{
	return rspb_hash(hash, &time, sizeof(time));
}

int sim_runs_add(struct sim_runs *runs, const char *id, const struct sim_sacct_run *run,
		 struct rspb_err *err)
{
	const char *plus = strchr(id, '+');
	struct run *added;

	if (rspb_array_grow(&runs->run, &runs->room, runs->n + 1, sizeof(*runs->run)))
		return rspb_fail(err, "out of memory");
	added = &runs->run[runs->n++];
	*added = (struct run){ .of = *run };
	added->key = hash_time(hash_time(rspb_hash(RSPB_HASH_START, id, strlen(id)),
					 run->job.submit),
			       run->start);
	if (plus)
		added->lead = rspb_hash(RSPB_HASH_START, id, (size_t) (plus - id)) | 1;
	return 0;
}

static int open_table(struct table *table, size_t n, struct rspb_err *err)
{
	for (table->rows = 16; table->rows < 2 * n;)
		table->rows *= 2;
	table->row = calloc(table->rows, sizeof(*table->row));
	table->key = calloc(n + 1, sizeof(*table->key));
	return table->row && table->key ? 0 : rspb_fail(err, "out of memory");
}

static void close_table(struct table *table)
{
	free(table->row);
	free(table->key);
}

/* RET where the run of a key is, or would be. */
static size_t *find_row(struct table *table, uint64_t key)
{
	size_t at = rspb_hash_row(key, table->rows);

	while (table->row[at] && table->key[table->row[at] - 1] != key)
		at = (at + 1) & (table->rows - 1);
	return &table->row[at];
}

/* Skip runs that an earlier line has. RET 0, or -1 with err. */
static int drop_repeated(struct sim_runs *runs, struct sim_trace *trace, struct rspb_err *err)
{
	struct table table = { .rows = 0 };
	int rc = open_table(&table, runs->n, err);

	for (size_t i = 0; !rc && i < runs->n; i++) {
		struct run *run = &runs->run[i];
		size_t *row = find_row(&table, run->key);

		table.key[i] = run->key;
		if (!*row) {
			*row = i + 1;
			continue;
		}
		/* The dump of the month before does not know the end. */
		if (runs->run[*row - 1].of.end < 0)
			runs->run[*row - 1].of.end = run->of.end;
		run->is_again = true;
		sim_trace_skip(trace, SIM_TRACE_AGAIN, run->of.line);
	}
	close_table(&table);
	return rc;
}

static int by_time(const void *a, const void *b)
{
	const struct change *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->nodes > right->nodes) - (left->nodes < right->nodes);
}

/* RET the changes of the nodes in use, in order of time, which the caller frees; NULL: out of
 * memory. */
static struct change *list_changes(const struct sim_runs *runs, size_t *n)
{
	struct change *changes = calloc(2 * runs->n + 1, sizeof(*changes));

	*n = 0;
	for (size_t i = 0; changes && i < runs->n; i++) {
		const struct run *run = &runs->run[i];

		if (run->is_again || (run->of.end >= 0 && run->of.end <= run->of.start))
			continue;
		changes[(*n)++] = (struct change){ run->of.start, run->of.job.nodes };
		/* A job that still runs gives nothing back. */
		if (run->of.end >= 0)
			changes[(*n)++] = (struct change){ run->of.end,
							   -(int64_t) run->of.job.nodes };
	}
	if (changes && *n)
		qsort(changes, *n, sizeof(*changes), by_time);
	return changes;
}

/* Set the machine to the most nodes in use at once, or to the largest job. RET 0, or -1 with
 * err. */
static int measure_machine(const struct sim_runs *runs, struct sim_trace *trace,
			   struct rspb_err *err)
{
	size_t n;
	struct change *changes = list_changes(runs, &n);
	int64_t used = 0, most = 0;

	if (!changes)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < trace->n; i++)
		if (trace->jobs[i].nodes > most)
			most = trace->jobs[i].nodes;
	for (size_t i = 0; i < n; i++) {
		used += changes[i].nodes;
		if (used > most)
			most = used;
	}
	free(changes);
	trace->nodes = (uint32_t) (most < most_size ? most : most_size);
	trace->most_in_use = true;
	return 0;
}

static uint32_t sum_of(uint32_t a, uint32_t b)
{
	return a < UINT32_MAX - b ? a + b : UINT32_MAX;
}

/* Let a job have a component more. */
static void add_component(struct sim_trace_job *job, const struct sim_trace_job *part)
{
	/* No machine is as large as that: the job is skipped. */
	if (job->nodes > most_size - part->nodes)
		job->nodes = (uint32_t) most_size + 1;
	else
		job->nodes += part->nodes;
	job->least = sum_of(job->least, part->least);
	job->memory = sum_of(job->memory, part->memory);
	job->gpus = sum_of(job->gpus, part->gpus);
	/* A component without a shorter run lasts all of its time. */
	if (job->ran && (!part->ran || part->ran > job->ran))
		job->ran = part->ran;
	if (part->duration > job->duration)
		job->duration = part->duration;
}

/* RET the run whose component started with this one, NULL: this is the first of them. */
static const size_t *find_leader(struct table *leaders, const struct run *run)
{
	for (int64_t apart = 0; apart <= TOGETHER; apart++)
		for (int sign = -1; sign <= 1; sign += 2) {
			const size_t *row = find_row(leaders,
						     hash_time(run->lead,
							       run->of.start + sign * apart));

			if (*row)
				return row;
		}
	return NULL;
}

/* Append a run, or add it to the job that it is a component of. *place: of each run, its
 * job's. RET 0, or -1 with err. */
static int take_run(const struct sim_runs *runs, size_t i, struct table *leaders, size_t *place,
		    struct sim_trace *trace, struct rspb_err *err)
{
	const struct run *run = &runs->run[i];
	const size_t *leader = run->lead ? find_leader(leaders, run) : NULL;

	if (leader) {
		add_component(&trace->jobs[place[*leader - 1]], &run->of.job);
		return 0;
	}
	if (sim_trace_add(trace, &run->of.job, err))
		return -1;
	place[i] = trace->n - 1;
	if (run->lead) {
		leaders->key[i] = hash_time(run->lead, run->of.start);
		*find_row(leaders, leaders->key[i]) = i + 1;
	}
	return 0;
}

static void count_guesses(const struct sim_sacct_run *run, struct sim_trace *trace)
{
	for (int i = 0; i < SIM_GUESSES; i++)
		if (run->guesses & UINT32_C(1) << i)
			sim_trace_guess(trace, i, run->line);
}

int sim_runs_finish(struct sim_runs *runs, struct sim_trace *trace, struct rspb_err *err)
{
	struct table leaders = { .rows = 0 };
	size_t *place = calloc(runs->n + 1, sizeof(*place));
	int rc = place ? drop_repeated(runs, trace, err) : rspb_fail(err, "out of memory");

	if (!rc)
		rc = open_table(&leaders, runs->n, err);
	for (size_t i = 0; !rc && i < runs->n; i++) {
		if (runs->run[i].is_again)
			continue;
		count_guesses(&runs->run[i].of, trace);
		rc = take_run(runs, i, &leaders, place, trace, err);
	}
	if (!rc)
		rc = measure_machine(runs, trace, err);
	close_table(&leaders);
	free(place);
	return rc;
}
