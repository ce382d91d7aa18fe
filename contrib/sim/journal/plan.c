/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides again what a controller decided without a request, a rescue or growth, and compares. */
#include <stdlib.h>

#include "common/plan/schedule.h"
#include "contrib/sim/journal/journal.h"

static const int64_t time_limit = INT64_C(1) << 60;

struct plan {
	struct rspb_ledger *ledger;	/* on which it is decided again */
	struct rspb_booking **recorded; /* [n]: what became another, owned */
	size_t n;
};

/* RET -1 with err: cannot be decided. */
typedef int64_t decide_fn(struct rspb_ledger *ledger, const struct rspb_policy *policy, void *arg,
			  struct rspb_err *err);

static void plan_fini(struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		rspb_booking_destroy(plan->recorded[i]);
	free(plan->recorded);
	rspb_ledger_destroy(plan->ledger);
}

/* plan_fini() in any case. */
static int plan_init(struct plan *plan, struct journal *journal, const struct sim_record *record,
		     struct rspb_err *err)
{
	*plan = (struct plan){ .n = 0 };
	if (journal_want_basis(journal, record, err) ||
	    sim_int(record, "now", -time_limit, time_limit, &journal->now, err) ||
	    journal_read_bookings(journal, record, &plan->recorded, &plan->n, err))
		return -1;
	plan->ledger = journal_ground(journal, journal->basis, err);
	return plan->ledger ? 0 : sim_at(record, err);
}

static bool is_recorded(const struct plan *plan, uint64_t id)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->recorded[i]->request->id == id)
			return true;
	return false;
}

/* Each booking that became another is one decision. */
static int compare(struct journal *journal, const struct plan *plan,
		   const struct sim_record *record, struct rspb_err *err)
{
	struct contender *contender = &journal->contenders[0];
	const struct rspb_booking **list = NULL, *ours;
	int64_t n;

	for (size_t i = 0; i < plan->n; i++) {
		ours = rspb_ledger_find(plan->ledger, plan->recorded[i]->request->id);
		if (!ours)
			return sim_bad(record, "bookings", err,
				       "booking %llu "
				       "is not in the ledger",
				       (unsigned long long) plan->recorded[i]->request->id);
		journal_compare(journal, contender, record, plan->recorded[i], ours);
	}
	n = rspb_ledger_changes(journal->ledger, plan->ledger, &list);
	for (int64_t i = 0; i < n; i++)
		if (!is_recorded(plan, list[i]->request->id))
			journal_compare(journal, contender, record,
					rspb_ledger_find(journal->ledger, list[i]->request->id),
					list[i]);
	free(list);
	journal->decisions += plan->n;
	return n < 0 ? rspb_fail(err, "out of memory") : 0;
}

/* Other policies that are asked for had other bookings: it is followed then. */
static int decide_again(struct journal *journal, const struct sim_record *record, decide_fn *decide,
			void *arg, size_t *count, struct rspb_err *err)
{
	struct plan plan;
	int rc = plan_init(&plan, journal, record, err);

	if (!rc && !journal->asked) {
		rc = decide(plan.ledger, &journal->contenders[0].policy, arg, err) < 0
			     ? sim_at(record, err)
			     : compare(journal, &plan, record, err);
		*count += plan.n;
	}
	plan_fini(&plan);
	journal_drop_basis(journal);
	return rc;
}

static int64_t rescue_again(struct rspb_ledger *ledger, const struct rspb_policy *policy, void *arg,
			    struct rspb_err *err)
{
	struct rspb_rescue *rescue = arg;

	if (rescue->earliest < rspb_ledger_now(ledger))
		return rspb_fail(err, "field \"rescue.earliest\": it is past");
	return rspb_rescue_booking(ledger, policy, rescue, err);
}

int journal_rescue(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_rescue rescue = { .yield = journal->config.yield };
	int64_t id;

	if (sim_int(record, "id", 0, INT64_MAX - 1, &id, err) ||
	    sim_int(record, "earliest", -time_limit, time_limit, &rescue.earliest, err) ||
	    sim_bool_or(record, "same", &rescue.same, err) ||
	    sim_int_or(record, "sooner", 0, time_limit, &rescue.sooner, err) ||
	    sim_bool_or(record, "restore", &rescue.restore, err))
		return -1;
	rescue.id = (uint64_t) id;
	return decide_again(journal, record, rescue_again, &rescue, &journal->rescues, err);
}

static int64_t grow_again(struct rspb_ledger *ledger, const struct rspb_policy *policy, void *arg,
			  struct rspb_err *err)
{
	const int64_t *before = arg;

	return rspb_refine_all(ledger, policy, *before, err);
}

int journal_grow(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	int64_t before;

	if (sim_int(record, "before", -time_limit, time_limit, &before, err))
		return -1;
	return decide_again(journal, record, grow_again, &before, &journal->growths, err);
}
