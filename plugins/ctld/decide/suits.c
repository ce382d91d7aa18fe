/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has Slurm's selection judge a plan and pick nodes where ours will not do. It remembers the
 * answers, for one plan only. Without a draft each question takes the write lock for itself. */
#include "plugins/ctld/decide/batch.h"

#include <stdlib.h>

#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/occupancy.h"

/* A test of our own pick takes a tenth of a millisecond, one of all nodes of a large
 * machine some: that is how much they count, and what is asked for one request. */
enum { OWN_COSTS = 1, PART_COSTS = 2, ALL_COSTS = 8, COSTS_MOST = 96 };

struct rspb_said {
	struct rspb_said *next;
	uint32_t part, least, most;
	int64_t start;		     /* for which a layout was looked for; 0: any */
	struct rspb_nodeset *among;  /* owned */
	struct rspb_nodeset *picked; /* owned; NULL: none of these */
};

static int suits(struct rspb_plan *plan, void *arg, struct rspb_err *err);

void rspb_suits_init(struct rspb_suits *s, uint64_t id, const uint32_t *jobs, uint64_t table)
{
	*s = (struct rspb_suits){
		.judge = { suits, s },
		.id = id,
		.jobs = jobs,
		.table = table,
		.left = COSTS_MOST,
		.lays_out = true,
	};
}

void rspb_suits_init_draft(struct rspb_suits *s, const struct rspb_job *draft)
{
	*s = (struct rspb_suits){
		.judge = { suits, s },
		.draft = draft,
		.left = COSTS_MOST,
	};
}

void rspb_suits_fini(struct rspb_suits *s)
{
	struct rspb_said *said;

	while ((said = s->said)) {
		s->said = said->next;
		rspb_nodeset_destroy(said->among);
		rspb_nodeset_destroy(said->picked);
		free(said);
	}
}

/* RET an earlier answer that holds for this question, NULL: there is none. Nodes that were picked
 * before are good if all are offered again. Nodes that were not enough before are not enough if
 * fewer are offered. */
static const struct rspb_said *recall(const struct rspb_suits *s, uint32_t part,
				      const struct rspb_pick *pick,
				      const struct rspb_layout *layout)
{
	const struct rspb_said *said = s->said;

	for (; said; said = said->next) {
		if (said->part != part || said->least != pick->least || said->most != pick->most ||
		    said->start != (layout ? layout->start : 0))
			continue;
		if (said->picked ? rspb_nodeset_within(said->picked, pick->among)
				 : rspb_nodeset_within(pick->among, said->among))
			return said;
	}
	return NULL;
}

/* Ask Slurm. RET 1 with the pick in out, 0: none, -1: it is going down, or has other
 * nodes. */
static int ask_slurm(const struct rspb_suits *s, uint32_t part, const struct rspb_pick *pick,
		     const struct rspb_layout *layout, struct rspb_nodeset *out)
{
	struct rspb_section section;
	struct rspb_job job;
	int rc = -1;

	if (s->draft)
		return rspb_layout_pick(s->draft, pick, NULL, out);
	/* Starts that are due come first: a plan may ask dozens of questions. */
	rspb_breathe();
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "select"))
		return -1;
	if (rspb_node_fingerprint() == s->table) {
		rc = rspb_job_find(s->jobs[part], &job) && job.phase == RSPB_JOB_PENDING;
		if (rc)
			rc = rspb_layout_pick(&job, pick, layout, out);
	}
	section.items++;
	rspb_section_leave(&section);
	return rc;
}

/* The same, where it has not said so already; NULL: out of memory, or enough has been
 * asked. layout: the part's, NULL: that is not asked. */
