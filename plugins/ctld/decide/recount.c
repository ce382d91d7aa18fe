/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tries numbers of nodes for requests that leave them to Slurm. request/numbers.c lists the
 * numbers, and says what a part takes with one. Each trial is planned on the basis of the batch,
 * without locks but for single questions. */
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/request/part.h"

enum { BATCH_MOST = 512 }; /* plans for one batch, so that a flood is decided in time */

/* The form in which a request is tried. */
enum shape {
	PARTS,	 /* as much of each of so many nodes */
	WHOLE,	 /* so many nodes */
	UNEVEN,	 /* parts of different sizes, of as many nodes as that takes */
	MIXED,	 /* the same, with devices of each type of a node */
	LARGER,	 /* and with one more core of each node */
	LARGEST, /* and with all of its free cores */
	GIVEN,	 /* what Slurm would give its job this second */
	RICHER	 /* and with all free cores of these nodes */
};

/* An ask whose number of nodes is tried. */
struct trial {
	const struct rspb_round *round;
	struct rspb_ask *ask;
	struct rspb_suits *suits;
	struct rspb_booking *best; /* in the basis, if it is booked; owned */
	bool found;		   /* best is not what it was */
	/* The weights of the cheapest node that it may have, and that lends no parts. */
	uint32_t cheapest, unlent;
	uint32_t devices;		     /* that it asks for in total */
	bool apart;			     /* whole nodes were planned, but parts may do */
	bool typed;			     /* it asks for devices of any type */
	const struct rspb_uneven_free *free; /* for UNEVEN and on; NULL: not looked up */
};

/* Whether it got nothing, or later than it might. */
static bool is_late(const struct trial *t, const struct rspb_booking *b)
{
	const struct rspb_request *request = t->ask->request;

	return !rspb_decision_books(b) ||
	       (request->asap && b->start > rspb_request_first(request, t->round->now));
}

/* Whether other numbers may be tried: for a single job that is not refused, has no forms to choose
 * from and has accepted no offer. */
static bool wants(const struct rspb_ask *ask)
{
	const struct rspb_request *request = ask->request;

	return !ask->refusal.text[0] && ask->n_jobs == 1 && request->n_parts == 1 &&
	       request->n_forms < 2 && rspb_kind_of(request)->has_jobs &&
	       !rspb_contract_of_offer(&ask->contracts[0]);
}

/* Enter a write section with the job that asks, and its flags as they came. RET false: it
 * is gone, and no section is entered. */
static bool enter(const struct trial *t, struct rspb_section *section, struct rspb_job *job,
		  struct rspb_contract *asked)
{
	rspb_breathe();
	if (!rspb_section_enter(section, RSPB_LOCK_WRITE, "numbers"))
		return false;
	section->items++;
	if (rspb_node_fingerprint() == t->round->table && rspb_job_find(t->ask->jobs[0], job) &&
	    job->phase == RSPB_JOB_PENDING && job->contract &&
	    !rspb_contract_parse(job->contract, asked, NULL))
		return true;
	rspb_section_leave(section);
	return false;
}

/* Look up the weights of the cheapest nodes that the job may have, under the write lock. A decision
 * with dearer ones may be worth another try. Without memory both stay UINT32_MAX, and no decision
 * is dearer. */
static void find_cheapest(struct trial *t, const struct rspb_job *job)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_ledger_nodes(t->round->basis));
	struct rspb_nodeset *lent = nodes && !rspb_job_eligible(job, nodes, NULL)
					    ? rspb_nodeset_clone(nodes)
					    : NULL;

	if (lent) {
		t->cheapest = rspb_decide_cheapest(t->round->basis, nodes);
		rspb_book_lent_of(lent);
		rspb_nodeset_minus(nodes, lent);
		t->unlent = rspb_decide_cheapest(t->round->basis, nodes);
	}
	rspb_nodeset_destroy(nodes);
	rspb_nodeset_destroy(lent);
}

/* RET how many numbers there are, 0 where it is gone. */
static uint32_t list_numbers(struct trial *t, uint32_t numbers[RSPB_NUMBERS_MOST])
{
	struct rspb_contract asked;
	struct rspb_section section;
	struct rspb_job job;
	uint32_t n = 0;

	if (!enter(t, &section, &job, &asked))
		return 0;
	/* Fewer nodes of a benefit function are worth less. */
	if (!asked.terms.benefit.n_points)
		n = rspb_numbers_of(&job, rspb_ledger_nodes(t->round->basis), numbers);
	/* Without a decision there is nothing to compare. */
	if (!asked.terms.benefit.n_points && t->best) {
		t->devices = rspb_job_bounds(&job).devices;
		t->apart = !t->ask->request->parts[0].whole && rspb_uneven_may(&job, &asked.terms);
		t->typed = rspb_cores_why(&job) != NULL;
		find_cheapest(t, &job);
	}
	rspb_section_leave(&section);
	return n;
}

