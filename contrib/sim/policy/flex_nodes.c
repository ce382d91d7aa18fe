/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where counts become nodes. */
#include <stdlib.h>
#include <string.h>

#include "common/plan/plan.h"
#include "common/policy/policy.h"
#include "contrib/sim/policy/flex_plan.h"

/* Sets to choose nodes in. */
struct choice {
	struct rspb_nodeset *free, *some, *nodes;
};

static int choice_init(struct choice *choice, uint32_t width, struct rspb_err *err)
{
	choice->free = rspb_nodeset_create(width);
	choice->some = rspb_nodeset_create(width);
	choice->nodes = rspb_nodeset_create(width);
	return choice->free && choice->some && choice->nodes ? 0 : rspb_fail(err, "out of memory");
}

static void choice_fini(struct choice *choice)
{
	rspb_nodeset_destroy(choice->free);
	rspb_nodeset_destroy(choice->some);
	rspb_nodeset_destroy(choice->nodes);
}

/* Choose nodes for one that waits, into choice->nodes. RET 0 or -1 with err. */
static int choose(const struct rspb_flex *flex, const struct rspb_ledger *ledger,
		  const struct rspb_policy *policy, const struct rspb_late *late,
		  struct choice *choice, struct rspb_err *err)
{
	const struct rspb_profile *profile = rspb_ledger_profile(ledger);
	int64_t start = late->booking->start, end = late->booking->end;

	rspb_nodeset_clear(choice->nodes);
	if (rspb_profile_free_over(profile, start, end, choice->free, err))
		return -1;
	for (uint32_t c = 0; c < flex->classes.n; c++) {
		uint32_t want = late->take.of[c];

		if (!want)
			continue;
		rspb_nodeset_copy(choice->some, choice->free);
		rspb_nodeset_and(choice->some, flex->classes.nodes[c]);
		if (rspb_nodeset_count(choice->some) < want)
			return rspb_fail(err,
					 "%u nodes are promised to a booking "
					 "that starts, and only %u are free",
					 want, rspb_nodeset_count(choice->some));
		if (rspb_where_keep(policy->where, rspb_ledger_marks(ledger), choice->nodes,
				    profile, start, end, want, choice->some, err))
			return -1;
		rspb_nodeset_or(choice->nodes, choice->some);
	}
	return 0;
}

static int by_start(const void *left, const void *right)
{
	const struct rspb_booking *a = (*(struct rspb_late *const *) left)->booking;
	const struct rspb_booking *b = (*(struct rspb_late *const *) right)->booking;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->request->id < b->request->id ? -1 : 1;
}

/* Put those who start up to a time into flex->tried, by their starts. RET how
 * many. */
static size_t list_due(struct rspb_flex *flex, int64_t until)
{
	size_t n = 0;

	for (size_t i = 0; i < flex->n; i++)
		if (flex->urgent[i]->booking->start <= until)
			flex->tried[n++] = flex->urgent[i];
	if (n)
		qsort(flex->tried, n, sizeof(*flex->tried), by_start);
	return n;
}

/* --- starts --- */

static int bind_one(struct rspb_flex *flex, struct rspb_ledger *ledger,
		    const struct rspb_policy *policy, struct rspb_late *late, struct choice *choice,
		    struct rspb_err *err)
{
	struct rspb_booking *booking = late->booking;
	const struct rspb_request *request = booking->request;
	const struct rspb_record record = { .kind = RSPB_REC_BOOK,
					    .time = booking->start,
					    .booking = booking };

	if (choose(flex, ledger, policy, late, choice, err) ||
	    rspb_booking_grant(booking, flex->classes.width, err))
		return -1;
	rspb_nodeset_copy(booking->grants[0].nodes, choice->nodes);
	booking->grants[0].benefit = rspb_benefit_value(rspb_request_benefit(request, 0),
							late->count,
							rspb_part_asked(&request->parts[0]));
	rspb_booking_value(booking);
	if (rspb_ledger_apply(ledger, &record, err))
		return -1;
	if (rspb_heads_add(&flex->base, &late->take, booking->start, booking->end))
		return rspb_fail(err, "out of memory");
	if (flex->tidal)
		rspb_tide_starts(&flex->tide, booking->start - request->ready, request->duration);
	return 0;
}

