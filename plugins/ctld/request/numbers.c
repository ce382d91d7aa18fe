/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists numbers of nodes, and fills in a part for one of them. It does not choose: decide/recount.c
 * tries them. The lists are short, because each number costs a plan. */
#include "plugins/ctld/request/part.h"

#include <stdlib.h>

#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/request/ask.h"

static uint32_t over(uint32_t amount, uint32_t by)
{
	return (amount + by - 1) / by;
}

/* The load that a job spreads over its nodes: no node is without some of each. */
struct load {
	uint32_t tasks, cpus, devices;
};

static struct load load_of(const struct rspb_job *job)
{
	return (struct load){ job->tasks ? job->tasks : 1, job->cpus ? job->cpus : 1,
			      rspb_job_bounds(job).devices };
}

/* Nodes beyond these have nothing to do. */
static uint32_t most_useful(const struct load *load)
{
	return load->tasks > load->devices ? load->tasks : load->devices;
}

/* Whether each node has as much to do with one number of nodes as with the other. The larger number
 * then only costs more nodes. */
static bool as_much(const struct load *load, uint32_t a, uint32_t b)
{
	return over(load->tasks, a) == over(load->tasks, b) &&
	       over(load->cpus, a) == over(load->cpus, b) &&
	       over(load->devices, a) == over(load->devices, b);
}

/* Leave as many as may be tried, in place. The first half of them stays, which Slurm prefers, and
 * others at even distances up to the last one. RET how many are left. */
static uint32_t thin_out(uint32_t *numbers, uint32_t n)
{
	const uint32_t first = RSPB_NUMBERS_MOST / 2, rest = RSPB_NUMBERS_MOST - first;

	if (n <= RSPB_NUMBERS_MOST)
		return n;
	for (uint32_t i = 0; i < rest; i++)
		numbers[first + i] =
			numbers[first + (uint32_t) ((uint64_t) (n - first - 1) * i / (rest - 1))];
	return RSPB_NUMBERS_MOST;
}

/* List the numbers from least to most in *out, which the caller frees; NULL: out of memory. Without
 * `all` those are left out that give each node as much as a lower one. RET how many there are. */
static uint32_t list_rising(const struct load *load, uint32_t least, uint32_t most, bool all,
			    uint32_t **out)
{
	uint32_t n = 0;

	*out = calloc(most - least + 1, sizeof(**out));
	for (uint32_t nodes = least; *out && nodes <= most; nodes++)
		if (all || !n || !as_much(load, (*out)[n - 1], nodes))
			(*out)[n++] = nodes;
	return n;
}

static void turn_round(uint32_t *numbers, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		uint32_t low = numbers[i];

		numbers[i] = numbers[n - 1 - i];
		numbers[n - 1 - i] = low;
	}
}

/* RET the nodes that it may have at most, and in *least the fewest, which -N, -w and the partition
 * demand. Without memory, or with no eligible node, the most is 0, and there are no numbers to
 * try. */
static uint32_t bounds_of(const struct rspb_job *job, uint32_t width, uint32_t *least)
{
	struct rspb_nodeset *eligible = rspb_nodeset_create(width);
	struct rspb_nodeset *named = rspb_nodeset_create(width);
	struct rspb_job_bounds may = rspb_job_bounds(job);
	uint32_t most = 0;

	*least = job->nodes_min > 1 ? job->nodes_min : 1;
	if (eligible && named && !rspb_job_eligible(job, eligible, NULL)) {
		rspb_job_nodes(job, RSPB_JOB_NAMES, named);
		if (*least < rspb_nodeset_count(named))
			*least = rspb_nodeset_count(named);
		most = rspb_nodeset_count(eligible);
	}
	rspb_nodeset_destroy(eligible);
	rspb_nodeset_destroy(named);
	may.most = rspb_job_most_nodes(job, may.most);
	if (*least < may.least)
		*least = may.least;
	return most < may.most ? most : may.most;
}

uint32_t rspb_numbers_of(const struct rspb_job *job, uint32_t width,
			 uint32_t out[RSPB_NUMBERS_MOST])
{
	const struct load load = load_of(job);
	bool range = job->nodes_max > job->nodes_min;
	bool falling = range && !rspb_cores_asked(job).counted;
	uint32_t least, most, n, *all;

	/* With -N4 the number is given, and no other may be tried. */
	if (job->nodes_max && !range)
		return 0;
	most = bounds_of(job, width, &least);
	if (range && most > job->nodes_max)
		most = job->nodes_max;
	else if (!range && most > most_useful(&load))
		most = most_useful(&load);
	/* A job that fits one node only has nothing to choose from. */
	if (most < least || (most == least && !range && least == 1))
		return 0;
	n = list_rising(&load, least, most, falling, &all);
	if (!all)
		return 0;
	if (falling)
		turn_round(all, n);
	n = thin_out(all, n);
	for (uint32_t i = 0; i < n; i++)
		out[i] = all[i];
	free(all);
	return n;
}

/* The job is asked as a copy with an exact -N; Slurm's record is not changed. A part that could not
 * be filled still has to be destroyed. */
int rspb_numbers_fill(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t nodes,
		      uint32_t width, struct rspb_part *part, struct rspb_err *err)
{
	struct rspb_job exact = *job;

	exact.nodes_min = exact.nodes_max = nodes;
	exact.fewest = false;
	rspb_part_fini(part);
	*part = (struct rspb_part){ .nodes = 1, .nodes_min = 1 };
	return rspb_part_fill(&exact, flags, width, part, err);
}

enum { BEGIN_MOST = 6 }; /* numbers that a submission waits for */

/* The number of nodes that the job would get may leave no part of a node. Another number that does
 * is better than whole nodes. If none does, the first result stands, with its own error. */
int rspb_numbers_begin(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t width,
		       struct rspb_part *part, struct rspb_err *err)
{
	struct rspb_err first = { .text = "" };
	int rc = rspb_part_fill(job, flags, width, part, &first);
	uint32_t numbers[RSPB_NUMBERS_MOST], n;

	if (part->whole || flags->share || flags->benefit.n_points || !rspb_book_lends() ||
	    !rspb_limits_parts(job))
		return rc ? rspb_fail(err, "%s", first.text) : 0;
	n = rspb_numbers_of(job, width, numbers);
	for (uint32_t i = 0; i < n && i < BEGIN_MOST; i++) {
		struct rspb_part other = { .nodes = 1, .nodes_min = 1 };
		struct rspb_err unused;

		if (!rspb_numbers_fill(job, flags, numbers[i], width, &other, &unused) &&
		    other.whole) {
			rspb_part_fini(part);
			*part = other;
			return 0;
		}
		rspb_part_fini(&other);
	}
	return rc ? rspb_fail(err, "%s", first.text) : 0;
}