static const struct rspb_said *ask_layout(struct rspb_suits *s, uint32_t part,
					  const struct rspb_pick *pick,
					  const struct rspb_layout *layout, int64_t costs)
{
	const struct rspb_said *known = recall(s, part, pick, layout);
	struct rspb_said *said;
	int rc = -1;

	if (known || s->left < costs)
		return known;
	said = calloc(1, sizeof(*said));
	if (!said)
		return NULL;
	*said = (struct rspb_said){ s->said,
				    part,
				    pick->least,
				    pick->most,
				    layout ? layout->start : 0,
				    rspb_nodeset_clone(pick->among),
				    rspb_nodeset_create(pick->among->width) };
	s->left -= costs;
	if (said->among && said->picked)
		rc = ask_slurm(s, part, pick, layout, said->picked);
	if (rc < 1) {
		rspb_nodeset_destroy(said->picked);
		said->picked = NULL;
	}
	if (rc < 0) {
		rspb_nodeset_destroy(said->among);
		free(said);
		/* The next questions would fail in the same way. */
		s->left = 0;
		return NULL;
	}
	return s->said = said;
}

static const struct rspb_said *ask(struct rspb_suits *s, uint32_t part,
				   const struct rspb_pick *pick, int64_t costs)
{
	return ask_layout(s, part, pick, NULL, costs);
}

/* Give the nodes of a piece back to the plan, and take the picked ones. */
static void take_nodes(struct rspb_plan *plan, struct rspb_piece *piece,
		       const struct rspb_nodeset *picked)
{
	rspb_nodeset_or(plan->left, piece->nodes);
	rspb_nodeset_copy(piece->nodes, picked);
	rspb_nodeset_minus(plan->left, picked);
}

/* RET whether select has picked so many for a piece, out of all it may have. */
static bool pick_all(struct rspb_suits *s, struct rspb_plan *plan, uint32_t i,
		     const struct rspb_nodeset *all, uint32_t count)
{
	struct rspb_piece *piece = &plan->pieces[i];
	struct rspb_pick pick = { all, count, count, piece->part->nodes, s->starts_now };
	const struct rspb_said *said = ask(s, i, &pick, ALL_COSTS);

	if (!said || !said->picked)
		return false;
	take_nodes(plan, piece, said->picked);
	return true;
}

/* Pick as many nodes as Slurm gives, by bisection between the least that the request bears and a
 * number that was refused. The least is asked about first, since without that nothing will do. */
static bool pick_less(struct rspb_suits *s, struct rspb_plan *plan, uint32_t i,
		      const struct rspb_nodeset *all, uint32_t bad)
{
	uint32_t good = (uint32_t) plan->pieces[i].floor, half;

	if (good < 1 || good >= bad || !pick_all(s, plan, i, all, good))
		return false;
	while (good + 1 < bad) {
		half = good + (bad - good) / 2;
		if (pick_all(s, plan, i, all, half))
			good = half;
		else
			bad = half;
	}
	return true;
}

/* Ask about all possible nodes of the machine, as if they were free. If these will not do, the
 * remembered refusal answers for every other start, and no more of them are asked about. */
static void see_hope(struct rspb_suits *s, const struct rspb_plan *plan, uint32_t i, uint32_t count)
{
	const struct rspb_part *part = plan->pieces[i].part;
	struct rspb_nodeset *all = rspb_nodeset_create(plan->width);
	struct rspb_pick pick = { all, count, count, part->nodes, s->starts_now };

	if (!all)
		return;
	rspb_nodeset_fill(all);
	if (part->eligible)
		rspb_nodeset_and(all, part->eligible);
	ask(s, i, &pick, ALL_COSTS);
	rspb_nodeset_destroy(all);
}

static bool piece_suits(struct rspb_suits *s, struct rspb_plan *plan, uint32_t i,
			struct rspb_nodeset *all)
{
	struct rspb_piece *piece = &plan->pieces[i];
	uint32_t count = rspb_nodeset_count(piece->nodes);
	struct rspb_pick own = { piece->nodes, count, count, piece->part->nodes, s->starts_now };
	const struct rspb_said *said = ask(s, i, &own, OWN_COSTS);

