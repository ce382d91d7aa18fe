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
 * looks for the older one itself. No lock needed.
 */
void rspb_save_begin(void);

/* Whether Slurm has begun to save its state: it is in charge. To be asked often
 * before, so that its files are told from those that were there. Threads as
 * below. */
bool rspb_save_in_charge(void);
/*
 * Save jobs now, where Slurm would take up to five seconds; while Slurm itself may
 * be about to, that is waited for. Returns when it is on disk, so: from a thread
 * of its own, without any lock, one at a time, and not after sched fini().
 * give_up: asked every few milliseconds while it waits. took_us: for how long
 * records were read and written, without what was waited for. RET whether jobs
 * are on disk: not where the files can't be written, and in a slurmctld that is
 * not in charge.
 */
bool rspb_save_now(bool (*give_up)(void), int64_t *took_us);

/* Sync what Slurm does not: jobs' scripts and environments. Likewise; takes as
 * long as the disk, and that is as much as others have written, too. RET whether
 * they are on disk. */
bool rspb_save_scripts(void);

/* When the file of jobs that the last slurmctld has left was written, seconds;
 * 0: there is none that can be read. No lock needed, takes as long as the disk.
 */
int64_t rspb_save_left_at(void);
/* Likewise the file of reservations. */
int64_t rspb_save_resvs_left_at(void);
/* Whether these files are read as a whole: not by slurmctld -i, which goes on without
 * what is damaged. */
bool rspb_save_left_whole(void);

#endif
