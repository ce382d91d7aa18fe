/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers operators: their reservation becomes the booking, and its text says how it is. */
#include "plugins/ctld/kinds/operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores_call.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/post/letters.h"

enum { NOTICE_NAME = 256 };

/* A booking that is about to change, as it was. */
struct notice {
	char name[NOTICE_NAME]; /* of its reservation, "": nobody is told */
	uint32_t number;
	struct rspb_contract before;
};

/* Tells owners of bookings without a job what has become of them. The wording and the
 * queue are post/letters.c and post/outbox.c. */

/* Fill in the contract of a booking with its nodes by name, as notices show it. If its text
 * cannot be read, only the state is filled in. */
static void contract_of(const struct rspb_booking *b, struct rspb_contract *contract)
{
	char text[RSPB_CONTRACT_TEXT];

	free(rspb_operator_text_with_nodes(b, text));
	if (rspb_contract_parse(text, contract, NULL))
		*contract = (struct rspb_contract){ .state = b->state };
}

/* Remember how a booking was before an event (NULL: nobody is told). Only a booking with an
 * owner has a reader for notices. */
static void notice_begin(struct notice *notice, const struct rspb_booking *b)
{
	const struct rspb_promise *promise;
	struct rspb_resv resv;

	notice->name[0] = '\0';
	if (!b || !rspb_reserved_owner(b->request))
		return;
	notice->number = rspb_reserved_number(b->request->id);
	/* Slurm may have deleted it, at its end. */
	promise = rspb_promise_find_resv(notice->number);
	if (rspb_resv_find_id(notice->number, 0, &resv))
		snprintf(notice->name, sizeof(notice->name), "%s", resv.name);
	else if (promise && promise->name)
		snprintf(notice->name, sizeof(notice->name), "%s", promise->name);
	contract_of(b, &notice->before);
}

/* The same from the text of a reservation: a request has no booking yet. */
static void notice_of(struct notice *notice, const char *name)
{
	struct rspb_contract *before = &notice->before;
	struct rspb_resv resv;

	notice->name[0] = '\0';
	if (!rspb_resv_find(name, 0, &resv) || !resv.tag ||
	    rspb_contract_parse(resv.tag, before, NULL) || !before->owner)
		return;
	notice->number = resv.id;
	snprintf(notice->name, sizeof(notice->name), "%s", name);
	if (resv.nodes && strlen(resv.nodes) < sizeof(before->on))
		strcpy(before->on, resv.nodes);
}

/* Tell the owner what the booking or the request is now. */
static void notice_tell(const struct notice *notice, const struct rspb_contract *now)
{
	struct rspb_reader reader = rspb_letters_resv(notice->name, notice->number, now);

	if (notice->name[0])
		rspb_letters_tell(&reader, &notice->before, now);
}

/* The same of a booking; NULL: it is unknown, and nothing is told. */
static void notice_end(const struct notice *notice, const struct rspb_booking *b)
{
	struct rspb_contract now;

	if (!notice->name[0] || !b)
		return;
	contract_of(b, &now);
	notice_tell(notice, &now);
}

void rspb_operator_audit(const char *action, const char *name, uint32_t owner, bool done,
			 const char *text)
{
	rspb_audit_log(&(struct rspb_audit){
		.action = action,
		.uid = owner ? owner : RSPB_AUDIT_UNKNOWN,
		.reservation = name,
		.done = done,
		.text = text,
	});
}

/* Write the state of a booking where its operator looks. reason: in place of its
 * own, NULL: that. RET false: its reservation is gone. */
static bool write_state(uint64_t id, const char *reason)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	char text[RSPB_CONTRACT_TEXT];
	struct notice notice;
	struct rspb_booking *told;
	struct rspb_resv resv;

	if (!b || !rspb_resv_find_id(rspb_reserved_number(id), 0, &resv) ||
	    !rspb_operator_meant(&resv))
		return false;
	/* The reason is for the reservation alone, so that the ledger's own stays. */
	told = rspb_booking_clone(b);
	if (!told)
		return true;
	notice_of(&notice, resv.name);
	if (reason)
		rspb_booking_say(told, reason);
	rspb_operator_text(told, text);
	rspb_resv_make_so(&(struct rspb_resv_spec){ .name = resv.name, .tag = text }, NULL);
	notice_end(&notice, told);
	rspb_booking_destroy(told);
	return true;
}

void rspb_operator_event(const struct rspb_booking *b, enum rspb_event event, int64_t now,
			 const char *reason)
{
	uint64_t id = b->request->id;
	struct notice notice;
	struct rspb_err err;

	notice_begin(&notice, b);
	/* The event changes the booking, so its cost is calculated before. */
	if (rspb_reserved_owner(b->request) && (event == RSPB_EV_END || event == RSPB_EV_TERMINATE))
		rspb_charge(b, now);
	/* Slurm may have deleted the reservation at its end. Its owner is told all the
	 * same. */
	if (rspb_book_event(id, event, now, reason, &err))
		rspb_log_error("reservation %u: %s", rspb_reserved_number(id), err.text);
	else if (!write_state(id, NULL))
		notice_end(&notice, rspb_ledger_find(rspb_book_ledger(), id));
	if (event != RSPB_EV_START)
		rspb_tally_ended(rspb_ledger_find(rspb_book_ledger(), id), event, now);
	rspb_operator_note(id);
}