	if (said && said->picked)
		return true;
	/* The plan is not what the policy alone would choose, which a replay could not repeat. */
	s->took = true;
	/* A part that names all of its nodes has no others to try. */
	if (rspb_part_all_fixed(piece->part))
		return false;
	rspb_nodeset_copy(all, plan->left);
	rspb_nodeset_and(all, piece->may);
	rspb_nodeset_or(all, piece->nodes);
	if (pick_all(s, plan, i, all, count))
		return true;
	see_hope(s, plan, i, count);
	return pick_less(s, plan, i, all, count);
}

/* Move a part to other nodes that have room for it. */
static void take_parts(struct rspb_plan *plan, struct rspb_piece *piece,
		       const struct rspb_nodeset *picked)
{
	RSPB_NODESET_EACH (n, piece->nodes)
		plan->room[n] += rspb_part_on(piece->part, piece->units, n);
	rspb_nodeset_copy(piece->nodes, picked);
	RSPB_NODESET_EACH (n, piece->nodes)
		plan->room[n] -= rspb_part_on(piece->part, piece->units, n);
}

/* RET whether a part of nodes starts where it is, at the plan's start or now, or on others
 * with room for it, which it has then. */
static bool part_suits(struct rspb_suits *s, struct rspb_plan *plan, uint32_t i,
		       struct rspb_nodeset *all)
{
	struct rspb_piece *piece = &plan->pieces[i];
	uint32_t count = rspb_nodeset_count(piece->nodes);
	struct rspb_pick own = { piece->nodes, count, count, 0, s->starts_now },
			 other = { all, count, count, 0, s->starts_now };
	const struct rspb_layout then = {
		.start = plan->start,
		.end = plan->end,
		.cores = rspb_part_cores(piece->part, piece->units),
		.part = piece->part,
		.each = rspb_placed_each,
	}, *layout = s->starts_now ? NULL : &then;
	const struct rspb_said *said = ask_layout(s, i, &own, layout, OWN_COSTS);

	if (said && said->picked)
		return true;
	s->took = true;
	/* Another part of the request may have moved meanwhile, to nodes whose GPUs this one was to
	 * have. */
	if (rspb_part_all_fixed(piece->part) || !rspb_plan_leave_full(plan, piece))
		return false;
	rspb_nodeset_copy(all, piece->nodes);
	RSPB_NODESET_EACH (n, piece->may)
		if (plan->room[n] >= rspb_part_on(piece->part, piece->units, n))
			rspb_nodeset_add(all, n);
	said = ask_layout(s, i, &other, layout, layout ? PART_COSTS : ALL_COSTS);
	if (!said || !said->picked || rspb_nodeset_count(said->picked) != count)
		return false;
	take_parts(plan, piece, said->picked);
	return true;
}

void rspb_suits_within(struct rspb_suits *s, const struct rspb_ledger *booked,
		       const struct rspb_config *config)
{
	s->booked = booked;
	s->within = config;
}

/* Ask whether as much may be booked at the plan's start beside what is booked already. RET 0: it
 * may, 1: not, which s->over explains; -1 with err: out of memory. */
static int too_much(struct rspb_suits *s, const struct rspb_plan *plan, struct rspb_err *err)
{
	struct rspb_booking *trial;
	int rc = -1;

	if (!s->booked)
		return 0;
	trial = rspb_booking_create(plan->request);
	if (!trial)
		return rspb_fail(err, "out of memory");
	if (!rspb_plan_grant(plan, trial, err))
		rc = rspb_limits_growth(s->booked, trial, s->within, &s->over) ? 1 : 0;
	rspb_booking_destroy(trial);
	return rc;
}

