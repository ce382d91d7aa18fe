/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes what a job adds to the limits, by TRES, and billed by its partition's weights. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/base/hash.h"
#include "plugins/compat/limit/reader.h"

uint64_t rspb_quota_key(const struct owner *owner, int tres)
{
	uint64_t key = rspb_hash(RSPB_HASH_START, &owner->kind, 1);

	key = rspb_hash(key, &owner->id, sizeof(owner->id));
	key = rspb_hash(key, &owner->user, sizeof(owner->user));
	key = rspb_hash(key, &tres, sizeof(tres));
	if (owner->account)
		key = rspb_hash(key, owner->account, strlen(owner->account));
	/* A number that JSON can hold. */
	return key >> 2;
}

void rspb_reader_add(struct reader *reader, const struct owner *owner, int tres, int64_t most,
		     const struct rspb_quota *use, const char *limit)
{
	struct rspb_quota *quota = rspb_quotas_add(reader->out, use);

	if (!quota)
		return;
	quota->key = rspb_quota_key(owner, tres);
	quota->most = most < 0 || !quota->unit ? most : rspb_quota_product(most, quota->unit);
	snprintf(quota->name, sizeof(quota->name), "%.40s of %.64s", limit, owner->text);
}

/* A TRES that is known only afterwards does not depend on the jobs beside it. */
bool rspb_use_counted(int tres)
{
	return tres == TRES_ARRAY_CPU || tres == TRES_ARRAY_MEM || tres == TRES_ARRAY_NODE ||
	       tres == TRES_ARRAY_BILLING || tres >= TRES_ARRAY_TOTAL_CNT;
}

/* Memory of a job that has its nodes whole. */
static struct rspb_quota memory_of(const job_record_t *job)
{
	uint64_t memory = job->details ? job->details->pn_min_memory : 0;

	if (memory & MEM_PER_CPU)
		return (struct rspb_quota){
			.per_cpu = (int64_t) (memory & ~MEM_PER_CPU),
		};
	return (struct rspb_quota){ .per_node = (int64_t) memory };
}

static uint64_t counted(const uint64_t *counts, int tres)
{
	return counts && counts[tres] != NO_CONSUME_VAL64 ? counts[tres] : 0;
}

static struct rspb_quota plain(const struct reader *reader, int tres)
{
	const job_record_t *job = reader->job;
	uint32_t nodes = job->details ? job->details->min_nodes : 0;
	int64_t asked;

	if (reader->runs)
		return (struct rspb_quota){
			.use = (int64_t) counted(job->tres_alloc_cnt, tres),
		};
	if (tres == TRES_ARRAY_NODE)
		return (struct rspb_quota){ .per_node = 1 };
	if (reader->share && tres == TRES_ARRAY_CPU && job->part_ptr)
		return (struct rspb_quota){
			.per_node = rspb_job_share_cpus(job->part_ptr->max_cpu_cnt, reader->share),
		};
	if (reader->whole && tres == TRES_ARRAY_CPU)
		return (struct rspb_quota){ .per_cpu = 1 };
	if (reader->whole && tres == TRES_ARRAY_MEM)
		return memory_of(job);
	asked = (int64_t) counted(job->tres_req_cnt, tres);
	if (job->tres_per_node && nodes)
		return (struct rspb_quota){
			.per_node = (asked + nodes - 1) / nodes,
		};
	return (struct rspb_quota){ .use = asked };
}

struct rspb_quota rspb_use_scaled(const struct rspb_quota *use, double by)
{
	return (struct rspb_quota){
		.use = (int64_t) ceil((double) use->use * by),
		.per_node = (int64_t) ceil((double) use->per_node * by),
		.per_cpu = (int64_t) ceil((double) use->per_cpu * by),
		.unit = use->unit,
	};
}

/* How much that is about, of as many nodes and CPUs as are asked for. */
static double about(const struct reader *reader, const struct rspb_quota *use)
{
	const job_details_t *details = reader->job->details;
	uint32_t nodes = details ? details->min_nodes : 1;
	uint32_t cpus = details ? details->min_cpus : 1;

	return (double) use->use + (double) use->per_node * nodes +
	       (double) use->per_cpu * (cpus > nodes ? cpus : nodes);
}

/* Whether a TRES is one of a node's, of which Slurm may be told to bill only the dearest. */
static bool is_of_node(int tres)
{
	return tres == TRES_ARRAY_CPU || tres == TRES_ARRAY_MEM || tres == TRES_ARRAY_NODE ||
	       tres >= TRES_ARRAY_TOTAL_CNT;
}

/* Bill by the weights of the partition, as assoc_mgr_tres_weighted() does. */
static struct rspb_quota weighed(const struct reader *reader, const double *weights)
{
	bool dearest = slurm_conf.priority_flags & PRIORITY_FLAGS_MAX_TRES;
	struct rspb_quota sum = { .use = 0 }, most = { .use = 0 };

	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		struct rspb_quota use;

		if (weights[i] <= 0 || i == TRES_ARRAY_BILLING)
			continue;
		use = plain(reader, i);
		use = rspb_use_scaled(&use, weights[i] * THOUSANDTHS);
		if (dearest && is_of_node(i)) {
			if (about(reader, &use) > about(reader, &most))
				most = use;
			continue;
		}
		sum.use += use.use;
		sum.per_node += use.per_node;
		sum.per_cpu += use.per_cpu;
	}
	sum.use += most.use;
	sum.per_node += most.per_node;
	sum.per_cpu += most.per_cpu;
	return sum;
}

static struct rspb_quota billed(const struct reader *reader)
{
	const part_record_t *part = reader->job->part_ptr;
	struct rspb_quota use;

	if (!reader->runs && part && part->billing_weights) {
		use = weighed(reader, part->billing_weights);
	} else {
		use = plain(reader, reader->runs ? TRES_ARRAY_BILLING : TRES_ARRAY_CPU);
		use = rspb_use_scaled(&use, THOUSANDTHS);
	}
	use.unit = THOUSANDTHS;
	return use;
}

struct rspb_quota rspb_use_of(const struct reader *reader, int tres)
{
	return tres == TRES_ARRAY_BILLING ? billed(reader) : plain(reader, tres);
}
