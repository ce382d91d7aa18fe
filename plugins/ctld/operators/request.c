/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations as requests: what they ask for, and how they are answered. */
#include "plugins/ctld/operators/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/draft.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/requests/limits.h"
#include "plugins/ctld/requests/part.h"

/* A reservation is seen so long after it was made, at most. */
enum { SEEN_LATE_S = 2 };
/* Operators' reservations come before users' bookings, as in Slurm itself: as
 * high as a job's priority can be. */
#define FIRST_OF_ALL ((int64_t) UINT32_MAX)

/* What a request said when it was answered before. */
static int tag_again(const char *text, struct rspb_tag *tag, int64_t *deadline,
		     struct rspb_err *err)
{
	struct rspb_contract contract;

	if (rspb_contract_parse(text, &contract, err))
		return -1;
	if (!contract.nodes_asked)
		return rspb_fail(err, "nodes= is missing; write the whole "
				      "request anew");
	*tag = (struct rspb_tag){
		.nodes = contract.nodes_asked,
		.nodes_min = contract.nodes_least ? contract.nodes_least
						  : contract.nodes_asked,
		.flags = contract.flags,
	};
	/* A fixed start has none of its own. */
	*deadline = contract.flags.asap ||
				    contract.deadline ==
					    contract.ready + contract.duration
			    ? 0
			    : contract.deadline;
	return 0;
}

static int read_tag(const char *text, struct rspb_tag *tag, int64_t *deadline,
		    struct rspb_err *err)
{
	*deadline = 0;
	if (rspb_tag_answered(text))
		return tag_again(text, tag, deadline, err);
	if (rspb_tag_parse(text, tag, err))
		return -1;
	if (tag->deadline[0] && rspb_ctld_time(tag->deadline, deadline, err))
		return rspb_fail_at(err, "deadline=");
	/* A range is worth its part; so that the contract says it, too. */
	if (tag->nodes_min < tag->nodes && !tag->flags.has_benefit) {
		rspb_flags_benefit(&tag->flags, tag->nodes_min, tag->nodes,
				   &tag->flags.benefit);
		tag->flags.has_benefit = true;
	}
	return 0;
}

/* What a reservation can be and a booking cannot. */
static int check_kind(const struct rspb_resv *resv, struct rspb_err *err)
{
	if (resv->recurs)
		return rspb_fail(err, "a window that recurs cannot be booked, "
				      "leave out DAILY, WEEKLY and the like");
	if (resv->floats)
		return rspb_fail(err,
				 "a window that moves with the time cannot "
				 "be booked, leave out TIME_FLOAT");
	if (resv->maintenance || resv->flexible)
		return rspb_fail(err,
				 "a booking keeps to its window and nodes, "
				 "leave out MAINT and FLEX");
	return 0;
}

static int fill_part(const struct rspb_resv *resv, const struct rspb_tag *tag,
		     uint32_t width, struct rspb_part *part,
		     struct rspb_err *err)
{
	const struct rspb_draft_wish wish = {
		.partition = resv->partition,
		.features = resv->features,
		.nodes_min = tag->nodes_min,
		.nodes_max = tag->nodes,
	};
	struct rspb_draft *draft = rspb_draft_make(&wish, err);
	struct rspb_job job;
	int rc;

	if (!draft)
		return -1;
	rspb_draft_view(draft, &job);
	rc = rspb_part_fill(&job, &tag->flags, width, part, err);
	rspb_draft_destroy(draft);
	if (rc)
		part->nodes = tag->nodes;
	return rc;
}

int rspb_door_refresh(const struct rspb_resv *resv, uint32_t width,
		      struct rspb_part *part, struct rspb_err *err)
{
	const struct rspb_tag tag = {
		.nodes = part->nodes,
		.nodes_min = part->nodes_min,
		.flags = { .book = true,
			   .has_benefit = part->has_benefit,
			   .benefit = part->benefit },
	};

	rspb_nodeset_destroy(part->eligible);
	part->eligible = NULL;
	return fill_part(resv, &tag, width, part, err);
}

int rspb_door_request(const struct rspb_resv *resv, uint32_t width,
		      const struct rspb_config *config, int64_t now,
		      struct rspb_request **out, struct rspb_err *err)
{
	struct rspb_job job = {
		.submitted = now - SEEN_LATE_S,
		.begin = resv->start,
		.limit = resv->end - resv->start,
	};
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_tag tag;

	*out = request;
	if (!request)
		return rspb_fail(err, "out of memory");
	request->user = RSPB_USER_NONE;
	request->arrival = job.submitted;
	request->priority = FIRST_OF_ALL;
	request->parts[0].nodes = 0;
	if (read_tag(resv->tag, &tag, &job.deadline, err))
		return -1;
	/* A refusal tells these, too. */
	request->parts[0].nodes = tag.nodes;
	request->parts[0].has_benefit = tag.flags.has_benefit;
	request->parts[0].benefit = tag.flags.benefit;
	rspb_intake_window(request, &job, tag.flags.asap, config, now);
	rspb_intake_window_close(request, config, now);
	if (check_kind(resv, err))
		return -1;
	if (job.deadline && job.deadline < request->ready + request->duration)
		return rspb_fail(err,
				 "deadline= is before the end of the "
				 "first window that StartTime and Duration "
				 "leave");
	return fill_part(resv, &tag, width, &request->parts[0], err);
}

