/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles requests of owners for bookings without a job, and releases of bookings. kinds/group.c
 * makes and deletes the reservations. */
#include "plugins/ctld/serve/owners.h"

#include <stdio.h>
#include <string.h>

#include "plugins/compat/limit/members.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/request/part.h"

static const char *given(const char *text)
{
	return *text ? text : NULL;
}

/* --- what is asked --------------------------------------------------------- */

/* Read --mail-type of a booking without a job. No job exists whose mail Slurm could send, so only
 * the types that rspb itself can send are accepted. */
static int fill_mail(const char *text, uint32_t *mail, struct rspb_err *err)
{
	static const struct {
		const char *name;
		uint32_t mail;
	} types[] = {
		{ "NONE", 0 },
		{ "BEGIN", RSPB_MAIL_BEGIN },
		{ "END", RSPB_MAIL_END },
		{ "FAIL", RSPB_MAIL_FAIL },
		{ "ALL", RSPB_MAIL_BEGIN | RSPB_MAIL_END | RSPB_MAIL_FAIL },
	};
	enum { N_TYPES = sizeof(types) / sizeof(types[0]) };
	char list[RSPB_ASK_TAG], *rest = list, *name;

	/* Both buffers have the same size, and inquiry.c refuses longer texts. */
	strcpy(list, text);
	while (list[0] && (name = strsep(&rest, ","))) {
		int i = 0;

		while (i < N_TYPES && strcasecmp(types[i].name, name) != 0)
			i++;
		if (i == N_TYPES)
			return rspb_fail(
				err,
				"mail: '%s' is unknown; allowed are BEGIN, END, FAIL, ALL and NONE",
				name);
		*mail |= types[i].mail;
	}
	return 0;
}

/* Fill in the benefit of a range and check its least number of nodes. */
static int fill_worth(const struct rspb_inquiry *q, struct rspb_contract *contract,
		      struct rspb_err *err)
{
	struct rspb_terms *terms = &contract->terms;

	if (terms->nodes_least > terms->nodes)
		return rspb_fail(err, "nodes_least: allowed is 1 to nodes");
	if (q->wrong.text[0])
		return rspb_fail(err, "%s", q->wrong.text);
	/* The contract is to say the benefit of a range, also where it is the usual one. */
	if (terms->nodes_least == terms->nodes)
		terms->nodes_least = 0;
	if (terms->nodes_least && !terms->benefit.n_points)
		rspb_terms_benefit(terms, terms->nodes_least, terms->nodes, &terms->benefit);
	return 0;
}

/* Check the part of each node that is booked. A job would state its needs itself; here only the
 * contract has them. */