int rspb_operator_start(const struct rspb_booking *b, int64_t now, struct rspb_err *err)
{
	uint32_t number = rspb_reserved_number(b->request->id);
	bool cores = b->request->parts[0].whole;
	struct rspb_resv resv;

	(void) err;
	rspb_operator_event(b, RSPB_EV_START, now, NULL);
	/* The reservation's cores are chosen anew among those that are free on its nodes now, and
	 * Slurm starts the jobs in it. */
	cores = cores && rspb_resv_find_id(number, 0, &resv);
	rspb_resv_begins(cores ? resv.name : NULL, rspb_placed_each);
	return 0;
}

void rspb_operator_tell(uint64_t id, const char *text)
{
	write_state(id, text);
}

bool rspb_operator_waits(const struct rspb_ask *ask)
{
	const struct rspb_resv_seen *seen = ask->source;
	struct rspb_resv resv;

	return rspb_resv_find(seen->name, 0, &resv) && rspb_operator_same(seen, &resv) &&
	       !resv.has_nodes;
}

/* Whether a reservation has the nodes of a booking and its cores of them. Jobs may run on these
 * cores, so they stay. */
static bool has_cores(const char *name, const struct rspb_booking *booking)
{
	const struct rspb_nodeset *nodes = booking->grants[0].nodes;
	struct rspb_nodeset *has;
	struct rspb_resv resv;
	bool same;

	if (!booking->request->parts[0].whole || !rspb_resv_find(name, 0, &resv) ||
	    !resv.has_nodes || !rspb_mirror_resv_has_cores(&resv, booking, 0))
		return false;
	has = rspb_nodeset_create(nodes->width);
	if (has)
		rspb_resv_nodes(&resv, has);
	same = has && rspb_nodeset_equal(has, nodes);
	rspb_nodeset_destroy(has);
	return same;
}

int rspb_operator_place(const char *name, const struct rspb_booking *booking, struct rspb_err *err)
{
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_resv_spec spec = {
		.name = name,
		.tag = text,
		.start = booking->start,
		.end = booking->end,
	};
	bool stay = has_cores(name, booking);
	char *nodes = rspb_node_names(NULL, booking->grants[0].nodes);
	struct notice notice;
	int rc;

	if (!nodes)
		return rspb_fail(err, "out of memory");
	if (!stay)
		spec.nodes = nodes;
	rspb_operator_text(booking, text);
	notice_of(&notice, name);
	rc = rspb_resv_make_so(&spec, err);
	free(nodes);
	if (rc)
		return rc;
	if (booking->request->parts[0].whole && !stay)
		rspb_mirror_resv_cores(booking, 0, name);
	notice_end(&notice, booking);
	rspb_operator_promise(NULL, booking);
	return 0;
}

int rspb_operator_mirror(const struct rspb_ask *ask, const struct rspb_booking *booking, bool moved,
			 const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	struct rspb_resv resv;

	(void) ask;
	(void) moved;
	(void) config;
	if (!rspb_resv_find_id(rspb_reserved_number(booking->request->id), now, &resv))
		return rspb_fail(err, "its reservation no longer exists");
	return rspb_operator_place(resv.name, booking, err);
}

int rspb_operator_commit(const struct rspb_ask *ask, const struct rspb_booking *booking,
			 const struct rspb_config *config, struct rspb_err *err)
{
	const struct rspb_resv_seen *seen = ask->source;
	char window[RSPB_WINDOW_TEXT];

	(void) config;
	if (rspb_operator_place(seen->name, booking, err))
		return -1;
	rspb_report_window(booking->start, booking->end, NULL, window, sizeof(window));
	rspb_log_info("reservation %s: booked %s on %u nodes, benefit %.2f", seen->name, window,
		      rspb_nodeset_count(booking->grants[0].nodes),
		      rspb_ratio_double(booking->benefit));
	rspb_operator_audit("book", seen->name, rspb_reserved_owner(booking->request), true,
			    window);
	return 0;
}

void rspb_operator_decline(const char *name, struct rspb_contract *contract, const char *reason)
{
	char text[RSPB_CONTRACT_TEXT];
	struct notice notice;

	notice_of(&notice, name);
	contract->state = RSPB_DECLINED;
	snprintf(contract->reason, sizeof(contract->reason), "%s", reason);
	rspb_contract_print(contract, text, sizeof(text));
	rspb_resv_make_so(&(struct rspb_resv_spec){ .name = name, .tag = text }, NULL);
	notice_tell(&notice, contract);
	rspb_log_info("reservation %s declined: %s", name, reason);
	rspb_operator_audit("book", name, contract->owner, false, reason);
}

/* The contract repeats what was requested, so that a changed window is enough to ask
 * again. */
bool rspb_operator_refuse(const struct rspb_ask *ask, const char *reason,
			  const struct rspb_config *config)
{
	const struct rspb_resv_seen *seen = ask->source;
	const struct rspb_request *request = ask->request;
	struct rspb_contract asked;
	struct rspb_contract contract = {
		.start = seen->start,
		.end = seen->end,
		.owner = rspb_reserved_owner(request),
	};

	(void) config;
	if (rspb_operator_asked(seen->tag, &asked)) {
		contract.terms.cores = asked.terms.cores;
		contract.terms.mem = asked.terms.mem;
		memcpy(contract.terms.gres, asked.terms.gres, sizeof(contract.terms.gres));
	}
	rspb_terms_size(request, 0, &contract.terms);
	rspb_benefit_set(&contract.terms.benefit, request->parts[0].benefit);
	rspb_terms_asked(request, &contract.terms);
	rspb_operator_decline(seen->name, &contract, reason);
	return true;
}
