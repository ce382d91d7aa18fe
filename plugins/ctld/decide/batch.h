/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meta-request: what came in during one batch interval is planned
 * together, on a copy of the ledger, without any lock of slurmctld.
 */
#ifndef RSPB_CTLD_DECIDE_BATCH_H
#define RSPB_CTLD_DECIDE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/plan.h"
#include "common/plan/schedule.h"
#include "common/request/booking.h"
#include "plugins/compat/job.h"
#include "plugins/compat/preempt/preempt.h"
#include "plugins/ctld/request/ask.h"

/* --- batch.c --- */

/* Times are milliseconds since the epoch. */

/* Any thread: a job that wants to start at READY, s, is being submitted. RET whether it is to be
 * expected (below). If an interval runs at whose end the job is there in time, it is not. */
bool rspb_batch_announce(int64_t ready);
/* A job has just been submitted, and will be in the table in a moment. */
void rspb_batch_expect(int64_t now_ms);
/* Look which requests wait, and bring up to date what users are told at submission. */
void rspb_batch_look(const struct rspb_config *config, int64_t now_ms);
/* RET when the running interval ends, or an expected job should be there; INT64_MAX: no request
 * waits. */
int64_t rspb_batch_due(void);
/* Decide the batch if it is due. RET whether anything was booked. */
bool rspb_batch_run(const struct rspb_config *config, int64_t now_ms);

/* --- suits.c --- */

/*
 * Slurm's own selection as the judge of a plan (common/plan/plan.h): our pick is
 * asked about first; after a no select picks among all that is free over the window,
 * as it does for NodeCnt= of a reservation; then fewer nodes, as far as the request
 * bears that. What it has said is remembered: fewer nodes of the same will not do
 * where more did not, and a pick that is free is good at any start. Starts at which too
 * much of the machine would be booked are passed over, where that is asked for.
 */

struct rspb_said;

struct rspb_suits {
	struct rspb_judge judge; /* for a policy; holds while this does */
	uint64_t id;		 /* of the request; of others all suits */
	const uint32_t *jobs;	 /* by part; NULL: the draft */
	const struct rspb_job *draft;
	uint64_t table;		/* of nodes that sets are about */
	int64_t left;		/* what may still be asked */
	struct rspb_said *said; /* owned, the latest first */
	bool starts_now;	/* a pick has to start this second, beside what runs there */
	/* A part of a node has to have a layout at its start, with the jobs that run until
	 * then, none of which makes way for it. */
	bool lays_out;
	bool took; /* it would not have one of our picks, or starts */
	/* The bookings, by the settings for the request; NULL: they are not examined. */
	const struct rspb_ledger *booked;
	const struct rspb_config *within;
	struct rspb_err over; /* why the last one was too much, "": none was */
};

/* Jobs, by part, which outlive it, NULL: Slurm is not asked; each test takes the write
 * lock for itself. */
void rspb_suits_init(struct rspb_suits *suits, uint64_t id, const uint32_t *jobs, uint64_t table);
/* The same for a draft (submit/draft.h); whoever asks holds the locks. */
void rspb_suits_init_draft(struct rspb_suits *suits, const struct rspb_job *draft);
void rspb_suits_fini(struct rspb_suits *suits);

/* The judge of what the asks of a batch are offered, one after the other. */
struct rspb_offer_suits {
	struct rspb_judge judge; /* for a policy; holds while this and the asks do */
	const struct rspb_asks *asks;
	uint64_t table;
	struct rspb_suits suits; /* of the request that is offered something */
};
void rspb_offer_suits_init(struct rspb_offer_suits *offers, const struct rspb_asks *asks,
			   uint64_t table);
void rspb_offer_suits_fini(struct rspb_offer_suits *offers);
/* Only starts at which MaxBookedPercent has room beside what is booked, too; both outlive
 * it. */
void rspb_suits_within(struct rspb_suits *suits, const struct rspb_ledger *booked,
		       const struct rspb_config *config);

/*
 * Where the number of nodes was our guess, by tasks and CPUs, and Slurm needs more of
 * those that are free over [start, end) of the ledger, or of all: ask for as many. RET
 * whether the request asks for more now.
 */
bool rspb_suits_count(struct rspb_suits *suits, struct rspb_request *request,
		      const struct rspb_ledger *ledger, int64_t start, int64_t end);

/* --- decision.c --- */

/* Every decision of the agent is made here, so that the journal has it. */

/*
 * rspb_schedule_batch() by the policy in force on basis (basis.h), which is
 * changed; what was booked before `now` does not count. without: the id of a
 * booking of the basis that is taken back first, 0: none. noted: the journal has it,
 * too, which knows no basis with what is only planned. suits: Slurm's word
 * on one request, NULL: it is not asked. offers: Slurm's word on what those are offered
 * that are declined, likewise. RET as that.
 */
