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
#include "common/plan/offers.h"
#include "plugins/compat/parts/needs.h"
#include "plugins/compat/submit/draft.h"
#include "plugins/ctld/decide/replan.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/serve/inquiry.h"
#include "plugins/ctld/serve/work.h"

/* --- change.c --- */

/* Other nodes, length, begin or deadline: of a booking at once, or not at all;
 * of a job that was declined, in the next batch; of several bookings, all or none.
 * Takes locks. */
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

/* All: say that it cannot be done just now. RET false. */
bool rspb_changes_fail(struct rspb_changes *all, const char *why);
/* The work is about this one now, as if it were asked for alone. */
void rspb_change_aim(const struct rspb_change *c);
/* Say of this one that it is refused. RET false. */
bool rspb_change_refuse(const struct rspb_change *c, const char *kind, const char *why);
/* Each has its draft.new: into the journal, then the ledger and Slurm. Takes locks.
 * RET false: none is changed, and it was said why. */
bool rspb_changes_make(struct rspb_changes *all);

/* Keep only the nodes with the features that are asked for, if any. Takes the write lock: Slurm
 * finds them by the job, which is as it was then. RET 0, or -1 with draft.why. */
int rspb_feature_look(struct rspb_change *c);
/* Whether other tasks, CPUs, memory or generic resources are asked for. */
bool rspb_size_said(const struct rspb_inquiry *inquiry);
/* Let the plan take of its nodes what its job would need then; likewise. */
int rspb_size_look(struct rspb_change *c);

/* Make the plan that user's, if one is named. Takes the read lock. RET 0, or -1 with draft.why. */
int rspb_hand_look(struct rspb_change *c);

/* --- terms.c --- */

/*
 * Fill draft->request and draft->said: what is not asked for stays. RET 0, or -1
 * with draft->why: it is nothing that could be asked for.
 */
int rspb_terms_set(struct rspb_replan *draft, const struct rspb_inquiry *inquiry);
/* Whether more of the machine is asked for than is booked, another time, or for another
 * user: the site's limits count then. */
bool rspb_terms_grow(const struct rspb_replan *draft);
/* Find a booking for them on basis: where it stands if that will do, else at the
 * same start, else anywhere within them. RET whether there is one, with new;
 * else why. */
bool rspb_terms_plan(struct rspb_replan *draft, struct rspb_ledger *basis);

/* Admit the new request. RET 0, or -1 with draft->why. */
int rspb_admit_request(struct rspb_replan *draft);
/* Admit what was found for it beside the bookings of a ledger; the old booking there does not
 * count. RET 0, or -1 with draft->why. */
int rspb_admit_grant(struct rspb_replan *draft, const struct rspb_ledger *among);

/* --- anew.c --- */

/* With at least the read lock: whether it is about a job of the caller's whose
 * request was declined, or has not been decided yet. */
bool rspb_anew_is(const struct rspb_work *work);
/* Have it wait for the next batch, with what it asks for now. Takes locks. */
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
/* The agent, without locks: the same of n jobs (1 at least) at once, all or none, for
 * who waits for an answer. RET n: they are changed, and on the disk; or less with err:
 * which of them cannot have it, and all is as it was. */
size_t rspb_share_change_make(const uint32_t *jobs, size_t n, int64_t share, bool by_owner,
			      const struct rspb_config *config, int64_t now, struct rspb_err *err);

/* --- reserve.c --- */

/* With at least the read lock: the booking that is asked about, whether by its job or its
 * name, where it has not ended and is the caller's to change; NULL: that was said. */
const struct rspb_booking *rspb_reserve_own(struct rspb_work *work);
void rspb_reserve_ask(struct rspb_work *work, const struct rspb_config *config, int64_t now);
/* With the read lock: whether it is about one that has no booking, and that the
 * caller may change. */
bool rspb_reserve_again_is(const struct rspb_work *work, int64_t now);
/* With other terms. */
void rspb_reserve_again(struct rspb_work *work, const struct rspb_config *config, int64_t now);

/* Take back what is left of a booking; its job, where it waits, goes on as an ordinary one. Takes
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
/* RET what a message says of the job; its texts belong to the message. */
struct rspb_draft_spec rspb_wish_spec(const struct rspb_inquiry *q);
/* Put what a message says of benefit into the flags. RET 0 or -1 with err. */
int rspb_wish_worth(const struct rspb_inquiry *q, struct rspb_flags *flags, struct rspb_err *err);

/* --- bargain.c --- */

/* work->result becomes the list of offers (doc/protocol.md). Takes locks. */
void rspb_bargain_offers(struct rspb_work *work, const struct rspb_config *config, int64_t now);

#endif