/* RET NULL: out of memory. */
static struct rspb_ask *ask_make(struct rspb_asks *asks,
				 const struct rspb_resv *resv)
{
	struct rspb_ask *ask = rspb_asks_add(asks);
	struct rspb_door *door = malloc(sizeof(*door));

	if (!ask || !door || !rspb_door_snap(resv, door)) {
		free(door);
		return NULL;
	}
	ask->door = door;
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

	if (!rspb_tag_ours(resv->tag) || rspb_door_find(resv->id) ||
	    rspb_door_judge(resv, NULL, to->now) != RSPB_DOOR_WAITS)
		return 0;
	ask = ask_make(to->asks, resv);
	if (!ask)
		return 0;
	rspb_door_request(resv, to->width, to->config, to->now, &ask->request,
			  &ask->refusal);
	if (!ask->request)
		return 1;
	ask->request->id = rspb_door_new_id(rspb_book_ledger(), resv->id);
	to->asks->n++;
	return 0;
}

int rspb_door_collect(uint32_t width, const struct rspb_config *config,
		      int64_t now, struct rspb_asks *asks, struct rspb_err *err)
{
	struct collect to = {
		.asks = asks,
		.config = config,
		.width = width,
		.now = now,
	};
	struct rspb_section section;
	int64_t earliest = INT64_MAX;

	if (!rspb_door_waiting(&earliest))
		return 0;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "door"))
		return rspb_fail(err, "slurmctld is going down");
	rspb_resv_each(now, collect_one, &to);
	rspb_section_leave(&section);
	return 0;
}

bool rspb_door_waits(const struct rspb_ask *ask)
{
	struct rspb_resv resv;

	return rspb_resv_find(ask->door->name, 0, &resv) &&
	       rspb_door_same(ask->door, &resv) && !resv.has_nodes;
}

int rspb_door_place(const char *name, const struct rspb_booking *booking,
		    struct rspb_err *err)
{
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_resv_spec spec = {
		.name = name,
		.tag = text,
		.start = booking->start,
		.end = booking->end,
	};
	char *nodes = rspb_node_names(booking->grants[0].nodes);
	int rc;

	if (!nodes)
		return rspb_fail(err, "out of memory");
	spec.nodes = nodes;
	rspb_door_text(booking, text);
	rc = rspb_resv_place(&spec, err);
	free(nodes);
	return rc;
}

void rspb_door_follow(const struct rspb_booking *booking)
{
	struct rspb_err err = { "its reservation is gone" };
	struct rspb_resv resv;

	if (!rspb_resv_find_id(rspb_door_number(booking->request->id), 0,
			       &resv) ||
	    rspb_door_place(resv.name, booking, &err))
		rspb_log_error("booking %" PRIu64 ": %s", booking->request->id,
			       err.text);
}

int rspb_door_commit(const struct rspb_ask *ask,
		     const struct rspb_booking *booking, struct rspb_err *err)
{
	char window[RSPB_WINDOW_TEXT];

	if (rspb_door_place(ask->door->name, booking, err))
		return -1;
	rspb_report_window(booking->start, booking->end, window,
			   sizeof(window));
	rspb_log_info("reservation %s: booked %s on %u nodes, benefit %.2f",
		      ask->door->name, window,
		      rspb_nodeset_count(booking->grants[0].nodes),
		      rspb_ratio_double(booking->benefit));
	return 0;
}

/* Also what was asked for, so that another window is enough to ask again. */
void rspb_door_refuse(const struct rspb_ask *ask, const char *reason)
{
	const struct rspb_request *request = ask->request;
	const struct rspb_part *part = &request->parts[0];
	struct rspb_contract contract = {
		.state = RSPB_DECLINED,
		.flags = { .book = true,
			   .asap = request->asap,
			   .has_benefit = part->has_benefit,
			   .benefit = part->benefit },
		.start = ask->door->start,
		.end = ask->door->end,
		.nodes_asked = part->nodes,
		.ready = request->ready,
		.deadline = request->deadline,
		.duration = request->duration,
	};
	char text[RSPB_CONTRACT_TEXT];

	snprintf(contract.reason, sizeof(contract.reason), "%s", reason);
	rspb_contract_print(&contract, text, sizeof(text));
	rspb_resv_set_tag(ask->door->name, text);
	rspb_log_info("reservation %s declined: %s", ask->door->name, reason);
}

struct rspb_booking *rspb_door_rebuild(const struct rspb_resv *resv,
				       uint32_t width, int64_t now)
{
	struct rspb_contract contract;
	struct rspb_request *request;
	struct rspb_booking *booking;

	if (rspb_contract_parse(resv->tag, &contract, NULL) ||
	    !contract.nodes_asked || !contract.duration ||
	    !(request = rspb_request_create(1)))
		return NULL;
	request->user = RSPB_USER_NONE;
	request->arrival = now;
	request->priority = FIRST_OF_ALL;
	request->ready = contract.ready;
	request->deadline = contract.deadline;
	request->duration = contract.duration;
	request->asap = contract.flags.asap;
	request->parts[0].nodes = contract.nodes_asked;
	request->parts[0].nodes_min = contract.nodes_least
					      ? contract.nodes_least
					      : contract.nodes_asked;
	request->parts[0].has_benefit = contract.flags.has_benefit;
	request->parts[0].benefit = contract.flags.benefit;
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
	booking->grants[0].promise = contract.promise;
	booking->grants[0].benefit = contract.benefit.den
					     ? contract.benefit
					     : (struct rspb_ratio){ 1, 1 };
	rspb_booking_value(booking);
	return booking;
}
