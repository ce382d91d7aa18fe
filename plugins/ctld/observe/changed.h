/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs have changed since they were looked at last. Slurm tells when any
 * has, but not which; what is remembered of each is compared: of all, after
 * something was cancelled or updated, and every eight seconds; else of those that
 * are new. All but the first want the read lock.
 */
#ifndef RSPB_CTLD_OBSERVE_CHANGED_H
#define RSPB_CTLD_OBSERVE_CHANGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/compat/job.h"
#include "plugins/ctld/base/section.h"

/* Any thread: somebody updates a job, and holds the write lock. */
void rspb_changed_update(void);
/* Compare now, unless Slurm says that nothing has changed, or it was done a few
 * milliseconds ago. RET whether only new ones were, though others may have
 * started or ended; those that wait have not. *inside: false, the section is left, as
 * slurmctld is going down. */
bool rspb_changed_look(struct rspb_section *section, bool *inside);
/* Look for new jobs alone, unless all are to be compared or a job was given back to
 * the waiting room by us since. RET as *inside. */
bool rspb_changed_look_new(struct rspb_section *section);
/* Leaders of jobs that were new, others than before, or gone in any comparison
 * since this was asked last, into *ids, which the caller frees; some may stand
 * there twice. RET how many, -1: all may have changed. */
int64_t rspb_changed_jobs(uint64_t **ids);
/* Call fn for each that waited in the waiting room when it was compared, in
 * Slurm's order, and, once, for each that is over and has a contract, until it
 * returns non-zero. */
void rspb_changed_asking(rspb_job_fn fn, void *arg);
void rspb_changed_reset(void);

#endif