static int suits(struct rspb_plan *plan, void *arg, struct rspb_err *err)
{
	struct rspb_suits *s = arg;
	struct rspb_nodeset *all;
	bool good = true;
	int rc;

	/* The plan may move other bookings, which are judged when they are proposed. */
	if (plan->request->id != s->id)
		return 1;
	rc = too_much(s, plan, err);
	if (rc > 0)
		s->took = true;
	if (rc || (!s->jobs && !s->draft))
		return rc < 0 ? rc : !rc;
	all = rspb_nodeset_create(plan->width);
	if (!all)
		return rspb_fail(err, "out of memory");
	for (uint32_t k = 0; good && k < plan->n; k++) {
		uint32_t i = plan->sequence[k];

		if (!plan->pieces[i].part->share)
			good = piece_suits(s, plan, i, all);
		else if ((s->starts_now || (s->lays_out && s->jobs)) && plan->pieces[i].part->whole)
			good = part_suits(s, plan, i, all);
	}
	/* With fewer questions left than one start may need, further starts are not tried. */
	plan->exhausted = s->left < ALL_COSTS;
	rspb_nodeset_destroy(all);
	return good;
}

/* Judge an offer. A request without jobs is offered what is free. */
static int suits_offer(struct rspb_plan *plan, void *arg, struct rspb_err *err)
{
	struct rspb_offer_suits *offers = arg;
	const struct rspb_request *request = plan->request;
	const uint32_t *jobs = NULL;

	if (offers->suits.id != request->id) {
		for (size_t i = 0; i < offers->asks->n; i++) {
			const struct rspb_ask *ask = &offers->asks->items[i];

			if (ask->request->id == request->id && ask->n_jobs == request->n_parts)
				jobs = ask->jobs;
		}
		rspb_suits_fini(&offers->suits);
		rspb_suits_init(&offers->suits, request->id, jobs, offers->table);
	}
	return suits(plan, &offers->suits, err);
}

void rspb_offer_suits_init(struct rspb_offer_suits *offers, const struct rspb_asks *asks,
			   uint64_t table)
{
	*offers = (struct rspb_offer_suits){
		.judge = { suits_offer, offers },
		.asks = asks,
		.table = table,
	};
}

void rspb_offer_suits_fini(struct rspb_offer_suits *offers)
{
	rspb_suits_fini(&offers->suits);
}

/* RET how many nodes select takes out of these, 0: they will not do. */
static uint32_t needs(struct rspb_suits *s, uint32_t i, const struct rspb_nodeset *among,
		      uint32_t least)
{
	struct rspb_pick pick = { among, least, rspb_nodeset_count(among), 0, s->starts_now };
	const struct rspb_said *said = ask(s, i, &pick, ALL_COSTS);

	return said && said->picked ? rspb_nodeset_count(said->picked) : 0;
}

/* RET whether its job says only what its nodes are to hold, and how many it has at
 * least. */
static bool guessed(const struct rspb_suits *s, uint32_t i, uint32_t *least)
{
	struct rspb_section section;
	struct rspb_job job;
	bool has;

	if (s->draft) {
		*least = s->draft->nodes_min;
		return !s->draft->nodes_max;
	}
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "select"))
		return false;
	has = rspb_job_find(s->jobs[i], &job);
	rspb_section_leave(&section);
	*least = has ? job.nodes_min : 0;
	return has && !job.nodes_max;
}

bool rspb_suits_count(struct rspb_suits *s, struct rspb_request *request,
		      const struct rspb_ledger *ledger, int64_t start, int64_t end)
{
	struct rspb_nodeset *all = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	bool more = false;

	for (uint32_t i = 0; all && i < request->n_parts; i++) {
		struct rspb_part *part = &request->parts[i];
		uint32_t least, count;

		if (part->fixed || part->share || !guessed(s, i, &least) ||
		    rspb_profile_free_over(rspb_ledger_profile(ledger), start, end, all, NULL))
			continue;
		if (part->eligible)
			rspb_nodeset_and(all, part->eligible);
		/* Free nodes may be too few for the job, though all of its nodes together are
		 * enough; then it starts later. */
		count = needs(s, i, all, least);
		if (!count && part->eligible)
			count = needs(s, i, part->eligible, least);
		if (count <= part->nodes)
			continue;
		part->nodes = part->nodes_min = count;
		more = true;
	}
	rspb_nodeset_destroy(all);
	return more;
}
