/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what operators have requested, changed or deleted, and which windows are over. */
#include "plugins/ctld/kinds/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/kinds/operator.h"
#include "plugins/ctld/kinds/recover.h"
#include "plugins/ctld/kinds/state.h"
#include "plugins/ctld/request/part.h"

/* Bookings by what reservations say: after a restart, and if an operator restores one. */

/* RET the booking that a reservation with nodes says it holds; NULL: none. */
static struct rspb_booking *rebuild(const struct rspb_resv *resv, uint32_t width, int64_t now)
{
	struct rspb_contract contract;
	struct rspb_request *request;
	struct rspb_booking *booking;

	if (rspb_contract_parse(resv->tag, &contract, NULL) || !contract.terms.nodes ||
	    !contract.terms.duration || !(request = rspb_request_create(1)))
		return NULL;
	request->user = RSPB_USER_NONE;
	request->arrival = now;
	request->priority = RSPB_OPERATOR_PRIORITY;
	rspb_operator_name(request, resv);
	if (rspb_recall_request(&contract, request) ||
	    rspb_recall_part(&contract, &request->parts[0])) {
		rspb_request_destroy(request);
		return NULL;
	}
	rspb_group_sign(request, resv, contract.owner);
	booking = rspb_booking_create(request);
	rspb_request_destroy(request);
	if (!booking || rspb_booking_grant(booking, width, NULL)) {
		rspb_booking_destroy(booking);
		return NULL;
	}
	/* Slurm's window counts. After a crash, rspb_operator_redo() has put it back as
	 * promised. */
	booking->state = resv->start <= now ? RSPB_ACTIVE : RSPB_BOOKED;
	booking->start = resv->start;
	booking->end = resv->end;
	booking->decided_at = now;
	rspb_resv_nodes(resv, booking->grants[0].nodes);
	rspb_recall_grant(&contract, &booking->grants[0]);
	if (contract.terms.cores) {
		rspb_part_granted_cores(contract.terms.cores, &booking->request->parts[0],
					&booking->grants[0]);
		if (rspb_part_granted_besides(&contract, &booking->request->parts[0])) {
			rspb_booking_destroy(booking);
			return NULL;
		}
	}
	/* Asked for its effect alone: from now on the plugin knows that cores of nodes are
	 * reserved. */
	RSPB_NODESET_EACH (n, booking->grants[0].nodes)
		rspb_cores_reserved(resv, n, NULL);
	rspb_booking_value(booking);
	return booking;
}

/* Enter the booking of a reservation into the ledger under construction. A booking that does
 * not fit is logged and stays promised. The next watch tries it once more, and declines it in
 * its text if it still does not fit. RET 0. */
static int recover_one(const struct rspb_resv *resv, void *arg)
{
	struct rspb_recovery *to = arg;
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = to->now };
	struct rspb_booking *b;
	struct rspb_err err;

	if (!rspb_operator_meant(resv) ||
	    rspb_operator_judge(resv, NULL, to->now) != RSPB_OPERATOR_ADOPT)
		return 0;
	b = rebuild(resv, rspb_ledger_nodes(to->ledger), to->now);
	if (!b)
		return 0;
	b->request->id = rspb_reserved_new_id(to->ledger, resv->id);
	record.id = b->request->id;
	record.booking = b;
	if (rspb_ledger_apply(to->ledger, &record, &err))
		rspb_log_error("reservation %s had a booking that cannot be "
			       "kept: %s",
			       resv->name, err.text);
	else
		to->booked++;
	rspb_operator_promise(NULL, b);
	rspb_booking_destroy(b);
	return 0;
}

void rspb_operator_recover(struct rspb_recovery *to)
{
	rspb_resv_each(RSPB_RESV_ALL, to->now, recover_one, to);
}

/* As the last watch has seen it: no lock is taken for an answer. */
static int64_t requests_waiting(int64_t *earliest)
{
	if (rspb_of_kinds->waiting.earliest < *earliest)
		*earliest = rspb_of_kinds->waiting.earliest;
	return (int64_t) rspb_of_kinds->waiting.n;
}