/* Fill in a part of that shape, for a job with these flags; write lock. RET whether it can have
 * that. */
static bool fill_part(const struct trial *t, const struct rspb_job *job,
		      const struct rspb_terms *flags, uint32_t nodes, enum shape shape,
		      struct rspb_part *part)
{
	static const struct rspb_uneven_how how[] = {
		[MIXED] = { .mixes = true },
		[LARGER] = { .mixes = true, .extra = 1 },
		[LARGEST] = { .mixes = true, .extra = UINT32_MAX },
		[GIVEN] = { .given = true },
		[RICHER] = { .given = true, .extra = UINT32_MAX },
	};
	struct rspb_err err;

	if (shape >= UNEVEN)
		return t->free && !rspb_uneven_fill(job, flags, t->free, how[shape], part, &err);
	if (rspb_numbers_fill(job, flags, nodes, rspb_ledger_nodes(t->round->basis), part, &err))
		return false;
	/* Whole nodes may be any, so those that lend no parts are eligible again. */
	return shape == PARTS || !part->whole ||
	       (!rspb_job_eligible(job, part->eligible, &err) &&
		!rspb_part_take_nodes(job, part, &err));
}

/* RET the request in that shape, and its flags in *flags; NULL: it cannot have that. */
static struct rspb_request *make_request(const struct trial *t, uint32_t nodes, enum shape shape,
					 struct rspb_terms *flags)
{
	struct rspb_request *request = rspb_request_clone(t->ask->request);
	struct rspb_contract asked;
	struct rspb_section section;
	struct rspb_job job;
	bool good = false;

	if (request && enter(t, &section, &job, &asked)) {
		*flags = asked.terms;
		good = fill_part(t, &job, flags, nodes, shape, &request->parts[0]);
		rspb_section_leave(&section);
	}
	/* A request with one form is planned by that form, which has to have the same number of
	 * nodes. */
	if (request && request->n_forms)
		request->forms[0].nodes = request->parts[0].nodes;
	if (good)
		return request;
	rspb_request_destroy(request);
	return NULL;
}

/* RET whether the site's limits allow as many nodes. */
static bool allowed(const struct trial *t)
{
	struct rspb_config space;
	struct rspb_err err;

	return !rspb_limits_check(t->ask,
				  rspb_limits_settings(t->round->config, t->ask->request, &space),
				  rspb_ledger_nodes(t->round->basis), t->round->now, &err);
}

/* RET the devices that a decision takes of its nodes; INT64_MAX: all that these have. */
static int64_t devices_of(const struct rspb_booking *b)
{
	const struct rspb_part *part = &b->request->parts[0];

	return part->whole ? rspb_part_devices(part, b->grants[0].nodes) : INT64_MAX;
}

/* Whether a decision is better than the best so far. It must not begin later, and with --book=asap
 * an earlier start decides. Then fewer of the dearest nodes count, then fewer nodes, as Slurm
 * chooses, then fewer devices. */
static bool is_better(const struct trial *t, const struct rspb_booking *b)
{
	const struct rspb_booking *best = t->best;
	uint32_t weight, least, n, had;

	if (!rspb_decision_books(b) || !rspb_decision_books(best) || b->start > best->start)
		return rspb_decision_books(b) && !rspb_decision_books(best);
	if (t->ask->request->asap && b->start < best->start)
		return true;
	weight = rspb_decide_dearest(t->round->basis, b->grants[0].nodes, &n);
	least = rspb_decide_dearest(t->round->basis, best->grants[0].nodes, &had);
	if (weight != least || n != had)
		return weight < least || (weight == least && n < had);
	n = rspb_nodeset_count(b->grants[0].nodes);
	had = rspb_nodeset_count(best->grants[0].nodes);
	return n < had || (n == had && devices_of(b) < devices_of(best));
}

/* RET the request in a shape of different sizes, by what is free at the first start that it may
 * have; otherwise as make_request(). */
static struct rspb_request *make_uneven(struct trial *t, enum shape shape, struct rspb_terms *flags)
{
	int64_t start = rspb_request_first(t->ask->request, t->round->now);
	struct rspb_uneven_free is_free;
	struct rspb_request *request = NULL;

	if (!rspb_uneven_look(t->round->basis, start, start + t->ask->request->duration,
			      &is_free)) {
		t->free = &is_free;
		request = make_request(t, 0, shape, flags);
		t->free = NULL;
	}
	rspb_uneven_free_fini(&is_free);
	return request;
}

/* Keep the better one of the decision so far and the one in that shape. RET whether the request can
 * have that shape, but not at the first start that it may have. */
