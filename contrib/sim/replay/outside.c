/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/outside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/wire/json.h"
#include "contrib/sim/replay/outside_internal.h"
#include "contrib/sim/replay/replay_internal.h"

/* Send the line that was written. RET its answer, an object for the caller, or NULL. */
static struct json_object *ask(struct sim_outside *outside, struct rspb_err *err)
{
	struct json_object *answer;
	const char *text;
	size_t length;

	if (fflush(outside->out) || ferror(outside->out)) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	if (sim_program_send(outside->run, outside->line, outside->length, err))
		return NULL;
	rewind(outside->out);
	text = sim_program_answer(outside->run, &length, err);
	if (!text)
		return NULL;
	answer = rspb_json_parse(text, length);
	if (!answer) {
		rspb_fail(err, "\"%.60s\" is not a JSON object", text);
		sim_program_at(outside->run, err);
	}
	return answer;
}

/* RET 0, or -1 with err: out of memory. */
static int init(struct sim_outside *outside, struct rspb_err *err)
{
	const struct sim_workload *w = outside->workload;

	outside->out = open_memstream(&outside->line, &outside->length);
	outside->set = rspb_nodeset_create(w->nodes);
	outside->free = rspb_nodeset_create(w->nodes);
	outside->peaks = calloc(w->nodes, sizeof(*outside->peaks));
	return outside->out && outside->set && outside->free && outside->peaks
		       ? 0
		       : rspb_fail(err, "out of memory");
}

static int begin(struct sim_outside *outside, int64_t *interval, struct rspb_err *err)
{
	const struct sim_setup *setup = &outside->workload->setup;
	struct json_object *answer;
	int rc;

	if (init(outside, err))
		return -1;
	outside->run = sim_program_start(setup->command, setup->patience, err);
	if (!outside->run)
		return -1;
	sim_outside_write_machine(outside);
	answer = ask(outside, err);
	if (!answer)
		return -1;
	rc = sim_outside_read_machine(outside, answer, interval, err);
	json_object_put(answer);
	return rc ? sim_program_at(outside->run, err) : 0;
}

struct sim_outside *sim_outside_open(const struct sim_workload *workload, int64_t *interval,
				     struct rspb_err *err)
{
	struct sim_outside *outside;

	if (sim_rigid(workload, "--policy", err))
		return NULL;
	outside = calloc(1, sizeof(*outside));
	if (!outside) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	outside->workload = workload;
	if (!begin(outside, interval, err))
		return outside;
	sim_outside_close(outside, false, NULL);
	return NULL;
}

int sim_outside_close(struct sim_outside *outside, bool ok, struct rspb_err *err)
{
	int rc = 0;

	if (!outside)
		return 0;
	if (ok)
		rc = sim_program_end(outside->run, err);
	else
		sim_program_kill(outside->run);
	if (outside->out)
		fclose(outside->out);
	free(outside->line);
	free(outside->ended);
	free(outside->peaks);
	rspb_nodeset_destroy(outside->set);
	rspb_nodeset_destroy(outside->free);
	free(outside);
	return rc;
}

int sim_outside_ended(struct sim_outside *outside, uint64_t id)
{
	if (rspb_array_grow(&outside->ended, &outside->ended_room, outside->n_ended + 1,
			    sizeof(*outside->ended)))
		return -1;
	outside->ended[outside->n_ended++] = id;
	return 0;
}

/* A batch that is being decided. */
struct batch {
	struct sim_outside *outside;
	struct rspb_ledger *ledger;
	const struct rspb_request *const *requests;
	size_t n, left;
	int64_t now;
	struct rspb_booking **out;
	bool *done;
};

static int decline(struct batch *batch, struct json_object *decision, size_t i,
		   struct rspb_err *err)
{
	const char *reason = rspb_json_text(decision, "reason");

	batch->out[i] = sim_decline(batch->requests[i], *reason ? reason : "the policy declines it",
				    batch->now, err);
	return batch->out[i] ? 0 : -1;
}

static int book(struct batch *batch, struct json_object *decision, size_t i, struct rspb_err *err)
{
	struct rspb_booking *booking = rspb_booking_create(batch->requests[i]);
	struct rspb_record record = { .kind = RSPB_REC_BOOK,
				      .time = batch->now,
				      .booking = booking };

	if (!booking)
		return rspb_fail(err, "out of memory");
	batch->out[i] = booking;
	if (sim_outside_read_grant(batch->outside, batch->ledger, decision, batch->now, booking,
				   err))
		return -1;
	rspb_state_next(&booking->state, RSPB_EV_ACCEPT, NULL);
	booking->decided_at = batch->now;
	rspb_booking_value(booking);
	return rspb_ledger_apply(batch->ledger, &record, err);
}

/* RET the place of a request that is not decided yet, n: it is none. */
static size_t find_request(const struct batch *batch, int64_t id)
{
	size_t i = 0;

	while (i < batch->n && (batch->done[i] || batch->requests[i]->id != (uint64_t) id))
		i++;
	return i;
}

