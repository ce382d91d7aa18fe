/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans once more for jobs that may preempt, as if the jobs that make way had ended. No job is told
 * to leave here: start/make_way.c does that. Slurm's plugin says which job may preempt which
 * (compat/preempt). */
#include "plugins/ctld/decide/batch.h"

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/submit/draft.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"

enum {
	CLEAN_UP_S = 2,	 /* beyond what is known */
	WORD_S = 3,	 /* from a decision to the word */
	SOON_S = 5,	 /* later than asked by so much is as asked */
	STRIDE = 16,	 /* jobs between two looks at the clock */
	DRAFT_MOST = 512 /* blocks that are looked at in an RPC */
};

int64_t rspb_preempt_lead(void)
{
	return rspb_slurm_conf().kill_wait + rspb_gap_whole() + CLEAN_UP_S;
}

/* RET when the nodes of a job that makes way can be had, seconds. A suspended job leaves them at
 * once. Other jobs are told a moment after the decision, have their GraceTime, and are then ended
 * and cleaned up. */
static int64_t free_at(const struct rspb_way *way, int64_t now)
{
	int64_t from = way->from > now ? way->from : now;

	return way->suspends ? from : from + WORD_S + way->grace + rspb_preempt_lead();
}

/* RET when the block of a job ends for all of these jobs; INT64_MAX: it ends as before. That is so
 * if one of them may not preempt it, or if it is gone. */
static int64_t end_for(const struct rspb_job *by, uint32_t n, uint32_t victim, int64_t now)
{
	int64_t at = 0, each;
	struct rspb_job job;
	struct rspb_way way;

	if (!rspb_job_find(victim, &job))
		return INT64_MAX;
	for (uint32_t i = 0; i < n; i++) {
		if (!rspb_preempt_way(&by[i], &job, &way))
			return INT64_MAX;
		each = free_at(&way, now);
		at = each > at ? each : at;
	}
	return at;
}

struct look {
	const struct rspb_ledger *basis;
	int64_t now;
	int64_t *ends; /* of each block; owned */
	size_t i;      /* the next block */
	bool any;
};

static int look_init(struct look *look, const struct rspb_ledger *basis, int64_t now)
{
	*look = (struct look){ .basis = basis, .now = now };
	look->ends = calloc(rspb_ledger_blocks(basis) + 1, sizeof(*look->ends));
	return look->ends ? 0 : -1;
}

/* Look at the blocks from look->i on, as many as the section has time for. section: NULL: all of
 * them. At least one is done each time, so that the look comes to an end. */
static void look_on(struct look *look, const struct rspb_job *by, uint32_t n,
		    const struct rspb_section *section)
{
	size_t last = rspb_ledger_blocks(look->basis), first = look->i;

	for (; look->i < last; look->i++) {
		uint32_t owner = rspb_ledger_block_owner(look->basis, look->i);
		int64_t end = INT64_MAX;

		if (section && look->i % STRIDE == 0 && rspb_section_spent(section) &&
		    look->i > first)
			return;
		if (owner)
			end = end_for(by, n, owner, look->now);
		look->ends[look->i] = end;
		look->any |= end != INT64_MAX;
	}
}

/* Look on for jobs; they may have gone meanwhile. by[n_jobs] has room for their views. */
static bool look_for_jobs(struct look *look, const struct rspb_preempt_who *who,
			  struct rspb_job *by, const struct rspb_section *section)
{
	for (uint32_t i = 0; i < who->n_jobs; i++)
		if (!rspb_job_find(who->jobs[i], &by[i]))
			return false;
	look_on(look, by, who->n_jobs, section);
	return true;
}

/* The same for a draft that stands for the requester's job. Its partition may have gone. */
static bool look_for_draft(struct look *look, const struct rspb_preempt_who *who,
			   const struct rspb_section *section)
{
	const struct rspb_terms terms = { .nodes = 0 };
	const struct rspb_draft_of of = {
		.terms = &terms,
		.partition = who->partition,
		.preempts = true,
		.user = who->user,
		.account = who->account,
		.qos = who->qos,
	};
	struct rspb_job job;
	struct rspb_draft *draft = rspb_draft_make(&of, &job, NULL);
	bool good = draft;

	if (good)
		look_on(look, &job, 1, section);
	rspb_draft_destroy(draft);
	return good;
}

/* Look at all blocks in short read sections. The views of jobs point into Slurm's records, so each
 * section makes them anew. RET whether some job makes way. */
static bool look_for(struct look *look, const struct rspb_preempt_who *who)
{
	struct rspb_job *by = calloc(who->n_jobs + 1, sizeof(*by));
	struct rspb_section section;
	bool good = by;

	while (good && look->i < rspb_ledger_blocks(look->basis)) {
		rspb_breathe();
		if (!rspb_section_enter(&section, RSPB_LOCK_READ, "preempt"))
			break;
		good = who->n_jobs ? look_for_jobs(look, who, by, &section)
				   : look_for_draft(look, who, &section);
		rspb_section_leave(&section);
	}
	free(by);
	return good && look->any;
}

/* RET the ledger as the jobs see it, NULL: it could not be made, which is not an error: the first
 * decision stands. */
