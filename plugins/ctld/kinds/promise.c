/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the answers to operators into the journal, and applies them again after a crash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/kinds/operator.h"
#include "plugins/ctld/kinds/watch.h"
#include "plugins/ctld/post/letters.h"
#include "plugins/ctld/record/durable.h"
#include "plugins/ctld/request/part.h"

/* Describe a booking as a contract. All of it comes from the book: an operator may have
 * edited the text of the reservation. */
static void draw(const struct rspb_booking *b, struct rspb_contract *contract)
{
	const struct rspb_part *part = &b->request->parts[0];

	*contract = (struct rspb_contract){
		.terms = { .share = part->whole ? 0 : part->share, .share_min = part->share_min },
		.owner = rspb_reserved_owner(b->request),
	};

	rspb_benefit_set(&contract->terms.benefit, part->benefit);
	rspb_terms_asked(b->request, &contract->terms);
	rspb_report_contract(b, 0, contract);
	rspb_part_tell_besides(part, &contract->terms);
}

void rspb_operator_text(const struct rspb_booking *b, char *text)
{
	struct rspb_contract contract;

	draw(b, &contract);
	rspb_contract_print(&contract, text, RSPB_CONTRACT_TEXT);
}

char *rspb_operator_text_with_nodes(const struct rspb_booking *b, char *text)
{
	struct rspb_contract contract;
	char *nodes;

	draw(b, &contract);
	nodes = rspb_report_nodes(b, 0, &contract);
	rspb_contract_print(&contract, text, RSPB_CONTRACT_TEXT);
	return nodes;
}

/* Note that the reservation was deleted. */
static void note_end(const struct rspb_promise *old)
{
	struct rspb_promise promise = *old;

	promise.contract = "rspb: cancelled";
	promise.ended = true;
	promise.at = time(NULL);
	rspb_durable_promise(&promise);
}

void rspb_operator_note_cancel(uint32_t number, const char *name)
{
	note_end(&(struct rspb_promise){ .key = rspb_promise_resv(number, name),
					 .name = (char *) name });
}

/* RET what was promised to the job that Slurm has lost and this is kept for
 * (kinds/lost.c); NULL: to none. */
static const struct rspb_promise *job_of(const char *name)
{
	unsigned int job;

	return sscanf(name, "kept_%u", &job) == 1 ? rspb_promise_find(job) : NULL;
}

/* Whether the promise of that job is not over, be the job lost or not. */
static bool is_its_jobs(const char *name)
{
	const struct rspb_promise *promise = job_of(name);

	return promise && !rspb_promise_over(promise);
}

/* Whether the lost job exists again and has its own booking. If it has not begun, its first
 * component must exist, too. */
static bool job_is_back(const char *name)
{
	struct rspb_job job, first;

	if (!is_its_jobs(name) || !rspb_job_find((uint32_t) job_of(name)->key, &job))
		return false;
	return job.phase == RSPB_JOB_RUNNING ||
	       (job.phase == RSPB_JOB_PENDING && rspb_job_find(job.leader, &first) &&
		first.phase != RSPB_JOB_DONE);
}

/* Promise that a reservation is as this text says. A reservation that no longer exists is
 * promised as ended, with the name and the users of its last promise. nodes: as of
 * rspb_operator_text_with_nodes(). features: NULL: they stay. */
static void note(uint64_t id, const char *text, char *nodes, const char *features)
{
	uint32_t number = rspb_reserved_number(id);
	struct rspb_promise promise = {
		.at = time(NULL),
		.contract = (char *) text,
		.nodes = nodes,
	};
	const struct rspb_promise *old = rspb_promise_find_resv(number);
	struct rspb_resv resv;
	char name[RSPB_OPERATOR_NAME];

	promise.ended = !rspb_resv_find_id(number, 0, &resv);
	/* Nothing was promised of it, so there is no end to remember. */
	if (promise.ended && !old)
		return;
	snprintf(name, sizeof(name), "%s", promise.ended ? old->name : resv.name);
	promise.name = name;
	promise.key = rspb_promise_resv(number, name);
	promise.users = promise.ended ? old->users : (char *) resv.users;
	promise.accounts = promise.ended ? old->accounts : (char *) resv.accounts;
	promise.partition = promise.ended ? old->partition : (char *) resv.partition;
	if (!features)
		features = promise.ended ? old->features : resv.features;
	rspb_promise_ask(&promise, features);
	rspb_durable_promise(&promise);
	/* The reservation that was kept for a lost job is deleted: the job's promise ends,
	 * too. */
	if (promise.ended && job_of(name))
		note_end(job_of(name));
}

