/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the contract in a job's record, and notes each new one in the journal. Its
 * content is decided by the callers. */
#include "plugins/ctld/mirror/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"
#include "common/policy/policy.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/post/letters.h"
#include "plugins/ctld/record/durable.h"
#include "plugins/ctld/request/part.h"

bool rspb_contract_read(uint32_t id, struct rspb_job *job, struct rspb_contract *contract)
{
	return rspb_job_find(id, job) && job->contract &&
	       !rspb_contract_parse(job->contract, contract, NULL);
}

const struct rspb_promise *rspb_contract_promised(const struct rspb_job *job)
{
	const struct rspb_promise *promise = rspb_promise_find(job->id);

	/* Slurm may use a job number again, so that user and leader must agree. A requeue
	 * makes the time of submission later, and Slurm's record may be from before it. */
	return promise && promise->user == job->uid && promise->leader == job->leader &&
			       promise->submitted >= job->submitted
		       ? promise
		       : NULL;
}

const char *rspb_contract_nodes(const struct rspb_job *job, const struct rspb_contract *contract)
{
	const struct rspb_promise *promise = rspb_promise_find(job->id);

	/* The long list in the journal belongs to this very contract, and to no other one. */
	return promise && promise->submitted == job->submitted &&
			       !strcmp(promise->contract, job->contract)
		       ? rspb_promise_nodes(promise, contract->on)
		       : contract->on;
}

/* RET the long list of nodes that the journal has of a job, to be promised again. NULL if the
 * text names its nodes itself, or if the job is no longer booked. */
static char *nodes_before(uint32_t id, const struct rspb_job *job, const char *text)
{
	const struct rspb_promise *old = rspb_promise_find(id);
	struct rspb_contract contract;

	if (!old || !old->nodes || old->submitted != job->submitted ||
	    rspb_contract_parse(text, &contract, NULL) || contract.on[0] ||
	    (contract.state != RSPB_BOOKED && contract.state != RSPB_ACTIVE))
		return NULL;
	return old->nodes;
}

int64_t rspb_contract_limit(const struct rspb_contract *contract, bool booked)
{
	if (contract->standard && !booked)
		return contract->standard;
	return contract->standard || rspb_moldable_said(&contract->terms.work)
		       ? contract->terms.duration
		       : 0;
}

/* RET the seconds that a job has by the form of its work or the speed of its nodes; 0: as
 * submitted. Most contracts have neither, and are not parsed for that. */
static int64_t molded(const char *text)
{
	struct rspb_contract contract;

	return (strstr(text, " work=") || strstr(text, " standard=")) &&
			       !rspb_contract_parse(text, &contract, NULL) &&
			       rspb_contract_limit(&contract, true)
		       ? contract.end - contract.start
		       : 0;
}

/* RET the needs that the journal has of a job whose size was changed; NULL: those of its
 * submission. */
static char *needs_before(uint32_t id, const struct rspb_job *job)
{
	const struct rspb_promise *old = rspb_promise_find(id);

	return old && old->submitted == job->submitted ? old->needs : NULL;
}

/* RET a number of a job with the nodes that it is about to have. */
static uint32_t resized(uint32_t whole, const struct rspb_ask *ask)
{
	return ask && ask->nodes ? rspb_job_part_of(whole, ask->nodes, ask->nodes_had) : whole;
}

/* RET the time limit of a job that is promised a contract, s. */
static int64_t limit_of(const struct rspb_job *job, const char *text, const struct rspb_ask *ask)
{
	int64_t limit = molded(text);

	if (limit)
		return limit;
	return ask && ask->limit && job->limit >= ask->limit_from ? ask->limit : job->limit;
}

void rspb_contract_promise(uint32_t id, const char *text, const char *nodes,
			   const struct rspb_ask *ask)
{
	const struct rspb_terms *had = ask && ask->nodes ? &ask->contracts[0].terms : NULL;
	const char *features = ask ? ask->features : NULL;
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
	/* An end is promised as such: an older file of Slurm may show the job alive again. */
	promise.ended = job.phase == RSPB_JOB_DONE;
	promise.limit = limit_of(&job, text, ask);
	/* The contract has what a job asks for that is fitted to fewer nodes. */
	promise.tasks = resized(had && had->cpus ? had->tasks : job.tasks, ask);
	promise.cpus = resized(had && had->cpus ? had->cpus : job.cpus, ask);
	promise.nodes = nodes ? (char *) nodes : nodes_before(id, &job, text);
	rspb_promise_ask(&promise, features ? features : job.features);
	promise.needs = ask && ask->needs ? (char *) ask->needs : needs_before(id, &job);
	rspb_durable_promise(&promise);
}

int rspb_contract_put(uint32_t id, const char *text, const char *nodes, struct rspb_err *err)
{
	struct rspb_contract before;
	struct rspb_job job;
	bool told = rspb_job_find(id, &job) && job.leader == id && rspb_letters_wanted(&job) &&
		    rspb_contract_read(id, &job, &before);

	/* The job and the journal change under one lock; the notice to the owner waits in the
	 * outbox. */
	if (rspb_job_make_so(id, &(struct rspb_job_wanted){ .contract = text }, err))
		return -1;
	rspb_contract_promise(id, text, nodes, NULL);
	if (told && rspb_job_find(id, &job))
		rspb_letters_contract(&job, &before);
	return 0;
}

int rspb_contract_write(uint32_t id, const struct rspb_contract *contract, struct rspb_err *err)
{
	char text[RSPB_CONTRACT_TEXT];

	rspb_contract_print(contract, text, sizeof(text));
	return rspb_contract_put(id, text, NULL, err);
}

