/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/contract.h"

#include <stdio.h>

#include "plugins/compat/job_edit.h"

bool rspb_contract_read(uint32_t id, struct rspb_job *job,
			struct rspb_contract *contract)
{
	return rspb_job_find(id, job) && job->contract &&
	       !rspb_contract_parse(job->contract, contract, NULL);
}

int rspb_contract_write(uint32_t id, const struct rspb_contract *contract,
			struct rspb_err *err)
{
	char text[RSPB_CONTRACT_TEXT];

	rspb_contract_print(contract, text, sizeof(text));
	return rspb_job_set_contract(id, text, err);
}

void rspb_contract_state(uint32_t id, enum rspb_state state, const char *reason)
{
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_contract_read(id, &job, &contract))
		return;
	contract.state = state;
	snprintf(contract.reason, sizeof(contract.reason), "%s",
		 reason ? reason : "");
	rspb_contract_write(id, &contract, NULL);
}