void rspb_operator_note(uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	char text[RSPB_CONTRACT_TEXT], *nodes;

	if (!b)
		return;
	nodes = rspb_operator_text_with_nodes(b, text);
	note(id, text, nodes, NULL);
	free(nodes);
}

void rspb_operator_promise(const struct rspb_ask *ask, const struct rspb_booking *booking)
{
	uint64_t id = booking ? booking->request->id : ask->request->id;
	char text[RSPB_CONTRACT_TEXT], *nodes;

	/* Without a new booking, the one that the ledger has stays promised. */
	if (!booking && rspb_ledger_find(rspb_book_ledger(), id)) {
		rspb_operator_note(id);
	} else if (!booking) {
		note(id, "rspb: requested", NULL, NULL);
	} else {
		nodes = rspb_operator_text_with_nodes(booking, text);
		note(id, text, nodes, ask ? ask->features : NULL);
		free(nodes);
	}
}

/* --- after a crash ------------------------------------------------------------ */

/* Print a contract as the reservation holds it. Its nodes are left out, because the
 * reservation names them itself. */
static void text_within(const struct rspb_contract *contract, char *text)
{
	struct rspb_contract copy = *contract;

	copy.on[0] = '\0';
	rspb_contract_print(&copy, text, RSPB_CONTRACT_TEXT);
}

/* Whether a reservation is exactly as promised. Slurm saves an operator's edit and our answer
 * to it one after the other, so it may hold the edit alone. */
static bool as_promised(const struct rspb_resv *resv, const struct rspb_promise *promise,
			const struct rspb_contract *contract)
{
	char text[RSPB_CONTRACT_TEXT];

	text_within(contract, text);
	return resv->has_nodes && resv->start == contract->start && resv->end == contract->end &&
	       resv->nodes && !strcmp(resv->nodes, rspb_promise_nodes(promise, contract->on)) &&
	       resv->tag && !strcmp(resv->tag, text) &&
	       (!contract->owner || rspb_promise_asks(promise, resv->features));
}

/* RET what a reservation says; that of a request if it says nothing. */
static struct rspb_contract contract_within(const char *name)
{
	struct rspb_contract was;
	struct rspb_resv resv;

	if (!rspb_resv_find(name, 0, &resv) || !resv.tag ||
	    rspb_contract_parse(resv.tag, &was, NULL))
		return (struct rspb_contract){ .state = RSPB_REQUESTED };
	snprintf(was.on, sizeof(was.on), "%s", resv.nodes ? resv.nodes : "");
	return was;
}

/* Tell the owner of a booking without a job what it is now, unless a notice of it is known: the
 * kill may have come before that. An older promise was told long ago. was: what Slurm had. */
static void tell_owner(const struct rspb_promise *promise, const struct rspb_contract *contract,
		       const struct rspb_contract *was)
{
	struct rspb_reader reader = rspb_letters_resv(promise->name, rspb_promise_number(promise),
						      contract);
	struct rspb_contract is = *contract;

	if (!contract->owner || !rspb_durable_recent(promise, RSPB_LETTERS_TOLD_S))
		return;
	snprintf(is.on, sizeof(is.on), "%s", rspb_promise_nodes(promise, contract->on));
	rspb_letters_missed(&reader, was, &is, was->state == RSPB_REQUESTED ? 0 : promise->at);
}

/* Make a reservation as the journal promised. made: from when on it is created; 0: it is there, and
 * is put back. RET 0, or -1 with err: Slurm refuses. */
