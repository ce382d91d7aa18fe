/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The uses that count against a request's limits over time: bookings, and jobs without one. Made
 * once for each request, from the ledger that is planned on. */
#include "common/plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "common/base/text.h"

/* Note a change of what counts, by `change` from second `at` on. RET 0, -1: out of memory. */
static int add_step(struct rspb_count *count, int64_t at, int64_t change)
{
	if (rspb_array_grow(&count->steps, &count->room, count->n + 1, sizeof(*count->steps)))
		return -1;
	count->steps[count->n++] = (struct rspb_count_step){ at, change };
	return 0;
}

static struct rspb_count *count_of(const struct rspb_counts *counts, uint64_t key)
{
	for (size_t i = 0; i < counts->used; i++)
		if (counts->items[i].quota->key == key)
			return &counts->items[i];
	return NULL;
}

/* A limit that several parts have counts once, the tightest. */
static int add_quota(struct rspb_counts *counts, const struct rspb_quota *quota)
{
	struct rspb_count *count = count_of(counts, quota->key);
	size_t had = counts->n;

	if (quota->most < 0)
		return 0;
	if (count) {
		if (quota->most < count->quota->most)
			count->quota = quota;
		return 0;
	}
	/* Items that the last request has used are there with the memory of their steps. */
	if (counts->used == had) {
		if (rspb_array_grow(&counts->items, &counts->room, had + 1, sizeof(*counts->items)))
			return -1;
		counts->items[counts->n++] = (struct rspb_count){ .n = 0 };
	}
	count = &counts->items[counts->used++];
	count->quota = quota;
	count->n = 0;
	return 0;
}

/* Add what is left of a booking; a budget counts for good from now on. */
static int add_use(struct rspb_count *count, const struct rspb_ledger *ledger,
		   const struct rspb_quota *quota, const struct rspb_booking *b,
		   const struct rspb_nodeset *nodes)
{
	int64_t now = rspb_ledger_now(ledger);
	int64_t left = b->end - (b->start > now ? b->start : now);
	int64_t use = rspb_quota_product(rspb_quota_use(quota, nodes,
							rspb_ledger_room(ledger, RSPB_ROOM_CPUS)),
					 rspb_quota_times(quota, left > 0 ? left : 0));

	/* Nothing of a budget comes back, so it counts at all times, from second 0 on. */
	if (quota->span == RSPB_QUOTA_EVER)
		return add_step(count, 0, use);
	return add_step(count, b->start, use) || add_step(count, b->end, -use) ? -1 : 0;
}

/* Whether a booking is outside of the window, so that no start of the request meets it. */
static bool is_apart(const struct rspb_request *request, const struct rspb_booking *b)
{
	return b->start >= request->deadline || b->end <= request->ready;
}

/* Add one part of a booking to the limits that it shares with the request. A limit that the
 * request does not have is left out. RET 0, -1: out of memory. */
static int count_part(struct rspb_counts *counts, const struct rspb_ledger *ledger,
		      const struct rspb_request *request, const struct rspb_booking *b,
		      uint32_t part)
{
	const struct rspb_part *p = &b->request->parts[part];

	for (uint32_t i = 0; i < p->n_quotas; i++) {
		const struct rspb_quota *quota = &p->quotas[i];
		struct rspb_count *count = count_of(counts, quota->key);

		if (!count || (quota->span != RSPB_QUOTA_EVER && is_apart(request, b)))
			continue;
		if (add_use(count, ledger, quota, b, b->grants[part].nodes))
			return -1;
	}
	return 0;
}

/* Whether one of the limits is a budget, of which all bookings take. */
static bool any_budget(const struct rspb_counts *counts)
{
	for (size_t i = 0; i < counts->used; i++)
		if (counts->items[i].quota->span == RSPB_QUOTA_EVER)
			return true;
	return false;
}

static int count_booking(struct rspb_counts *counts, const struct rspb_ledger *ledger,
			 const struct rspb_request *request, const struct rspb_booking *b)
{
	int rc = 0;

	/* A new version of a booking may be planned while the old one is in the ledger. They
	 * have one id, and the old one does not count. */
	if (rspb_state_final(b->state) || b->request->id == request->id)
		return 0;
	for (uint32_t i = 0; i < b->n_grants && !rc; i++)
		rc = count_part(counts, ledger, request, b, i);
	return rc;
}

static bool is_among(uint64_t id, const struct rspb_booking *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i]->request->id == id)
			return true;
	return false;
}

