/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for plugins/compat: jobs, to look at. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/job.h"
#include "plugins/compat/limit/members.h"
#include "plugins/compat/submit/draft.h"
#include "tests/simulated/world.h"

static void view_job(struct sim_job *job, struct rspb_job *out)
{
	bool running = job->phase == RSPB_JOB_RUNNING;

	*out = (struct rspb_job){
		.handle = job,
		.id = job->id,
		.leader = job->leader,
		.component = job->component,
		.dependent = job->after && sim_job_find(job->after) &&
			     sim_job_find(job->after)->phase != RSPB_JOB_DONE,
		.features = job->feature == 'a'	  ? "a"
			    : job->feature == 'b' ? "b"
						  : NULL,
		.uid = job->uid,
		.priority = job->held			  ? 0
			    : sim_run.settings.priorities ? job->uid
							  : 1000,
		.phase = job->phase,
		.completing = job->unclean != 0,
		.cancelled = job->cancelled,
		.ended_by = job->by_owner ? job->uid : 0,
		.batch = true,
		.requeue = job->requeue,
		.submitted = job->submitted,
		.begin = job->begin,
		.deadline = job->deadline,
		.start = job->start,
		.end = job->suspended ? job->end + sim_now() - job->suspended_at
		       : running || job->phase == RSPB_JOB_DONE ? job->end
								: 0,
		.limit = job->limit,
		.nodes_min = job->nodes_min,
		.nodes_max = job->nodes_max,
		.tasks = job->tasks,
		.cpus = job->nodes_min * (job->cpus ? job->cpus : 1),
		.array = job->array,
		.task = job->task,
		.undivided = job->undivided != 0,
		.suspended = job->suspended,
		.suspended_held = job->suspended,
		.contract = job->contract[0] ? job->contract : NULL,
		.reservation = job->resv[0] ? job->resv : NULL,
		.reservation_id = job->resv_id,
		.name = "x",
		.account = "a",
		.qos = "normal",
		.partition = job->small ? "small" : "main",
	};
}

static struct rspb_job_mark mark_of(struct sim_job *job)
{
	return (struct rspb_job_mark){
		.handle = job,
		.id = job->id,
		.leader = job->leader,
		.mark = job->mark,
		.placed = sim_job_placed(job),
	};
}

/* RET the place in the list of the first job whose number is no lower. */
static uint32_t place_of(uint32_t id)
{
	return sim_ids_place(sim_world->jobs.ids, sim_world->jobs.n, id);
}

int rspb_job_walk(rspb_job_mark_fn fn, bool (*rest)(void *arg), void *arg)
{
	uint32_t last = 0, i;
	int rc = 0;

	do {
		i = place_of(last + 1);
		for (int n = 0; i < sim_world->jobs.n && n < RSPB_JOB_STRIDE && !rc; n++, i++) {
			struct rspb_job_mark mark = mark_of(sim_job_find(sim_world->jobs.ids[i]));

			last = mark.id;
			rc = fn(&mark, arg);
		}
	} while (!rc && i < sim_world->jobs.n && rest(arg));
	return rc;
}

int rspb_job_marks_behind(uint32_t id, rspb_job_mark_fn fn, void *arg, size_t *all)
{
	int rc = 0;

	for (uint32_t i = place_of(id + 1); fn && i < sim_world->jobs.n && !rc; i++) {
		struct rspb_job_mark mark = mark_of(sim_job_find(sim_world->jobs.ids[i]));

		rc = fn(&mark, arg);
	}
	*all = sim_world->jobs.n;
	return rc;
}

bool rspb_job_mark_find(uint32_t id, struct rspb_job_mark *out)
{
	struct sim_job *job = sim_job_find(id);

	if (job)
		*out = mark_of(job);
	return job;
}

unsigned int rspb_job_asks(const struct rspb_job_mark *mark)
{
	const struct sim_job *job = mark->handle;
	unsigned int asks = 0;

	if (job->phase == RSPB_JOB_DONE)
		return job->contract[0] ? RSPB_JOB_ASKS : 0;
	if (job->phase != RSPB_JOB_PENDING)
		return 0;
	if (!strcmp(job->resv, RSPB_WAITING_ROOM))
		asks |= RSPB_JOB_ASKS;
	if (job->contract[0])
		asks |= RSPB_JOB_HAS_ASKED;
	return asks;
}

bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	struct sim_job *job = sim_job_find(id);

	if (job)
		view_job(job, out);
	return job;
}

void rspb_job_view(void *handle, struct rspb_job *out)
{
	view_job(handle, out);
}

uint32_t rspb_job_of_task(uint32_t array, uint32_t task)
{
	(void) task;
	return array;
}

bool rspb_job_bereft(const struct rspb_job *job, char *text, size_t size)
{
	(void) job;
	(void) text;
	(void) size;
	return false;
}

