/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs Slurm would stop for which others (PreemptType, PreemptMode), asked
 * of Slurm's own plugin, and how they make way. Of jobs that run, those that are
 * heterogeneous make way for nobody here.
 */
#ifndef RSPB_PLUGINS_COMPAT_PREEMPT_H
#define RSPB_PLUGINS_COMPAT_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/job.h"

/* How a job that runs makes way. */
struct rspb_way {
	int64_t from;  /* not before: PreemptExemptTime is over then */
	int64_t grace; /* seconds from the word to the end (GraceTime) */
	bool suspends; /* it stops at once where it is, and goes on behind */
	bool told;     /* it has been given the word already */
};

/* Whether Slurm would stop a job that runs for that one, and how. Read lock; of `by`
 * its partition, QOS and priority count. */
bool rspb_preempt_way(const struct rspb_job *by, const struct rspb_job *victim,
		      struct rspb_way *way);
/* Whether one that is stopped for another is suspended where it is. Read lock. */
bool rspb_preempt_suspends(const struct rspb_job *victim);
/*
 * Stop a job for another one, as Slurm does it: the first call says so and gives it
 * its GraceTime, later ones do nothing until that is over; then it goes back into
 * the queue, or ends, by its PreemptMode. Write lock; nothing, where one is gone.
 */
void rspb_preempt(uint32_t victim, uint32_t by);
/* Stop a job that runs as Slurm does when the GraceTime that it was given for another job is over:
 * it goes back into the queue, or ends, by its PreemptMode. Write lock. RET false: it was given
 * none, or has some left. */
bool rspb_preempt_end(uint32_t victim);

#endif