static bool try_shape(struct trial *t, uint32_t nodes, enum shape shape)
{
	struct rspb_request *asked = t->ask->request;
	struct rspb_booking *b = NULL;
	struct rspb_terms flags;
	bool fails;

	/* The best decision so far leaves its nodes to the trial. */
	rspb_decide_forget(t->round->basis, t->best, t->round->now);
	t->ask->request = shape >= UNEVEN ? make_uneven(t, shape, &flags)
					  : make_request(t, nodes, shape, &flags);
	if (!t->ask->request) {
		t->ask->request = asked;
		rspb_decide_restore(t->round->basis, t->best, t->round->now);
		return false;
	}
	if (allowed(t))
		b = rspb_decide_alone(t->round->basis, t->round->config, t->ask->request,
				      t->round->now, t->suits);
	fails = is_late(t, b);
	/* The ask is from now on for what was decided, and its contract says so. */
	if (is_better(t, b)) {
		rspb_benefit_set(&flags.benefit, t->ask->request->parts[0].benefit);
		t->ask->contracts[0].terms = flags;
		rspb_request_destroy(asked);
		rspb_booking_destroy(t->best);
		t->best = b;
		t->found = true;
		return fails;
	}
	/* The basis gets its earlier decision back, as later requests are to see it. */
	rspb_decide_forget(t->round->basis, b, t->round->now);
	rspb_decide_restore(t->round->basis, t->best, t->round->now);
	rspb_booking_destroy(b);
	rspb_request_destroy(t->ask->request);
	t->ask->request = asked;
	return fails;
}

/* Whether a decision that is booked has a node of more than that weight; nodes that are
 * preferred may weigh more. */
static bool is_dearer(const struct trial *t, uint32_t weight)
{
	uint32_t any;

	return !t->ask->request->parts[0].n_tiers &&
	       rspb_decide_dearest(t->round->basis, t->best->grants[0].nodes, &any) > weight;
}

/* Whether whole nodes may do where parts do not, or on cheaper nodes. */
static bool wants_whole(const struct trial *t)
{
	return !rspb_decision_books(t->best) || is_dearer(t, t->unlent);
}

/* Whether one node was chosen for its speed, which may make it dearer: parts of different sizes
 * are not for that. */
static bool is_fast(const struct trial *t)
{
	return rspb_ledger_marks(t->round->basis).speeds && rspb_decision_books(t->best) &&
	       rspb_nodeset_count(t->best->grants[0].nodes) == 1;
}

/* Whether equal parts take more devices than the job asks for in total. */
static bool has_spare(const struct trial *t)
{
	return t->devices && rspb_decision_books(t->best) && t->ask->request->parts[0].whole &&
	       devices_of(t->best) > t->devices;
}

/* Whether the job got all of its nodes, although a part of them may do. Equal parts of nodes with
 * several types of a resource cannot be planned for a job that names no type. */
static bool has_rest(const struct trial *t)
{
	return t->apart && rspb_decision_books(t->best) && !t->ask->request->parts[0].whole;
}

/* Forget what Slurm has said, of parts of another size or not of whole nodes. */
static void ask_anew(struct trial *t)
{
	rspb_suits_fini(t->suits);
	rspb_suits_init(t->suits, t->ask->request->id, t->ask->jobs, t->round->table);
}

/* Whether it has not been decided as well as it might. */
static bool wants_better(const struct trial *t)
{
	return is_late(t, t->best) || (rspb_decision_books(t->best) && is_dearer(t, t->cheapest));
}

/* Let whole nodes that Slurm would give be exchanged for any others later, as those of other
 * bookings: they were only planned on these. If that fails, the booking keeps to them. */
static void let_move(struct trial *t)
{
	struct rspb_part *asked = &t->ask->request->parts[0], *has = &t->best->request->parts[0];
	struct rspb_contract contract;
	struct rspb_section section;
	struct rspb_job job;

	if (asked->whole || !enter(t, &section, &job, &contract))
		return;
	if (!rspb_job_eligible(&job, asked->eligible, NULL))
		rspb_nodeset_copy(has->eligible, asked->eligible);
	rspb_section_leave(&section);
}

/* Try parts of different sizes. Where Slurm would not start them, the first types of devices may
 * all be beside cores that others have, or it may want more cores than the load takes: for tasks of
 * a socket, or of a core. RET how many plans were made. */
static size_t try_uneven(struct trial *t)
{
	size_t tried = 0;

	for (enum shape shape = UNEVEN; shape <= LARGEST; shape++) {
		if (shape == MIXED && !t->typed)
			continue;
		ask_anew(t);
		tried++;
		if (!try_shape(t, 0, shape))
			break;
	}
	/* Slurm's own choice comes last, because it sees no other bookings than those near. */
	for (enum shape shape = GIVEN; shape <= RICHER && wants_better(t); shape++) {
		const struct rspb_booking *before = t->best;
		bool more;

		ask_anew(t);
		tried++;
		more = try_shape(t, 0, shape);
		if (t->best != before)
			let_move(t);
		if (!more)
			break;
	}
	return tried;
}

