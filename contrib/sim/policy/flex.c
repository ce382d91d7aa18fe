/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/policy/flex.h"

#include <stdlib.h>
#include <string.h>

#include "common/plan/plan.h"
#include "common/policy/policy.h"
#include "contrib/sim/policy/flex_plan.h"
#include "contrib/sim/policy/steps.h"

struct rspb_flex *rspb_flex_create(uint32_t nodes)
{
	struct rspb_flex *flex = calloc(1, sizeof(*flex));

	if (flex && !rspb_classes_init(&flex->classes, nodes))
		return flex;
	free(flex);
	return NULL;
}

void rspb_flex_destroy(struct rspb_flex *flex)
{
	if (!flex)
		return;
	for (size_t i = 0; i < flex->n; i++)
		rspb_late_destroy(flex->urgent[i]);
	free(flex->urgent);
	free(flex->brief);
	free(flex->tried);
	rspb_heads_fini(&flex->base);
	rspb_heads_fini(&flex->plan);
	rspb_heads_fini(&flex->frame);
	rspb_heads_fini(&flex->trial);
	rspb_tide_fini(&flex->tide);
	rspb_classes_fini(&flex->classes);
	free(flex);
}

/* --- who waits --- */

/* Room for one more in each list. RET 0, -1: out of memory. */
static int grow(struct rspb_flex *flex)
{
	struct rspb_late ***lists[] = { &flex->urgent, &flex->brief, &flex->tried };
	size_t room = flex->room * 2 + 16;

	if (flex->n + 1 <= flex->room)
		return 0;
	for (size_t i = 0; i < 3; i++) {
		struct rspb_late **list = realloc(*lists[i], room * sizeof(*list));

		if (!list)
			return -1;
		*lists[i] = list;
	}
	flex->room = room;
	return 0;
}

static void insert(struct rspb_late **list, size_t n, struct rspb_late *late,
		   bool (*before)(const struct rspb_late *, const struct rspb_late *))
{
	for (; n && before(late, list[n - 1]); n--)
		list[n] = list[n - 1];
	list[n] = late;
}

/* RET one that wants what the request asks for, NULL: out of memory. */
static struct rspb_late *late_create(const struct rspb_request *request, uint32_t mask,
				     const struct rspb_plan *plan, int64_t now)
{
	struct rspb_late *late = calloc(1, sizeof(*late));

	if (!late)
		return NULL;
	late->booking = rspb_booking_create(request);
	late->mask = mask;
	late->count = plan->pieces[0].aim;
	late->keep = plan->keep;
	late->ready = request->ready;
	late->last = request->deadline - request->duration;
	late->duration = request->duration;
	late->fresh = true;
	if (!late->booking) {
		free(late);
		return NULL;
	}
	late->booking->start = request->ready > now ? request->ready : now;
	late->booking->end = late->booking->start + request->duration;
	return late;
}

/* --- decisions --- */

enum { QUEUE_SETTLED = 64 };

/* Let those who wait start earlier, the shortest first, if on the whole they do.
 * RET 0 or -1 with err. */
static int settle(struct rspb_flex *flex, const struct rspb_policy *policy, int64_t now,
		  struct rspb_err *err)
{
	int64_t delays;
	int rc = rspb_flex_place(flex, policy, NULL, true, now, &delays, err);

	if (rc == 1 && delays < 0)
		rspb_flex_accept(flex, NULL);
	return rc < 0 ? -1 : 0;
}

/* Where it fits without anybody else's moving. RET 1, 0, -1 with err. */
static int place_beside(struct rspb_flex *flex, const struct rspb_policy *policy,
			struct rspb_late *late, int64_t now, struct rspb_err *err)
{
	const struct rspb_heads_ask ask = rspb_late_ask(flex, policy, late, now);
	struct rspb_booking *booking = late->booking;
	int64_t start;

	if (!rspb_heads_find(&flex->plan, &ask, &start))
		return 0;
	booking->start = start;
	booking->end = start + ask.duration;
	if (rspb_heads_take(&flex->plan, ask.mask, ask.count, start, booking->end, &late->take) < 0)
		return rspb_fail(err, "out of memory");
	return 1;
}

/* A start for one of nearly all nodes, and how many arrive meanwhile. */
struct hour {
	int64_t start, flow;
};

