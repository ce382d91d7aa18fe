/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Licenses as plain numbers: what there is of each, and what counts against it.
 * With at least Slurm's read locks. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_LICENSE_H
#define RSPB_PLUGINS_COMPAT_LIMIT_LICENSE_H

#include "common/base/err.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/resv.h"

/* Add what a job wants of each license, bound by how many there are; of one that
 * runs, what it holds. */
void rspb_job_licenses(const struct rspb_job *job, struct rspb_quotas *quotas);
/* RET 0, or -1 with the sentence why what the job wants of licenses cannot be
 * booked, whatever is free. */
int rspb_job_licenses_fixed(const struct rspb_job *job, struct rspb_err *err);
/* Add what a reservation keeps of each. */
void rspb_resv_licenses(const struct rspb_resv *resv, struct rspb_quotas *quotas);
/* How many of those with this key are in use now, by jobs here and elsewhere, and
 * how many there are. RET false: there is none, or as many as are wanted. */
bool rspb_license_now(uint64_t key, int64_t *used, int64_t *most);
struct rspb_license {
	const char *name; /* good during the call */
	uint64_t key;
	int64_t most;	   /* how many there are, -1: as many as are wanted */
	int64_t elsewhere; /* taken outside of the cluster, by the server of a remote one */
};
/* Call fn for each that there is. */
typedef void (*rspb_license_fn)(const struct rspb_license *license, void *arg);
void rspb_licenses_each(rspb_license_fn fn, void *arg);

#endif
