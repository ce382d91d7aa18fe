/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files which read limits share; no other file includes them. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_READER_H
#define RSPB_PLUGINS_COMPAT_LIMIT_READER_H

#include <stdbool.h>

#include "plugins/compat/limit/quota.h"
#include "plugins/compat/slurm.h"

/* Which limits have been met already: those of a QOS that comes first go before
 * those of the next, and of the associations. */
struct met {
	bool grp_jobs, jobs_account, jobs_user, grp_wall;
	bool *grp_tres, *tres_account, *tres_user; /* by TRES */
	bool *grp_mins, *grp_run_mins;
};

struct reader {
	job_record_t *job;
	bool runs, whole;
	int64_t share; /* of time, as which its CPUs count; 0: as all */
	double factor; /* by which its QOS lets its time count */
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

/* The number of what such a limit counts. */
uint64_t rspb_quota_key(const struct owner *owner, int tres);
/* Add that it counts, up to `most` (-1: it is not bound), as `limit` calls it. */
void rspb_reader_add(struct reader *reader, const struct owner *owner, int tres, int64_t most,
		     const struct rspb_quota *use, const char *limit);

/* The QOS whose limits count, in that order, NULL: none: the partition's goes
 * before that of the job, unless that says otherwise. */
void rspb_quota_qos(const job_record_t *job, const slurmdb_qos_rec_t **first,
		    const slurmdb_qos_rec_t **second);

/* Whether a TRES is known before a job runs. */
bool rspb_use_counted(int tres);
/* RET how much of a TRES the job adds; if it asks for an amount on each node, that amount. */
struct rspb_quota rspb_use_of(const struct reader *reader, int tres);
/* The same times `by`, rounded up. */
struct rspb_quota rspb_use_scaled(const struct rspb_quota *use, double by);

/* Count the budgets of a group: minutes of TRES and of jobs, for good or of all jobs that run at a
 * time. Call with the locks. */
void rspb_budget_count(struct reader *reader, const struct owner *owner, const uint64_t *mins,
		       const uint64_t *run_mins, uint32_t wall);

#endif
