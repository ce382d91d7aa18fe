/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds one job against the limits that no other job changes. It refuses nothing
 * itself. */
#include "plugins/compat/limit/fixed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/limit/reader.h"
#include "src/common/assoc_mgr.h"

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
		met[i] = true;
		if (!passed(look, bound, i, limits[i]))
			continue;
		snprintf(look->text, look->size, "%s=%.16s=%" PRIu64 " of %s %.40s", names[bound],
			 assoc_mgr_tres_name_array[i], limits[i], owner, name);
		return true;
	}
	return false;
}

static bool look_at_qos(struct look *look, const slurmdb_qos_rec_t *qos)
{
	return qos && (look_at(look, MOST, qos->max_tres_pj_ctld, "QOS", qos->name) ||
		       look_at(look, MOST_OF_NODE, qos->max_tres_pn_ctld, "QOS", qos->name) ||
		       look_at(look, LEAST, qos->min_tres_pj_ctld, "QOS", qos->name));
}

static bool look_at_all(struct look *look)
{
	const slurmdb_assoc_rec_t *assoc = look->job->assoc_ptr;
	const slurmdb_qos_rec_t *first, *second;

	rspb_quota_qos(look->job, &first, &second);
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
