/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads limits of QOS and associations on what runs together. Whether they are met is
 * counted elsewhere. */
#include "plugins/compat/limit/quota.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/limit/reader.h"
#include "plugins/compat/slurm.h"
#include "src/common/assoc_mgr.h"

static void count_jobs(struct reader *reader, const struct owner *owner, uint32_t most, bool *met,
		       const char *name)
{
	const struct rspb_quota use = { .use = 1 };
	char limit[48];

	if (most == INFINITE || most == NO_VAL)
		return;
	snprintf(limit, sizeof(limit), "%s=%u", name, most);
	rspb_reader_add(reader, owner, -1, met && *met ? -1 : (int64_t) most, &use, limit);
	if (met)
		*met = true;
}

static void count_tres(struct reader *reader, const struct owner *owner, const uint64_t *most,
		       const bool *met, const char *name)
{
	for (int i = 0; most && i < slurmctld_tres_cnt; i++) {
		struct rspb_quota use;
		char limit[64];

		if (most[i] == INFINITE64 || most[i] == NO_VAL64 || !rspb_use_counted(i))
			continue;
		use = rspb_use_of(reader, i);
		snprintf(limit, sizeof(limit), "%s=%.16s=%" PRIu64, name,
			 assoc_mgr_tres_name_array[i], most[i]);
		if (use.use || use.per_node || use.per_cpu)
			rspb_reader_add(reader, owner, i, met[i] ? -1 : (int64_t) most[i], &use,
					limit);
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
	count_tres(reader, &owner, qos->grp_tres_ctld, met->grp_tres, "GrpTRES");
	rspb_budget_count(reader, &owner, qos->grp_tres_mins_ctld, qos->grp_tres_run_mins_ctld,
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

void rspb_quota_qos(const job_record_t *job, const slurmdb_qos_rec_t **first,
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

	rspb_quota_qos(reader->job, &first, &second);
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
		count_jobs(reader, &owner, assoc->grp_jobs, &grp_jobs, "GrpJobs");
		count_tres(reader, &owner, assoc->grp_tres_ctld, met->grp_tres, "GrpTRES");
		rspb_budget_count(reader, &owner, assoc->grp_tres_mins_ctld,
				  assoc->grp_tres_run_mins_ctld, assoc->grp_wall);
		owner.kind = 'm';
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
		     struct rspb_quotas *quotas)
{
	struct reader reader = {
		.job = view->handle,
		.runs = view->phase == RSPB_JOB_RUNNING,
		.whole = whole,
		.share = share,
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