static struct rspb_ledger *view_of(const struct rspb_ledger *ledger, const struct look *look)
{
	struct rspb_err err;
	struct rspb_ledger *view = rspb_ledger_through(ledger, look->basis, look->basis, look->ends,
						       &err);

	if (!view)
		rspb_log_verbose("jobs that can be preempted: %s", err.text);
	return view;
}

struct rspb_ledger *rspb_preempt_view(const struct rspb_ledger *basis,
				      const struct rspb_preempt_who *who, int64_t now)
{
	struct rspb_ledger *view = NULL;
	struct look look;

	if (!rspb_slurm_conf().preempts || look_init(&look, basis, now))
		return NULL;
	if (look_for(&look, who))
		view = view_of(rspb_book_ledger(), &look);
	free(look.ends);
	return view;
}

struct rspb_ledger *rspb_preempt_view_draft(const struct rspb_ledger *ledger,
					    const struct rspb_ledger *basis,
					    const struct rspb_job *draft, int64_t now)
{
	struct rspb_ledger *view = NULL;
	struct look look;

	/* The caller holds the lock for an RPC and cannot release it, so the number of blocks is
	 * bounded. */
	if (!rspb_slurm_conf().preempts || rspb_ledger_blocks(basis) > DRAFT_MOST ||
	    look_init(&look, basis, now))
		return NULL;
	look_on(&look, draft, 1, NULL);
	if (look.any)
		view = view_of(ledger, &look);
	free(look.ends);
	return view;
}

static uint32_t nodes_of(const struct rspb_booking *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n_grants; i++)
		n += rspb_nodeset_count(b->grants[i].nodes);
	return n;
}

/* RET the nodes that all parts of a request ask for. */
static uint32_t asked_of(const struct rspb_request *request)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < request->n_parts; i++)
		n += request->parts[i].nodes;
	return n;
}

bool rspb_preempt_wanted(const struct rspb_request *request, const struct rspb_booking *decision,
			 int64_t now)
{
	int64_t from = rspb_request_first(request, now);

	return decision->state != RSPB_BOOKED || decision->start > from + SOON_S ||
	       nodes_of(decision) < asked_of(request);
}

bool rspb_preempt_better(const struct rspb_booking *one, const struct rspb_booking *than)
{
	bool had = than->state == RSPB_BOOKED;

	if (one->state != RSPB_BOOKED)
		return !had;
	return !had || nodes_of(one) > nodes_of(than) ||
	       (nodes_of(one) == nodes_of(than) && one->start < than->start);
}

/* RET the decision on a view that holds an earlier one, NULL: none. */
static struct rspb_booking *decide(const struct rspb_round *round, struct rspb_ledger *view,
				   struct rspb_ask *ask, const struct rspb_booking *was)
{
	struct rspb_booking *out = NULL;
	struct rspb_suits suits;

	rspb_suits_init(&suits, ask->request->id, ask->jobs, round->table);
	/* A layout would count the jobs that make way, which are still on the nodes. */
	suits.lays_out = false;
	if (rspb_decide_forget(view, was, round->now))
		out = rspb_decide_alone(view, round->config, ask->request, round->now, &suits);
	rspb_suits_fini(&suits);
	return out;
}

/* Replace the basis by one that has the decision of the view, with all blocks as they were. RET
 * false: it cannot be made, and the basis is as it was. */
static bool take_back(struct rspb_round *round, const struct rspb_ledger *view)
{
	struct rspb_err err;
	struct rspb_ledger *basis = rspb_ledger_through(rspb_book_ledger(), view, round->basis,
							NULL, &err);

	if (!basis) {
		rspb_log_verbose("jobs that can be preempted: %s", err.text);
		return false;
	}
	rspb_ledger_destroy(round->basis);
	round->basis = basis;
	return true;
}

static void decide_one(struct rspb_round *round, struct rspb_ask *ask,
		       struct rspb_booking **decision)
{
	const struct rspb_preempt_who who = { .jobs = ask->jobs, .n_jobs = ask->n_jobs };
	struct rspb_ledger *view = rspb_preempt_view(round->basis, &who, round->now);
	struct rspb_booking *out;

	if (!view)
		return;
	out = decide(round, view, ask, *decision);
	/* The view is a copy, so a decision that is no better is forgotten with it. */
	if (out && rspb_preempt_better(out, *decision) && take_back(round, view)) {
		rspb_decide_note(view, round->now, out);
		rspb_booking_destroy(*decision);
		*decision = out;
		out = NULL;
		round->early = ask->displaces = true;
	}
	rspb_booking_destroy(out);
	rspb_ledger_destroy(view);
}

void rspb_preempt_decide(struct rspb_round *round, struct rspb_booking **decisions)
{
	for (size_t i = 0; i < round->asks->n; i++) {
		struct rspb_ask *ask = &round->asks->items[i];

		/* Slurm decides by jobs who preempts, so a reservation preempts nobody. */
		if (ask->n_jobs && decisions[i] && !ask->refusal.text[0] &&
		    rspb_preempt_wanted(ask->request, decisions[i], round->now))
			decide_one(round, ask, &decisions[i]);
	}
}