static int check_part(const struct rspb_terms *terms, struct rspb_err *err)
{
	if (!terms->cores && (terms->mem || terms->gres[0]))
		return rspb_fail(
			err, "--%s needs --cores, since nodes are booked with all that they have",
			terms->mem ? "mem" : "gres");
	if (terms->cores && (terms->nodes_least || terms->benefit.n_points))
		return rspb_fail(err, "--cores is for a fixed number of nodes without --benefit");
	/* The text becomes one word of the contract, so it must not have characters that end a
	 * word. */
	return terms->gres[strspn(terms->gres,
				  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_.:,-")]
		       ? rspb_fail(err, "--gres=%.40s: allowed is KIND[:TYPE]:N", terms->gres)
		       : 0;
}

/* Make the contract that a job's submission would have. The contract becomes the text of a
 * reservation, which is the only record of the request until it is decided. */
static int fill_contract(const struct rspb_work *work, int64_t now, struct rspb_contract *contract,
			 struct rspb_err *err)
{
	const struct rspb_inquiry *q = &work->inquiry;

	*contract = (struct rspb_contract){
		.state = RSPB_REQUESTED,
		.terms = q->terms,
		.owner = work->who.uid,
	};
	contract->terms.book = true;
	/* The running second has begun: a start in it would already be late. */
	if (contract->terms.ready <= now)
		contract->terms.ready = now + 1;
	if (rspb_window_begin(q->terms.ready, now, "--begin", err))
		return -1;
	if (!q->users[0] == !q->accounts[0])
		return rspb_fail(err, "name either users or accounts");
	/* An owner of 0 marks a reservation as the site's, so root cannot own a booking. */
	if (!work->who.uid)
		return rspb_fail(err,
				 "root books with scontrol create reservation (rspb-flags(7))");
	if (fill_mail(q->mail, &contract->terms.mail, err) || fill_worth(q, contract, err))
		return -1;
	return check_part(&contract->terms, err);
}

/* --- for whom -------------------------------------------------------------- */

/* Check whether the requester may book for this user or account (GroupBookings). Operators may book
 * for everybody. */
static int check_name(const struct rspb_work *work, const char *name, enum rspb_group_bookings who,
		      struct rspb_err *err)
{
	bool account = work->inquiry.accounts[0];
	enum rspb_member how = who == RSPB_GROUP_MEMBERS ? RSPB_MEMBER_HAS
							 : RSPB_MEMBER_COORDINATES;

	/* Slurm reads a sign before a name, or an assignment, as a change of the list. Such a text
	 * would not mean what was checked here. */
	if (!*name || strpbrk(name, "-+ ="))
		return rspb_fail(err, "'%.60s' is not a name", name);
	if (work->who.privileged || who == RSPB_GROUP_ANY ||
	    rspb_member_is(work->who.uid, how, account ? name : NULL, name))
		return 0;
	if (who == RSPB_GROUP_MEMBERS)
		return rspb_fail(err,
				 account ? "you do not have account %.60s"
					 : "user %.60s has none of your accounts",
				 name);
	return rspb_fail(
		err,
		account ? "you do not coordinate account %.60s (GroupBookings=coordinators)"
			: "user %.60s has no account that you coordinate "
			  "(GroupBookings=coordinators)",
		name);
}

/* Check every member of the list. The configuration is that of the request's Rules, so that a Rule
 * can allow GroupBookings for some users only. */
static int check_names(const struct rspb_work *work, const struct rspb_config *config,
		       struct rspb_err *err)
{
	char list[RSPB_ASK_LIST_TEXT], *rest = list, *name;

	if (config->group_bookings == RSPB_GROUP_NO && !work->who.privileged)
		return rspb_fail(err, "users cannot book for others here (GroupBookings=no)");
	strcpy(list, work->inquiry.users[0] ? work->inquiry.users : work->inquiry.accounts);
	while ((name = strsep(&rest, ",")))
		if (check_name(work, name, config->group_bookings, err))
			return -1;
	return 0;
}

/* --- asking ---------------------------------------------------------------- */

/* Check the request before a reservation is made for it. The requester learns at once what the
 * batch would refuse otherwise. The names are checked without Slurm's locks, since the accounting
 * functions take locks of their own. *kind is the error of the protocol that belongs to the failed
 * step. */
static int check(const struct rspb_work *work, const struct rspb_resv *view,
		 const struct rspb_config *config, int64_t now, const char **kind,
		 struct rspb_err *err)
{
	struct rspb_section section;
	struct rspb_config space;
	struct rspb_ask ask;
	int rc;

	*kind = "not-ready";
	if (!rspb_book_ledger() || !rspb_section_enter(&section, RSPB_LOCK_READ, "reserve"))
		return rspb_fail(
			err, "slurmctld is starting or shutting down; try again in a few seconds");
	rc = rspb_group_check(view, work->who.uid, config, now, &ask, err);
	rspb_section_leave(&section);
	*kind = "no";
	if (!rc) {
		rc = check_names(work, rspb_limits_settings(config, ask.request, &space), err);
		*kind = "denied";
	}
	rspb_ask_fini(&ask);
	return rc;
}

/* Make the reservation that asks. A lock section of its own is enough: the batch checks the request
 * again, so nothing that was checked before has to hold still. */
static int create(struct rspb_work *work, const struct rspb_resv *view,
		  const struct rspb_contract *contract, int64_t now, struct rspb_err *err)
{
	struct rspb_section section;
	struct rspb_resv_spec spec = {
		.user = view->users,
		.accounts = view->accounts,
		.partition = view->partition,
		.features = view->features,
		.start = view->start,
		.end = view->end,
	};
	int rc;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "reserve"))
		return rspb_fail(err, "slurmctld is shutting down");
	rc = rspb_group_ask(&spec, contract, now, work->made, err);
	rspb_section_leave(&section);
	if (rc)
		work->made[0] = '\0';
	return rc;
}

/* Return the request in the form of a reservation that does not exist yet, because the checks read
 * reservations. All texts belong to the caller. */