enum { HOURS = 64, MOST_HOURS = 512, LEAST_STEP = 300, MOST_STEP = 1800 };

static void add_hour(const struct rspb_flex *flex, const struct rspb_late *late, int64_t start,
		     int64_t part, struct hour *hours, size_t *n)
{
	int64_t duration = late->duration, flow;
	size_t at = *n;

	if (start < late->booking->start || start > late->last || at == MOST_HOURS)
		return;
	flow = rspb_tide_flow(&flex->tide, start, start + duration) / part;
	for (; at && hours[at - 1].flow > flow; at--)
		hours[at] = hours[at - 1];
	hours[at] = (struct hour){ start, flow };
	++*n;
}

/* The starts of one of nearly all nodes, those first at which few arrive. Right
 * before or behind another one counts a quarter, since the machine has to run empty
 * for both together once. */
static size_t list_hours(const struct rspb_flex *flex, const struct rspb_late *late,
			 struct hour *hours)
{
	int64_t first = late->booking->start, last = late->last;
	int64_t duration = late->duration;
	int64_t step = (last - first) / HOURS;
	size_t n = 0;

	step = step < LEAST_STEP ? LEAST_STEP : step;
	step = step > MOST_STEP ? MOST_STEP : step;
	for (int64_t start = first; start <= last; start += step)
		add_hour(flex, late, start, 1, hours, &n);
	for (size_t i = 0; i < flex->n; i++) {
		const struct rspb_late *other = flex->urgent[i];

		if (!other->pinned)
			continue;
		add_hour(flex, late, other->booking->end, 4, hours, &n);
		add_hour(flex, late, other->booking->start - duration, 4, hours, &n);
	}
	return n;
}

/* Place a request for nearly all nodes where few requests arrive, or not at all; it stays there.
 * RET as above. */
static int place_wide(struct rspb_flex *flex, const struct rspb_policy *policy,
		      struct rspb_late *late, int64_t now, struct rspb_err *err)
{
	int64_t most = rspb_tide_wide(&flex->tide);
	struct hour hours[MOST_HOURS];
	size_t n = list_hours(flex, late, hours);
	int rc = 0;

	late->pinned = true;
	for (size_t i = 0; i < n && !rc && hours[i].flow <= most; i++) {
		late->booking->start = hours[i].start;
		late->booking->end = hours[i].start + late->duration;
		rc = rspb_flex_among(flex, policy, late, now, err);
	}
	return rc;
}

/* RET whether it leaves less than 3 % of its classes. */
static bool is_wide(const struct rspb_flex *flex, const struct rspb_late *late)
{
	int64_t all = 0;

	for (uint32_t c = 0; c < flex->classes.n; c++)
		if (late->mask >> c & 1)
			all += flex->classes.size[c];
	return late->count * 100 >= all * 97;
}

static int place_late(struct rspb_flex *flex, const struct rspb_policy *policy,
		      struct rspb_late *late, int64_t now, struct rspb_err *err)
{
	int rc;

	if (flex->tidal && is_wide(flex, late)) {
		rc = place_wide(flex, policy, late, now, err);
	} else {
		rc = place_beside(flex, policy, late, now, err);
		if (!rc)
			rc = rspb_flex_among(flex, policy, late, now, err);
	}
	return rc;
}

/* Let the booking wait from now on. RET 1, or -1 with err. */
static int admit(struct rspb_flex *flex, const struct rspb_policy *policy, struct rspb_late *late,
		 struct rspb_booking *booking, int64_t now, struct rspb_err *err)
{
	struct rspb_booking *told;

	late->fresh = false;
	late->booking->decided_at = now;
	rspb_state_next(&late->booking->state, RSPB_EV_ACCEPT, NULL);
	insert(flex->urgent, flex->n, late, rspb_late_urgent);
	insert(flex->brief, flex->n, late, rspb_late_brief);
	flex->n++;
	if (flex->tidal)
		rspb_tide_accepted(&flex->tide, late->count, late->duration);
	/* At its ready time it is in nobody's way who was not there before. In
	 * a deep queue one settles for several. */
	flex->unsettled += late->moves || late->booking->start > late->ready;
	if (flex->unsettled > flex->n / QUEUE_SETTLED && rspb_flex_afford(flex)) {
		flex->unsettled = 0;
		if (settle(flex, policy, now, err))
			return -1;
	}
	told = rspb_booking_clone(late->booking);
	if (!told)
		return rspb_fail(err, "out of memory");
	rspb_booking_swap(booking, told);
	rspb_booking_destroy(told);
	return 1;
}