/* End a booking whose window is over, or whose reservation was deleted or taken back. */
static void finish(const struct rspb_booking *b, enum rspb_operator_verdict verdict, int64_t now)
{
	uint32_t reservation = rspb_reserved_number(b->request->id);
	char number[32];

	if (verdict == RSPB_OPERATOR_OVER || b->end <= now) {
		/* Nobody has seen its start, and only an active booking can end. */
		if (b->state == RSPB_BOOKED)
			rspb_book_event(b->request->id, RSPB_EV_START, now, NULL, NULL);
		/* The event may have replaced the ledger's record. */
		b = rspb_reserved_find(reservation);
		if (b)
			rspb_operator_event(b, RSPB_EV_END, now, NULL);
		return;
	}
	rspb_log_info("reservation %u is no longer a booking", reservation);
	snprintf(number, sizeof(number), "number-%" PRIu32, reservation);
	rspb_operator_audit("cancel", number, 0, true,
			    "deleted, or its text no longer begins "
			    "with rspb:");
	rspb_operator_event(b, b->state == RSPB_BOOKED ? RSPB_EV_CANCEL : RSPB_EV_TERMINATE, now,
			    "its reservation was deleted, or its text no longer begins with rspb:");
}

static void decline(const struct rspb_resv *resv, const char *reason)
{
	struct rspb_contract contract = {
		.start = resv->start,
		.end = resv->end,
	};

	rspb_operator_decline(resv->name, &contract, reason);
}

/* Take over a booking that only the reservation knows, for instance after an operator has
 * restored its text. If it cannot be entered, the reservation is declined with the reason. */
static void adopt(const struct rspb_resv *resv, int64_t now)
{
	struct rspb_booking *b = rebuild(resv, rspb_ledger_nodes(rspb_book_ledger()), now);
	struct rspb_err err = { "its text cannot be read" };

	if (b)
		b->request->id = rspb_reserved_new_id(rspb_book_ledger(), resv->id);
	if (!b || rspb_book_enter(b, now, &err))
		decline(resv, err.text);
	rspb_booking_destroy(b);
}

/* A reservation or booking that needs an action. */
struct finding {
	uint32_t reservation;
	enum rspb_operator_verdict verdict;
};

struct look {
	int64_t now, earliest;
	size_t n, room, n_waiting;
	struct finding *items;
};

static void note(struct look *look, uint32_t reservation, enum rspb_operator_verdict verdict)
{
	if (rspb_array_grow(&look->items, &look->room, look->n + 1, sizeof(*look->items)))
		return;
	look->items[look->n++] = (struct finding){ reservation, verdict };
}

static int look_at(const struct rspb_resv *resv, void *arg)
{
	struct look *look = arg;
	enum rspb_operator_verdict verdict;

	if (!rspb_operator_meant(resv))
		return 0;
	verdict = rspb_operator_judge(resv, rspb_reserved_find(resv->id), look->now);
	if (verdict == RSPB_OPERATOR_WAITS) {
		look->n_waiting++;
		if (resv->start < look->earliest)
			look->earliest = resv->start;
	} else if (verdict != RSPB_OPERATOR_KEEP) {
		note(look, resv->id, verdict);
	}
	return 0;
}

/* Note bookings whose reservation or tag is gone. */
static int look_for_gone(const struct rspb_booking *b, const struct rspb_resv *resv, void *arg)
{
	if (!rspb_state_final(b->state) && (!resv || !rspb_operator_meant(resv)))
		note(arg, rspb_reserved_number(b->request->id), RSPB_OPERATOR_GONE);
	return 0;
}

/* Act on a finding, with the write lock. It was made under the read lock, so it is judged
 * again, and dropped if something else is true by now. */
static void follow(const struct finding *finding, int64_t now)
{
	const struct rspb_booking *b = rspb_reserved_find(finding->reservation);
	struct rspb_resv resv;
	bool there = rspb_resv_find_id(finding->reservation, now, &resv);

	if (rspb_operator_judge(there ? &resv : NULL, b, now) != finding->verdict)
		return;
	if (finding->verdict == RSPB_OPERATOR_ADOPT)
		adopt(&resv, now);
	else if (finding->verdict == RSPB_OPERATOR_ODD)
		decline(&resv, resv.has_nodes
				       ? "it has nodes already and stays an ordinary "
					 "reservation; a request is made with Flags=ANY_NODES, "
					 "without nodes"
				       : "its name or text is too long");
	else if (b)
		finish(b, finding->verdict, now);
}

