/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/durable/durable.h"
#include "plugins/ctld/letters/letters.h"

bool rspb_contract_read(uint32_t id, struct rspb_job *job,
			struct rspb_contract *contract)
{
	return rspb_job_find(id, job) && job->contract &&
	       !rspb_contract_parse(job->contract, contract, NULL);
}

void rspb_contract_promise(uint32_t id, const char *text, const char *features)
{
	struct rspb_promise promise = {
		.key = id,
		.at = time(NULL),
		.contract = (char *) text,
	};
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return;
	promise.leader = job.leader;
	promise.user = job.uid;
	promise.submitted = job.submitted;
	promise.ended = job.phase == RSPB_JOB_DONE;
	promise.limit = job.limit;
	promise.tasks = job.tasks;
	promise.cpus = job.cpus;
	rspb_promise_ask(&promise, features ? features : job.features);
	rspb_durable_promise(&promise);
}

int rspb_contract_put(uint32_t id, const char *text, struct rspb_err *err)
{
	struct rspb_contract before;
	struct rspb_job job;
	bool told = rspb_job_find(id, &job) && job.leader == id &&
		    rspb_letters_wanted(&job) &&
		    rspb_contract_read(id, &job, &before);

	if (rspb_job_set_contract(id, text, err))
		return -1;
	rspb_contract_promise(id, text, NULL);
	if (told && rspb_job_find(id, &job))
		rspb_letters_contract(&job, &before);
	return 0;
}

int rspb_contract_write(uint32_t id, const struct rspb_contract *contract,
			struct rspb_err *err)
{
	char text[RSPB_CONTRACT_TEXT];

	rspb_contract_print(contract, text, sizeof(text));
	return rspb_contract_put(id, text, err);
}

void rspb_contract_grant(const struct rspb_booking *booking, uint32_t part,
			 struct rspb_contract *contract)
{
	char *names = rspb_node_names(booking->grants[part].nodes);

	rspb_report_contract(booking, part, contract);
	contract->on[0] = '\0';
	if (names && strlen(names) < sizeof(contract->on))
		strcpy(contract->on, names);
	free(names);
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