static struct rspb_resv view_of(const struct rspb_inquiry *q, const struct rspb_contract *contract,
				const char *text)
{
	return (struct rspb_resv){
		.tag = text,
		.users = given(q->users),
		.accounts = given(q->accounts),
		.partition = given(q->partition),
		.features = given(q->features),
		.start = contract->terms.ready,
		.end = contract->terms.ready + contract->terms.duration,
	};
}

void rspb_reserve_ask(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_contract contract;
	struct rspb_resv view;

	work->kind = "no";
	if (fill_contract(work, now, &contract, &work->err))
		return;
	/* The checks read the text and not the structure, so that what is checked is what will be
	 * stored. */
	rspb_contract_print(&contract, text, sizeof(text));
	view = view_of(&work->inquiry, &contract, text);
	if (check(work, &view, config, now, &work->kind, &work->err) ||
	    create(work, &view, &contract, now, &work->err))
		return;
	work->done = true;
	snprintf(work->said, sizeof(work->said),
		 "the request was submitted; rspb list shows the decision");
	/* The reservation has no job whose submission would wake the agent. */
	rspb_wake_up(RSPB_WAKE_SUBMIT);
}

/* Find a booking in the agent's ledger. The pointer is good until the ledger changes, or until the
 * agent handles urgent work at a yield point. */
static const struct rspb_booking *booking_asked_about(const struct rspb_work *work)
{
	const struct rspb_inquiry *q = &work->inquiry;
	struct rspb_group group;

	if (!q->reservation[0])
		return rspb_ledger_find(rspb_book_ledger(), (uint64_t) q->job);
	return rspb_group_find(q->reservation, 0, &group) ? group.booking : NULL;
}

const struct rspb_booking *rspb_reserve_own(struct rspb_work *work)
{
	const struct rspb_booking *b = booking_asked_about(work);

	if (!b || rspb_state_final(b->state)) {
		rspb_work_refuse(work, "unknown", "it has no booking");
		return NULL;
	}
	if (b->request->user == work->who.uid || work->who.privileged)
		return b;
	/* With PrivateData, other users must not learn that the booking exists. The answer is the
	 * same as for a booking that does not exist. */
	if (work->who.sees_all)
		rspb_work_refuse(work, "denied", "it is not yours");
	else
		rspb_work_refuse(work, "unknown", "it has no booking");
	return NULL;
}

/* --- one that there is ------------------------------------------------------ */

/* Find a reservation that the caller may change. The caller holds at least the read lock. RET
 * false: there is none; tell, unless NULL, gets the refusal. */
static bool find_own(const struct rspb_work *work, struct rspb_work *tell, int64_t now,
		     struct rspb_group *group)
{
	bool there = rspb_group_find(work->inquiry.reservation, now, group);

	if (there && (group->owner == work->who.uid || work->who.privileged))
		return true;
	if (tell && there && work->who.sees_all)
		rspb_work_refuse(tell, "denied", "it is not yours");
	else if (tell)
		rspb_work_refuse(tell, "unknown", "there is no such booking");
	return false;
}

bool rspb_reserve_again_is(const struct rspb_work *work, int64_t now)
{
	struct rspb_group group;

	return work->inquiry.reservation[0] && find_own(work, NULL, now, &group) && !group.booking;
}

/* Change the contract of an undecided or declined request. Members that the inquiry does not
 * mention keep their values. */
static void fill_again(const struct rspb_inquiry *q, int64_t now, struct rspb_contract *c)
{
	/* A deadline that only follows from start and length is not a wish of the owner, and moves
	 * with them. */
	bool fixed = !c->terms.deadline || c->terms.deadline == c->terms.ready + c->terms.duration;

	if (q->terms.nodes) {
		c->terms.nodes = q->terms.nodes;
		c->terms.nodes_least = 0;
	}
	if (q->terms.duration)
		c->terms.duration = q->terms.duration;
	if (q->terms.ready || c->terms.ready <= now)
		c->terms.ready = q->terms.ready > now ? q->terms.ready : now + 1;
	if (q->terms.deadline || fixed || q->exact)
		c->terms.deadline = q->terms.deadline;
	/* An accepted offer is taken as it is: a range of nodes or times would let the batch decide
	 * for something else. */
	if (q->exact) {
		c->terms.nodes_least = 0;
		rspb_terms_settle(&c->terms);
	}
}

