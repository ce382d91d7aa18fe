/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads limits of QOS and associations on what runs together. Whether they are met is
 * counted elsewhere. */
#include "plugins/compat/limit/quota.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "plugins/compat/job_pick.h"
#include "plugins/compat/slurm.h"
#include "src/common/assoc_mgr.h"

/* The limits that have been met already: those of a QOS that comes first go before those of the
 * next, and of the associations. */
struct met {
	bool grp_jobs, jobs_account, jobs_user, grp_wall;
	bool *grp_tres, *tres_account, *tres_user; /* by TRES */
	bool *grp_mins, *grp_run_mins;
};

struct reader {
	job_record_t *job;
	bool runs, whole;
	int64_t share;		   /* of time, as which its CPUs count; 0: as all */
	struct rspb_charge charge; /* for parts of its nodes */
	double factor;		   /* by which its QOS lets its time count */
	struct rspb_quotas *out;
	struct met met;
};

/* Minutes of a TRES are counted in thousandths of a second of it, those billed in
 * thousandths. */
enum { THOUSANDTHS = 1000, MINUTE = 60 * THOUSANDTHS };
/* The numbers that tell limits of one owner with the same TRES apart; -1: jobs. */
enum { OF_WALL = -2, OF_MINUTES = 1 << 20, OF_RUN_MINUTES = 1 << 21 };

/* The owner of the limits; the letter tells owners with the same number apart. */
struct owner {
	char kind;
	uint32_t id, user; /* user: of a QOS, counted for each */
	const char *account;
	char text[RSPB_QUOTA_NAME];
};

/* Computes what a job adds to the limits, by TRES, and billed by its partition's weights. */

/* The number of what such a limit counts. */
static uint64_t quota_key(const struct owner *owner, int tres)
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

/* Add that it counts, up to `most` (-1: it is not bound), as `limit` calls it. */
static void reader_add(struct reader *reader, const struct owner *owner, int tres, int64_t most,
		       const struct rspb_quota *use, const char *limit)
{
	struct rspb_quota *quota = rspb_quotas_add(reader->out, use);

	if (!quota)
		return;
	quota->key = quota_key(owner, tres);
	/* The limit is kept in the unit of the use. */
	quota->most = most < 0 || !quota->unit ? most : rspb_quota_product(most, quota->unit);
	snprintf(quota->name, sizeof(quota->name), "%.40s of %.64s", limit, owner->text);
}

/* Whether a TRES is known before a job runs. Energy and the like are known only afterwards, so
 * that no limit on them is counted. */
static bool use_counted(int tres)
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

/* Whether a job with parts of its nodes is charged for whole cores, with threads that it did not
 * ask for. With CR_CPU it is charged for what it asks for. */
static bool is_rounded(const struct reader *reader)
{
	return reader->charge.cpus && !(slurm_conf.select_type_param & RSPB_RELEASE_CPUS);
}

static uint64_t counted(const uint64_t *counts, int tres)
{
	return counts && counts[tres] != NO_CONSUME_VAL64 ? counts[tres] : 0;
}

/* RET how much of a TRES a job adds. A running job adds what it has. A waiting one adds an
 * amount for each node or CPU that it is granted, or a fixed one if the grant does not matter. */
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
	/* The nodes are not known yet: a share counts as on the largest node of the partition. */
	if (reader->share && tres == TRES_ARRAY_CPU && job->part_ptr)
		return (struct rspb_quota){
			.per_node = rspb_job_share_cpus(job->part_ptr->max_cpu_cnt, reader->share),
		};
	if (reader->whole && tres == TRES_ARRAY_CPU)
		return (struct rspb_quota){ .per_cpu = 1 };
	if (reader->whole && tres == TRES_ARRAY_MEM)
		return memory_of(job);
	asked = (int64_t) counted(job->tres_req_cnt, tres);
	if (tres == TRES_ARRAY_CPU && is_rounded(reader))
		return (struct rspb_quota){ .use = reader->charge.cpus };
	if (tres == TRES_ARRAY_MEM && is_rounded(reader) && memory_of(job).per_cpu)
		return (struct rspb_quota){ .use = memory_of(job).per_cpu * reader->charge.memory };
	/* Resources that are asked for on each node (--gres) grow with the number of nodes. */
	if (job->tres_per_node && nodes)
		return (struct rspb_quota){
			.per_node = (asked + nodes - 1) / nodes,
		};
	return (struct rspb_quota){ .use = asked };
}

