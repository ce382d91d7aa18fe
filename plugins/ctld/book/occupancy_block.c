/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts the blocks and holds into the ledger on which plans are made. */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/base/times.h"
#include "plugins/ctld/book/occupancy.h"

/* Enter part of a block, for some of its nodes or part of its time. Parts of a job keep its
 * number and kind, so that a plan can tell whom it would meet. RET 0, or -1 with err. */
static int put(struct rspb_ledger *ledger, const struct rspb_block *block, int64_t start,
	       int64_t end, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (rspb_nodeset_empty(nodes) || end <= start)
		return 0;
	if ((block->beside ? rspb_ledger_block_beside : rspb_ledger_block)(ledger, start, end,
									   nodes, err))
		return -1;
	rspb_ledger_block_name(ledger, (uint8_t) block->kind, block->job);
	return 0;
}

/* For each node, the second in which a booking begins that has the node for itself: jobs that are
 * there then have to leave (start/occupants.c). */
struct booked {
	struct rspb_nodeset *nodes; /* owned: of those */
	int64_t *from;		    /* owned, of the width of the ledger */
	/* Owned, made for the first that needs them: of each node n the bookings that
	 * have not begun, by start, as places in the ledger, from list[first[n]] to
	 * before list[first[n + 1]]; and from when on a job has it. */
	uint32_t *first, *list;
	int64_t *has;
};

static bool counts(const struct rspb_booking *b, int64_t now)
{
	return b->state == RSPB_BOOKED && b->start > now;
}

static void booked_fini(struct booked *booked)
{
	rspb_nodeset_destroy(booked->nodes);
	free(booked->from);
	free(booked->first);
	free(booked->list);
	free(booked->has);
}

/* Note the start of a booking for its nodes in `rest`, and take these out. The first booking of
 * a node is the one that counts. Shares do not make jobs leave. RET how many nodes were marked. */
static uint32_t mark(struct booked *booked, struct rspb_nodeset *rest, const struct rspb_booking *b)
{
	uint32_t marked = 0;

	for (uint32_t g = 0; g < b->n_grants; g++) {
		if (b->grants[g].share)
			continue;
		RSPB_NODESET_EACH (n, b->grants[g].nodes) {
			if (!rspb_nodeset_has(rest, n))
				continue;
			rspb_nodeset_remove(rest, n);
			rspb_nodeset_add(booked->nodes, n);
			booked->from[n] = b->start;
			marked++;
		}
	}
	return marked;
}

/* Fill it in for the nodes that jobs have, until the last of these jobs ends; bookings elsewhere or
 * later are not examined. */
static int booked_init(struct booked *booked, const struct rspb_occupancy *occ,
		       const struct rspb_ledger *ledger, struct rspb_err *err)
{
	uint32_t width = rspb_ledger_nodes(ledger), left;
	struct rspb_nodeset *rest = rspb_nodeset_create(width);
	size_t n = rspb_ledger_count(ledger);
	int64_t last = 0;

	booked->nodes = rspb_nodeset_create(width);
	booked->from = calloc(width, sizeof(*booked->from));
	if (!rest || !booked->nodes || !booked->from) {
		rspb_nodeset_destroy(rest);
		return rspb_fail(err, "out of memory");
	}
	for (size_t i = 0; i < occ->n; i++) {
		const struct rspb_block *block = &occ->blocks[i];

		if (!block->job)
			continue;
		rspb_nodeset_or(rest, block->nodes);
		/* No booking that begins after all jobs have ended meets any of them. */
		last = rspb_later(last, block->end);
	}
	left = rspb_nodeset_count(rest);
	for (size_t i = 0; i < n && left; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start >= last)
			break;
		if (counts(b, occ->now))
			left -= mark(booked, rest, b);
	}
	rspb_nodeset_destroy(rest);
	return 0;
}

/* Take those out of rest that have that second in at, and put them into out. */
static void take_those_at(struct rspb_nodeset *rest, const int64_t *at, int64_t second,
			  struct rspb_nodeset *out)
{
	rspb_nodeset_clear(out);
	RSPB_NODESET_EACH (n, rest)
		if (at[n] == second)
			rspb_nodeset_add(out, n);
	rspb_nodeset_minus(rest, out);
}

/* Enter a job that bookings would end, not suspend. On each node that is booked it ends when
 * the first booking begins, unless it may stay within its time limit. Nodes with the same end
 * share an entry. */
