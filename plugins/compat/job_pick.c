/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the selection of Slurm for the nodes of a job. It considers switches, threads, memory per
 * CPU, and features that all nodes must share. */
#include "plugins/compat/job_pick.h"

#include <stdlib.h>

#include "plugins/compat/bits.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/release/job_test.h"
#include "plugins/compat/release/jobs.h"

enum { MOST_ALTERNATIVES = 32 }; /* of [a|b|...] */

/* The size of a job, which a test changes for a moment to fit the job to fewer nodes. */
struct size {
	uint32_t nodes_min, nodes_max, tasks, cpus;
};

static struct size size_get(const job_details_t *details)
{
	return (struct size){ details->min_nodes, details->max_nodes, details->num_tasks,
			      details->min_cpus };
}

static void size_put(job_details_t *details, const struct size *size)
{
	details->min_nodes = size->nodes_min;
	details->max_nodes = size->nodes_max;
	details->num_tasks = size->tasks;
	details->min_cpus = size->cpus;
}

/* RET the part of the tasks or CPUs of a job that has fewer nodes than asked; each node keeps
 * one. */
static uint32_t part_of(uint32_t whole, const struct rspb_pick *pick)
{
	if (whole == NO_VAL || whole == INFINITE || pick->most >= pick->asked)
		return whole;
	return rspb_job_part_of(whole, pick->most, pick->asked);
}

bool rspb_job_binds(const job_record_t *job)
{
	return job->gres_list_req && job->bit_flags & GRES_ENFORCE_BIND;
}

bool rspb_job_one_task(const job_record_t *job)
{
	return rspb_job_binds(job) && !(job->bit_flags & JOB_NTASKS_SET) &&
	       job->details->cpus_per_task > 1;
}

/* The questions that the selection plugin can be asked. */
enum kind {
	EVER, /* could it ever run there */
	NOW,  /* would it start this second beside what runs there */
	THEN, /* and once jobs that run have ended, without some cores */
	GIVE  /* what would it be given this second, without some cores */
};

struct question {
	const struct rspb_pick *pick;
	enum kind kind;
	const bitstr_t *without; /* cores of all nodes; NULL: all may be had */
	int64_t start;		 /* THEN: the answer */
	rspb_given_fn note;	 /* GIVE: gets the answer */
	void *arg;
};

static int test_start(job_record_t *job, struct question *q, uint32_t least, uint32_t most,
		      bitstr_t *bits)
{
	uint64_t now_only = job->bit_flags & TEST_NOW_ONLY;
	const struct rspb_standing standing = rspb_standing_of(job);
	time_t start = job->start_time;
	int rc;

	/* With this flag the plugin does not look at starts after the end of running jobs. */
	if (q->kind == NOW)
		job->bit_flags |= TEST_NOW_ONLY;
	else
		job->bit_flags &= ~TEST_NOW_ONLY;
	rc = rspb_release_test(job, bits, least, most, least, SELECT_MODE_WILL_RUN, q->without);
	rspb_standing_put(job, &standing);
	/* The plugin leaves its answer in the job, which gets back its own start. */
	q->start = job->start_time;
	job->bit_flags &= ~TEST_NOW_ONLY;
	job->bit_flags |= now_only;
	job->start_time = start;
	return rc;
}

/* Ask as the scheduler does at a start. Nothing is allocated by the answer, which is freed after a
 * look. RET as the plugin. */