/* The same times `by`, rounded up. */
static struct rspb_quota use_scaled(const struct rspb_quota *use, double by)
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
		use = use_scaled(&use, weights[i] * THOUSANDTHS);
		/* PriorityFlags=MAX_TRES bills only the dearest TRES of a node, and adds those
		 * that belong to no node. */
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

	/* Slurm has billed a running job already. Without weights it bills the CPUs. */
	if (!reader->runs && part && part->billing_weights) {
		use = weighed(reader, part->billing_weights);
	} else {
		use = plain(reader, reader->runs ? TRES_ARRAY_BILLING : TRES_ARRAY_CPU);
		use = use_scaled(&use, THOUSANDTHS);
	}
	use.unit = THOUSANDTHS;
	return use;
}

/* RET how much of a TRES the job adds; if it asks for an amount on each node, that amount. */
static struct rspb_quota use_of(const struct reader *reader, int tres)
{
	return tres == TRES_ARRAY_BILLING ? billed(reader) : plain(reader, tres);
}

/* Limits on minutes: budgets that are used up, and what all that runs has yet to
 * run. */

/* Minutes of a TRES: of all that runs at a time, or for good. */
static void count_minutes(struct reader *reader, const struct owner *owner, const uint64_t *most,
			  const bool *met, const char *name, enum rspb_quota_span span)
{
	for (int i = 0; most && reader->factor > 0 && i < slurmctld_tres_cnt; i++) {
		struct rspb_quota use;
		char limit[64];

		if (most[i] == INFINITE64 || most[i] == NO_VAL64 || !use_counted(i))
			continue;
		use = use_of(reader, i);
		/* A use that is billed is in thousandths already. */
		use = use_scaled(&use, reader->factor * (use.unit ? 1 : THOUSANDTHS));
		use.span = span;
		use.unit = MINUTE;
		snprintf(limit, sizeof(limit), "%s=%.16s=%" PRIu64, name,
			 assoc_mgr_tres_name_array[i], most[i]);
		if (use.use || use.per_node || use.per_cpu)
			reader_add(reader, owner,
				   i + (span == RSPB_QUOTA_EVER ? OF_MINUTES : OF_RUN_MINUTES),
				   met[i] ? -1 : (int64_t) most[i], &use, limit);
	}
}

/* A group's minutes of jobs, however wide they are. */
static void count_wall(struct reader *reader, const struct owner *owner, uint32_t most)
{
	const struct rspb_quota use = {
		.use = (int64_t) ceil(reader->factor * THOUSANDTHS),
		.span = RSPB_QUOTA_EVER,
		.unit = MINUTE,
	};
	char limit[48];

	if (most == INFINITE || most == NO_VAL || reader->factor <= 0)
		return;
	snprintf(limit, sizeof(limit), "GrpWall=%u", most);
	reader_add(reader, owner, OF_WALL, reader->met.grp_wall ? -1 : (int64_t) most, &use, limit);
}

/* Count the budgets of a group: minutes of TRES and of jobs, for good or of all jobs that run at a
 * time. Call with the locks. */
static void budget_count(struct reader *reader, const struct owner *owner, const uint64_t *mins,
			 const uint64_t *run_mins, uint32_t wall)
{
	count_minutes(reader, owner, mins, reader->met.grp_mins, "GrpTRESMins", RSPB_QUOTA_EVER);
	count_minutes(reader, owner, run_mins, reader->met.grp_run_mins, "GrpTRESRunMins",
		      RSPB_QUOTA_LENGTH);
	count_wall(reader, owner, wall);
}

/* --- what has been used ------------------------------------------------- */

/* Note what has been used of a budget, in the unit of count_minutes(), cut to what a quota can
 * hold. Only the key is needed to match it with the budget. */
static void add_used(struct rspb_quotas *out, const struct owner *owner, int tres,
		     long double seconds)
{
	const struct rspb_quota use = {
		.use = (int64_t) fminl(ceill(seconds * THOUSANDTHS), RSPB_QUOTA_MOST),
	};
	struct rspb_quota *quota = rspb_quotas_add(out, &use);

	if (quota)
		quota->key = quota_key(owner, tres);
}

