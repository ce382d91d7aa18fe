/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a job as large as it was granted, and as it asked again. How large that is it does
 * not say. */
#include "plugins/ctld/mirror/size.h"

#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"

/* RET the size of the contract's job with its booking, or without. */
static struct rspb_job_size size_of(const struct rspb_contract *contract, bool booked)
{
	return (struct rspb_job_size){
		.nodes_min = contract->nodes_least ? contract->nodes_least : contract->nodes_asked,
		.nodes_max = contract->nodes_asked,
		.tasks = contract->tasks,
		.cpus = contract->cpus,
		.limit = rspb_contract_limit(contract, booked),
	};
}

void rspb_mirror_size_keep(uint32_t id, uint32_t fewer, struct rspb_contract *contract)
{
	struct rspb_job job;

	if (contract->cpus || (!fewer && contract->nodes_granted >= contract->nodes_asked) ||
	    !rspb_job_find(id, &job))
		return;
	contract->tasks = job.tasks;
	contract->cpus = job.cpus;
}

void rspb_mirror_unfit(uint32_t id, struct rspb_contract *contract)
{
	struct rspb_job_size asked = size_of(contract, false);

	if (contract->nodes_asked)
		rspb_job_unshape(id, &asked, NULL);
	contract->tasks = contract->cpus = contract->speed = 0;
	contract->standard = 0;
}

int rspb_mirror_size_fit(uint32_t id, const struct rspb_contract *contract, uint32_t fewer,
			 struct rspb_err *err)
{
	struct rspb_job_size asked = size_of(contract, true);

	asked.fewer = fewer * contract->nodes_granted;
	return rspb_job_shape(id, contract->nodes_granted, &asked, err);
}
