/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits and rules of a site's settings, as the controller applies them. */
#include "common/conf/config.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/plan/plan.h"
#include "contrib/sim/replay/replay_internal.h"

/* Narrow the window to StartHours, as the controller does, and look whether it is within
 * them. RET 0 or -1 with a sentence. */
static int fit_hours(const struct replay *replay, struct rspb_request *request,
		     const struct rspb_config *config, struct rspb_err *why)
{
	int64_t began = replay->workload->setup.began;
	int64_t last = request->deadline - request->duration, opens, closes;

	if (config->request_hours[0] &&
	    rspb_hours_from(config->request_hours, request->arrival + began, true) !=
		    request->arrival + began)
		return rspb_fail(why, "it was requested outside RequestHours=%s",
				 config->request_hours);
	if (!config->start_hours[0])
		return 0;
	opens = rspb_hours_from(config->start_hours, request->ready + began, true) - began;
	if (opens > last)
		return rspb_fail(why, "its window is outside StartHours=%s", config->start_hours);
	closes = rspb_hours_from(config->start_hours, opens + began, false) - began;
	request->ready = opens;
	if (closes <= last)
		request->deadline = closes - 1 + request->duration;
	return 0;
}

/* RET whether a list of settings allows the label of a request, "account=x" of
 * "partition=a,qos=b,account=x". */
static bool is_allowed(const char *list, const struct rspb_request *request, const char *key)
{
	const char *labels = rspb_text_kept(request->labels), *at = labels;
	char word[RSPB_REQUEST_LABELS];
	size_t length;

	if (!*list)
		return true;
	for (; *at; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		if (strncmp(at, key, strlen(key)))
			continue;
		snprintf(word, sizeof(word), "%.*s", (int) (length - strlen(key)),
			 at + strlen(key));
		return rspb_text_listed(list, word);
	}
	return false;
}

/* Check the limits that need no plan. RET 0 or -1 with a sentence. */
static int check_request(const struct replay *replay, struct rspb_request *request, int64_t now,
			 struct rspb_err *why)
{
	const struct sim_setup *setup = &replay->workload->setup;
	struct rspb_config space;
	const struct rspb_config *config = rspb_rules_for(setup->config, request,
							  replay->workload->nodes, &space);

	if (!is_allowed(config->allow_accounts, request, "account="))
		return rspb_fail(why, "its account may not book (AllowAccounts)");
	if (!is_allowed(config->allow_qos, request, "qos="))
		return rspb_fail(why, "its QOS may not book (AllowQos)");
	if (fit_hours(replay, request, config, why))
		return -1;
	rspb_limits_moves(request, config, setup->firm);
	/* "auto" is what nodes took lately, which is nothing here. */
	if (config->clean_up > 0)
		request->clean_up += config->clean_up;
	if (config->prepare > 0)
		request->clean_up += config->prepare;
	return rspb_limits_request(request, config, replay->workload->nodes, now, why);
}

/* RET the ledger whose bookings count against limits. */
static const struct rspb_ledger *booked_of(const struct replay *replay)
{
	return replay->booked ? replay->booked : replay->ledger;
}

/* RET whether a booking that was planned may be made. */
static bool may_have(const struct replay *replay, const struct rspb_booking *booking,
		     struct rspb_err *why)
{
	const struct rspb_ledger *ledger = booked_of(replay);
	struct rspb_config space;
	const struct rspb_config *config = rspb_rules_for(replay->workload->setup.config,
							  booking->request,
							  rspb_ledger_machine(ledger), &space);

	return !rspb_limits_grant(ledger, booking, (struct rspb_holding){ 0, 0 }, config, why);
}

/* RET whether a booking in a plan is neither a regular job nor a node that failed. */
static bool is_booking(const struct rspb_booking *booking, const void *arg)
{
	const struct sim_workload *w = arg;
	uint64_t id = booking->request->id;

	return id && id <= w->n && !w->jobs[id - 1].regular;
}

