/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/limit/quota.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "plugins/compat/slurm.h"
#include "src/common/assoc_mgr.h"

/* Which limits have been met already: those of a QOS that comes first go before
 * those of the next, and of the associations. */
struct met {
	bool grp_jobs, jobs_account, jobs_user;
	bool *grp_tres, *tres_account, *tres_user; /* by TRES */
};

struct reader {
	job_record_t *job;
	bool runs, whole;
	struct rspb_quotas *out;
	struct met met;
};

/* Whose numbers they are; the letter tells apart what has the same number. */
struct owner {
	char kind;
	uint32_t id, user; /* user: of a QOS, counted for each */
	const char *account;
	char text[RSPB_QUOTA_NAME];
};

static uint64_t key_of(const struct owner *owner, int tres)
{
	uint64_t key = rspb_hash(RSPB_HASH_START, &owner->kind, 1);

	key = rspb_hash(key, &owner->id, sizeof(owner->id));
	key = rspb_hash(key, &owner->user, sizeof(owner->user));
	key = rspb_hash(key, &tres, sizeof(tres));
	if (owner->account)
		key = rspb_hash(key, owner->account, strlen(owner->account));
	/* A number that JSON can hold. */
	return key >> 1;
}

static void add(struct reader *reader, const struct owner *owner, int tres,
		int64_t most, const struct rspb_quota *use, const char *limit)
{
	struct rspb_quota *quota = rspb_quotas_add(reader->out, use);

	if (!quota)
		return;
	quota->key = key_of(owner, tres);
	quota->most = most;
	snprintf(quota->name, sizeof(quota->name), "%.40s of %.64s", limit,
		 owner->text);
}

