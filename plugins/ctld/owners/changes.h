/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that their owner wants otherwise, all or none: what change.c has planned
 * becomes real. For the agent. */
#ifndef RSPB_CTLD_OWNERS_CHANGES_H
#define RSPB_CTLD_OWNERS_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/compat/parts/needs.h"
#include "plugins/ctld/decide/replan.h"
#include "plugins/ctld/owners/work.h"

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

#endif
