/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's state on disk. */
#ifndef RSPB_PLUGINS_COMPAT_SAVE_H
#define RSPB_PLUGINS_COMPAT_SAVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Before all others here, and before Slurm reads its state: learn where it is, and
 * put the older file in the place of one that is missing, as slurmctld was killed
 * between the two steps in which it makes the one into the other. Up to 25.11 Slurm
 * looks for the older one itself. No lock needed, takes as long as the disk. RET what
 * the last slurmctld has left.
 */
struct rspb_save_left {
	/* When the files of jobs and of reservations were written, seconds; 0: there is none
	 * that can be read. */
	int64_t jobs_at, resvs_at;
	/* Whether these files are read as a whole: not by slurmctld -i, which goes on without
	 * what is damaged. */
	bool whole;
};
struct rspb_save_left rspb_save_begin(void);

/* Whether Slurm has begun to save its state: it is in charge. To be asked often
 * before, so that its files are told from those that were there. Threads as
 * below. */
bool rspb_save_in_charge(void);
/*
 * Save jobs now, where Slurm would take up to five seconds; while Slurm itself may
 * be about to, that is waited for. Returns when it is on disk, so: from a thread
 * of its own, without any lock, one at a time, and not after sched fini().
 * Jobs' scripts and environments, which Slurm does not sync, are synced after it; that
 * takes as long as the disk needs for all that others have written, too.
 * give_up: asked every few milliseconds while it waits. took_us: for how long
 * records were read and written, without what was waited for. RET whether jobs
 * and scripts are on disk: not where the files can't be written, and in a slurmctld
 * that is not in charge.
 */
bool rspb_save_now(bool (*give_up)(void), int64_t *took_us);

#endif
