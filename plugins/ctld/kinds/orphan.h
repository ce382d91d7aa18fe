/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs that slurmctld and nodes do not agree about.
 *
 * Jobs of which the slurmctld before this one may have started a run that it
 * did not live to save. They wait, as far as this one knows; but their nodes
 * may run them. Started again at once, they would fail, or their nodes be
 * drained ("Duplicate jobid").
 */
#ifndef RSPB_CTLD_KINDS_ORPHAN_H
#define RSPB_CTLD_KINDS_ORPHAN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/booking.h"

/* Note a job (of a heterogeneous one, the leader) that was to start before now,
 * in seconds, when this slurmctld took over. launched: when the journal says that
 * it was started, 0: it does not. */
void rspb_orphan_suspect(uint64_t id, int64_t launched, int64_t now);
/* When it was started before, as far as the journal knows; 0: it was not. */
int64_t rspb_orphan_launched(uint64_t id);
/*
 * Whether nothing stands in the way of starting the jobs of a booking, one a
 * grant. If it is a suspect, its nodes are cleared first, which takes some
 * seconds, and a minute where a step has ended while no slurmctld was there;
 * ask again then. Nodes that do not answer are waited for half a minute. Wants
 * the write lock. RET false: not yet, with err.
 */
bool rspb_orphan_gone(const struct rspb_booking *b, const uint32_t *ids, uint32_t n, int64_t now,
		      struct rspb_err *err);
/* Forget a job that has started. */
void rspb_orphan_forget(uint64_t id);

/*
 * The other way round: what was launched when slurmctld or the slurmd died may have
 * never come to its node, which Slurm sees when that registers, at the earliest
 * rspb_slurm_conf().missing after the start. On its own that is half an hour later.
 */
/* A job has started at a second; doubt: while another slurmctld was there. */
void rspb_orphan_launch(uint64_t id, int64_t start, bool doubt, int64_t now);
/* Have nodes register whose time has come. Takes locks. */
void rspb_orphan_look(int64_t now);

#endif
