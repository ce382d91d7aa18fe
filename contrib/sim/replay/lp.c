/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/lp.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/array.h"

/* A job that begins at a start is busy for `units` node seconds in a bucket. */
struct entry {
	int64_t bucket, units, start;
	size_t job;
};

struct program {
	const struct sim_lp_options *options;
	const struct sim_workload *workload;
	FILE *out;
	struct entry *entries;
	size_t n, room;
	int on_line; /* terms in this line */
};

/* Lines stay short: some readers allow no more than 255 characters. */
static void term(struct program *p, int64_t factor, const char *name, size_t job, int64_t start)
{
	if (p->on_line++ == 5) {
		p->on_line = 1;
		fputs("\n ", p->out);
	}
	fprintf(p->out, " + ");
	if (factor != 1)
		fprintf(p->out, "%" PRId64 " ", factor);
	fprintf(p->out, "%s%zu_%" PRId64, name, job, start);
}

static void row(struct program *p, const char *kind, uint64_t index)
{
	p->on_line = 0;
	fprintf(p->out, " %s%" PRIu64 ":", kind, index);
}

static int64_t earliest(const struct sim_job *asked)
{
	return asked->ready > asked->arrival ? asked->ready : asked->arrival;
}

static int64_t latest(const struct sim_job *asked)
{
	return asked->deadline - asked->duration;
}

/* Can a job run on this machine at all? */
static bool possible(const struct program *p, const struct sim_job *asked)
{
	return asked->nodes <= p->workload->nodes && earliest(asked) <= latest(asked);
}

static int64_t floor_to(int64_t time, int64_t step)
{
	return time / step - (time % step < 0);
}

/*
 * The starts that get a variable: the ends of the range, and those that put
 * the job's start or end on a border. One is enough when the job stays within
 * one bucket whatever happens. RET how many, in rising order in *list (caller
 * frees), -1: no memory.
 */
static int64_t starts_of(const struct program *p, const struct sim_job *asked, int64_t **list)
{
	int64_t step = p->options->bucket, from = earliest(asked);
	int64_t to = latest(asked), n = 0, m = 0, length;

	length = asked->duration % step;
	*list = malloc((size_t) (2 * ((to - from) / step + 2) + 2) * sizeof(**list));
	if (!*list)
		return -1;
	(*list)[n++] = from;
	if (floor_to(from, step) == floor_to(asked->deadline - 1, step))
		return n;
	(*list)[n++] = to;
	for (int64_t at = floor_to(from, step) * step; at < to + step; at += step) {
		if (at > from && at < to)
			(*list)[n++] = at;
		if (length && at - length > from && at - length < to)
			(*list)[n++] = at - length;
	}
	qsort(*list, (size_t) n, sizeof(**list), rspb_array_by_i64);
	for (int64_t i = 0; i < n; i++)
		if (!i || (*list)[i] != (*list)[m - 1])
			(*list)[m++] = (*list)[i];
	return m;
}

static int add_entry(struct program *p, struct entry entry)
{
	if (rspb_array_grow(&p->entries, &p->room, p->n + 1, sizeof(*p->entries)))
		return -1;
	p->entries[p->n++] = entry;
	return 0;
}

/* Add what a start takes of each bucket. */
static int add_start(struct program *p, size_t job, int64_t start)
{
	const struct sim_job *asked = &p->workload->jobs[job];
	int64_t step = p->options->bucket, end = start + asked->duration;

	for (int64_t b = floor_to(start, step); b * step < end; b++) {
		int64_t low = b * step > start ? b * step : start;
		int64_t high = (b + 1) * step < end ? (b + 1) * step : end;

		if (add_entry(p, (struct entry){ b, (high - low) * asked->nodes, start, job }))
			return -1;
	}
	return 0;
}