static int put_job(struct rspb_ledger *ledger, const struct rspb_block *block, const int64_t *from,
		   struct rspb_err *err)
{
	struct rspb_nodeset *rest = rspb_nodeset_clone(block->nodes);
	struct rspb_nodeset *part = rspb_nodeset_create(block->nodes->width);
	int rc = rest && part ? 0 : rspb_fail(err, "out of memory");

	for (uint32_t n = 0; !rc && (n = rspb_nodeset_next(rest, n)) < rest->width; n++) {
		if (!from[n] || from[n] >= block->end || from[n] < block->stays)
			continue;
		take_those_at(rest, from, from[n], part);
		rc = put(ledger, block, block->start, from[n], part, err);
	}
	if (!rc)
		rc = put(ledger, block, block->start, block->end, rest, err);
	rspb_nodeset_destroy(rest);
	rspb_nodeset_destroy(part);
	return rc;
}

/* Called twice for each booking. First count: first[n + 2] gets the number of node n. After
 * these are summed up, first[n + 1] is where the list of node n begins, and moves on while the
 * list is filled. */
static void enter(struct booked *booked, const struct rspb_booking *b, uint32_t place, bool count)
{
	for (uint32_t g = 0; g < b->n_grants; g++) {
		if (b->grants[g].share)
			continue;
		RSPB_NODESET_EACH (n, b->grants[g].nodes) {
			if (count)
				booked->first[n + 2]++;
			else
				booked->list[booked->first[n + 1]++] = place;
		}
	}
}

/* List the bookings of each node. Only clusters that suspend jobs need this, so it is made for
 * the first such job. RET 0, or -1 with err. */
static int list_all(struct booked *booked, const struct rspb_ledger *ledger, int64_t now,
		    struct rspb_err *err)
{
	uint32_t width = rspb_ledger_nodes(ledger);
	size_t n = rspb_ledger_count(ledger);

	booked->first = calloc((size_t) width + 2, sizeof(*booked->first));
	booked->has = calloc(width, sizeof(*booked->has));
	if (!booked->first || !booked->has)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < n; i++)
		if (counts(rspb_ledger_at(ledger, i), now))
			enter(booked, rspb_ledger_at(ledger, i), 0, true);
	for (uint32_t i = 2; i < width + 2; i++)
		booked->first[i] += booked->first[i - 1];
	booked->list = calloc((size_t) booked->first[width + 1] + 1, sizeof(*booked->list));
	if (!booked->list)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < n; i++)
		if (counts(rspb_ledger_at(ledger, i), now))
			enter(booked, rspb_ledger_at(ledger, i), (uint32_t) i, false);
	return 0;
}

/* The bookings of any of these nodes, by start; the caller frees them. RET how many, -1:
 * out of memory. */
static int64_t meet(const struct booked *booked, const struct rspb_nodeset *nodes, uint32_t **out)
{
	size_t n = 0, kept = 0;

	RSPB_NODESET_EACH (node, nodes)
		n += booked->first[node + 1] - booked->first[node];
	*out = malloc((n + 1) * sizeof(**out));
	if (!*out)
		return -1;
	n = 0;
	RSPB_NODESET_EACH (node, nodes)
		for (uint32_t i = booked->first[node]; i < booked->first[node + 1]; i++)
			(*out)[n++] = booked->list[i];
	/* Places in the ledger are in the order of starts. A booking of several nodes is listed
	 * once for each. */
	qsort(*out, n, sizeof(**out), rspb_array_by_u32);
	for (size_t i = 0; i < n; i++)
		if (!kept || (*out)[i] != (*out)[kept - 1])
			(*out)[kept++] = (*out)[i];
	return (int64_t) kept;
}

/* RET when a suspended job is over. While one of these bookings runs, the job does not; its
 * remaining time follows afterwards, and may meet the next booking. */
static int64_t over_at(const struct rspb_ledger *ledger, const struct rspb_block *block,
		       const uint32_t *places, int64_t n)
{
	int64_t end = block->end;
	int64_t stopped = block->left ? end - block->left : block->start;

	for (int64_t i = 0; i < n; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, places[i]);
		int64_t from = b->start > stopped ? b->start : stopped;

		if (b->start >= end)
			break;
		if (b->end <= from)
			continue;
		end += b->end - from;
		stopped = b->end;
	}
	return end;
}