static int take_decision(struct batch *batch, struct json_object *decision, struct rspb_err *err)
{
	int64_t id;
	size_t i;
	int rc;

	if (sim_outside_int(decision, "id", &id, err))
		return -1;
	i = find_request(batch, id);
	if (i == batch->n)
		return rspb_fail(err, "request %" PRId64 " is not among those to be decided", id);
	rc = rspb_json_get(decision, "start") ? book(batch, decision, i, err)
					      : decline(batch, decision, i, err);
	batch->done[i] = true;
	batch->left--;
	return rc ? rspb_fail_at(err, "request %" PRId64, id) : 0;
}

static int take_decisions(struct batch *batch, struct json_object *answer, struct rspb_err *err)
{
	struct json_object *list = rspb_json_list(answer, "decisions");
	size_t left = batch->left;

	if (!list)
		return rspb_fail(err, "there is no list \"decisions\" in it");
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (take_decision(batch, json_object_array_get_idx(list, i), err))
			return -1;
	return batch->left < left ? 0 : rspb_fail(err, "it decides no request");
}

/* Read where a booking of the ledger goes. RET one of its own, or NULL with err. */
static struct rspb_booking *read_move(struct batch *batch, struct json_object *move,
				      struct rspb_err *err)
{
	const struct rspb_booking *old;
	struct rspb_booking *new;
	int64_t id;

	if (sim_outside_int(move, "id", &id, err))
		return NULL;
	old = rspb_ledger_find(batch->ledger, (uint64_t) id);
	if (!old || rspb_state_final(old->state) ||
	    old->start <= batch->now + batch->outside->workload->setup.firm) {
		rspb_fail(err, "booking %" PRId64 " is none that may move", id);
		return NULL;
	}
	new = rspb_booking_create(old->request);
	if (!new) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	new->state = old->state;
	new->decided_at = old->decided_at;
	if (sim_outside_read_grant(batch->outside, NULL, move, batch->now, new, err)) {
		rspb_fail_at(err, "booking %" PRId64, id);
		rspb_booking_destroy(new);
		return NULL;
	}
	rspb_booking_value(new);
	return new;
}

/* Move bookings, all at once, so that they may pass each other. */
static int take_moves(struct batch *batch, struct json_object *answer,
		      int (*moved)(const struct rspb_booking *booking, void *arg,
				   struct rspb_err *err),
		      void *arg, struct rspb_err *err)
{
	struct json_object *list = rspb_json_list(answer, "moves");
	size_t n = list ? json_object_array_length(list) : 0;
	struct rspb_booking **bookings = calloc(n + 1, sizeof(*bookings));
	struct rspb_record record = { .kind = RSPB_REC_MOVE,
				      .time = batch->now,
				      .bookings = (const struct rspb_booking *const *) bookings };
	int rc = bookings ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < n; i++) {
		bookings[i] = read_move(batch, json_object_array_get_idx(list, i), err);
		record.n_bookings++;
		rc = bookings[i] ? 0 : -1;
	}
	if (!rc && n)
		rc = rspb_ledger_apply(batch->ledger, &record, err);
	for (size_t i = 0; bookings && i < n; i++) {
		if (!rc)
			rc = moved(bookings[i], arg, err);
		rspb_booking_destroy(bookings[i]);
	}
	free(bookings);
	return rc;
}

struct rspb_booking *sim_decline(const struct rspb_request *request, const char *why, int64_t now,
				 struct rspb_err *err)
{
	struct rspb_booking *booking = rspb_booking_create(request);

	if (!booking) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	rspb_state_next(&booking->state, RSPB_EV_DECLINE, NULL);
	booking->decided_at = now;
	rspb_booking_say(booking, why);
	return booking;
}

int sim_outside_decide(struct sim_outside *outside, struct rspb_ledger *ledger,
		       const struct rspb_request *const *requests, size_t n, int64_t now,
		       struct rspb_booking **out,
		       int (*moved)(const struct rspb_booking *booking, void *arg,
				    struct rspb_err *err),
		       void *arg, struct rspb_err *err)
{
	struct batch batch = { outside, ledger, requests, n, n, now, out, NULL };
	int rc = 0;

	memset(out, 0, n * sizeof(*out));
	batch.done = calloc(n + 1, sizeof(*batch.done));
	if (!batch.done)
		return rspb_fail(err, "out of memory");
	while (!rc && batch.left) {
		struct json_object *answer;

		rc = sim_outside_write_batch(outside, ledger, requests, batch.done, n, now, err);
		answer = rc ? NULL : ask(outside, err);
		if (!answer) {
			rc = -1;
			break;
		}
		rc = take_moves(&batch, answer, moved, arg, err) ||
				     take_decisions(&batch, answer, err)
			     ? sim_program_at(outside->run, err)
			     : 0;
		json_object_put(answer);
	}
	for (size_t i = 0; rc && i < n; i++) {
		rspb_booking_destroy(out[i]);
		out[i] = NULL;
	}
	free(batch.done);
	return rc;
}