bool rspb_job_nodes(const struct rspb_job *job, enum rspb_job_nodes which, struct rspb_nodeset *out)
{
	const struct sim_job *own = job->handle;
	uint64_t nodes = which != RSPB_JOB_HOLDS	  ? 0
			 : own->phase == RSPB_JOB_RUNNING ? own->nodes
							  : own->unclean;

	sim_bits_add(nodes, out);
	return nodes;
}

bool rspb_job_has_node(const struct rspb_job *job, uint32_t node, const char *name)
{
	const struct sim_job *own = job->handle;

	(void) name;
	node = sim_node_at(node);
	return node < SIM_NODES && own->nodes >> node & 1;
}

int rspb_job_lacks(const struct rspb_job *job, uint32_t needed, struct rspb_nodeset *scratch,
		   struct rspb_err *err)
{
	(void) job;
	(void) scratch;
	if (needed > sim_width())
		return rspb_fail(err, "partition main has only %u nodes", sim_width());
	return rspb_fail(err, "too few nodes have what it needs");
}

uint32_t rspb_job_gres_nodes(const struct rspb_job *job, const struct rspb_nodeset *nodes)
{
	(void) job;
	(void) nodes;
	return 0;
}

const char *rspb_job_never(const struct rspb_job *job, uint32_t nodes, uint64_t cpus)
{
	(void) job;
	(void) nodes;
	(void) cpus;
	return NULL;
}

int rspb_job_barred(const struct rspb_job *job, unsigned int bars, struct rspb_err *err)
{
	if (bars & RSPB_BAR_HOLD && !job->priority)
		return rspb_fail(err, "it is held");
	if (bars & RSPB_BAR_PARTITION && sim_now() < sim_world->closed_until)
		return rspb_fail(err, "partition main is DOWN and starts no jobs until an "
				      "operator opens it");
	return 0;
}

struct rspb_job_bounds rspb_job_bounds(const struct rspb_job *job)
{
	(void) job;
	return (struct rspb_job_bounds){ .least = 1, .most = UINT32_MAX };
}

int rspb_job_would_start(const struct rspb_job *job, const struct rspb_nodeset *nodes, bool whole,
			 struct rspb_err *err)
{
	(void) job;
	(void) nodes;
	(void) whole;
	(void) err;
	return 0;
}

static bool pick_ever(const struct rspb_pick *pick, struct rspb_nodeset *out)
{
	if (rspb_nodeset_count(pick->among) < pick->least)
		return false;
	rspb_nodeset_copy(out, pick->among);
	rspb_nodeset_keep_lowest(out, pick->most);
	return true;
}

bool sim_pick(const struct sim_job *job, const struct rspb_pick *pick, struct rspb_nodeset *out)
{
	struct rspb_pick free = *pick;
	struct rspb_nodeset *idle;
	struct sim_take used[SIM_NODES];
	bool is;

	if (!pick->now)
		return pick_ever(pick, out);
	idle = rspb_nodeset_create(sim_width());
	if (!idle)
		return false;
	sim_used(used);
	for (uint32_t n = 0; n < sim_run.nodes; n++)
		if (sim_bits(pick->among) & ~sim_nodes_unusable() & UINT64_C(1) << n &&
		    sim_fits(used, job, n))
			rspb_nodeset_add(idle, sim_number_of(n));
	free.among = idle;
	is = pick_ever(&free, out);
	rspb_nodeset_destroy(idle);
	return is;
}

struct rspb_draft {
	struct sim_job job;
};

struct rspb_draft *rspb_draft_make(const struct rspb_draft_of *of, struct rspb_job *out,
				   struct rspb_err *err)
{
	const struct rspb_terms *terms = of->terms;
	struct rspb_draft *draft = calloc(1, sizeof(*draft));

	if (!draft) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	draft->job.nodes_min = rspb_terms_least(terms) ? rspb_terms_least(terms) : 1;
	draft->job.nodes_max = terms->nodes ? terms->nodes : draft->job.nodes_min;
	draft->job.phase = RSPB_JOB_PENDING;
	draft->job.feature = of->features ? of->features[0] : 0;
	draft->job.uid = of->user;
	view_job(&draft->job, out);
	return draft;
}

void rspb_draft_destroy(struct rspb_draft *draft)
{
	free(draft);
}

bool rspb_member_is(uint32_t uid, enum rspb_member how, const char *account, const char *user)
{
	(void) uid;
	(void) user;
	return how == RSPB_MEMBER_HAS && (!account || !strcmp(account, "a"));
}

int rspb_member_partition(uint32_t uid, char *account, const char *partition, uint32_t nodes,
			  int64_t seconds, struct rspb_err *err)
{
	(void) uid;
	(void) account;
	(void) seconds;
	if (partition && strcmp(partition, "main"))
		return rspb_fail(err, "there is no partition %s", partition);
	if (nodes > sim_width())
		return rspb_fail(err, "partition main has only %u nodes", sim_width());
	return 0;
}