int rspb_decide(struct rspb_ledger *basis, uint64_t without, const struct rspb_config *config,
		const struct rspb_request *const *requests, size_t n, int64_t now, bool noted,
		struct rspb_suits *suits, const struct rspb_judge *offers,
		struct rspb_booking **out, struct rspb_err *err);

/* Whether a decision gives its request nodes; NULL: there is none. */
bool rspb_decision_books(const struct rspb_booking *decision);

/*
 * Decide one request once more, for instance on other nodes: forget its decision, decide
 * it alone, and restore the decision if that was better. basis: has a decision that is booked;
 * decision: NULL is none. RET false, which is logged: the basis cannot be changed so.
 */
bool rspb_decide_forget(struct rspb_ledger *basis, const struct rspb_booking *decision,
			int64_t now);
bool rspb_decide_restore(struct rspb_ledger *basis, const struct rspb_booking *decision,
			 int64_t now);
/* RET the decision, which basis has if it is booked and the journal has not (rspb_decide_note);
 * NULL: it failed, which is logged. */
struct rspb_booking *rspb_decide_alone(struct rspb_ledger *basis, const struct rspb_config *config,
				       const struct rspb_request *request, int64_t now,
				       struct rspb_suits *suits);

/* RET the weight of the dearest of these nodes, as the ledger has them; *with_it: how many have
 * it. */
uint32_t rspb_decide_dearest(const struct rspb_ledger *basis, const struct rspb_nodeset *nodes,
			     uint32_t *with_it);
/* RET the weight of the cheapest of these nodes, UINT32_MAX: there are none, or no weights. */
uint32_t rspb_decide_cheapest(const struct rspb_ledger *basis, const struct rspb_nodeset *nodes);

/* The journal has a decision with Slurm's word on it. It is read where there is no Slurm
 * to ask: to it such a request is one for what Slurm has picked. */
void rspb_decide_note(const struct rspb_ledger *basis, int64_t now,
		      const struct rspb_booking *decision);

/* rspb_rescue_booking() so, as far as the settings allow. */
int rspb_decide_rescue(struct rspb_ledger *basis, struct rspb_rescue *rescue,
		       const struct rspb_config *config, int64_t now, struct rspb_suits *suits,
		       struct rspb_err *err);
/* rspb_refine_all() so. */
int64_t rspb_decide_growth(struct rspb_ledger *basis, int64_t before,
			   const struct rspb_config *config, int64_t now, struct rspb_err *err);

/* The steps of a batch: requests that are left out, a second decision, the commit. */

/* The decisions on a batch in the making; those on asks->items[i] are at [i]. */
struct rspb_round {
	struct rspb_ledger *basis; /* has the decisions that are booked; owned */
	const struct rspb_config *config;
	struct rspb_asks *asks;
	uint64_t table; /* of nodes, by which all of them are numbered */
	int64_t now;
	bool early; /* jobs end earlier to make way */
};

/* --- redecision.c --- */

/*
 * Decide once more what is marked (ask->misfit), each by itself, with Slurm's own
 * selection as the judge. decisions[i] is replaced, those of others are dropped. Limits
 * count beside what `booked` holds (NULL: the book). Takes locks, for one test at a
 * time. RET whether there are any.
 */
bool rspb_again_decide(const struct rspb_round *round, const struct rspb_ledger *booked,
		       struct rspb_booking **decisions);

/* Replace decisions where a part begins earlier so, is on such a node, or on nodes of more
 * weight; its ask is for these nodes from then on. */
void rspb_dense_decide(const struct rspb_round *round, struct rspb_booking **decisions);

/* --- preempt.c --- */

/*
 * Decide again on what could be better with the nodes of jobs that make way, each by itself,
 * with Slurm's selection as the judge; decisions[i] is replaced where it is, and the basis
 * by one that has it.
 */
void rspb_preempt_decide(struct rspb_round *round, struct rspb_booking **decisions);

/* --- commit.c --- */

/* Look whether the decisions of a plan will be kept before others give way for them there, as far
 * as limits and Slurm's word on whole nodes say so. An ask whose decision will not is marked
 * (ask->misfit) or refused (ask->refusal). If nobody gives way, nothing is looked at. Takes locks,
 * for one test at a time. RET NULL: there are no such asks; else the ledger as it will be with the
 * other decisions, which the caller destroys. */
struct rspb_ledger *rspb_commit_foresee(struct rspb_asks *asks,
					struct rspb_booking *const *decisions,
					const struct rspb_config *config,
					const struct rspb_ledger *plan, int64_t planned_at);