/* Enter nodes of a job up to `until`, each from the time at which the job has it. The job has
 * them once more after `again`. */
static int put_until(struct booked *booked, struct rspb_ledger *ledger,
		     const struct rspb_block *block, struct rspb_nodeset *nodes, int64_t until,
		     int64_t again, struct rspb_err *err)
{
	struct rspb_nodeset *part = rspb_nodeset_create(nodes->width);
	int rc = part ? 0 : rspb_fail(err, "out of memory");
	uint32_t n;

	while (!rc && (n = rspb_nodeset_next(nodes, 0)) < nodes->width) {
		int64_t has = booked->has[n];

		take_those_at(nodes, booked->has, has, part);
		rc = put(ledger, block, has, until, part, err);
		RSPB_NODESET_EACH (i, part)
			booked->has[i] = again;
	}
	rspb_nodeset_destroy(part);
	return rc;
}

/* Enter the nodes that a job shares with a booking up to that booking's start. The job goes on
 * there after the booking's end. */
static int put_before(struct booked *booked, struct rspb_ledger *ledger,
		      const struct rspb_block *block, const struct rspb_booking *b,
		      struct rspb_err *err)
{
	struct rspb_nodeset *nodes;
	int rc = 0;

	for (uint32_t g = 0; g < b->n_grants && !rc; g++) {
		if (b->grants[g].share)
			continue;
		nodes = rspb_nodeset_clone(block->nodes);
		if (!nodes)
			return rspb_fail(err, "out of memory");
		rspb_nodeset_and(nodes, b->grants[g].nodes);
		rc = put_until(booked, ledger, block, nodes, b->start, b->end, err);
		rspb_nodeset_destroy(nodes);
	}
	return rc;
}

/* Enter a job that is suspended by bookings on any of its nodes, and keeps all of them. The
 * nodes that are not booked stay taken throughout. RET 0, or -1 with err. */
static int put_suspended(struct booked *booked, const struct rspb_occupancy *occ,
			 struct rspb_ledger *ledger, const struct rspb_block *block,
			 struct rspb_err *err)
{
	struct rspb_nodeset *nodes = rspb_nodeset_clone(block->nodes);
	uint32_t *places = NULL;
	int64_t n = 0, end = 0;
	int rc = nodes ? 0 : rspb_fail(err, "out of memory");

	if (!rc && !booked->list)
		rc = list_all(booked, ledger, occ->now, err);
	if (!rc && (n = meet(booked, nodes, &places)) < 0)
		rc = rspb_fail(err, "out of memory");
	if (!rc) {
		end = over_at(ledger, block, places, n);
		end = end < occ->horizon ? end : occ->horizon;
		RSPB_NODESET_EACH (i, nodes)
			booked->has[i] = block->start;
	}
	for (int64_t i = 0; !rc && i < n; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, places[i]);

		if (b->start >= end)
			break;
		rc = put_before(booked, ledger, block, b, err);
	}
	if (!rc)
		rc = put_until(booked, ledger, block, nodes, end, end, err);
	free(places);
	rspb_nodeset_destroy(nodes);
	return rc;
}

static int put_block(struct booked *booked, const struct rspb_occupancy *occ,
		     struct rspb_ledger *ledger, const struct rspb_block *block,
		     struct rspb_err *err)
{
	/* Reservations and broken nodes do not make way. */
	if (!block->job || rspb_nodeset_disjoint(block->nodes, booked->nodes))
		return put(ledger, block, block->start, block->end, block->nodes, err);
	return block->goes_on ? put_suspended(booked, occ, ledger, block, err)
			      : put_job(ledger, block, booked->from, err);
}

int rspb_occupancy_block(const struct rspb_occupancy *occ, struct rspb_ledger *ledger,
			 struct rspb_err *err)
{
	struct booked booked = { 0 };
	int rc = booked_init(&booked, occ, ledger, err);
	size_t i;

	for (i = 0; i < occ->n && !rc; i++)
		rc = put_block(&booked, occ, ledger, &occ->blocks[i], err);
	booked_fini(&booked);
	for (i = 0; i < occ->n_holds && !rc; i++)
		if (rspb_ledger_hold(ledger, &occ->holds[i]))
			rc = rspb_fail(err, "out of memory");
	return rc;
}