static int make(const struct rspb_promise *promise, const struct rspb_contract *contract,
		int64_t made, struct rspb_err *err)
{
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_resv_spec spec = {
		.name = promise->name,
		.features = promise->features ? promise->features : "",
		.nodes = rspb_promise_nodes(promise, contract->on),
		.tag = text,
		.start = contract->start > made ? contract->start : made,
		.end = contract->end,
	};
	struct rspb_contract was = contract_within(promise->name);

	if (made) {
		spec.create = true;
		spec.user = promise->users;
		spec.accounts = promise->accounts;
		spec.partition = promise->partition;
		spec.features = promise->features;
	}
	text_within(contract, text);
	if (rspb_resv_make_so(&spec, err))
		return -1;
	/* Slurm has given it whole nodes. Their number of cores counts, and not which they are. */
	if (contract->terms.cores)
		rspb_cores_resv(promise->name, contract->terms.cores, NULL, NULL);
	tell_owner(promise, contract, &was);
	return 0;
}

/* Put a reservation back to what the journal promised. If Slurm refuses, that is logged, and
 * the reservation stays as it is. */
static void make_so(const struct rspb_promise *promise, const struct rspb_contract *contract)
{
	struct rspb_err err;

	if (make(promise, contract, 0, &err))
		rspb_log_error("%s", err.text);
	else
		rspb_log_info("reservation %s: Slurm's record is older than its booking or "
			      "change; it is restored as promised",
			      promise->name);
}

/* Make a reservation again that Slurm's file does not have. RET whether its promise goes: the
 * new reservation has another number, and its promise is put anew. The promise of a deleted
 * reservation stays, because an older file may bring the reservation back. */
static bool make_again(const struct rspb_promise *promise, const struct rspb_contract *contract,
		       int64_t now)
{
	struct rspb_err err;

	if (promise->ended)
		return false;
	if (contract->state != RSPB_BOOKED && contract->state != RSPB_ACTIVE)
		return true;
	/* Slurm's file is too late for the reservation to have been lost: it was deleted. */
	if (!rspb_durable_lost(RSPB_DURABLE_UNSEEN_S) ||
	    rspb_durable_outdated(promise, RSPB_DURABLE_NOTHING, NULL)) {
		rspb_log_info("reservation %s was booked and no longer exists: it was deleted "
			      "unseen, or its end is lost",
			      promise->name);
		note_end(promise);
		return false;
	}
	/* The promise of the lost job makes its kept reservation again (lost.c). */
	if (is_its_jobs(promise->name))
		return true;
	if (make(promise, contract, now, &err)) {
		rspb_log_error("%s, which was booked and Slurm has lost: %s", err.text,
			       promise->contract);
		return false;
	}
	rspb_log_error("reservation %s was booked, and Slurm had lost it; it is created again: "
		       "check its flags",
		       promise->name);
	return true;
}

/* Whether a reservation is the one that was promised, and not a later one of that name. */
static bool is_its(const struct rspb_promise *promise, const struct rspb_resv *resv)
{
	return resv->id == rspb_promise_number(promise);
}

static void delete_it(const char *name, const char *why)
{
	struct rspb_err err;

	rspb_log_info("reservation %s %s", name, why);
	if (rspb_resv_delete(name, &err))
		rspb_log_error("%s", err.text);
}

static void delete_again(const char *name)
{
	delete_it(name, "had been deleted, which Slurm had lost; it is deleted "
			"again");
}

/* Whether a reservation is the promised one from before it was lost and made again with
 * another number. The journal has no promise of it, and its text says that it was booked. */
static bool is_forerunner(const struct rspb_resv *resv)
{
	return !rspb_promise_find(rspb_promise_resv(resv->id, resv->name)) &&
	       (rspb_contract_says(resv->tag, RSPB_BOOKED) ||
		rspb_contract_says(resv->tag, RSPB_ACTIVE));
}

/* Delete what was kept for a job that is back and has its own booking. An older file may also
 * bring it back with the number that it had before it was made again. */
