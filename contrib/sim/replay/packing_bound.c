/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes a bound that no schedule can surpass, by what fits into each minute or so by itself. It
 * makes no schedule. */
#include <stdlib.h>

#include "common/base/array.h"
#include "contrib/sim/replay/packing.h"

/* Stretches of time are a minute, and no more than so many. */
enum { MINUTE = 60, STRETCHES = 4096 };

/* The work that a job does within a stretch whatever its start. */
struct piece {
	int64_t stretch, seconds;
	size_t job;
};

/* The worth of a piece, and what it takes of a kind. */
struct item {
	double worth, takes;
};

struct bound {
	const struct sim_workload *workload;
	int64_t from, length;	/* of stretches */
	double *there;		/* owned: of each kind on all nodes, cores last */
	struct sim_need *needs; /* owned, of each job */
	struct piece *pieces;	/* owned */
	size_t n, room;
	struct item *items; /* owned, as many */
};

static int by_stretch(const void *one, const void *two)
{
	const struct piece *a = one, *b = two;

	return a->stretch < b->stretch ? -1 : a->stretch > b->stretch;
}

/* Most for what is taken first. */
static int by_worth(const void *one, const void *two)
{
	const struct item *a = one, *b = two;
	double left = a->worth * b->takes, right = b->worth * a->takes;

	return left > right ? -1 : left < right;
}

/* The most that so much of a kind is worth. */
static double fill(struct item *items, size_t n, double amount)
{
	double worth = 0;

	if (n)
		qsort(items, n, sizeof(*items), by_worth);
	for (size_t i = 0; i < n && amount >= 0; i++) {
		worth += items[i].takes > amount ? items[i].worth * amount / items[i].takes
						 : items[i].worth;
		amount -= items[i].takes;
	}
	return worth;
}

static double takes_of(const struct bound *bound, size_t job, uint32_t kind)
{
	const struct sim_need *need = &bound->needs[job];

	return (double) need->nodes *
	       (kind < bound->workload->sizes.kinds ? need->each.has[kind] : need->each.cores);
}

/* The most that pieces of one stretch of so many seconds are worth, core seconds. */
static double most_of(const struct bound *bound, const struct piece *pieces, size_t n,
		      int64_t seconds)
{
	uint32_t kinds = bound->workload->sizes.kinds;
	double most = 0, by_kind;

	for (uint32_t k = 0; k <= kinds; k++) {
		for (size_t i = 0; i < n; i++) {
			double length = (double) pieces[i].seconds;

			bound->items[i] = (struct item){
				length * takes_of(bound, pieces[i].job, kinds),
				length * takes_of(bound, pieces[i].job, k)
			};
		}
		by_kind = fill(bound->items, n, bound->there[k] * (double) seconds);
		if (!k || by_kind < most)
			most = by_kind;
	}
	return most;
}

static int add_piece(struct bound *bound, struct piece piece, struct rspb_err *err)
{
	if (rspb_array_grow(&bound->pieces, &bound->room, bound->n + 1, sizeof(*bound->pieces)))
		return rspb_fail(err, "out of memory");
	bound->pieces[bound->n++] = piece;
	return 0;
}

/* Add what a job does in any case, from its last start to its earliest end. RET 0 or -1 with
 * err. */
static int add_pieces(struct bound *bound, size_t i, struct rspb_err *err)
{
	const struct sim_job *job = &bound->workload->jobs[i];
	int64_t at = sim_job_latest(job);
	int64_t end = sim_job_earliest(job) + job->duration;

	while (at < end) {
		int64_t stretch = (at - bound->from) / bound->length;
		int64_t next = bound->from + (stretch + 1) * bound->length;

		next = next < end ? next : end;
		if (add_piece(bound, (struct piece){ stretch, next - at, i }, err))
			return -1;
		at = next;
	}
	return 0;
}

/* RET the core seconds that the job may do at another time. */
static double rest_of(const struct bound *bound, size_t i)
{
	const struct sim_job *job = &bound->workload->jobs[i];
	int64_t slack = sim_job_latest(job) - sim_job_earliest(job);

	return (double) (slack < job->duration ? slack : job->duration) *
	       takes_of(bound, i, bound->workload->sizes.kinds);
}

