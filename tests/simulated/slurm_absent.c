/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for plugins/compat: what the simulated cluster does not have (shares
 * beside regular jobs, limits of accounts, other authentication than MUNGE). Each function gives the answer of a cluster without it. doc/testing.md
 * lists what is not modelled.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/colocate.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/load/auth.h"
#include "plugins/compat/node.h"
#include "plugins/compat/submit/submission.h"
#include "tests/simulated/world.h"

/* --- shares beside regular jobs */
bool rspb_colocate_job(const struct rspb_job *job, uint32_t node, uint32_t percent,
		       uint64_t *memory)
{
	(void) job;
	(void) node;
	(void) percent;
	(void) memory;
	return false;
}

void rspb_colocate_resv(const char *name, const uint8_t *dedicated, uint32_t width)
{
	(void) name;
	(void) dedicated;
	(void) width;
}

bool rspb_colocate_spares(const char *name, const struct rspb_job *job)
{
	(void) name;
	(void) job;
	return false;
}

/* --- limits, licenses, what nodes have besides CPUs */
double rspb_billed_nodes(uint32_t job, uint32_t node)
{
	(void) job;
	(void) node;
	return 0;
}

void rspb_job_quotas(const struct rspb_job *job, bool whole, int64_t share,
		     const struct rspb_charge *charge, struct rspb_quotas *quotas)
{
	(void) job;
	(void) whole;
	(void) share;
	(void) charge;
	(void) quotas;
}

void rspb_quotas_used(struct rspb_quotas *quotas)
{
	(void) quotas;
}

/* --- authentication: nothing is signed, as there is no transport (door.c) */
const struct rspb_auth_way *rspb_auth_way(void)
{
	return NULL;
}

/* --- submissions, but for what a message's request needs */
void rspb_submission_account(const struct rspb_submission *sub, char *account, size_t size)
{
	snprintf(account, size, "%s", sub->account ? sub->account : "a");
}

int rspb_submission_part(const struct rspb_submission *sub, struct rspb_submission_part *out,
			 struct rspb_err *err)
{
	if (sub->partition && strcmp(sub->partition, "main"))
		return rspb_fail(err, "there is no partition %s", sub->partition);
	*out = (struct rspb_submission_part){
		.name = "main",
		.default_limit = 3600,
		.max_limit = -1,
		.nodes_most = UINT32_MAX,
	};
	return 0;
}

bool rspb_submission_operator(uint32_t user)
{
	return user == 0;
}