static int count_ledger(struct rspb_counts *counts, const struct rspb_ledger *ledger,
			const struct rspb_request *request,
			const struct rspb_booking *const *instead, size_t n)
{
	bool budget = any_budget(counts);
	int rc = 0;

	for (size_t i = 0; i < rspb_ledger_count(ledger) && !rc; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		/* The ledger lists bookings by start, so that only a budget has to look at all
		 * of them. */
		if (b->start >= request->deadline && !budget)
			break;
		if (b->end <= request->ready && !budget)
			continue;
		if (!is_among(b->request->id, instead, n))
			rc = count_booking(counts, ledger, request, b);
	}
	for (size_t i = 0; i < n && !rc; i++)
		rc = count_booking(counts, ledger, request, instead[i]);
	return rc;
}

/* Add what counts without a booking, such as running jobs. */
static int count_holds(struct rspb_counts *counts, const struct rspb_ledger *ledger)
{
	size_t n;
	const struct rspb_hold *holds = rspb_ledger_holds(ledger, &n);

	for (size_t i = 0; i < n; i++) {
		struct rspb_count *count = count_of(counts, holds[i].key);

		if (count && (add_step(count, holds[i].start, holds[i].amount) ||
			      add_step(count, holds[i].end, -holds[i].amount)))
			return -1;
	}
	return 0;
}

/* Turn the changes, in any order, into the sum from each time on, each time once. */
static void sum_up(struct rspb_count *count)
{
	int64_t sum = 0;
	size_t n = 0;

	if (count->n)
		qsort(count->steps, count->n, sizeof(*count->steps), rspb_array_by_i64);
	for (size_t i = 0; i < count->n; i++) {
		sum += count->steps[i].sum;
		if (n && count->steps[n - 1].at == count->steps[i].at)
			n--;
		count->steps[n++] = (struct rspb_count_step){ count->steps[i].at, sum };
	}
	count->n = n;
}

int rspb_counts_make(struct rspb_counts *counts, const struct rspb_ledger *ledger,
		     const struct rspb_request *request, const struct rspb_booking *const *instead,
		     size_t n)
{
	counts->used = 0;
	/* The limits of this request decide which uses are counted at all. */
	for (uint32_t i = 0; i < request->n_parts; i++)
		for (uint32_t q = 0; q < request->parts[i].n_quotas; q++)
			if (add_quota(counts, &request->parts[i].quotas[q]))
				return -1;
	if (!counts->used)
		return 0;
	if (count_ledger(counts, ledger, request, instead, n) || count_holds(counts, ledger))
		return -1;
	for (size_t i = 0; i < counts->used; i++)
		sum_up(&counts->items[i]);
	return 0;
}

void rspb_counts_fini(struct rspb_counts *counts)
{
	for (size_t i = 0; i < counts->n; i++)
		free(counts->items[i].steps);
	free(counts->items);
	*counts = (struct rspb_counts){ .n = 0 };
}

/* RET the most that counts at any time of [start, end). */
static int64_t peak(const struct rspb_count *count, int64_t start, int64_t end)
{
	size_t low = 0, high = count->n;
	int64_t most = 0;

	/* The last step that is not after the start, if there is one. */
	while (low < high) {
		size_t half = low + (high - low) / 2;

		if (count->steps[half].at <= start)
			low = half + 1;
		else
			high = half;
	}
	for (size_t i = low ? low - 1 : 0; i < count->n && count->steps[i].at < end; i++)
		if (count->steps[i].sum > most)
			most = count->steps[i].sum;
	return most;
}

/* RET what the request itself adds to a count. */
static int64_t own_use(const struct rspb_count *count, const struct rspb_ledger *ledger,
		       const struct rspb_request *request, struct rspb_nodeset *const *nodes,
		       int64_t seconds)
{
	const uint32_t *cpus = rspb_ledger_room(ledger, RSPB_ROOM_CPUS);
	int64_t sum = 0;

	for (uint32_t i = 0; i < request->n_parts; i++)
		for (uint32_t q = 0; q < request->parts[i].n_quotas; q++) {
			const struct rspb_quota *quota = &request->parts[i].quotas[q];

			if (quota->key == count->quota->key)
				sum += rspb_quota_product(rspb_quota_use(quota, nodes[i], cpus),
							  rspb_quota_times(quota, seconds));
		}
	return sum;
}

/* RET the first limit that is passed over [start, end) when the parts of the
 * request have these nodes, nodes[n_parts]. */
static struct rspb_excess over_limits(const struct rspb_counts *counts,
				      const struct rspb_ledger *ledger,
				      const struct rspb_request *request,
				      struct rspb_nodeset *const *nodes, int64_t start, int64_t end)
{
	for (size_t i = 0; i < counts->used; i++) {
		const struct rspb_count *count = &counts->items[i];
		int64_t held = peak(count, start, end);
		int64_t own = own_use(count, ledger, request, nodes, end - start);

		/* A booking that itself exceeds the limit, and one that does beside others, are
		 * refused alike; rspb_excess_print() tells them apart. */
		if (own > count->quota->most - held)
			return (struct rspb_excess){ count->quota, held, own };
	}
	return (struct rspb_excess){ NULL, 0, 0 };
}

