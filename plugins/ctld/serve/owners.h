/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes that owners ask for: their parts, and the questions that ask for them. */
#ifndef RSPB_CTLD_SERVE_OWNERS_H
#define RSPB_CTLD_SERVE_OWNERS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/schedule.h"
#include "common/wire/flags.h"
#include "plugins/compat/parts/needs.h"
#include "plugins/compat/submit/draft.h"
#include "plugins/compat/submit/submission.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/kinds/operator.h"
#include "plugins/ctld/record/promise.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/serve/inquiry.h"
#include "plugins/ctld/serve/reads.h"

/* --- work.c --- */

/* Questions that change something: done by the agent, in its own time, and
 * answered by the thread of the socket. */

/* A caller's request and its result. */
struct rspb_work {
	uint64_t line;
	struct rspb_caller_view who;
	struct rspb_inquiry inquiry;
	bool done;		    /* else err says why not */
	const char *kind;	    /* of the refusal, by doc/protocol.md */
	char said[RSPB_ERR_TEXT];   /* a sentence, "" */
	char made[RSPB_GROUP_NAME]; /* the reservation that was, "" */
	struct rspb_err err;
	json_object *result; /* owned: more of it, NULL: nothing */
	int64_t used_us;     /* processor time of the agent */
};

/* RET 0, or -1 with err. run: what the agent does; takes locks, fills in what
 * came of it. */
int rspb_work_post(const struct rspb_work *work,
		   void (*run)(struct rspb_work *work, const struct rspb_config *config,
			       int64_t now),
		   struct rspb_err *err);
/* Log who requested it, from where, and with what result (Audit=yes). */
void rspb_work_audit(const struct rspb_work *work);
/* Refuse it, with the name of the job or reservation that is asked about. */
void rspb_work_refuse(struct rspb_work *work, const char *kind, const char *why);
/* The socket's thread: take the result out of the task that was handed to it (serve/server.h),
 * which is freed. */
void rspb_work_take(struct rspb_task *task, struct rspb_work *out);

/* --- owner.c --- */

/* Handles changes that owners make to their booked jobs by scontrol. They are decided like requests
 * of rspb modify, once Slurm has answered; the contract tells the result. */

/* Call from any thread with any locks. job: the first of a heterogeneous one. from: the host of the
 * request, NULL: unknown. RET 0, or -1 with err: too many wait. */
int rspb_owner_ask(uint32_t job, uint32_t uid, const char *from, const struct rspb_terms *terms,
		   struct rspb_err *err);

/* --- change.c --- */

/* Change nodes, length, begin or deadline. A booking is changed at once or not at all. A declined
 * job is decided in the next batch. Several bookings are changed all or none. Takes locks. */
void rspb_change_modify(struct rspb_work *work, const struct rspb_config *config, int64_t now);

/* --- changes.c --- */

/* A booking that its owner wants otherwise. */
struct rspb_change {
	struct rspb_work *work;
	uint64_t id;   /* of its job, 0: it has none */
	int64_t start; /* of what is booked */
	struct rspb_replan draft;
	struct rspb_ask ask;
	uint32_t size; /* of its job by now: for how many nodes it was made */
	/* Where other features are asked for, both owned: its nodes then; what its
	 * job asks for so far, NULL: for none. */
	struct rspb_nodeset *eligible;
	char *features;
	/* Where another size is: what its job needed, and is to need. */
	bool sized;
	struct rspb_needs had, needs;
	char needs_text[RSPB_NEEDS_TEXT], had_text[RSPB_NEEDS_TEXT];
};

/* All that is asked for at once. */
struct rspb_changes {
	struct rspb_work *work;
	const struct rspb_config *config;
	int64_t now;
	bool by_owner;		   /* else an operator asks */
	struct rspb_change *items; /* owned; by start, or backwards where they move
			       * on: none is in the way of the next */
	size_t n;
	/* Owned: the cluster, and of several the book, each with what was planned
	 * so far. */
	struct rspb_ledger *basis, *book;
	struct rspb_proposal proposal; /* what is planned, once it is to be made */
};

/* Refuse the inquiry as a whole: it is not possible just now. RET false. */
bool rspb_changes_fail(struct rspb_changes *all, const char *why);
/* Make the inquiry be about this booking, as if it were the only one. */
void rspb_change_aim(const struct rspb_change *c);
/* Refuse this change, with the name of its job or reservation. RET false. */
bool rspb_change_refuse(const struct rspb_change *c, const char *kind, const char *why);
/* Make all changes, each of which has its draft.new: in the journal, then the ledger, then Slurm.
 * Takes locks. RET false: none is changed, and the reason was given. */
bool rspb_changes_make(struct rspb_changes *all);

/* Keep only the nodes with the requested features, if any. Takes the write lock, because Slurm
 * finds the nodes by the job, which is as before afterwards. RET 0, or -1 with draft.why. */