/* Let the calendars be those of now. RET 1, 0: something is in the ledger beside
 * which a request of that duration can't wait as a count, -1 with err. */
static int prepare(struct rspb_flex *flex, const struct rspb_ledger *ledger, int64_t duration,
		   int64_t now, struct rspb_err *err)
{
	int rc = 1;

	if (flex->known != flex->classes.n || flex->ahead > now || flex->changed) {
		rc = rspb_flex_read(flex, ledger, duration, err);
		if (!rc && rspb_flex_read(flex, ledger, 1, err) != 1)
			return rspb_fail(err, "what is booked leaves less than "
					      "is promised");
		if (rc < 0)
			return -1;
		flex->changed = false;
	}
	rspb_heads_advance(&flex->base, now);
	rspb_heads_advance(&flex->plan, now);
	return rc;
}

static int decide_late(struct rspb_flex *flex, const struct rspb_policy *policy,
		       const struct rspb_plan *plan, uint32_t mask, struct rspb_booking *booking,
		       int64_t now, struct rspb_err *err)
{
	struct rspb_late *late = late_create(booking->request, mask, plan, now);
	struct rspb_heads_ask ask;
	int rc = late && !grow(flex) ? 1 : -1;

	if (rc == 1 && flex->tidal) {
		ask = rspb_late_ask(flex, policy, late, now);
		rc = rspb_tide_arrives(&flex->tide, &ask, now) ? -1 : 1;
	}
	if (rc < 0)
		rspb_fail(err, "out of memory");
	if (rc == 1)
		rc = place_late(flex, policy, late, now, err);
	if (rc == 1)
		return admit(flex, policy, late, booking, now, err);
	rspb_late_destroy(late);
	return rc;
}

/* RET whether nothing of a request but a number of nodes matters. */
static bool is_count(const struct rspb_request *request)
{
	const struct rspb_part *part = &request->parts[0];

	return request->n_parts == 1 && !part->share && !part->fixed && !part->n_quotas &&
	       !part->leaves && !request->benefit_time;
}

/* The classes of a request; all is read again where they had to be split, which
 * they can be while nothing in the ledger lies ahead. RET 1, 0: it has none, -1
 * with err. */
static int classify(struct rspb_flex *flex, const struct rspb_request *request, int64_t now,
		    uint32_t *mask, struct rspb_err *err)
{
	bool split = flex->ahead <= now, again = false;
	int rc = rspb_classes_of(&flex->classes, request->parts[0].eligible, mask, &split);

	if (rc < 0)
		return rspb_fail(err, "out of memory");
	if (split || (flex->tidal && !flex->tide.first_fit.classes)) {
		for (size_t i = 0; i < flex->n; i++) {
			struct rspb_late *late = flex->urgent[i];

			rspb_classes_of(&flex->classes, late->booking->request->parts[0].eligible,
					&late->mask, &again);
		}
		if (rspb_tide_init(&flex->tide, &flex->classes, now))
			return rspb_fail(err, "out of memory");
	}
	return rc;
}

int rspb_flex_decide(struct rspb_flex *flex, struct rspb_ledger *ledger,
		     const struct rspb_policy *policy, struct rspb_booking *booking, int64_t now,
		     struct rspb_err *err)
{
	const struct rspb_request *request = booking->request;
	struct rspb_plan plan;
	uint32_t mask = 0;
	int rc;

	flex->tidal = sim_steps_of(policy)->tidal;
	rspb_flex_earn(flex);
	rc = is_count(request) ? classify(flex, request, now, &mask, err) : 0;
	if (rc >= 0) {
		int ready = prepare(flex, ledger, rc ? request->duration : 1, now, err);

		rc = ready < 0 ? -1 : rc && ready;
	}
	if (!rc)
		return rspb_flex_beside(flex, ledger, policy, booking, now, err);
	if (rc < 0 || rspb_plan_init(&plan, ledger, policy, err))
		return -1;
	rc = rspb_plan_begin(&plan, request, err);
	if (!rc)
		rc = decide_late(flex, policy, &plan, mask, booking, now, err);
	rspb_plan_fini(&plan);
	return rc;
}