struct rspb_excess rspb_counts_booking(const struct rspb_counts *counts,
				       const struct rspb_ledger *ledger,
				       const struct rspb_booking *booking)
{
	struct rspb_nodeset *nodes[RSPB_MAX_PARTS];
	int64_t start = booking->start, now = rspb_ledger_now(ledger);

	for (uint32_t i = 0; i < booking->n_grants; i++)
		nodes[i] = booking->grants[i].nodes;
	/* The used part of it is among the holds of others already. */
	if (start < now && now < booking->end)
		start = now;
	return over_limits(counts, ledger, booking->request, nodes, start, booking->end);
}

/* RET an amount in the units of the limit's name, rounded up. */
static int64_t in_units(const struct rspb_quota *quota, int64_t amount)
{
	return quota->unit > 1 ? (amount + quota->unit - 1) / quota->unit : amount;
}

void rspb_excess_print(const struct rspb_excess *excess, struct rspb_text *text)
{
	const struct rspb_quota *quota = excess->quota;
	int64_t held = in_units(quota, excess->held);
	/* Nobody else is to blame if the request alone is too large. */
	int64_t own = in_units(quota, excess->own);

	if (excess->own > quota->most)
		rspb_text_add(text, "%" PRId64 " is more than %s allows", own, quota->name);
	else
		rspb_text_add(text, "%s, of which %" PRId64 " %s %s, and this would add %" PRId64,
			      quota->name, held, held == 1 ? "is" : "are",
			      quota->span == RSPB_QUOTA_EVER ? "used or booked"
							     : "booked or running at the time",
			      own);
}

/* --- a plan is cut down to what the limits on simultaneous use leave, and to what still
 * earns benefit --- */

static struct rspb_excess excess_of(const struct rspb_plan *plan)
{
	struct rspb_nodeset *nodes[RSPB_MAX_PARTS];

	for (uint32_t i = 0; i < plan->n; i++)
		nodes[i] = plan->pieces[i].nodes;
	return over_limits(&plan->counts, plan->ledger, plan->request, nodes, plan->start,
			   plan->end);
}

/* Let go nodes of a piece, the highest numbers first, until so much less counts, or the piece is
 * at its floor. RET what is still too much. */
static int64_t shrink(const struct rspb_plan *plan, struct rspb_piece *piece,
		      const struct rspb_quota *quota, int64_t over)
{
	const uint32_t *cpus = rspb_ledger_room(plan->ledger, RSPB_ROOM_CPUS);

	for (uint32_t n = plan->width; n-- && over > 0 && piece->units > piece->floor;) {
		int64_t less = rspb_quota_product(rspb_quota_on(quota, cpus, n),
						  rspb_quota_times(quota, plan->end - plan->start));

		if (!rspb_nodeset_has(piece->nodes, n) || less <= 0)
			continue;
		rspb_nodeset_remove(piece->nodes, n);
		piece->units--;
		over -= less;
	}
	return over;
}

/* RET whether it is within this one limit now. */
static bool let_go(struct rspb_plan *plan, const struct rspb_excess *excess)
{
	int64_t over = excess->held + excess->own - excess->quota->most;

	/* The pieces that were placed last give first. Shares stay, as do the nodes of a part
	 * that names some. */
	for (uint32_t k = plan->n; k-- && over > 0;) {
		struct rspb_piece *piece = &plan->pieces[plan->sequence[k]];
		const struct rspb_quota *quota = rspb_part_quota(piece->part, excess->quota->key);

		if (quota && !piece->part->share && !piece->part->fixed)
			over = shrink(plan, piece, quota, over);
	}
	return over <= 0;
}

bool rspb_plan_within(struct rspb_plan *plan)
{
	struct rspb_excess excess = excess_of(plan);

	/* A plan may pass several limits, so all are asked again after each cut. Each round lets
	 * go a node, or fails. */
	while (excess.quota) {
		plan->excess = excess;
		if (!let_go(plan, &excess))
			return false;
		excess = excess_of(plan);
	}
	return true;
}

int64_t rspb_plan_trimmed(const struct rspb_plan *plan, const struct rspb_piece *piece,
			  int64_t units)
{
	uint32_t part = (uint32_t) (piece - plan->pieces);
	int64_t less;

	/* Nothing is trimmed below the floor, which may be above what the function alone would
	 * ask for. */
	if (!plan->policy->trim || units <= piece->floor)
		return units;
	less = rspb_benefit_trim(rspb_request_benefit(plan->request, part), units,
				 rspb_part_asked(piece->part));
	return less > piece->floor ? less : piece->floor;
}