char *rspb_contract_grant(const struct rspb_booking *booking, uint32_t part,
			  struct rspb_contract *contract)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const uint32_t *leaves = ledger ? rspb_ledger_marks(ledger).leaves : NULL;

	rspb_report_contract(booking, part, contract);
	rspb_part_tell_besides(&booking->request->parts[part], &contract->terms);
	contract->odd[0] = '\0';
	if (booking->request->parts[part].n_odd && part < booking->n_grants)
		rspb_uneven_print(&booking->request->parts[part], contract->odd,
				  sizeof(contract->odd));
	if (part < booking->n_grants)
		rspb_report_devices(booking, part, contract->terms.gres,
				    sizeof(contract->terms.gres));
	contract->leaves = leaves && part < booking->n_grants
				   ? rspb_leaves_count(leaves, booking->grants[part].nodes)
				   : 0;
	return rspb_report_nodes(booking, part, contract);
}

void rspb_contract_state(uint32_t id, enum rspb_state state, const char *reason)
{
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_contract_read(id, &job, &contract))
		return;
	/* The reason is stored in the owner's time zone, as it will be read. */
	contract.state = state;
	rspb_zone_localize(contract.terms.zone, reason ? reason : "", contract.reason,
			   sizeof(contract.reason));
	rspb_contract_write(id, &contract, NULL);
}

/* --- what was asked for before an offer ---------------------------------------- */

void rspb_was_keep(const struct rspb_job *job, struct rspb_contract *contract)
{
	struct rspb_terms terms;

	/* Only the first request is kept: offers may follow one another. */
	if (rspb_contract_of_offer(contract))
		return;
	terms = contract->terms;
	if (!terms.cpus) {
		terms.tasks = job->tasks;
		terms.cpus = job->cpus;
	}
	rspb_was_take(&terms, &contract->was);
}

void rspb_contract_size(const struct rspb_contract *contract, struct rspb_job_size *out)
{
	*out = (struct rspb_job_size){
		.nodes_min = rspb_terms_least(&contract->terms),
		.nodes_max = contract->terms.nodes,
		.tasks = contract->terms.tasks,
		.cpus = contract->terms.cpus,
	};
}

/* A request with a fixed start has no deadline of its own. */
void rspb_contract_reopen(const struct rspb_contract *contract, struct rspb_job_wanted *wanted)
{
	bool window = contract->terms.deadline > contract->terms.ready + contract->terms.duration;

	wanted->reopened = true;
	wanted->ready = contract->terms.ready;
	wanted->deadline = window ? contract->terms.deadline : 0;
}

void rspb_was_restore(uint32_t id, struct rspb_contract *contract)
{
	struct rspb_terms *terms = &contract->terms;
	struct rspb_job_wanted wanted = { .limit = 0 };
	struct rspb_job_size size;

	if (!rspb_contract_of_offer(contract))
		return;
	rspb_was_put(&contract->was, terms);
	rspb_contract_size(contract, &size);
	/* The job is no longer fitted to a grant. */
	terms->tasks = terms->cpus = 0;
	contract->was = (struct rspb_was){ { 0 } };
	wanted.limit = terms->duration;
	wanted.size = terms->nodes ? &size : NULL;
	rspb_contract_reopen(contract, &wanted);
	rspb_job_make_so(id, &wanted, NULL);
}

void rspb_was_forget(struct rspb_contract *contract)
{
	if (!rspb_contract_of_offer(contract))
		return;
	contract->was = (struct rspb_was){ { 0 } };
	/* A job that took an offer asks for that alone: no other size, and no earlier
	 * start. */
	rspb_terms_settle(&contract->terms);
}

/* --- several partitions ------------------------------------------------------------ */

uint32_t rspb_contract_partitions(const struct rspb_contract *contract)
{
	uint32_t n = contract->partitions[0] != '\0';

	for (const char *at = contract->partitions; n && (at = strchr(at, ',')); at++)
		n++;
	return n;
}

void rspb_contract_turn(struct rspb_contract *contract)
{
	char turned[RSPB_PARTITIONS_TEXT];
	struct rspb_text out = rspb_text_over(turned, sizeof(turned));
	char *rest = strchr(contract->partitions, ',');

	/* A single partition has no next one. */
	if (!rest)
		return;
	*rest++ = '\0';
	rspb_text_add(&out, "%s,%s", rest, contract->partitions);
	memcpy(contract->partitions, turned, sizeof(turned));
}

const char *rspb_contract_partition(const struct rspb_job *job,
				    const struct rspb_contract *contract,
				    char space[RSPB_PARTITIONS_TEXT])
{
	snprintf(space, RSPB_PARTITIONS_TEXT, "%.*s", (int) strcspn(contract->partitions, ","),
		 contract->partitions);
	return !space[0] || (job->partition && !strcmp(job->partition, space)) ? NULL : space;
}

int rspb_contract_enter(uint32_t id, const struct rspb_contract *contract, struct rspb_err *err)
{
	struct rspb_job_wanted wanted = { .partition = NULL };
	char space[RSPB_PARTITIONS_TEXT];
	struct rspb_job job;

	if (rspb_job_find(id, &job))
		wanted.partition = rspb_contract_partition(&job, contract, space);
	return rspb_job_make_so(id, &wanted, err);
}

uint32_t rspb_components(uint64_t id, uint32_t ids[RSPB_MAX_PARTS])
{
	struct rspb_job leader;
	uint32_t n;

	if (!rspb_job_find(id, &leader))
		return 0;
	/* Slurm may have more components than a booking can have parts. */
	n = rspb_job_components(&leader, ids, RSPB_MAX_PARTS);
	return n < RSPB_MAX_PARTS ? n : RSPB_MAX_PARTS;
}
