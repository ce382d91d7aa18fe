/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/policy/flex_plan.h"

#include <stdlib.h>
#include <string.h>

void rspb_late_destroy(struct rspb_late *late)
{
	if (late)
		rspb_booking_destroy(late->booking);
	free(late);
}

static bool earlier(const struct rspb_request *a, const struct rspb_request *b)
{
	if (a->arrival != b->arrival)
		return a->arrival < b->arrival;
	return a->id < b->id;
}

bool rspb_late_urgent(const struct rspb_late *a, const struct rspb_late *b)
{
	if (a->last != b->last)
		return a->last < b->last;
	return earlier(a->booking->request, b->booking->request);
}

bool rspb_late_brief(const struct rspb_late *a, const struct rspb_late *b)
{
	if (a->duration != b->duration)
		return a->duration < b->duration;
	if (a->ready != b->ready)
		return a->ready < b->ready;
	return rspb_late_urgent(a, b);
}

/* Few enough arrive that a long one may leave no node free. */
static bool calm(const void *arg, int64_t start, int64_t end)
{
	return rspb_tide_calm(arg, start, end);
}

/* Whoever starts so soon has been told so. */
static bool firm(const struct rspb_policy *policy, const struct rspb_late *late, int64_t now)
{
	return late->pinned ||
	       (policy->firm && !late->fresh && late->booking->start - now <= policy->firm);
}

struct rspb_heads_ask rspb_late_ask(const struct rspb_flex *flex, const struct rspb_policy *policy,
				    const struct rspb_late *late, int64_t now)
{
	/* The owner of a moved booking is told in time, too. */
	int64_t soonest = late->fresh ? now : now + policy->firm;

	return (struct rspb_heads_ask){
		.mask = late->mask,
		.count = late->count,
		.keep = late->keep,
		.ready = late->ready > soonest ? late->ready : soonest,
		.last = late->last,
		.duration = late->duration,
		.calm = flex->tidal ? calm : NULL,
		.arg = &flex->tide,
	};
}

/* Take what one has by the plan there is; of a class that was split since, of both
 * parts. RET 1, 0: it is not there, -1: out of memory. */
static int hold(const struct rspb_flex *flex, struct rspb_heads *heads, struct rspb_late *late)
{
	const struct rspb_booking *booking = late->booking;
	uint32_t parts[RSPB_CLASSES];
	int rc = 1;

	late->next_take = (struct rspb_take){ .of = { 0 } };
	for (uint32_t c = 0; c < flex->known; c++)
		parts[c] = (uint32_t) 1 << c;
	for (uint32_t c = flex->known; c < flex->classes.n; c++) {
		uint32_t from = flex->classes.from[c];

		while (from >= flex->known)
			from = flex->classes.from[from];
		parts[from] |= (uint32_t) 1 << c;
	}
	for (uint32_t c = 0; c < flex->known && rc == 1; c++)
		rc = rspb_heads_take(heads, parts[c], late->take.of[c], booking->start,
				     booking->end, &late->next_take);
	return rc;
}

/* Place one at that start. RET 1, 0: it does not fit, -1: out of memory. */
static int place_at(struct rspb_heads *heads, struct rspb_late *late, int64_t start)
{
	late->next = start;
	late->next_take = (struct rspb_take){ .of = { 0 } };
	return rspb_heads_take(heads, late->mask, late->count, start, start + late->duration,
			       &late->next_take);
}

static int by_start(const void *left, const void *right)
{
	const struct rspb_late *a = *(struct rspb_late *const *) left;
	const struct rspb_late *b = *(struct rspb_late *const *) right;

	if (a->booking->start != b->booking->start)
		return a->booking->start < b->booking->start ? -1 : 1;
	return earlier(a->booking->request, b->booking->request) ? -1 : 1;
}

int rspb_flex_read(struct rspb_flex *flex, const struct rspb_ledger *ledger, int64_t duration,
		   struct rspb_err *err)
{
	int64_t longest = duration;
	int rc = 1;

	for (size_t i = 0; i < flex->n; i++) {
		int64_t of = flex->urgent[i]->duration;

		longest = of > longest ? of : longest;
	}
	if (rspb_heads_read(&flex->base, &flex->classes, rspb_ledger_profile(ledger), longest, err))
		return -1;
	if (rspb_heads_copy(&flex->plan, &flex->base))
		return rspb_fail(err, "out of memory");
	if (flex->n) {
		memcpy(flex->tried, flex->urgent, flex->n * sizeof(*flex->tried));
		qsort(flex->tried, flex->n, sizeof(*flex->tried), by_start);
	}
	for (size_t i = 0; i < flex->n && rc == 1; i++)
		rc = hold(flex, &flex->plan, flex->tried[i]);
	for (size_t i = 0; i < flex->n && rc == 1; i++)
		flex->tried[i]->take = flex->tried[i]->next_take;
	if (rc == 1)
		flex->known = flex->classes.n;
	return rc < 0 ? rspb_fail(err, "out of memory") : rc;
}

enum { EFFORT = 64, MOST_EFFORT = 1 << 15 };

void rspb_flex_earn(struct rspb_flex *flex)
{
	flex->effort += EFFORT;
	if (flex->effort > MOST_EFFORT)
		flex->effort = MOST_EFFORT;
}

bool rspb_flex_afford(struct rspb_flex *flex)
{
	if (flex->effort < (int64_t) flex->n)
		return false;
	flex->effort -= (int64_t) flex->n;
	return true;
}