static void drop_kept(const struct rspb_promise *promise, int64_t now)
{
	struct rspb_resv resv;

	if (rspb_resv_find(promise->name, now, &resv) &&
	    (is_its(promise, &resv) || is_forerunner(&resv)))
		delete_it(promise->name, "was kept for a job that has returned; it is deleted");
	if (!promise->ended)
		note_end(promise);
}

/* Whether the journal says that a reservation was deleted. Meant is the one that Slurm has by
 * this name, or the one that had been made again from it. */
static bool was_deleted(const struct rspb_promise *promise, const struct rspb_resv *resv)
{
	const struct rspb_promise *its = rspb_promise_find(rspb_promise_resv(resv->id, resv->name));

	return (its && its->ended) ||
	       (promise->ended && is_forerunner(resv) && rspb_durable_lost(RSPB_DURABLE_UNSEEN_S));
}

/* Apply a promise to the reservation from which the promised one had been made again. From
 * now on the promise has the number of this reservation. */
static void make_forerunner_so(const struct rspb_resv *resv, const struct rspb_promise *promise,
			       struct rspb_contract *contract)
{
	struct rspb_promise its = *promise;

	if (!as_promised(resv, promise, contract))
		make_so(promise, contract);
	its.key = rspb_promise_resv(resv->id, promise->name);
	rspb_durable_promise(&its);
}

/* Whether Slurm has a booking that is later than the promise, because the journal has lost
 * lines. The text and the window of the reservation must agree, so that no unanswered edit of
 * an operator is taken for it. */
static bool is_outdated(const struct rspb_promise *promise, const struct rspb_resv *resv,
			int64_t now)
{
	struct rspb_contract promised, is;

	if (!resv->tag || !resv->has_nodes || rspb_contract_parse(resv->tag, &is, NULL) ||
	    (is.state != RSPB_BOOKED && is.state != RSPB_ACTIVE))
		return false;
	if (!promise->ended && (rspb_contract_parse(promise->contract, &promised, NULL) ||
				as_promised(resv, promise, &promised)))
		return false;
	return (is.start == resv->start || is.start <= now) && is.end == resv->end &&
	       rspb_durable_outdated(promise, RSPB_DURABLE_BOOKED, resv->tag);
}

/* A promise also goes if Slurm has another reservation of that name. That is the one made
 * again from this promise, or a later one of an operator. If the promise stayed, the
 * reservation would return after its deletion. */
bool rspb_operator_redo(const struct rspb_promise *promise, int64_t now)
{
	struct rspb_contract contract;
	struct rspb_resv resv;
	bool stands, found;

	if (rspb_contract_parse(promise->contract, &contract, NULL))
		return false;
	/* A time slot that is over holds no nodes. */
	if (contract.end && contract.end <= now)
		return true;
	if (job_is_back(promise->name)) {
		drop_kept(promise, now);
		return false;
	}
	stands = contract.state == RSPB_BOOKED || contract.state == RSPB_ACTIVE;
	found = rspb_resv_find(promise->name, now, &resv);
	if (found && is_its(promise, &resv) && is_outdated(promise, &resv, now)) {
		rspb_log_info("reservation %s: the journal has lost what followed \"%s\"; "
			      "Slurm's record counts: %s",
			      resv.name, promise->contract, resv.tag);
		/* Promised anew when it is in the ledger (watch.c). */
		return true;
	}
	if (found && is_its(promise, &resv)) {
		if (promise->ended && rspb_state_final(contract.state))
			delete_again(promise->name);
		else if (stands && *rspb_promise_nodes(promise, contract.on) &&
			 !as_promised(&resv, promise, &contract))
			make_so(promise, &contract);
		return false;
	}
	if (found) {
		if (!was_deleted(promise, &resv)) {
			if (promise->ended)
				return false;
			if (stands && is_forerunner(&resv))
				make_forerunner_so(&resv, promise, &contract);
			return true;
		}
		delete_again(promise->name);
	}
	return make_again(promise, &contract, now);
}