static void follow_all(const struct look *look, const struct rspb_config *config)
{
	struct rspb_section section;

	for (size_t i = 0; i < look->n; i++) {
		/* A change is planned without locks and takes its own. */
		if (look->items[i].verdict == RSPB_OPERATOR_CHANGED) {
			rspb_operator_change(look->items[i].reservation, config, look->now);
			continue;
		}
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "operators"))
			return;
		follow(&look->items[i], look->now);
		section.items++;
		rspb_section_leave(&section);
	}
}

void rspb_operator_watch(const struct rspb_config *config, int64_t now)
{
	struct look look = { .now = now, .earliest = INT64_MAX };
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "operators"))
		return;
	rspb_reserved_each(rspb_book_ledger(), now, look_at, look_for_gone, &look);
	section.items = look.n + look.n_waiting;
	rspb_section_leave(&section);
	rspb_of_kinds->waiting.n = look.n_waiting;
	rspb_of_kinds->waiting.earliest = look.earliest;
	follow_all(&look, config);
	free(look.items);
}

/* Requests of operators for a batch. */

/* RET NULL: out of memory. */
static struct rspb_ask *ask_make(struct rspb_asks *asks, const struct rspb_resv *resv)
{
	struct rspb_ask *ask = rspb_asks_add(asks);
	struct rspb_resv_seen *seen = malloc(sizeof(*seen));

	if (!ask || !seen || !rspb_operator_snap(resv, seen)) {
		free(seen);
		return NULL;
	}
	ask->source = seen;
	snprintf(ask->user, sizeof(ask->user), "reservation");
	return ask;
}

struct collect {
	struct rspb_asks *asks;
	const struct rspb_config *config;
	uint32_t width;
	int64_t now;
};

static int collect_one(const struct rspb_resv *resv, void *arg)
{
	struct collect *to = arg;
	struct rspb_ask *ask;

	if (!rspb_tag_ours(resv->tag) || rspb_reserved_find(resv->id) ||
	    rspb_operator_judge(resv, NULL, to->now) != RSPB_OPERATOR_WAITS)
		return 0;
	ask = ask_make(to->asks, resv);
	if (!ask)
		return 0;
	rspb_operator_request(resv, to->width, to->config, to->now, &ask->request, &ask->refusal);
	if (!ask->request)
		return 1;
	rspb_group_name(ask->request, ask->account, sizeof(ask->account));
	ask->request->id = rspb_reserved_new_id(rspb_book_ledger(), resv->id);
	to->asks->n++;
	return 0;
}

static int collect_requests(uint32_t width, const struct rspb_config *config, int64_t now,
			    struct rspb_asks *asks, struct rspb_err *err)
{
	struct collect to = {
		.asks = asks,
		.config = config,
		.width = width,
		.now = now,
	};
	struct rspb_section section;
	int64_t earliest = INT64_MAX;

	/* Mostly nobody asks, and then Slurm's list is not walked. */
	if (!requests_waiting(&earliest))
		return 0;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "operators"))
		return rspb_fail(err, "slurmctld is shutting down");
	rspb_resv_each(RSPB_RESV_OF_OTHERS, now, collect_one, &to);
	rspb_section_leave(&section);
	return 0;
}

/* The table of the kind that operators ask for. Its members are in the files beside this
 * one. */

static bool owns(const struct rspb_request *request)
{
	return rspb_reserved_is(request->id) && !rspb_reserved_owner(request);
}

const struct rspb_kind rspb_kind_operator = {
	.owns = owns,
	.by_operator = true,
	RSPB_OPERATOR_ROWS,
};

const struct rspb_source rspb_source_operators = {
	.waiting = requests_waiting,
	.collect = collect_requests,
};