int rspb_feature_look(struct rspb_change *c);
/* Whether other tasks, CPUs, memory or generic resources are asked for. */
bool rspb_size_said(const struct rspb_inquiry *inquiry);
/* If another size is requested, let the plan take what its job would need then. Takes the write
 * lock; the job is not changed. RET 0, or -1 with draft.why. */
int rspb_size_look(struct rspb_change *c);

/* If a new owner is named, make the plan that user's. Takes the read lock. RET 0, or -1 with
 * draft.why. */
int rspb_hand_look(struct rspb_change *c);

/* --- terms.c --- */

/*
 * Fill draft->request and draft->said: what is not asked for stays. RET 0, or -1
 * with draft->why: it is nothing that could be asked for.
 */
int rspb_terms_set(struct rspb_replan *draft, const struct rspb_inquiry *inquiry);
/* Whether more of the machine than is booked is requested, or another time or user: the site's
 * limits are checked then. */
bool rspb_terms_grow(const struct rspb_replan *draft);
/* Find a booking for the terms on basis: in its present place if that will do, else at the same
 * start, else anywhere within the window. RET whether there is one, with new; else why. */
bool rspb_terms_plan(struct rspb_replan *draft, struct rspb_ledger *basis);

/* Let the site's limits allow a change of a booking what they would not allow a new request, which
 * is to start from `ready` on. */
void rspb_admit_ease(const struct rspb_booking *old, int64_t ready, struct rspb_config *config);
/* Check the new request against the site's limits. RET 0, or -1 with draft->why. */
int rspb_admit_request(struct rspb_replan *draft);
/* Check what was found against the limits beside the bookings of a ledger, in which the old booking
 * does not count. RET 0, or -1 with draft->why. */
int rspb_admit_grant(struct rspb_replan *draft, const struct rspb_ledger *among);

/* --- anew.c --- */

/* With at least the read lock: whether it is about a job of the caller's whose
 * request was declined, or has not been decided yet. */
bool rspb_anew_is(const struct rspb_work *work);
/* Let the job wait for the next batch with the requested terms. Takes locks. */
void rspb_anew_ask(struct rspb_work *work, const struct rspb_config *config, int64_t now);

/* --- share_change.c --- */

/*
 * Changes of the share of a booking that stands, also of a running one, as its
 * owner asks for them:
 *
 *	rspb modify 123 --cpu-share=50%
 *	scontrol update JobId=123 Comment=cpu-share=50%
 *
 * The ledger decides; the job's record and its nodes follow. A change that does
 * not fit leaves everything as it is and its reason in the record.
 */

/* Any thread, any locks: remember that a job (component) is to have this share
 * (1/10000 of a node), as its owner wants or an operator, and wake the agent. RET 0, or
 * -1 with err: too many wait already. */
int rspb_share_change_ask(uint32_t job, int64_t share, bool by_owner, struct rspb_err *err);
/* The agent, without locks: change the share of n jobs (1 at least) at once, all or none, for a
 * requester who waits for an answer. RET n: they are changed, and the journal is on the disk. Less,
 * with err: the place of the one that cannot have it; nothing is changed. */
size_t rspb_share_change_make(const uint32_t *jobs, size_t n, int64_t share, bool by_owner,
			      const struct rspb_config *config, int64_t now, struct rspb_err *err);

/* --- reserve.c --- */

/* With at least the read lock: find the booking that is asked about, by its job or its name. It has
 * not ended, and the caller may change it. RET NULL: the refusal was given. */
const struct rspb_booking *rspb_reserve_own(struct rspb_work *work);
/* Request a booking without a job; the next batch decides it. Takes locks. */
void rspb_reserve_ask(struct rspb_work *work, const struct rspb_config *config, int64_t now);
/* With the read lock: whether the inquiry is about a request without a booking that the caller may
 * change. */
bool rspb_reserve_again_is(const struct rspb_work *work, int64_t now);
/* Request it again, with other terms. Takes locks. */
void rspb_reserve_again(struct rspb_work *work, const struct rspb_config *config, int64_t now);

/* Release what is left of a booking; a waiting job stays in the queue as a regular job. Takes
 * locks. */
void rspb_release_booking(struct rspb_work *work, const struct rspb_config *config, int64_t now);

/* --- wish.c --- */

/* With the write lock: fill in an empty ask, which is the caller's to fini;
 * *longest: seconds that its partition allows. RET 0, or -1 with a sentence for
 * the user. */
int rspb_wish_read(const struct rspb_work *work, const struct rspb_config *config, int64_t now,
		   struct rspb_ask *ask, int64_t *longest, struct rspb_err *err);
/* Without a lock: whether the site's limits let its user ask so. Likewise. */
int rspb_wish_judge(struct rspb_ask *ask, const struct rspb_config *config, int64_t now,
		    struct rspb_err *err);

/* --- bargain.c --- */

/* work->result becomes the list of offers (doc/protocol.md). Takes locks. */
void rspb_bargain_offers(struct rspb_work *work, const struct rspb_config *config, int64_t now);

#endif