/* Take those out of a list who have nodes. */
static void leave(struct rspb_late **list, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		if (!list[i]->booking->n_grants)
			list[left++] = list[i];
}

int rspb_flex_bind(struct rspb_flex *flex, struct rspb_ledger *ledger,
		   const struct rspb_policy *policy, int64_t now, rspb_flex_bound_fn fn, void *arg,
		   struct rspb_err *err)
{
	size_t due = list_due(flex, now), done = 0;
	struct choice choice;
	int rc = 0;

	if (!due)
		return 0;
	rc = choice_init(&choice, flex->classes.width, err);
	while (!rc && done < due) {
		struct rspb_late *late = flex->tried[done];

		rc = bind_one(flex, ledger, policy, late, &choice, err);
		if (!rc) {
			done++;
			rc = fn(late->booking, arg, err);
		}
	}
	choice_fini(&choice);
	leave(flex->urgent, flex->n);
	leave(flex->brief, flex->n);
	flex->n -= done;
	for (size_t i = 0; i < done; i++)
		rspb_late_destroy(flex->tried[i]);
	return rc;
}

int64_t rspb_flex_next(const struct rspb_flex *flex)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < flex->n; i++)
		if (flex->urgent[i]->booking->start < next)
			next = flex->urgent[i]->booking->start;
	return next;
}

const struct rspb_booking *rspb_flex_find(const struct rspb_flex *flex, uint64_t id)
{
	for (size_t i = 0; i < flex->n; i++)
		if (flex->urgent[i]->booking->request->id == id)
			return flex->urgent[i]->booking;
	return NULL;
}

/* --- beside those who wait --- */

int rspb_flex_block(struct rspb_flex *flex, struct rspb_ledger *copy,
		    const struct rspb_policy *policy, struct rspb_err *err)
{
	size_t n = list_due(flex, INT64_MAX);
	struct choice choice;
	int rc = choice_init(&choice, flex->classes.width, err);

	for (size_t i = 0; !rc && i < n; i++) {
		const struct rspb_late *late = flex->tried[i];

		rc = choose(flex, copy, policy, late, &choice, err) ||
				     rspb_ledger_block(copy, late->booking->start,
						       late->booking->end, choice.nodes, err)
			     ? -1
			     : 0;
	}
	choice_fini(&choice);
	return rc;
}

/* Look for nodes on a copy of the ledger in which those who wait have theirs.
 * RET 1, 0, -1 with err. */
static int search(struct rspb_flex *flex, struct rspb_ledger *copy,
		  const struct rspb_policy *policy, struct rspb_booking *booking, int64_t now,
		  struct rspb_err *err)
{
	struct rspb_plan plan;
	struct rspb_err why;
	int rc;

	if (rspb_flex_block(flex, copy, policy, err) || rspb_plan_init(&plan, copy, policy, err))
		return -1;
	rc = rspb_search_book(&plan, copy, booking, now, &why, err);
	rspb_plan_fini(&plan);
	return rc;
}

/* Book it, if the counts hold with it. RET as above. */
static int book(struct rspb_flex *flex, struct rspb_ledger *ledger,
		const struct rspb_booking *booking, int64_t now, struct rspb_err *err)
{
	const struct rspb_record record = { .kind = RSPB_REC_BOOK,
					    .time = now,
					    .booking = booking };
	struct rspb_ledger *copy = rspb_ledger_clone(ledger);
	int rc = copy ? rspb_ledger_apply(copy, &record, err) : rspb_fail(err, "out of memory");

	if (!rc)
		rc = rspb_flex_read(flex, copy, 1, err);
	rspb_ledger_destroy(copy);
	/* As it was. */
	if (!rc && rspb_flex_read(flex, ledger, 1, err) < 0)
		rc = -1;
	if (rc != 1)
		return rc;
	if (booking->start > flex->ahead)
		flex->ahead = booking->start;
	return rspb_ledger_apply(ledger, &record, err) ? -1 : 1;
}