/* Note the use of a QOS or an association. Only budgets that are limited have quotas to match. */
static void add_group(struct rspb_quotas *out, const struct owner *owner, const uint64_t *mins,
		      uint32_t wall, const long double *used, double used_wall)
{
	for (int i = 0; mins && used && i < slurmctld_tres_cnt; i++)
		if (mins[i] != INFINITE64 && mins[i] != NO_VAL64)
			add_used(out, owner, i + OF_MINUTES, used[i]);
	if (wall != INFINITE && wall != NO_VAL)
		add_used(out, owner, OF_WALL, used_wall);
}

/* Called for each QOS, with the locks that rspb_quotas_used() has taken. */
static int used_by_qos(void *item, void *out)
{
	const slurmdb_qos_rec_t *qos = item;
	const struct owner owner = { .kind = 'q', .id = qos->id };

	if (qos->usage)
		add_group(out, &owner, qos->grp_tres_mins_ctld, qos->grp_wall,
			  qos->usage->usage_tres_raw, qos->usage->grp_used_wall);
	return 0;
}

static int used_by_assoc(void *item, void *out)
{
	const slurmdb_assoc_rec_t *assoc = item;
	const struct owner owner = { .kind = 'g', .id = assoc->id };

	if (assoc->usage)
		add_group(out, &owner, assoc->grp_tres_mins_ctld, assoc->grp_wall,
			  assoc->usage->usage_tres_raw, assoc->usage->grp_used_wall);
	return 0;
}

void rspb_quotas_used(struct rspb_quotas *out)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
	};

	assoc_mgr_lock(&locks);
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, used_by_qos, out);
	if (assoc_mgr_assoc_list)
		list_for_each(assoc_mgr_assoc_list, used_by_assoc, out);
	assoc_mgr_unlock(&locks);
}

/* Count the job against a limit on jobs that run at a time. If a limit that goes before was met,
 * the job is counted but not bounded. */
static void count_jobs(struct reader *reader, const struct owner *owner, uint32_t most, bool *met,
		       const char *name)
{
	const struct rspb_quota use = { .use = 1 };
	char limit[48];

	if (most == INFINITE || most == NO_VAL)
		return;
	snprintf(limit, sizeof(limit), "%s=%u", name, most);
	reader_add(reader, owner, -1, met && *met ? -1 : (int64_t) most, &use, limit);
	if (met)
		*met = true;
}

/* Count the job likewise against limits on TRES in use at a time. The caller notes by meet()
 * that they were met. */
static void count_tres(struct reader *reader, const struct owner *owner, const uint64_t *most,
		       const bool *met, const char *name)
{
	for (int i = 0; most && i < slurmctld_tres_cnt; i++) {
		struct rspb_quota use;
		char limit[64];

		if (most[i] == INFINITE64 || most[i] == NO_VAL64 || !use_counted(i))
			continue;
		use = use_of(reader, i);
		snprintf(limit, sizeof(limit), "%s=%.16s=%" PRIu64, name,
			 assoc_mgr_tres_name_array[i], most[i]);
		if (use.use || use.per_node || use.per_cpu)
			reader_add(reader, owner, i, met[i] ? -1 : (int64_t) most[i], &use, limit);
	}
}

/* Note which TRES are limited, so that the same limits of owners that come later do not bound. */
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
	count_tres(reader, &owner, qos->grp_tres_ctld, met->grp_tres, "GrpTRES");
	budget_count(reader, &owner, qos->grp_tres_mins_ctld, qos->grp_tres_run_mins_ctld,
		     qos->grp_wall);
	met->grp_wall |= qos->grp_wall != INFINITE && qos->grp_wall != NO_VAL;
	owner.kind = 'a';
	owner.account = reader->job->assoc_ptr->acct;
	count_jobs(reader, &owner, qos->max_jobs_pa, &met->jobs_account, "MaxJobsPerAccount");
	count_tres(reader, &owner, qos->max_tres_pa_ctld, met->tres_account, "MaxTRESPerAccount");
	owner.kind = 'u';
	owner.account = NULL;
	owner.user = reader->job->user_id;
	count_jobs(reader, &owner, qos->max_jobs_pu, &met->jobs_user, "MaxJobsPerUser");
	count_tres(reader, &owner, qos->max_tres_pu_ctld, met->tres_user, "MaxTRESPerUser");
	meet(qos->grp_tres_ctld, met->grp_tres);
	meet(qos->max_tres_pa_ctld, met->tres_account);
	meet(qos->max_tres_pu_ctld, met->tres_user);
	meet(qos->grp_tres_mins_ctld, met->grp_mins);
	meet(qos->grp_tres_run_mins_ctld, met->grp_run_mins);
}

