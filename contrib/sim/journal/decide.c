/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of a journal: decided again, and compared. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/config.h"
#include "common/plan/schedule.h"
#include "contrib/sim/journal/journal.h"
#include "contrib/sim/jsonl/read.h"

/* A journal does not say which windows were not used (NoShow). */
static const struct rspb_holding nothing = { 0, 0 };

static const int64_t time_limit = INT64_C(1) << 60;

int journal_block(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct json_object *nodes = sim_need(record, "nodes", err);
	struct rspb_nodeset *set;
	int64_t start, end;
	bool beside = false;
	int rc;

	if (!nodes || journal_want_basis(journal, record, err) ||
	    sim_int(record, "start", -time_limit, time_limit, &start, err) ||
	    sim_int(record, "end", -time_limit, time_limit, &end, err) ||
	    sim_bool_or(record, "beside", &beside, err))
		return -1;
	set = rspb_nodeset_create(journal->nodes);
	if (!set)
		return rspb_fail(err, "out of memory");
	rc = rspb_nodeset_parse(set, json_object_get_string(nodes), err) ||
			     (beside ? rspb_ledger_block_beside
				     : rspb_ledger_block)(journal->basis, start, end, set, err)
		     ? sim_at(record, err)
		     : 0;
	rspb_nodeset_destroy(set);
	return rc;
}

int journal_hold(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct json_object *key = sim_need(record, "key", err);
	struct rspb_hold hold;
	int64_t on = -1;

	if (!key || journal_want_basis(journal, record, err) ||
	    sim_int(record, "amount", 0, time_limit, &hold.amount, err) ||
	    sim_int(record, "start", -time_limit, time_limit, &hold.start, err) ||
	    sim_int(record, "end", -time_limit, time_limit, &hold.end, err) ||
	    sim_int_or(record, "on", 0, UINT32_MAX - 1, &on, err))
		return -1;
	hold.on = (uint32_t) (on + 1);
	hold.key = json_object_get_uint64(key);
	return rspb_ledger_hold(journal->basis, &hold) ? rspb_fail(err, "out of memory") : 0;
}

int journal_request(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	const char *text = sim_text(record->object);
	struct rspb_request *request;

	if (journal_want_basis(journal, record, err))
		return -1;
	if (journal->n == JOURNAL_BATCH) {
		rspb_fail(err, "more than %d requests at once", JOURNAL_BATCH);
		return sim_at(record, err);
	}
	request = sim_read_request(text, strlen(text), journal->nodes, err);
	if (!request)
		return sim_at(record, err);
	journal->requests[journal->n++] = request;
	return 0;
}

/* Check the grant by the rules for its request. */
static int grant(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		 const struct rspb_config *config, struct rspb_err *err)
{
	struct rspb_config space;

	return rspb_limits_grant(ledger, booking, nothing,
				 rspb_rules_for(config, booking->request,
						rspb_ledger_machine(ledger), &space),
				 err);
}

/* Take back what a site's limits do not allow of another policy's grants: in the order of the
 * requests, as a controller commits them. */
static int limit(struct journal *journal, struct contender *contender, struct rspb_ledger *ledger,
		 struct rspb_err *err)
{
	const struct rspb_config *config = contender->own_limits ? &contender->config
								 : &journal->config;

	for (size_t i = 0; i < journal->n; i++) {
		struct rspb_booking **b = &contender->decided[i], *declined;
		struct rspb_record book = { .kind = RSPB_REC_BOOK,
					    .time = journal->now,
					    .booking = *b };
		struct rspb_err why;

		if ((*b)->state != RSPB_BOOKED)
			continue;
		if (!grant(ledger, *b, config, &why) && !rspb_ledger_apply(ledger, &book, &why))
			continue;
		declined = rspb_booking_create((*b)->request);
		if (!declined)
			return rspb_fail(err, "out of memory");
		declined->state = RSPB_DECLINED;
		rspb_booking_say(declined, why.text);
		rspb_booking_destroy(*b);
		*b = declined;
	}
	return 0;
}

/* Others that a policy moves within their windows have moved before the newcomers, for
 * whom they did, are booked. */
static int move_others(struct rspb_ledger *ledger, const struct rspb_ledger *plan, int64_t now,
		       struct rspb_err *err)
{
	struct rspb_record move = { .kind = RSPB_REC_MOVE, .time = now };
	const struct rspb_booking **list = NULL;
	int64_t n = rspb_ledger_changes(ledger, plan, &list);
	int rc = n < 0 ? rspb_fail(err, "out of memory") : 0;

	move.bookings = list;
	move.n_bookings = n > 0 ? (size_t) n : 0;
	if (n > 0)
		rc = rspb_ledger_apply(ledger, &move, err);
	free(list);
	return rc;
}

static int commit(struct journal *journal, struct contender *contender,
		  const struct rspb_ledger *plan, struct rspb_err *err)
{
	struct rspb_ledger *ledger =
		journal_ground(journal, contender->own ? contender->own : journal->ledger, err);
	int rc = ledger ? move_others(ledger, plan, journal->now, err) : -1;

	if (!rc)
		rc = limit(journal, contender, ledger, err);
	if (!rc && contender->own) {
		rspb_ledger_destroy(contender->own);
		contender->own = ledger;
		ledger = NULL;
	}
	rspb_ledger_destroy(ledger);
	return rc;
}

static int decide(struct journal *journal, struct contender *contender, struct rspb_err *err)
{
	struct rspb_ledger *plan = journal_apart_ground(journal, contender, err);
	struct rspb_policy policy = contender->policy;
	int rc;

	policy.allows = rspb_limits_move;
	policy.allows_config = contender->own_limits ? &contender->config : &journal->config;
	rc = plan ? rspb_schedule_batch(plan, &policy,
					(const struct rspb_request *const *) journal->requests,
					journal->n, journal->now, contender->decided, err)
		  : -1;
	if (!rc && journal->asked && !journal->without)
		rc = commit(journal, contender, plan, err);
	rspb_ledger_destroy(plan);
	return rc;
}