void rspb_reserve_again(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	const struct rspb_resv_spec features = { .name = work->inquiry.reservation,
						 .features = work->inquiry.features };
	struct rspb_section section;
	struct rspb_group group;
	struct rspb_err err;

	/* The site's limits are checked when the batch decides the request, as for each request. */
	(void) config;
	if (work->inquiry.hold) {
		rspb_work_refuse(work, "no", "offers can be held only for jobs");
		return;
	}
	if (rspb_window_begin(work->inquiry.terms.ready, now, "--begin", &err)) {
		rspb_work_refuse(work, "no", err.text);
		return;
	}
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "reserve")) {
		rspb_work_refuse(work, "not-now", "slurmctld is shutting down");
		return;
	}
	if (find_own(work, work, now, &group) && !group.booking) {
		fill_again(&work->inquiry, now, &group.contract);
		work->done = !rspb_group_again(work->inquiry.reservation, &group.contract, &err);
		if (!work->done)
			rspb_work_refuse(work, "no", err.text);
		else if (work->inquiry.has_features)
			rspb_resv_make_so(&features, NULL);
	} else if (!work->kind) {
		/* The request was found without a booking under the read lock, and a batch has
		 * booked it since. No kind has been set, so find_own() has not refused it. */
		rspb_work_refuse(work, "not-now", "it has just been booked");
	}
	rspb_section_leave(&section);
	if (!work->done)
		return;
	snprintf(work->said, sizeof(work->said),
		 "the request was submitted again; rspb list shows the decision");
	rspb_wake_up(RSPB_WAKE_SUBMIT);
}

/* Release a booking without a job, or cancel its request. The reservation is deleted first, because
 * Slurm refuses that while jobs are in it. */
static void reserve_release(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	struct rspb_group group;
	struct rspb_err err;
	char what[80];

	if (!rspb_book_ledger() || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "release")) {
		rspb_work_refuse(
			work, "not-ready",
			"slurmctld is starting or shutting down; try again in a few seconds");
		return;
	}
	if (find_own(work, work, now, &group)) {
		work->done = !rspb_group_end(work->inquiry.reservation, work->who.uid, config, now,
					     what, sizeof(what), &err);
		if (!work->done)
			rspb_work_refuse(work, "no", err.text);
	}
	rspb_section_leave(&section);
	if (work->done)
		snprintf(work->said, sizeof(work->said), "the booking was released%s", what);
}

/* Release the booking of a job. The job stays in the queue; cancelling it is left to scancel. The
 * caller holds the write lock, and the booking is gone afterwards. */

static void release(struct rspb_work *work, const struct rspb_booking *b,
		    const struct rspb_config *config, int64_t now)
{
	struct rspb_config ordinary = *config;
	struct rspb_end_jobs jobs;
	struct rspb_err why;
	const char *what;

	/* A running job would lose its reservation and continue on nodes that others may book. */
	rspb_end_look(b, &jobs);
	if (jobs.running) {
		rspb_work_refuse(work, "no",
				 "its job runs; cancel it, or shorten it with modify --time");
		return;
	}
	/* The job was cancelled, and the next watch would see that. */
	if (!jobs.pending && b->state != RSPB_ACTIVE) {
		rspb_end_gone(b, config, now);
		snprintf(work->said, sizeof(work->said), "the booking was released");
		work->done = true;
		return;
	}
	/* OnDecline is for jobs that did not get what they asked for. An owner who releases a
	 * booking wants a regular job. */
	ordinary.on_decline = RSPB_DECLINE_ORDINARY;
	/* A late release may count as unused and be charged. This must come before the booking
	 * ends, since it reads the booking; the text keeps the reason. */
	what = rspb_end_given_back(b, b->request->user == work->who.uid, config, now, &why);
	snprintf(work->said, sizeof(work->said), "%s%s",
		 jobs.pending
			 ? "the booking was released; its job stays in the queue as a regular job"
			 : "the rest of its time slot was released",
		 what);
	if (jobs.pending)
		rspb_end_released(b, why.text, &ordinary, now);
	else
		rspb_end_booking(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now, why.text);
	work->done = true;
}

void rspb_release_booking(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	const struct rspb_booking *b;

	if (work->inquiry.reservation[0]) {
		reserve_release(work, config, now);
		return;
	}
	if (!rspb_book_ledger() || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "release")) {
		rspb_work_refuse(
			work, "not-ready",
			"slurmctld is starting or shutting down; try again in a few seconds");
		return;
	}
	b = rspb_reserve_own(work);
	if (b)
		release(work, b, config, now);
	rspb_section_leave(&section);
}
