/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for plugins/compat: features of nodes, licenses, preemption, power saving and
 * dependent jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/job.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/node.h"
#include "plugins/compat/preempt/preempt.h"
#include "tests/simulated/world.h"

#define LICENSE_KEY (RSPB_QUOTA_LICENSE | 7)

/* --- features: every second node has a, the others b */
uint64_t sim_feature_nodes(char feature)
{
	uint64_t odd = UINT64_C(0x5555555555555555);

	return (feature == 'a' ? odd : feature == 'b' ? ~odd : ~UINT64_C(0)) & sim_nodes_all();
}

/* Nodes that a job could have if nobody else were there. */
uint64_t sim_eligible(const struct sim_job *job)
{
	uint64_t nodes = sim_feature_nodes(job->feature);

	if (job->small)
		nodes &= sim_small_nodes();

	for (uint32_t n = 0; n < sim_run.nodes && (!sim_job_whole(job) || sim_job_capped(job, n));
	     n++) {
		struct sim_take takes = sim_job_takes(job, n), has = sim_node_has(n);

		if (sim_take_exceeds(&takes, &has))
			nodes &= ~(UINT64_C(1) << n);
	}
	return nodes;
}

int rspb_job_eligible(const struct rspb_job *job, struct rspb_nodeset *out, struct rspb_err *err)
{
	const struct sim_job *own = job->handle;

	(void) err;
	rspb_nodeset_clear(out);
	sim_bits_add(sim_eligible(own), out);
	return 0;
}

/* --- licenses: SIM_LICENSES of one kind */
static void add_licenses(int64_t n, struct rspb_quotas *quotas)
{
	const struct rspb_quota use = { .use = n };
	struct rspb_quota *quota = n ? rspb_quotas_add(quotas, &use) : NULL;

	if (!quota)
		return;
	quota->key = LICENSE_KEY;
	quota->most = SIM_LICENSES;
	snprintf(quota->name, sizeof(quota->name), "%d licenses x", SIM_LICENSES);
}

void rspb_job_licenses(const struct rspb_job *job, struct rspb_quotas *quotas)
{
	const struct sim_job *own = job->handle;

	add_licenses(own->licenses, quotas);
}

void rspb_resv_licenses(const struct rspb_resv *resv, struct rspb_quotas *quotas)
{
	(void) resv;
	(void) quotas;
}

void rspb_licenses_each(rspb_license_fn fn, void *arg)
{
	fn(&(struct rspb_license){ .name = "x", .key = LICENSE_KEY, .most = SIM_LICENSES }, arg);
}

int64_t sim_licenses_used(void)
{
	int64_t used = 0;

	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);

		if (job->phase == RSPB_JOB_RUNNING)
			used += job->licenses;
	}
	return used;
}

bool rspb_license_now(uint64_t key, int64_t *used, int64_t *most)
{
	*used = sim_licenses_used();
	*most = SIM_LICENSES;
	return key == LICENSE_KEY;
}

/* --- preemption: bookings stop jobs that are marked as such, which are requeued */
bool rspb_preempt_way(const struct rspb_job *by, const struct rspb_job *victim,
		      struct rspb_way *way)
{
	const struct sim_job *stopped = victim->handle;
	const struct sim_job *stopping = by->handle;

	if (!sim_run.settings.preempts || !stopped->preemptable || stopping->preemptable ||
	    stopped->phase != RSPB_JOB_RUNNING)
		return false;
	*way = (struct rspb_way){ .from = 0 };
	return true;
}

bool rspb_preempt_suspends(const struct rspb_job *victim)
{
	(void) victim;
	return false;
}

/* Jobs that are preempted here end at once. */
bool rspb_preempt_end(uint32_t victim)
{
	(void) victim;
	return false;
}

void rspb_preempt(uint32_t victim, uint32_t by)
{
	struct sim_job *job = sim_job_find(victim);

	if (!job || job->phase != RSPB_JOB_RUNNING)
		return;
	sim_log("PREEMPT job %u for job %u", victim, by);
	if (!sim_run.settings.preempts || !job->preemptable)
		sim_fault("job %u preempts job %u, which makes way for nobody", by, victim);
	sim_job_end(job, false, false, job->requeue);
}

/* --- power saving: nodes that nobody has used for a while sleep */
int64_t rspb_node_resume_time(void)
{
	return sim_run.settings.power_saving ? SIM_RESUME_S : 0;
}

int rspb_node_wake(const struct rspb_nodeset *nodes, int64_t now, struct rspb_err *err)
{
	(void) now;
	(void) err;
	sim_wake_nodes(sim_bits(nodes));
	return 0;
}

/* --- jobs that wait for others to end */
int rspb_job_waits_for(const struct rspb_job *job, uint32_t *ids, int max)
{
	const struct sim_job *own = job->handle;
	const struct sim_job *other = own->after ? sim_job_find(own->after) : NULL;

	if (!other || other->phase == RSPB_JOB_DONE || max < 1)
		return 0;
	ids[0] = own->after;
	return 1;
}

/* --- heterogeneous jobs: components have the numbers behind their leader's */
uint32_t rspb_job_components(const struct rspb_job *job, uint32_t *ids, uint32_t max)
{
	const struct sim_job *leader = sim_job_find(job->leader);
	uint32_t n = leader && leader->n_parts > 1 ? leader->n_parts : 1;

	for (uint32_t i = 0; i < n && i < max; i++)
		ids[i] = leader ? leader->id + i : job->id;
	return n;
}