static int give(job_record_t *job, const struct question *q, bitstr_t *bits)
{
	const struct rspb_pick *pick = q->pick;
	const struct rspb_standing standing = rspb_standing_of(job);
	uint32_t cpus = job->total_cpus, switches = job->req_switch;
	time_t waits = job->wait4switch_start;
	bool best = job->best_switch;
	int rc;

	/* The scheduler sets the weights of the nodes of each job before it asks. */
	for (int64_t n = 0; n < bit_size(bits); n++)
		if (bit_test(bits, n))
			node_record_table_ptr[n]->sched_weight =
				(uint64_t) node_record_table_ptr[n]->config_ptr->weight << 8;
	rc = rspb_release_test(job, bits, pick->least, pick->most, pick->asked, SELECT_MODE_RUN_NOW,
			       q->without);
	if (rc == SLURM_SUCCESS && job->job_resrcs && q->note(job, bits, q->arg))
		rc = ENOMEM;
	free_job_resources(&job->job_resrcs);
	rspb_standing_put(job, &standing);
	/* Slurm starts no job for which it has found only nodes of too many switches. */
	job->best_switch = best;
	job->req_switch = switches;
	job->wait4switch_start = waits;
	job->total_cpus = cpus;
	return rc;
}

/* Keep only nodes that have alone what the job requests of devices in all. */
static void keep_rich(const job_record_t *job, uint32_t tasks, bitstr_t *bits)
{
	for (int64_t n = 0; job->gres_list_req && n < bit_size(bits); n++)
		if (bit_test(bits, n) && !rspb_gres_on_one(job, tasks, (uint32_t) n))
			bit_clear(bits, n);
}

/* Ask the selection plugin, which removes the nodes from the bitmap that it would not need. */
static bool test(job_record_t *job, struct question *q, bitstr_t *bits)
{
	const struct rspb_pick *pick = q->pick;
	job_details_t *details = job->details;
	struct size old = size_get(details);
	uint32_t switches = job->req_switch, least = pick->least, most = pick->most;
	struct size own = { pick->least, pick->most, part_of(old.tasks, pick),
			    part_of(old.cpus, pick) };
	int rc;

	/* For a job of one node, Slurm takes the first that suits from 26.05 on, without a look at
	 * the devices that the job requests in all. */
	if (pick->most == 1 && q->kind != GIVE)
		keep_rich(job, own.tasks, bits);
	if ((uint32_t) bit_set_count(bits) < pick->least)
		return false;
	/* The job starts with the number that it named itself, by which Slurm finds out how many
	 * sockets of a node it may use. */
	if (old.nodes_min && old.nodes_min < pick->least)
		own.nodes_min = old.nodes_min;
	/* A part starts with the size that its job has, on any of its nodes. */
	if (q->without && q->kind == NOW) {
		own = old;
		least = old.nodes_min ? old.nodes_min : 1;
		most = old.nodes_max ? old.nodes_max : (uint32_t) node_record_count;
	}
	if (q->without && pick->most == 1 && rspb_job_one_task(job))
		own.tasks = 1;
	/* The loop of the scheduler sets these before it asks. */
	details->features_use = details->features;
	details->feature_list_use = details->feature_list;
	if (q->kind == GIVE)
		return give(job, q, bits) == SLURM_SUCCESS;
	size_put(details, &own);
	/* The switches were considered when the nodes were chosen. Slurm would begin to count how
	 * long the job waits for them. */
	job->req_switch = 0;
	rc = q->kind == EVER
		     ? rspb_release_test(job, bits, least, most, least, SELECT_MODE_TEST_ONLY, NULL)
		     : test_start(job, q, least, most, bits);
	job->req_switch = switches;
	size_put(details, &old);
	return rc == SLURM_SUCCESS;
}

/* Put the nodes of the next term of --constraint into *term: of a feature, or of an expression in
 * parentheses. RET the sign after it, FEATURE_OP_END after the last. */
static int next_term(list_itr_t *iter, bitstr_t **term)
{
	int sign = FEATURE_OP_AND;
	job_feature_t *feature;

	*term = NULL;
	while ((feature = list_next(iter))) {
		bitstr_t *has = feature->node_bitmap_avail;

		if (!*term)
			*term = has ? bit_copy(has) : bit_alloc(node_record_count);
		else if (sign == FEATURE_OP_OR && has)
			bit_or(*term, has);
		else if (sign != FEATURE_OP_OR && has)
			bit_and(*term, has);
		else if (sign != FEATURE_OP_OR)
			bit_clear_all(*term);
		sign = feature->op_code;
		if (!feature->paren)
			return sign;
	}
	return FEATURE_OP_END;
}

