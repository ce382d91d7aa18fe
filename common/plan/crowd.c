/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/crowd.h"

#include <stdlib.h>

#include "common/base/array.h"

/* So much more, or less, is taken of these nodes from a time on. */
struct change {
	int64_t at;
	int sign; /* 1, or -1 */
	const struct rspb_quota *quota;
	const struct rspb_nodeset *nodes;
};

/* One kind that is counted on each node. */
struct crowd {
	const struct rspb_plan *plan;
	uint64_t key;
	const uint32_t *room, *cpus;
	struct change *changes;
	size_t n, size;
	int64_t *now, *most; /* of each node, while time goes by */
};

static int add(struct crowd *crowd, int64_t at, int sign,
	       const struct rspb_quota *quota, const struct rspb_nodeset *nodes)
{
	if (rspb_array_grow(&crowd->changes, &crowd->size, crowd->n + 1,
			    sizeof(*crowd->changes)))
		return -1;
	crowd->changes[crowd->n++] = (struct change){ at, sign, quota, nodes };
	return 0;
}

static int add_part(struct crowd *crowd, const struct rspb_part *part,
		    const struct rspb_nodeset *nodes, int64_t start,
		    int64_t end)
{
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		const struct rspb_quota *quota = &part->quotas[q];

		if (quota->key == crowd->key &&
		    (add(crowd, start, 1, quota, nodes) ||
		     add(crowd, end, -1, quota, nodes)))
			return -1;
	}
	return 0;
}

static int add_booking(struct crowd *crowd, const struct rspb_booking *b)
{
	const struct rspb_plan *plan = crowd->plan;
	int rc = 0;

	if (rspb_state_final(b->state) || b->end <= plan->start ||
	    b->request->id == plan->request->id)
		return 0;
	for (uint32_t i = 0; i < b->n_grants && !rc; i++)
		if (b->grants[i].share)
			rc = add_part(crowd, &b->request->parts[i],
				      b->grants[i].nodes, b->start, b->end);
	return rc;
}

/* Who is there within the window of the plan, and the plan's other pieces. */
static int gather(struct crowd *crowd, const struct rspb_piece *piece)
{
	const struct rspb_plan *plan = crowd->plan;
	int rc = 0;

	crowd->n = 0;
	for (size_t i = 0; i < rspb_ledger_count(plan->ledger) && !rc; i++) {
		const struct rspb_booking *b = rspb_ledger_at(plan->ledger, i);

		if (b->start >= plan->end)
			break;
		rc = add_booking(crowd, b);
	}
	for (uint32_t i = 0; i < plan->n && !rc; i++) {
		const struct rspb_piece *other = &plan->pieces[i];

		if (other != piece && other->part->share && other->units)
			rc = add_part(crowd, other->part, other->nodes,
				      plan->start, plan->end);
	}
	return rc;
}

/* What is given back comes before what is taken at the same time. */
static int compare(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->sign - b->sign;
}

/* What a share takes of a node; who takes all takes what there is. */
static int64_t taken(const struct crowd *crowd, const struct rspb_quota *quota,
		     uint32_t n)
{
	int64_t amount = rspb_quota_on(quota, crowd->cpus, n);

	return amount < crowd->room[n] ? amount : crowd->room[n];
}

/* Let time go by, to the most that is taken of each node within the window. */
static void go_by(struct crowd *crowd)
{
	uint32_t width = crowd->plan->width;

	for (uint32_t n = 0; n < width; n++)
		crowd->now[n] = crowd->most[n] = 0;
	if (crowd->n)
		qsort(crowd->changes, crowd->n, sizeof(*crowd->changes),
		      compare);
	for (size_t i = 0; i < crowd->n; i++) {
		const struct change *c = &crowd->changes[i];

		if (c->at >= crowd->plan->end)
			break;
		RSPB_NODESET_EACH (n, c->nodes) {
			crowd->now[n] += c->sign * taken(crowd, c->quota, n);
			if (crowd->now[n] > crowd->most[n])
				crowd->most[n] = crowd->now[n];
		}
	}
}

static bool mark_full(const struct crowd *crowd, const struct rspb_quota *quota,
		      const struct rspb_piece *piece, struct rspb_nodeset *out)
{
	const struct rspb_nodeset *fixed = piece->part->fixed;
	bool any = false;

	for (uint32_t n = 0; n < crowd->plan->width; n++) {
		if (crowd->most[n] + taken(crowd, quota, n) <= crowd->room[n] ||
		    !(rspb_nodeset_has(piece->may, n) ||
		      (fixed && rspb_nodeset_has(fixed, n))))
			continue;
		rspb_nodeset_add(out, n);
		any = true;
	}
	return any;
}

int rspb_crowd_full(const struct rspb_plan *plan,
		    const struct rspb_piece *piece, struct rspb_nodeset *out,
		    const struct rspb_quota **quota)
{
	struct crowd crowd = {
		.plan = plan,
		.cpus = rspb_ledger_room(plan->ledger, RSPB_ROOM_CPUS),
	};
	int rc = 0;

	for (uint32_t q = 0; q < piece->part->n_quotas && !rc; q++) {
		const struct rspb_quota *one = &piece->part->quotas[q];

		crowd.key = one->key;
		crowd.room = rspb_ledger_room(plan->ledger, one->key);
		if (!crowd.room)
			continue;
		if (!crowd.now) {
			crowd.now = calloc(plan->width, sizeof(*crowd.now));
			crowd.most = calloc(plan->width, sizeof(*crowd.most));
		}
		rc = !crowd.now || !crowd.most || gather(&crowd, piece) ? -1
									: 0;
		if (rc)
			continue;
		go_by(&crowd);
		if (mark_full(&crowd, one, piece, out))
			*quota = one;
	}
	free(crowd.changes);
	free(crowd.now);
	free(crowd.most);
	return rc;
}