int journal_decide(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	int64_t without = 0, before = journal->now;

	if (journal_want_basis(journal, record, err) ||
	    sim_int(record, "now", -time_limit, time_limit, &journal->now, err) ||
	    sim_int_or(record, "without", 1, INT64_MAX - 1, &without, err))
		return -1;
	if (journal->now != before)
		journal_drop_earlier(journal);
	journal->without = (uint64_t) without;
	for (size_t k = 0; k < journal->n_contenders; k++)
		memset(journal->contenders[k].decided, 0,
		       journal->n * sizeof(struct rspb_booking *));
	journal->decided = true;
	if (journal_apart_go_on(journal, err))
		return sim_at(record, err);
	for (size_t k = 0; k < journal->n_contenders; k++) {
		struct contender *contender = &journal->contenders[k];

		if (decide(journal, contender, err))
			return sim_at(record, err);
	}
	journal_drop_basis(journal);
	return 0;
}

int journal_booking(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_booking *booking;
	size_t i = journal->n_recorded;

	if (!journal->decided || i == journal->n) {
		rspb_fail(err, "no request before it asks for this booking");
		return sim_at(record, err);
	}
	booking = journal_read_booking(journal, record, err);
	if (!booking)
		return -1;
	journal->recorded[journal->n_recorded++] = booking;
	journal->decisions++;
	journal->moves += journal->without > 0;
	for (size_t k = 0; k < journal->n_contenders; k++)
		journal_compare(journal, &journal->contenders[k], record, booking,
				journal->contenders[k].decided[i]);
	return 0;
}

/* RET the place of a decision of this batch, n_recorded: there is none. */
static size_t index_of(const struct journal *journal, uint64_t id)
{
	size_t i = 0;

	while (i < journal->n_recorded && journal->recorded[i]->request->id != id)
		i++;
	return i;
}

/* RET the last decision on that request, NULL: there is none. */
static const struct rspb_booking *decision_on(const struct journal *journal, uint64_t id)
{
	size_t i = index_of(journal, id);

	if (i < journal->n_recorded)
		return journal->recorded[i];
	for (i = journal->n_earlier; i-- > 0;)
		if (journal->earlier[i]->request->id == id)
			return journal->earlier[i];
	return NULL;
}

/* A job for which Slurm has picked nodes stands as if it had asked for just these, so the same
 * request counts for both. */
static bool follows(const struct rspb_booking *booking, const struct rspb_booking *decision)
{
	struct rspb_booking said = *booking;

	said.request = decision->request;
	return journal_same_decision(&said, decision);
}

/* Does a line of the ledger follow from the decisions? */
static void check_book(struct journal *journal, const struct sim_record *record,
		       struct rspb_booking *booking)
{
	const struct rspb_booking *decision = decision_on(journal, booking->request->id);
	struct rspb_err why;

	if (!decision)
		rspb_fail(&why, "no decision has it");
	else if (!follows(booking, decision))
		rspb_fail(&why, "that is not what was decided");
	else if (!journal->has_config || !grant(journal->ledger, booking, &journal->config, &why))
		return;
	journal_differs(journal, &journal->contenders[0], record,
			"job %" PRIu64 ": recorded as booked, but %s", booking->request->id,
			why.text);
}

int journal_book(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_booking *booking = journal_read_booking(journal, record, err);
	int rc;

	if (!booking)
		return -1;
	if (!journal->asked)
		check_book(journal, record, booking);
	rc = journal_apply(journal, record, RSPB_REC_BOOK, booking, err);
	rspb_booking_destroy(booking);
	return rc;
}

/* A grant that was taken back: the batch counts it as declined. */
static int take_back(struct journal *journal, size_t i, const char *reason, struct rspb_err *err)
{
	struct rspb_booking **b = &journal->recorded[i];
	struct rspb_booking *declined = rspb_booking_create((*b)->request);

	if (!declined)
		return rspb_fail(err, "out of memory");
	declined->state = RSPB_DECLINED;
	rspb_booking_say(declined, reason);
	rspb_booking_destroy(*b);
	*b = declined;
	return 0;
}

/* Whether a refusal is the site's, by a limit that the journal has. A request that Slurm's
 * selection has declined in a second decision is refused, too, as is one by NoShow. */
static bool is_by_limit(const char *reason)
{
	return !strstr(reason, "NoShow") && !strstr(reason, " requested for ") &&
	       !strstr(reason, " requested between ");
}

int journal_refuse(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct json_object *reason = sim_need(record, "reason", err);
	int64_t id;
	size_t i;

	if (!reason || journal_want_machine(journal, record, err) ||
	    sim_int(record, "id", 0, INT64_MAX - 1, &id, err))
		return -1;
	journal->limited++;
	i = index_of(journal, (uint64_t) id);
	/* A request that is refused before it is planned is not in the batch. */
	if (i == journal->n_recorded || journal->recorded[i]->state != RSPB_BOOKED)
		return 0;
	if (!journal->asked && journal->has_config && is_by_limit(json_object_get_string(reason)) &&
	    !grant(journal->ledger, journal->recorded[i], &journal->config, NULL))
		journal_differs(journal, &journal->contenders[0], record,
				"job %lld: recorded refused: %s; decided "
				"otherwise: it may be booked",
				(long long) id, json_object_get_string(reason));
	return take_back(journal, i, json_object_get_string(reason), err);
}
