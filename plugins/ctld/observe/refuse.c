/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles jobs that get no booking by the OnDecline rule of the site. The decision is made
 * elsewhere. */
#include "plugins/ctld/observe/outcome.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/mirror/contract.h"

/* Whether a user waits at a terminal (srun, salloc), who is told at once instead of being kept
 * waiting. */
static bool interactive(uint32_t id)
{
	struct rspb_job job;

	return rspb_job_find(id, &job) && !job.batch;
}

/* Put back the request as it was before an offer that the job does not get, in one step: its
 * owner, who has asked for the offer, needs no notice. RET its contract, if it has one,
 * else an empty one. */
static struct rspb_contract put_back(uint32_t id, enum rspb_state state, const char *reason)
{
	struct rspb_contract contract = { .state = RSPB_REQUESTED };
	struct rspb_job job;

	if (rspb_contract_read(id, &job, &contract) && rspb_contract_of_offer(&contract)) {
		rspb_was_restore(id, &contract);
		contract.state = state;
		rspb_zone_localize(contract.terms.zone, reason, contract.reason,
				   sizeof(contract.reason));
		rspb_contract_write(id, &contract, NULL);
	}
	return contract;
}

/* squeue shows in a few words why a job waits; the client tells the rest, and one can paste from
 * its output. */
static void write_line(const struct rspb_contract *contract, uint32_t job, enum rspb_state state,
		       const char *reason, bool stays, char *line, size_t size)
{
	struct rspb_text out = rspb_text_over(line, size);
	char local[RSPB_ERR_TEXT];
	struct rspb_job view;
	char *offers;

	rspb_zone_localize(contract->terms.zone, reason, local, sizeof(local));
	/* With the owner's time zone the text is longer, and may have been cut before its
	 * offers. */
	offers = strstr(local, "; on offer: ");
	if (stays && offers)
		*offers = '\0';
	rspb_text_add(&out, "rspb %s: %s",
		      contract->terms.offers && state == RSPB_DECLINED ? "open"
								       : rspb_state_name(state),
		      local);
	if (!stays || state != RSPB_DECLINED || strstr(local, "rspb offers "))
		return;
	rspb_text_add(&out, "; rspb offers ");
	if (!rspb_job_find(job, &view))
		view = (struct rspb_job){ .array = 0 };
	rspb_text_add_job(&out, job, view.array, view.task);
	rspb_text_add(&out, " lists what is available");
}

void rspb_refuse_jobs(const uint32_t *jobs, uint32_t n, enum rspb_state state, const char *reason,
		      enum rspb_on_decline rule)
{
	char line[RSPB_ERR_TEXT + 64];
	struct rspb_err err;
	uint32_t i;
	int rc;

	rspb_log_info("job %u %s: %s", jobs[0], rspb_state_name(state), reason);
	for (i = 0; i < n; i++) {
		struct rspb_contract contract = put_back(jobs[i], state, reason);
		/* A regular job can still start for the user who waits for it. */
		bool told = rule != RSPB_DECLINE_ORDINARY && interactive(jobs[i]);

		write_line(&contract, jobs[0], state, reason, !told && rule == RSPB_DECLINE_HOLD,
			   line, sizeof(line));
		/* The contract comes first, so that it has the reason when the job ends. */
		rspb_contract_state(jobs[i], state, reason);
		if (told || rule == RSPB_DECLINE_CANCEL) {
			rc = rspb_job_end(jobs[i], told ? RSPB_JOB_DISMISS : RSPB_JOB_CANCEL, line,
					  &err);
		} else if (rule == RSPB_DECLINE_ORDINARY) {
			rc = rspb_job_make_so(jobs[i],
					      &(struct rspb_job_wanted){ .reservation = "" }, &err);
		} else {
			rc = rspb_job_make_so(jobs[i], &(struct rspb_job_wanted){ .held = line },
					      &err);
		}
		if (rc)
			rspb_log_verbose("%s", err.text);
	}
}

/* Put a job into the next of its partitions that takes it, and write that into its contract. A job
 * that accepted an offer, or wants only offers, stays where it is. RET false: there is no other. */