/* Commit the decisions[i] (NULL: refused before planning) on asks, in short write sections, once
 * they are in the journal. If that cannot be written nothing is booked, and the asks say why. They
 * were planned at `planned_at`, beside what was `seen`, on the node table `table`. Each is looked
 * at again under the lock; one that no longer holds stays in the waiting room for the next batch.
 * An ask that Slurm would not start there is marked (ask->misfit), and is as it was before.
 * misfits: only those that are marked, whose second decision is the last. RET how many were decided
 * for good. */
size_t rspb_commit_batch(struct rspb_asks *asks, struct rspb_booking *const *decisions,
			 const struct rspb_config *config, uint64_t table, int64_t planned_at,
			 struct rspb_seen seen, bool misfits);

/* Other numbers of nodes for jobs that leave the number to Slurm (request/part.h). */

/*
 * Decide the requests once more that got nothing with the number of nodes that was guessed
 * for them, or with --book=asap a later start than their first: with each number that Slurm
 * may choose, and with Slurm's selection as the judge, until one starts at once. The best
 * decision replaces decisions[i], on basis, too, and its number the one in the request.
 * Takes locks, for one number at a time.
 */
void rspb_recount_decide(const struct rspb_round *round, struct rspb_booking **decisions);

enum { RSPB_RECOUNT_MOST = 4 };

/* Try parts of different sizes for an ask that Slurm would not start as it was decided. decision:
 * the best one so far, which the basis has if it is a booking; NULL: none. RET the better one, like
 * it. */
struct rspb_booking *rspb_recount_uneven(const struct rspb_round *round, struct rspb_ask *ask,
					 struct rspb_booking *decision);
/* The requests as which a decision tries the same job, too: for other numbers of nodes, and for
 * whole nodes in place of parts. The caller destroys them. Takes the write lock for each. RET how
 * many. */
uint32_t rspb_recount_others(const struct rspb_round *round, struct rspb_ask *ask,
			     struct rspb_request *out[RSPB_RECOUNT_MOST]);

/* --- node_wait.c --- */

/* Nodes from which a slurmctld that has just started has not heard yet. */

/* Whether there are such nodes, and they may still answer. Takes the read lock. */
bool rspb_silent_wait(int64_t now_ms);
/* Take away the decisions[i] on asks that might be better when these nodes answer: a request that
 * got nothing, or begins only when they are expected back, waits, and its owner is told for what.
 * Takes locks. RET how many; the rest is as good as it gets. */
size_t rspb_silent_hold(const struct rspb_asks *asks, struct rspb_booking **decisions,
			int64_t now_ms);

/* Block them in a ledger that is planned on until they can be awake; takes the
 * read lock. any: RET whether there are some; then they are blocked for so long that
 * another can take their place if they do not come up; NULL: nobody asks. RET 0, or
 * -1 with err. */
int rspb_resume_block(struct rspb_ledger *basis, int64_t now, bool *any, struct rspb_err *err);
/* Wake those of bookings that begin soon; every few seconds, takes locks. */
void rspb_resume_run(int64_t now);

/* --- preempt.c --- */

/* Plans requests that may preempt: they see the nodes of jobs that make way as free once these have
 * had their time (PreemptExemptTime, GraceTime, KillWait, and the time that nodes need between two
 * jobs). All requests are first decided as if nobody made way; this is for those that would get
 * nothing then, or something later, or less. */

/* RET seconds between the last word to a job and the moment when its nodes can be had. By that word
 * it ends at once or goes back into the queue. */
int64_t rspb_preempt_lead(void);
/* Jobs, all of which Slurm must let preempt, or one that is none yet. */
struct rspb_preempt_who {
	const uint32_t *jobs;
	uint32_t n_jobs; /* 0: one that is none yet */
	uint32_t user;	 /* whose it will be */
	/* NULL: the default partition, the usual account and QOS. */
	const char *partition, *account, *qos;
};
/* RET the basis as it is for them; the caller destroys it. NULL: no job makes way for them, or not
 * possible at the moment. Takes the read lock in short sections. */
struct rspb_ledger *rspb_preempt_view(const struct rspb_ledger *basis,
				      const struct rspb_preempt_who *who, int64_t now);
/* The same for a draft; of a ledger and its basis, by whoever holds the
 * read lock for an RPC, where no more than some hundred blocks are to be looked at. */
struct rspb_ledger *rspb_preempt_view_draft(const struct rspb_ledger *ledger,
					    const struct rspb_ledger *basis,
					    const struct rspb_job *draft, int64_t now);
/* RET whether a request has less than it asks for, or has it later, so that a look with preemption
 * is worth it. */
bool rspb_preempt_wanted(const struct rspb_request *request, const struct rspb_booking *decision,
			 int64_t now);
/* RET whether one decision is better for its requester than the other. */
bool rspb_preempt_better(const struct rspb_booking *decision, const struct rspb_booking *than);

#endif