int rspb_flex_beside(struct rspb_flex *flex, struct rspb_ledger *ledger,
		     const struct rspb_policy *policy, struct rspb_booking *booking, int64_t now,
		     struct rspb_err *err)
{
	struct rspb_booking *trial = rspb_booking_create(booking->request);
	struct rspb_ledger *copy = rspb_ledger_clone(ledger);
	int rc = trial && copy ? search(flex, copy, policy, trial, now, err)
			       : rspb_fail(err, "out of memory");

	if (rc == 1)
		rc = book(flex, ledger, trial, now, err);
	if (rc == 1)
		rspb_booking_swap(booking, trial);
	rspb_ledger_destroy(copy);
	rspb_booking_destroy(trial);
	return rc;
}

/* --- what else is in the ledger --- */

void rspb_flex_changed(struct rspb_flex *flex)
{
	flex->changed = true;
}

size_t rspb_flex_count(const struct rspb_flex *flex)
{
	return flex->n;
}

int rspb_flex_allows(struct rspb_flex *flex, const struct rspb_ledger *copy, int64_t now,
		     struct rspb_err *err)
{
	flex->changed = true;
	/* While nothing lies ahead the counts are exact: what leaves nodes leaves counts. */
	return flex->ahead <= now ? 1 : rspb_flex_read(flex, copy, 1, err);
}

int rspb_flex_repair(struct rspb_flex *flex, const struct rspb_ledger *ledger,
		     const struct rspb_policy *policy, int64_t now, struct rspb_err *err)
{
	int64_t delays;
	int rc = rspb_flex_read(flex, ledger, 1, err);

	if (!rc) {
		rspb_heads_advance(&flex->base, now);
		rc = rspb_flex_place(flex, policy, NULL, false, now, &delays, err);
		if (rc == 1) {
			rspb_flex_accept(flex, NULL);
			/* The starts that stay were not asked whether they have room. */
			rc = rspb_flex_read(flex, ledger, 1, err);
		}
	}
	flex->changed = rc != 1;
	return rc;
}

/* RET the last that was decided whose time slot is in [from, until), NULL: none is. */
static struct rspb_late *last_decided(const struct rspb_flex *flex, int64_t from, int64_t until)
{
	struct rspb_late *last = NULL;

	for (size_t i = 0; i < flex->n; i++) {
		struct rspb_late *late = flex->urgent[i];
		const struct rspb_booking *b = late->booking;

		if (b->start >= until || b->end <= from)
			continue;
		if (!last || b->decided_at > last->booking->decided_at ||
		    (b->decided_at == last->booking->decided_at &&
		     b->request->id > last->booking->request->id))
			last = late;
	}
	return last;
}

/* Grant the first nodes of each class that one has counts of. RET 0 or -1 with err. */
static int grant_some(const struct rspb_flex *flex, struct rspb_late *late, struct rspb_err *err)
{
	struct rspb_booking *booking = late->booking;
	struct rspb_nodeset *some;

	if (rspb_booking_grant(booking, flex->classes.width, err))
		return -1;
	some = rspb_nodeset_create(flex->classes.width);
	if (!some)
		return rspb_fail(err, "out of memory");
	for (uint32_t c = 0; c < flex->classes.n; c++) {
		rspb_nodeset_copy(some, flex->classes.nodes[c]);
		rspb_nodeset_keep_lowest(some, late->take.of[c]);
		rspb_nodeset_or(booking->grants[0].nodes, some);
	}
	rspb_nodeset_destroy(some);
	rspb_booking_value(booking);
	return 0;
}

struct rspb_booking *rspb_flex_drop(struct rspb_flex *flex, int64_t from, int64_t until,
				    struct rspb_err *err)
{
	struct rspb_late *late = last_decided(flex, from, until);
	struct rspb_booking *booking;

	if (!late)
		late = last_decided(flex, INT64_MIN, INT64_MAX);
	if (!late) {
		rspb_fail(err, "nobody waits, and what is booked leaves less than is promised");
		return NULL;
	}
	if (grant_some(flex, late, err))
		return NULL;
	leave(flex->urgent, flex->n);
	leave(flex->brief, flex->n);
	flex->n--;
	flex->changed = true;
	booking = late->booking;
	late->booking = NULL;
	rspb_late_destroy(late);
	return booking;
}