static void count_jobs(struct reader *reader, const struct owner *owner,
		       uint32_t most, bool *met, const char *name)
{
	const struct rspb_quota use = { .use = 1 };
	char limit[48];

	if (most == INFINITE || most == NO_VAL)
		return;
	snprintf(limit, sizeof(limit), "%s=%u", name, most);
	add(reader, owner, -1, met && *met ? -1 : (int64_t) most, &use, limit);
	if (met)
		*met = true;
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

/* What the job adds of a TRES; where it asks for so much on each node, that. */
static struct rspb_quota use_of(const struct reader *reader, int tres)
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

/* What grows with time, or is known only afterwards, is no matter of what runs
 * beside. */
static bool is_counted(int tres)
{
	return tres == TRES_ARRAY_CPU || tres == TRES_ARRAY_MEM ||
	       tres == TRES_ARRAY_NODE || tres >= TRES_ARRAY_TOTAL_CNT;
}

static void count_tres(struct reader *reader, const struct owner *owner,
		       const uint64_t *most, const bool *met, const char *name)
{
	for (int i = 0; most && i < slurmctld_tres_cnt; i++) {
		struct rspb_quota use;
		char limit[64];

		if (most[i] == INFINITE64 || most[i] == NO_VAL64 ||
		    !is_counted(i))
			continue;
		use = use_of(reader, i);
		snprintf(limit, sizeof(limit), "%s=%.16s=%" PRIu64, name,
			 assoc_mgr_tres_name_array[i], most[i]);
		if (use.use || use.per_node || use.per_cpu)
			add(reader, owner, i, met[i] ? -1 : (int64_t) most[i],
			    &use, limit);
	}
}

static void meet(const uint64_t *most, bool *met)
{
	for (int i = 0; most && i < slurmctld_tres_cnt; i++)
		met[i] |= most[i] != INFINITE64 && most[i] != NO_VAL64;
}

static void read_qos(struct reader *reader, const slurmdb_qos_rec_t *qos)
{
	struct owner owner = { .kind = 'q', .id = qos->id };
	struct met *met = &reader->met;

	snprintf(owner.text, sizeof(owner.text), "QOS %.40s", qos->name);
	count_jobs(reader, &owner, qos->grp_jobs, &met->grp_jobs, "GrpJobs");
	count_tres(reader, &owner, qos->grp_tres_ctld, met->grp_tres,
		   "GrpTRES");
	owner.kind = 'a';
	owner.account = reader->job->assoc_ptr->acct;
	count_jobs(reader, &owner, qos->max_jobs_pa, &met->jobs_account,
		   "MaxJobsPerAccount");
	count_tres(reader, &owner, qos->max_tres_pa_ctld, met->tres_account,
		   "MaxTRESPerAccount");
	owner.kind = 'u';
	owner.account = NULL;
	owner.user = reader->job->user_id;
	count_jobs(reader, &owner, qos->max_jobs_pu, &met->jobs_user,
		   "MaxJobsPerUser");
	count_tres(reader, &owner, qos->max_tres_pu_ctld, met->tres_user,
		   "MaxTRESPerUser");
	meet(qos->grp_tres_ctld, met->grp_tres);
	meet(qos->max_tres_pa_ctld, met->tres_account);
	meet(qos->max_tres_pu_ctld, met->tres_user);
}

/* The partition's QOS goes before that of the job, unless that says otherwise. */
static void read_both_qos(struct reader *reader)
{
	const slurmdb_qos_rec_t *own = reader->job->qos_ptr, *part = NULL;

	if (reader->job->part_ptr)
		part = reader->job->part_ptr->qos_ptr;
	if (own && part && own != part &&
	    (own->flags & QOS_FLAG_OVER_PART_QOS)) {
		read_qos(reader, own);
		own = NULL;
	}
	if (part)
		read_qos(reader, part);
	if (own && own != part)
		read_qos(reader, own);
}

/* Each account above it limits what runs in all below. */
static void read_assocs(struct reader *reader)
{
	const slurmdb_assoc_rec_t *leaf = reader->job->assoc_ptr, *assoc;
	struct met *met = &reader->met;
	bool any = met->jobs_account || met->jobs_user;

	for (assoc = leaf; assoc && assoc->usage;
	     assoc = assoc->usage->parent_assoc_ptr) {
		struct owner owner = { .kind = 'g', .id = assoc->id };
		bool grp_jobs = met->grp_jobs;

		snprintf(owner.text, sizeof(owner.text),
			 "%s%.24s%saccount %.24s", assoc->user ? "user " : "",
			 assoc->user ? assoc->user : "",
			 assoc->user ? " in " : "",
			 assoc->acct ? assoc->acct : "?");
		count_jobs(reader, &owner, assoc->grp_jobs, &grp_jobs,
			   "GrpJobs");
		count_tres(reader, &owner, assoc->grp_tres_ctld, met->grp_tres,
			   "GrpTRES");
		owner.kind = 'm';
		if (assoc == leaf)
			count_jobs(reader, &owner, assoc->max_jobs, &any,
				   "MaxJobs");
	}
}

static void read_all(struct reader *reader)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
	};
	size_t n = (size_t) slurmctld_tres_cnt;
	bool *met = calloc(3 * n, sizeof(*met));

	if (!met) {
		reader->out->short_of_memory = true;
		return;
	}
	reader->met.grp_tres = met;
	reader->met.tres_account = met + n;
	reader->met.tres_user = met + 2 * n;
	assoc_mgr_lock(&locks);
	read_both_qos(reader);
	read_assocs(reader);
	assoc_mgr_unlock(&locks);
	free(met);
}

void rspb_job_quotas(const struct rspb_job *view, bool whole,
		     struct rspb_quotas *quotas)
{
	struct reader reader = {
		.job = view->handle,
		.runs = view->phase == RSPB_JOB_RUNNING,
		.whole = whole,
		.out = quotas,
	};

	if ((slurm_conf.accounting_storage_enforce &
	     ACCOUNTING_ENFORCE_LIMITS) &&
	    reader.job->assoc_ptr && slurmctld_tres_cnt > 0)
		read_all(&reader);
}