/* The QOS whose limits count, in that order, NULL: none: the partition's goes
 * before that of the job, unless that says otherwise. */
static void quota_qos(const job_record_t *job, const slurmdb_qos_rec_t **first,
		      const slurmdb_qos_rec_t **second)
{
	const slurmdb_qos_rec_t *own = job->qos_ptr, *part = NULL;

	if (job->part_ptr)
		part = job->part_ptr->qos_ptr;
	if (part == own)
		part = NULL;
	if (own && part && (own->flags & QOS_FLAG_OVER_PART_QOS)) {
		*first = own;
		*second = part;
	} else {
		*first = part ? part : own;
		*second = part ? own : NULL;
	}
}

static void read_both_qos(struct reader *reader)
{
	const slurmdb_qos_rec_t *first, *second;

	quota_qos(reader->job, &first, &second);
	if (first)
		read_qos(reader, first);
	if (second)
		read_qos(reader, second);
}

/* Each account above it limits what runs in all below. */
static void read_assocs(struct reader *reader)
{
	const slurmdb_assoc_rec_t *leaf = reader->job->assoc_ptr, *assoc;
	struct met *met = &reader->met;
	bool any = met->jobs_account || met->jobs_user;

	for (assoc = leaf; assoc && assoc->usage; assoc = assoc->usage->parent_assoc_ptr) {
		struct owner owner = { .kind = 'g', .id = assoc->id };
		bool grp_jobs = met->grp_jobs;

		snprintf(owner.text, sizeof(owner.text), "%s%.24s%saccount %.24s",
			 assoc->user ? "user " : "", assoc->user ? assoc->user : "",
			 assoc->user ? " in " : "", assoc->acct ? assoc->acct : "?");
		/* The limits of all levels bound, so that a limit of one must not be noted for
		 * the next. */
		count_jobs(reader, &owner, assoc->grp_jobs, &grp_jobs, "GrpJobs");
		count_tres(reader, &owner, assoc->grp_tres_ctld, met->grp_tres, "GrpTRES");
		budget_count(reader, &owner, assoc->grp_tres_mins_ctld,
			     assoc->grp_tres_run_mins_ctld, assoc->grp_wall);
		owner.kind = 'm';
		/* MaxJobs is a limit of the job's own association, unless a QOS has one. */
		if (assoc == leaf)
			count_jobs(reader, &owner, assoc->max_jobs, &any, "MaxJobs");
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
	bool *met = calloc(5 * n, sizeof(*met));

	if (!met) {
		reader->out->short_of_memory = true;
		return;
	}
	reader->met.grp_tres = met;
	reader->met.tres_account = met + n;
	reader->met.tres_user = met + 2 * n;
	reader->met.grp_mins = met + 3 * n;
	reader->met.grp_run_mins = met + 4 * n;
	assoc_mgr_lock(&locks);
	read_both_qos(reader);
	read_assocs(reader);
	assoc_mgr_unlock(&locks);
	free(met);
}

void rspb_job_quotas(const struct rspb_job *view, bool whole, int64_t share,
		     const struct rspb_charge *charge, struct rspb_quotas *quotas)
{
	struct reader reader = {
		.job = view->handle,
		.runs = view->phase == RSPB_JOB_RUNNING,
		.whole = whole,
		.share = share,
		.charge = charge ? *charge : (struct rspb_charge){ .cpus = 0 },
		.factor = 1,
		.out = quotas,
	};
	const slurmdb_qos_rec_t *qos = reader.job->qos_ptr;

	if (qos && qos->usage_factor >= 0)
		reader.factor = qos->usage_factor;

	if ((slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS) &&
	    reader.job->assoc_ptr && slurmctld_tres_cnt > 0)
		read_all(&reader);
}

/* Works out what a job is billed beside a whole node, by Slurm's own function. */

static double weighed_of(uint64_t *tres, const part_record_t *part)
{
	return assoc_mgr_tres_weighted(tres, part->billing_weights, slurm_conf.priority_flags,
				       false);
}

double rspb_billed_nodes(uint32_t id, uint32_t node)
{
	const job_record_t *job = find_job_record(id);
	const node_record_t *like = node < (uint32_t) node_record_count
					    ? node_record_table_ptr[node]
					    : NULL;
	const part_record_t *part = job ? job->part_ptr : NULL;
	uint64_t *has = job ? job->tres_alloc_cnt : NULL;
	double whole;

	if (job && !has)
		has = job->tres_req_cnt;
	if (!has || !part || !part->billing_weights || !like || !like->tres_cnt)
		return 0;
	whole = weighed_of(like->tres_cnt, part);
	return whole > 0 ? weighed_of(has, part) / whole : 0;
}

/* Holds one job against the limits that no other job changes. It refuses nothing
 * itself. */

/* The ways in which a limit bounds a job. */
enum bound { MOST, MOST_OF_NODE, LEAST, N_BOUNDS };

static const char *const names[N_BOUNDS] = {
	[MOST] = "MaxTRESPerJob",
	[MOST_OF_NODE] = "MaxTRESPerNode",
	[LEAST] = "MinTRESPerJob",
};

struct look {
	const job_record_t *job;
	const uint64_t *tres;
	bool *met; /* by bound and TRES: one that goes before has said */
	char *text;
	size_t size;
};

/* Whether a job passes a limit, on the mean of its nodes for limits per node. It never passes a
 * limit that an administrator has lifted for it (limit_set). */
static bool passed(const struct look *look, enum bound bound, int tres, uint64_t limit)
{
	uint64_t nodes = look->tres[TRES_ARRAY_NODE], has = look->tres[tres];

	if (has == NO_CONSUME_VAL64 || has == NO_VAL64 ||
	    look->job->limit_set.tres[tres] == ADMIN_SET_LIMIT)
		return false;
	if (bound == MOST_OF_NODE && nodes)
		has /= nodes;
	return bound == LEAST ? has < limit : has > limit;
}

/* RET whether one is passed, which is written down then. */
static bool look_at(struct look *look, enum bound bound, const uint64_t *limits, const char *owner,
		    const char *name)
{
	bool *met = look->met + (size_t) bound * slurmctld_tres_cnt;

	for (int i = 0; limits && i < slurmctld_tres_cnt; i++) {
		if (met[i] || limits[i] == INFINITE64 || limits[i] == NO_VAL64)
			continue;
		/* The first owner that has a limit decides, whatever later owners allow. */
		met[i] = true;
		if (!passed(look, bound, i, limits[i]))
			continue;
		snprintf(look->text, look->size, "%s=%.16s=%" PRIu64 " of %s %.40s", names[bound],
			 assoc_mgr_tres_name_array[i], limits[i], owner, name);
		return true;
	}
	return false;
}

/* Compare the job with the limits per job of one QOS. RET whether one is passed. */
static bool look_at_qos(struct look *look, const slurmdb_qos_rec_t *qos)
{
	return qos && (look_at(look, MOST, qos->max_tres_pj_ctld, "QOS", qos->name) ||
		       look_at(look, MOST_OF_NODE, qos->max_tres_pn_ctld, "QOS", qos->name) ||
		       look_at(look, LEAST, qos->min_tres_pj_ctld, "QOS", qos->name));
}

/* Compare in Slurm's order: both QOS, then the association. RET whether a limit is passed, with
 * its words in the text. */
static bool look_at_all(struct look *look)
{
	const slurmdb_assoc_rec_t *assoc = look->job->assoc_ptr;
	const slurmdb_qos_rec_t *first, *second;

	quota_qos(look->job, &first, &second);
	return look_at_qos(look, first) || look_at_qos(look, second) ||
	       (assoc &&
		(look_at(look, MOST, assoc->max_tres_ctld, "account", assoc->acct) ||
		 look_at(look, MOST_OF_NODE, assoc->max_tres_pn_ctld, "account", assoc->acct)));
}

const char *rspb_job_fixed_limit(const job_record_t *job, const uint64_t *tres)
{
	static _Thread_local char text[RSPB_QUOTA_NAME];
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
	};
	struct look look = {
		.job = job,
		.tres = tres,
		.met = calloc(N_BOUNDS * (size_t) slurmctld_tres_cnt, sizeof(bool)),
		.text = text,
		.size = sizeof(text),
	};
	bool found;

	if (!look.met || !(slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS)) {
		free(look.met);
		return NULL;
	}
	assoc_mgr_lock(&locks);
	found = look_at_all(&look);
	assoc_mgr_unlock(&locks);
	free(look.met);
	return found ? text : NULL;
}