bool sim_limits_move(const struct rspb_ledger *plan, const struct rspb_booking *booking,
		     const void *arg)
{
	const struct sim_workload *w = arg;
	struct rspb_config space;
	const struct rspb_config *config = rspb_rules_for(w->setup.config, booking->request,
							  rspb_ledger_machine(plan), &space);

	return rspb_limits_beside(plan, booking, config, is_booking, w);
}

/* Move those that the plan has moved. RET 0 or -1 with err. */
static int move_others(struct replay *replay, const struct rspb_ledger *plan, int64_t now,
		       struct rspb_err *err)
{
	struct rspb_record move = { .kind = RSPB_REC_MOVE, .time = now };
	const struct rspb_booking **list = NULL;
	int64_t n = rspb_ledger_changes(replay->ledger, plan, &list);
	int rc = n < 0 ? rspb_fail(err, "out of memory") : 0;

	move.bookings = list;
	move.n_bookings = n > 0 ? (size_t) n : 0;
	if (n > 0)
		rc = sim_apply(replay, &move, err);
	for (int64_t i = 0; !rc && i < n; i++)
		rc = sim_note_bound(list[i], replay, err);
	free(list);
	return rc;
}

/* A start is asked whether so much may be booked then. */
struct crowd {
	struct replay *replay;
	const struct rspb_config *config;
	struct rspb_err why; /* of the last start that was not allowed */
};

static int is_room(struct rspb_plan *plan, void *arg, struct rspb_err *err)
{
	struct crowd *crowd = arg;
	struct rspb_booking *trial = rspb_booking_create(plan->request);
	int rc = trial ? rspb_plan_grant(plan, trial, err) : rspb_fail(err, "out of memory");

	if (!rc)
		rc = !rspb_limits_growth(booked_of(crowd->replay), trial, crowd->config,
					 &crowd->why);
	rspb_booking_destroy(trial);
	return rc;
}

/* Decide once more on the plan what the limits do not allow where it was planned, with them as
 * judge, as a cluster does. RET 0 or -1 with err. */
static int decide_again(struct replay *replay, struct rspb_ledger *plan,
			struct rspb_booking **decided, int64_t now, struct rspb_err *err)
{
	const struct rspb_request *one = (*decided)->request;
	struct rspb_config space;
	struct crowd crowd = { replay,
			       rspb_rules_for(replay->workload->setup.config, one,
					      rspb_ledger_machine(booked_of(replay)), &space),
			       { "" } };
	struct rspb_judge judge = { is_room, &crowd };
	struct rspb_policy usual = replay->policy;
	struct rspb_booking *out = NULL;
	int rc;

	replay->policy.judge = &judge;
	replay->policy.shift = 0;
	rc = rspb_ledger_cancel(plan, one->id, now, err);
	if (!rc)
		rc = sim_plan_batch(replay, plan, &one, 1, now, &out, err);
	replay->policy = usual;
	if (!rc && out->state != RSPB_BOOKED && crowd.why.text[0])
		rspb_booking_say(out, crowd.why.text);
	if (!rc)
		rspb_booking_swap(*decided, out);
	rspb_booking_destroy(out);
	return rc;
}

/* Decline what may not be had, and take it out of the plan. RET 0 or -1 with err. */
static int refuse(struct rspb_ledger *plan, struct rspb_booking **decided, const char *why,
		  int64_t now, struct rspb_err *err)
{
	struct rspb_booking *declined = sim_decline((*decided)->request, why, now, err);

	if (!declined)
		return -1;
	if (rspb_ledger_cancel(plan, declined->request->id, now, err)) {
		rspb_booking_destroy(declined);
		return -1;
	}
	rspb_booking_destroy(*decided);
	*decided = declined;
	return 0;
}

