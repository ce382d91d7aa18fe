/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with a share of time in Slurm's terms: they have all CPUs of their nodes, count as
 * their share of these, and have generic resources only where they ask for some. */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_SHARE_H
#define RSPB_PLUGINS_COMPAT_PARTS_SHARE_H

#include "plugins/compat/slurm.h"

/* The select plugin has just given a job its nodes, for a start now: Slurm counts, bills
 * and gives it, until rspb_share_begun(), as that share of them is, in 1/10000. */
void rspb_share_placed(job_record_t *job, int64_t share);
/* select_nodes() has started it, or could not; whole: details->whole_node before. Of any
 * job. */
void rspb_share_begun(job_record_t *job, uint8_t whole);
/* Running, it has lost a node: it counts as that share of those that it has left. */
void rspb_share_resized(job_record_t *job, int64_t share);

#endif