static int by_bucket(const void *one, const void *two)
{
	const struct entry *a = one, *b = two;

	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	if (a->job != b->job)
		return a->job < b->job ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static int64_t work_of(const struct sim_job *asked)
{
	return (int64_t) asked->nodes * asked->duration;
}

/* Write one part of every job: the objective, or its own row. */
static int write_job(struct program *p, size_t job, bool own_row)
{
	const struct sim_job *asked = &p->workload->jobs[job];
	int64_t *starts, n;

	if (!possible(p, asked))
		return 0;
	n = starts_of(p, asked, &starts);
	if (n < 0)
		return -1;
	if (own_row)
		row(p, "j", job + 1);
	for (int64_t i = 0; i < n; i++) {
		term(p, !own_row && p->options->work ? work_of(asked) : 1, "z", job + 1, starts[i]);
		if (own_row && add_start(p, job, starts[i])) {
			free(starts);
			return -1;
		}
	}
	if (own_row)
		fputs(" <= 1\n", p->out);
	free(starts);
	return 0;
}

/* Rows of the buckets, but for those which all jobs together can't fill. */
static void write_buckets(struct program *p)
{
	int64_t room = p->options->bucket * p->workload->nodes;

	if (p->n)
		qsort(p->entries, p->n, sizeof(*p->entries), by_bucket);
	for (size_t i = 0, end; i < p->n; i = end) {
		int64_t most = 0, of_job = 0;

		for (end = i; end < p->n && p->entries[end].bucket == p->entries[i].bucket; end++) {
			if (end > i && p->entries[end].job == p->entries[end - 1].job) {
				if (p->entries[end].units <= of_job)
					continue;
				most -= of_job;
			}
			of_job = p->entries[end].units;
			most += of_job;
		}
		if (most <= room)
			continue;
		row(p, "t", (uint64_t) (p->entries[i].bucket - p->entries[0].bucket));
		for (size_t k = i; k < end; k++)
			term(p, p->entries[k].units, "z", p->entries[k].job + 1,
			     p->entries[k].start);
		fprintf(p->out, " <= %" PRId64 "\n", room);
	}
}

/* Is it a job on whole nodes, at times that can be counted with? */
static int check(const struct sim_workload *workload, struct rspb_err *err)
{
	const int64_t most = INT64_C(1) << 40;

	if (workload->capacity || workload->sizes.of)
		return rspb_fail(err, "a linear program is only made of jobs "
				      "on whole nodes");
	for (size_t i = 0; i < workload->n; i++) {
		const struct sim_job *r = &workload->jobs[i];

		if (r->request)
			return rspb_fail(err,
					 "request %zu: a linear program "
					 "is only made of jobs on whole nodes",
					 i + 1);
		if (r->arrival < -most || r->ready < -most || r->deadline > most ||
		    r->duration > most || r->deadline - r->ready > INT64_C(1) << 32)
			return rspb_fail(err,
					 "request %zu: its times are too "
					 "far apart for a linear program",
					 i + 1);
	}
	return 0;
}

static void write_head(const struct program *p)
{
	double work = 0;

	for (size_t i = 0; i < p->workload->n; i++)
		work += (double) work_of(&p->workload->jobs[i]);
	fprintf(p->out,
		"\\ An upper bound for any policy: jobs may be taken "
		"in part, capacity holds\n\\ on average over each bucket, and "
		"all is known beforehand.\n"
		"\\ requests %zu\n\\ work %.0f node seconds\n"
		"\\ nodes %" PRIu32 "\n\\ bucket %" PRId64 " s\nMaximize\n",
		p->workload->n, work, p->workload->nodes, p->options->bucket);
}

static int write_rows(struct program *p)
{
	size_t n = p->workload->n;

	p->on_line = 0;
	fprintf(p->out, " %s:", p->options->work ? "work" : "accepted");
	for (size_t i = 0; i < n; i++)
		if (write_job(p, i, false))
			return -1;
	fputs("\nSubject To\n", p->out);
	for (size_t i = 0; i < n; i++)
		if (write_job(p, i, true))
			return -1;
	write_buckets(p);
	fputs("End\n", p->out);
	return 0;
}

int sim_lp_write(const struct sim_workload *workload, const struct sim_lp_options *options,
		 FILE *out, struct rspb_err *err)
{
	struct program p = { .options = options, .workload = workload, .out = out };
	int rc = check(workload, err);

	if (!rc) {
		write_head(&p);
		if (write_rows(&p))
			rc = rspb_fail(err, "out of memory");
	}
	free(p.entries);
	return rc;
}
