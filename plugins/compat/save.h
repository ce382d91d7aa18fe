/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's state on disk. */
#ifndef RSPB_PLUGINS_COMPAT_SAVE_H
#define RSPB_PLUGINS_COMPAT_SAVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Save jobs, and all else that waits to be saved, now, where Slurm would take
 * up to five seconds. Returns when it is on disk, so: from a thread of its own,
 * without any lock, one at a time, and not after sched fini(), when Slurm does
 * the same itself. RET whether jobs are on disk: not where the files can't be
 * written, and in a slurmctld that is not in charge.
 */
bool rspb_save_now(void);

/* Sync what Slurm does not: jobs' scripts and environments. Likewise; takes as
 * long as the disk, and that is as much as others have written, too. RET whether
 * they are on disk. */
bool rspb_save_scripts(void);

/* When the file of jobs that the last slurmctld has left was written, seconds;
 * 0: there is none that can be read. No lock needed, takes as long as the disk.
 */
int64_t rspb_save_left_at(void);

#endif