/* Make what was planned on a copy, as far as the limits allow. The plan has what is made, and what
 * is still to be made. RET 0 or -1 with err. */
static int commit(struct replay *replay, struct rspb_ledger *plan, struct rspb_booking **decided,
		  size_t n, int64_t now, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct rspb_record book = { .kind = RSPB_REC_BOOK, .time = now };
		struct rspb_err why;

		if (decided[i]->state != RSPB_BOOKED)
			continue;
		/* A program decides once. */
		if (!may_have(replay, decided[i], &why) &&
		    (replay->outside ? refuse(plan, &decided[i], why.text, now, err)
				     : decide_again(replay, plan, &decided[i], now, err)))
			return -1;
		if (decided[i]->state == RSPB_BOOKED && !may_have(replay, decided[i], &why) &&
		    refuse(plan, &decided[i], why.text, now, err))
			return -1;
		book.booking = decided[i];
		if (decided[i]->state != RSPB_BOOKED)
			replay->side.limited++;
		else if (sim_apply(replay, &book, err))
			return -1;
	}
	return 0;
}

/* Plan on a copy, and commit. RET 0 or -1 with err. */
static int plan_and_commit(struct replay *replay, const struct rspb_request *const *batch, size_t n,
			   int64_t now, struct rspb_booking **decided, struct rspb_err *err)
{
	struct rspb_ledger *plan = rspb_ledger_clone(replay->ledger);
	int rc;

	if (!plan)
		return rspb_fail(err, "out of memory");
	rc = sim_plan_batch(replay, plan, batch, n, now, decided, err) ||
			     move_others(replay, plan, now, err) ||
			     commit(replay, plan, decided, n, now, err)
		     ? -1
		     : 0;
	rspb_ledger_destroy(plan);
	return rc;
}

int sim_limits_batch(struct replay *replay, const struct rspb_request *const *batch, size_t n,
		     int64_t now, struct rspb_booking **decided, struct rspb_err *err)
{
	const struct rspb_request **may = calloc(n + 1, sizeof(*may));
	struct rspb_booking **got = calloc(n + 1, sizeof(*got));
	struct rspb_request **fitted = calloc(n + 1, sizeof(*fitted));
	size_t m = 0;
	int rc = may && got && fitted ? 0 : rspb_fail(err, "out of memory");

	memset(decided, 0, n * sizeof(*decided));
	for (size_t i = 0; !rc && i < n; i++) {
		struct rspb_err why;

		fitted[i] = rspb_request_clone(batch[i]);
		if (!fitted[i]) {
			rc = rspb_fail(err, "out of memory");
		} else if (!check_request(replay, fitted[i], now, &why)) {
			may[m++] = fitted[i];
		} else {
			replay->side.limited++;
			decided[i] = sim_decline(batch[i], why.text, now, err);
			rc = decided[i] ? 0 : -1;
		}
	}
	if (!rc && m)
		rc = plan_and_commit(replay, may, m, now, got, err);
	for (size_t i = 0, k = 0; i < n; i++)
		if (!rc && !decided[i])
			decided[i] = got[k++];
	for (size_t i = 0; rc && i < n; i++)
		rspb_booking_destroy(decided[i]);
	for (size_t i = 0; fitted && i < n; i++)
		rspb_request_destroy(fitted[i]);
	free(fitted);
	free(may);
	free(got);
	return rc;
}

bool sim_limits_regular(const struct replay *replay, uint32_t nodes, int64_t now, int64_t limit)
{
	const struct rspb_config *config = replay->workload->setup.config;
	uint64_t all = replay->workload->nodes, held = nodes;

	if (!config || !config->bookable || limit <= now + config->bookable_notice)
		return true;
	for (size_t i = 0; i < replay->n_running; i++)
		if (replay->running[i].limit > now + config->bookable_notice)
			held += replay->workload->jobs[replay->running[i].job].nodes;
	return held * 100 <= all * (100 - config->bookable);
}