/* Place one. RET 1, 0: it finds no place, -1: out of memory. */
static int place(struct rspb_flex *flex, const struct rspb_policy *policy, struct rspb_late *late,
		 int64_t now)
{
	const struct rspb_heads_ask ask = rspb_late_ask(flex, policy, late, now);

	if (!rspb_heads_find(&flex->trial, &ask, &late->next))
		return 0;
	return place_at(&flex->trial, late, late->next);
}

/* Put those whose start stays into flex->frame, and all others into flex->tried, in
 * the order they are to be placed in. RET how many, -1: out of memory. */
static int64_t line_up(struct rspb_flex *flex, const struct rspb_policy *policy,
		       struct rspb_late *fresh, bool brief, int64_t now)
{
	bool (*before)(const struct rspb_late *,
		       const struct rspb_late *) = brief ? rspb_late_brief : rspb_late_urgent;
	struct rspb_late **from = brief ? flex->brief : flex->urgent;
	int64_t n = 0;

	if (rspb_heads_copy(&flex->frame, &flex->base))
		return -1;
	for (size_t i = 0; i <= flex->n; i++) {
		struct rspb_late *late = i < flex->n ? from[i] : NULL;

		if (fresh && !fresh->pinned && (!late || before(fresh, late))) {
			flex->tried[n++] = fresh;
			fresh = NULL;
		}
		if (late && !firm(policy, late, now)) {
			flex->tried[n++] = late;
		} else if (late) {
			late->next = late->booking->start;
			late->next_take = late->take;
			if (rspb_heads_add(&flex->frame, &late->take, late->booking->start,
					   late->booking->end))
				return -1;
		}
	}
	return n;
}

/* Place the first n of flex->tried. RET how many of them have a place, -1: out of
 * memory. */
static int64_t place_all(struct rspb_flex *flex, const struct rspb_policy *policy, int64_t n,
			 int64_t now)
{
	if (rspb_heads_copy(&flex->trial, &flex->frame))
		return -1;
	for (int64_t i = 0; i < n; i++) {
		int rc = place(flex, policy, flex->tried[i], now);

		if (rc <= 0)
			return rc ? -1 : i;
	}
	return n;
}

/* RET what it starts later by the plan that is tried, in 1/100 durations. */
static int64_t delay(const struct rspb_late *late)
{
	return (int64_t) ((__int128) (late->next - late->booking->start) * 100 / late->duration);
}

int rspb_flex_place(struct rspb_flex *flex, const struct rspb_policy *policy,
		    struct rspb_late *fresh, bool brief, int64_t now, int64_t *delays,
		    struct rspb_err *err)
{
	/* Nobody has to start earlier, but a new one may have no other chance. */
	int64_t repairs = brief && !fresh ? 0 : policy->repairs;
	int64_t n = line_up(flex, policy, fresh, brief, now), placed = n;
	int rc = n < 0 ? -1 : 1;

	if (rc == 1 && fresh && fresh->pinned) {
		rc = place_at(&flex->frame, fresh, fresh->booking->start);
	}
	while (rc == 1) {
		struct rspb_late *late;

		placed = place_all(flex, policy, n, now);
		if (placed < 0 || placed == n || !placed || !repairs--)
			break;
		late = flex->tried[placed];
		memmove(flex->tried + 1, flex->tried, (size_t) placed * sizeof(*flex->tried));
		flex->tried[0] = late;
	}
	if (rc < 0 || placed < 0)
		return rspb_fail(err, "out of memory");
	*delays = 0;
	for (int64_t i = 0; rc == 1 && i < placed; i++)
		*delays += delay(flex->tried[i]);
	return rc == 1 && placed == n;
}

static void accept_one(struct rspb_late *late)
{
	struct rspb_booking *booking = late->booking;

	booking->start = late->next;
	booking->end = late->next + late->duration;
	late->take = late->next_take;
}

void rspb_flex_accept(struct rspb_flex *flex, struct rspb_late *fresh)
{
	for (size_t i = 0; i < flex->n; i++)
		accept_one(flex->urgent[i]);
	if (fresh)
		accept_one(fresh);
	rspb_heads_swap(&flex->plan, &flex->trial);
}

int rspb_flex_among(struct rspb_flex *flex, const struct rspb_policy *policy,
		    struct rspb_late *late, int64_t now, struct rspb_err *err)
{
	const struct rspb_heads_ask ask = rspb_late_ask(flex, policy, late, now);
	int64_t patience = policy->patience, delays, start;
	int rc;

	/* The bookings that have started stay. */
	if (!rspb_heads_find(&flex->base, &ask, &start) || !rspb_flex_afford(flex))
		return 0;
	if (flex->tidal)
		patience = rspb_tide_patience(&flex->tide, patience, late->count * late->duration);
	rc = rspb_flex_place(flex, policy, late, false, now, &delays, err);
	if (rc == 1 && delays > patience)
		rc = 0;
	/* By duration others wait for fewer of theirs, or one finds a place that has none by latest
	 * start. */
	if (!rc && flex->tidal && rspb_flex_afford(flex)) {
		rc = rspb_flex_place(flex, policy, late, true, now, &delays, err);
		if (rc == 1 && delays > patience)
			rc = 0;
	}
	if (rc == 1)
		rspb_flex_accept(flex, late);
	late->moves = true;
	return rc;
}