static bool turn(uint32_t id, const char *reason)
{
	struct rspb_contract contract;
	struct rspb_job job;
	struct rspb_err err;

	if (!rspb_contract_read(id, &job, &contract) || contract.terms.offers ||
	    rspb_contract_of_offer(&contract))
		return false;
	while (contract.untried) {
		rspb_log_info("job %u: not in partition %s: %s", id,
			      job.partition ? job.partition : "?", reason);
		contract.untried--;
		rspb_contract_turn(&contract);
		if (!rspb_contract_enter(id, &contract, &err)) {
			rspb_contract_write(id, &contract, NULL);
			return true;
		}
		rspb_log_info("%s", err.text);
	}
	return false;
}

/* Put a job that has tried all of its partitions into the first of them again, with the others
 * still to be tried. */
static void begin_again(uint32_t id)
{
	struct rspb_contract contract;
	struct rspb_job job;
	struct rspb_err err;

	if (!rspb_contract_read(id, &job, &contract) || rspb_contract_partitions(&contract) < 2 ||
	    contract.untried)
		return;
	rspb_contract_turn(&contract);
	if (rspb_contract_enter(id, &contract, &err)) {
		rspb_log_info("%s", err.text);
		return;
	}
	contract.untried = rspb_contract_partitions(&contract) - 1;
	rspb_contract_write(id, &contract, NULL);
}

/* The most combinations of partitions of components that are all tried. */
enum { WAYS_MOST = 32 };

static bool few_ways(const struct rspb_ask *ask)
{
	uint32_t ways = 1;

	for (uint32_t i = 0; i < ask->n_jobs && ways <= WAYS_MOST; i++) {
		uint32_t n = rspb_contract_partitions(&ask->contracts[i]);

		ways *= n ? n : 1;
	}
	return ways <= WAYS_MOST;
}

/* Put the last component that has another partition there for the next try, and the components
 * after it where they were at first. If there are too many combinations, these stay where they are,
 * so that there are as many tries as partitions. */
static bool elsewhere(const struct rspb_ask *ask, const char *reason)
{
	bool all = few_ways(ask);

	for (uint32_t i = ask->n_jobs; i-- > 0;)
		if (turn(ask->jobs[i], reason)) {
			while (all && ++i < ask->n_jobs)
				begin_again(ask->jobs[i]);
			rspb_wake_up(RSPB_WAKE_SUBMIT);
			return true;
		}
	return false;
}

/* Let a job that becomes a regular one run in any of its partitions again. */
static void all_again(const struct rspb_ask *ask)
{
	struct rspb_err err;

	for (uint32_t i = 0; i < ask->n_jobs; i++) {
		struct rspb_contract contract = ask->contracts[i];
		const struct rspb_job_wanted wanted = { .partition = contract.partitions };

		rspb_contract_turn(&contract);
		if (contract.partitions[0] && rspb_job_make_so(ask->jobs[i], &wanted, &err))
			rspb_log_verbose("%s", err.text);
	}
}

static bool names_several(const struct rspb_ask *ask)
{
	for (uint32_t i = 0; i < ask->n_jobs; i++)
		if (ask->contracts[i].partitions[0])
			return true;
	return false;
}

enum rspb_on_decline rspb_refuse_rule(const struct rspb_contract *contract,
				      const struct rspb_config *config)
{
	/* A requester who only wants offers, or one to be held, chooses one. A job that an outage
	 * has cost its booking waits for the end of that outage. */
	return contract->terms.offers || contract->held || contract->outage ? RSPB_DECLINE_HOLD
									    : config->on_decline;
}

bool rspb_refuse_ask(const struct rspb_ask *ask, const char *reason,
		     const struct rspb_config *config)
{
	enum rspb_on_decline rule = rspb_refuse_rule(&ask->contracts[0], config);
	bool several = names_several(ask);
	char text[RSPB_ERR_TEXT];

	/* The request is decided again, in another partition. */
	if (elsewhere(ask, reason))
		return false;
	if (!several)
		snprintf(text, sizeof(text), "%s", reason);
	else if (ask->n_jobs > 1)
		snprintf(text, sizeof(text), "the last of the partitions of its components: %s",
			 reason);
	else
		snprintf(text, sizeof(text), "the last of partitions %s: %s",
			 ask->contracts[0].partitions, reason);
	rspb_ask_audit(ask, false, text);
	rspb_refuse_jobs(ask->jobs, ask->n_jobs, RSPB_DECLINED, text, rule);
	if (several && rule == RSPB_DECLINE_ORDINARY)
		all_again(ask);
	return true;
}