/* RET how many plans were made. */
static size_t try_numbers(struct trial *t)
{
	const struct rspb_part *part = &t->ask->request->parts[0];
	uint32_t numbers[RSPB_NUMBERS_MOST], n = list_numbers(t, numbers);
	uint32_t first = part->nodes_min == part->nodes ? part->nodes : 0, own = part->nodes;
	bool parts = part->whole;
	size_t tried = 0;

	/* Numbers come in Slurm's order of preference. A good decision ends the search, but lower
	 * numbers than that of the guess are tried first: Slurm would take fewer nodes. */
	for (uint32_t i = 0; i < n; i++) {
		bool good = !is_late(t, t->best) && !is_dearer(t, t->cheapest);

		if (good && (t->found || !first || numbers[i] >= first))
			break;
		if (numbers[i] == first)
			continue;
		try_shape(t, numbers[i], PARTS);
		tried++;
	}
	/* Parts of equal size need as much free on each node, and as many devices; those of
	 * different sizes take what is there. */
	if (is_late(t, t->best) || has_spare(t) ||
	    (!is_fast(t) && (has_rest(t) || is_dearer(t, t->cheapest))))
		tried += try_uneven(t);
	if (!parts || !wants_whole(t))
		return tried;
	if (!n)
		numbers[n++] = own;
	/* Where its sockets do not suit parts, or cheap nodes lend none, whole nodes may be
	 * free. */
	ask_anew(t);
	for (uint32_t i = 0; i < n && wants_whole(t); i++, tried++)
		try_shape(t, numbers[i], WHOLE);
	return tried;
}

/* RET the first trial of an ask, whose decision is the best one so far. */
static struct trial trial_of(const struct rspb_round *round, struct rspb_ask *ask,
			     struct rspb_suits *suits, struct rspb_booking *decision)
{
	return (struct trial){
		.round = round,
		.ask = ask,
		.suits = suits,
		.best = decision,
		.cheapest = UINT32_MAX,
		.unlent = UINT32_MAX,
	};
}

void rspb_recount_decide(const struct rspb_round *round, struct rspb_booking **decisions)
{
	size_t tried = 0;

	for (size_t i = 0; i < round->asks->n && tried < BATCH_MOST; i++) {
		struct rspb_ask *ask = &round->asks->items[i];
		struct rspb_suits suits;
		struct trial t = trial_of(round, ask, &suits, decisions[i]);

		/* A flood of requests is decided in time: after BATCH_MOST plans the first
		 * decisions stand. */
		if (!decisions[i] || !wants(ask))
			continue;
		rspb_suits_init(&suits, ask->request->id, ask->jobs, round->table);
		tried += try_numbers(&t);
		rspb_suits_fini(&suits);
		decisions[i] = t.best;
		if (t.found)
			rspb_decide_note(round->basis, round->now, t.best);
	}
}

struct rspb_booking *rspb_recount_uneven(const struct rspb_round *round, struct rspb_ask *ask,
					 struct rspb_booking *decision)
{
	struct rspb_suits suits;
	struct trial t = trial_of(round, ask, &suits, decision);
	struct rspb_contract asked;
	struct rspb_section section;
	struct rspb_job job;

	if (!wants(ask) || !enter(&t, &section, &job, &asked))
		return decision;
	t.typed = rspb_cores_why(&job) != NULL;
	rspb_section_leave(&section);
	rspb_suits_init(&suits, ask->request->id, ask->jobs, round->table);
	try_uneven(&t);
	rspb_suits_fini(&suits);
	return t.best;
}

/* Parts of different sizes are left out: they are made for one start, and offers have many. */
uint32_t rspb_recount_others(const struct rspb_round *round, struct rspb_ask *ask,
			     struct rspb_request *out[RSPB_RECOUNT_MOST])
{
	struct trial t = { .round = round, .ask = ask };
	const struct rspb_part *part = &ask->request->parts[0];
	uint32_t numbers[RSPB_NUMBERS_MOST], n, found = 0;
	struct rspb_terms flags;

	if (!wants(ask))
		return 0;
	n = list_numbers(&t, numbers);
	for (uint32_t i = 0; i < n && found < RSPB_RECOUNT_MOST - 1; i++)
		if (numbers[i] != part->nodes || part->nodes_min != part->nodes) {
			out[found] = make_request(&t, numbers[i], PARTS, &flags);
			found += out[found] != NULL;
		}
	if (part->whole) {
		out[found] = make_request(&t, part->nodes, WHOLE, &flags);
		found += out[found] != NULL;
	}
	return found;
}
