/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that reservations say they hold. */
#include "plugins/ctld/jobs/recover.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/operators/group.h"
#include "plugins/ctld/operators/internal.h"
#include "plugins/ctld/operators/operator.h"
#include "plugins/ctld/requests/cores.h"
#include "plugins/ctld/requests/recall.h"

struct rspb_booking *rspb_operator_rebuild(const struct rspb_resv *resv, uint32_t width,
					   int64_t now)
{
	struct rspb_contract contract;
	struct rspb_request *request;
	struct rspb_booking *booking;

	if (rspb_contract_parse(resv->tag, &contract, NULL) || !contract.nodes_asked ||
	    !contract.duration || !(request = rspb_request_create(1)))
		return NULL;
	request->user = RSPB_USER_NONE;
	request->arrival = now;
	request->priority = RSPB_OPERATOR_PRIORITY;
	request->mail = contract.flags.mail;
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
	booking->state = resv->start <= now ? RSPB_ACTIVE : RSPB_BOOKED;
	booking->start = resv->start;
	booking->end = resv->end;
	booking->decided_at = now;
	rspb_resv_nodes(resv, booking->grants[0].nodes);
	rspb_recall_grant(&contract, &booking->grants[0]);
	if (contract.cores) {
		rspb_part_granted_cores(contract.cores, &booking->request->parts[0],
					&booking->grants[0]);
		if (rspb_part_granted_besides(&contract, &booking->request->parts[0])) {
			rspb_booking_destroy(booking);
			return NULL;
		}
	}
	/* That others' cores are reserved is to be known. */
	RSPB_NODESET_EACH (n, booking->grants[0].nodes)
		rspb_cores_reserved(resv, n, NULL);
	rspb_booking_value(booking);
	return booking;
}

static int recover_one(const struct rspb_resv *resv, void *arg)
{
	struct rspb_recovery *to = arg;
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = to->now };
	struct rspb_booking *b;
	struct rspb_err err;

	if (!rspb_operator_meant(resv) ||
	    rspb_operator_judge(resv, NULL, to->now) != RSPB_OPERATOR_ADOPT)
		return 0;
	b = rspb_operator_rebuild(resv, rspb_ledger_nodes(to->ledger), to->now);
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
	rspb_resv_each(to->now, recover_one, to);
}
