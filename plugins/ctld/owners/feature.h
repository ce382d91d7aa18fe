/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other features of the nodes of a booking, or another part of them. For the agent. */
#ifndef RSPB_CTLD_OWNERS_FEATURE_H
#define RSPB_CTLD_OWNERS_FEATURE_H

#include "plugins/ctld/owners/changes.h"

/* Keep only the nodes with the features that are asked for, if any. Takes the write lock: Slurm
 * finds them by the job, which is as it was then. RET 0, or -1 with draft.why. */
int rspb_feature_look(struct rspb_change *c);
/* Whether other tasks, CPUs, memory or generic resources are asked for. */
bool rspb_size_said(const struct rspb_inquiry *inquiry);
/* Let the plan take of its nodes what its job would need then; likewise. */
int rspb_size_look(struct rspb_change *c);
/* With the write lock: its job, or reservation, asks for what a booking was planned
 * with. RET 0, or -1 with err. */
int rspb_feature_fit(const struct rspb_proposed *one, const struct rspb_booking *b,
		     struct rspb_err *err);

#endif