/* Whether the machine can hold it at all. */
static bool possible(const struct bound *bound, size_t i)
{
	return sim_job_earliest(&bound->workload->jobs[i]) <=
	       sim_job_latest(&bound->workload->jobs[i]);
}

/* RET 0 or -1 with err. */
static int look_around(struct bound *bound, int64_t *span, struct rspb_err *err)
{
	const struct sim_workload *workload = bound->workload;
	const struct sim_sizes *sizes = &workload->sizes;
	int64_t to = INT64_MIN;

	bound->there = calloc(sizes->kinds + 1, sizeof(*bound->there));
	bound->needs = calloc(workload->n + 1, sizeof(*bound->needs));
	if (!bound->there || !bound->needs)
		return rspb_fail(err, "out of memory");
	for (uint32_t n = 0; n < sizes->nodes; n++) {
		for (uint32_t k = 0; k < sizes->kinds; k++)
			bound->there[k] += sizes->of[n].has[k];
		bound->there[sizes->kinds] += sizes->of[n].cores;
	}
	bound->from = INT64_MAX;
	for (size_t i = 0; i < workload->n; i++) {
		const struct sim_job *job = &workload->jobs[i];
		struct sim_need *need = &bound->needs[i];

		*need = sim_workload_need(workload, i);
		if (!need->each.cores)
			sim_sizes_fit(sizes, need, &need->each);
		if (!possible(bound, i))
			continue;
		if (sim_job_earliest(job) < bound->from)
			bound->from = sim_job_earliest(job);
		to = job->deadline > to ? job->deadline : to;
	}
	*span = to > bound->from ? to - bound->from : 0;
	bound->length = *span / STRETCHES + MINUTE;
	return 0;
}

/* RET 0, or -1 with err: out of memory. */
static int make_items(struct bound *bound, struct rspb_err *err)
{
	free(bound->items);
	bound->items = calloc(bound->n + 1, sizeof(*bound->items));
	return bound->items ? 0 : rspb_fail(err, "out of memory");
}

/* As if all were one stretch. RET 0 or -1 with err; core seconds. */
static int at_once(struct bound *bound, int64_t span, double *most, struct rspb_err *err)
{
	for (size_t i = 0; i < bound->workload->n; i++)
		if (possible(bound, i) &&
		    add_piece(bound, (struct piece){ 0, bound->workload->jobs[i].duration, i },
			      err))
			return -1;
	if (make_items(bound, err))
		return -1;
	*most = most_of(bound, bound->pieces, bound->n, span);
	return 0;
}

/* Stretch by stretch; likewise. */
static int by_time(struct bound *bound, double *most, struct rspb_err *err)
{
	*most = 0;
	bound->n = 0;
	for (size_t i = 0; i < bound->workload->n; i++) {
		if (!possible(bound, i))
			continue;
		*most += rest_of(bound, i);
		if (add_pieces(bound, i, err))
			return -1;
	}
	if (make_items(bound, err))
		return -1;
	if (bound->n)
		qsort(bound->pieces, bound->n, sizeof(*bound->pieces), by_stretch);
	for (size_t i = 0, next; i < bound->n; i = next) {
		for (next = i;
		     next < bound->n && bound->pieces[next].stretch == bound->pieces[i].stretch;)
			next++;
		*most += most_of(bound, bound->pieces + i, next - i, bound->length);
	}
	return 0;
}

int sim_packing_bound(const struct sim_workload *workload, double *hours, struct rspb_err *err)
{
	struct bound bound = { .workload = workload };
	double once = 0, timed = 0;
	int64_t span = 0;
	int rc = look_around(&bound, &span, err);

	if (!rc)
		rc = at_once(&bound, span, &once, err);
	if (!rc)
		rc = by_time(&bound, &timed, err);
	if (!rc)
		*hours = (once < timed ? once : timed) / 3600;
	free(bound.there);
	free(bound.needs);
	free(bound.pieces);
	free(bound.items);
	return rc;
}