/* Fill out with the sets of nodes, one of which must have all nodes of the job. Without such a
 * condition it is one set of all. The caller frees them. RET how many. */
static int alternatives(job_record_t *job, const bitstr_t *all, bitstr_t *out[MOST_ALTERNATIVES])
{
	bitstr_t *scratch = bit_copy((bitstr_t *) all), *term;
	int n = 0, sign = FEATURE_OP_AND, before;
	list_itr_t *iter;
	bool has = false;

	/* valid_feature_counts() also fills in the nodes of each feature, which next_term()
	 * reads. */
	if (job->details->feature_list && !valid_feature_counts(job, false, scratch, &has) && has) {
		iter = list_iterator_create(job->details->feature_list);
		do {
			before = sign;
			sign = next_term(iter, &term);
			if (term && n < MOST_ALTERNATIVES &&
			    (sign == FEATURE_OP_MOR || before == FEATURE_OP_MOR)) {
				bit_and(term, (bitstr_t *) all);
				out[n++] = term;
			} else {
				FREE_NULL_BITMAP(term);
			}
		} while (sign != FEATURE_OP_END);
		list_iterator_destroy(iter);
	}
	bit_free(scratch);
	if (!n)
		out[n++] = bit_copy((bitstr_t *) all);
	return n;
}

static bool pick_any(const struct rspb_job *view, struct question *q, struct rspb_nodeset *out)
{
	bitstr_t *all = rspb_bits_make(q->pick->among);
	bitstr_t *sets[MOST_ALTERNATIVES];
	int n = alternatives(view->handle, all, sets);
	/* The first set in which the plugin finds nodes is taken; the others are only freed. */
	bool found = false;

	for (int i = 0; i < n; i++) {
		if (!found && test(view->handle, q, sets[i])) {
			found = true;
			rspb_nodeset_clear(out);
			rspb_bits_add(sets[i], out);
		}
		bit_free(sets[i]);
	}
	bit_free(all);
	return found;
}

bool rspb_job_pick(const struct rspb_job *view, const struct rspb_pick *pick,
		   struct rspb_nodeset *out)
{
	struct question q = { .pick = pick, .kind = pick->now ? NOW : EVER };

	return pick_any(view, &q, out);
}

int rspb_job_takes_all(const struct rspb_job *view, const struct rspb_nodeset *nodes)
{
	uint32_t count = rspb_nodeset_count(nodes);
	struct rspb_pick pick = { nodes, count, count, 0, false };
	struct rspb_nodeset *picked = rspb_nodeset_create(nodes->width);
	bool good;

	if (!picked)
		return -1;
	good = rspb_job_pick(view, &pick, picked) && rspb_nodeset_equal(picked, nodes);
	rspb_nodeset_destroy(picked);
	return good;
}

bool rspb_job_pick_without(const struct rspb_job *view, const struct rspb_pick *pick,
			   const bitstr_t *cores, int64_t *start, struct rspb_nodeset *out)
{
	struct question q = { .pick = pick, .kind = pick->now ? NOW : THEN, .without = cores };
	bool found = pick_any(view, &q, out);

	*start = q.start;
	return found;
}

bool rspb_job_give(const struct rspb_job *view, const struct rspb_pick *pick, const bitstr_t *cores,
		   rspb_given_fn note, void *arg)
{
	struct question q = { pick, GIVE, cores, 0, note, arg };
	struct rspb_nodeset *picked = rspb_nodeset_create(pick->among->width);
	bool found = picked && pick_any(view, &q, picked);

	rspb_nodeset_destroy(picked);
	return found;
}
