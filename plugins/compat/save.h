/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's state on disk. */
#ifndef RSPB_PLUGINS_COMPAT_SAVE_H
#define RSPB_PLUGINS_COMPAT_SAVE_H

/*
 * Save jobs, and all else that waits to be saved, now, where Slurm would take
 * up to five seconds. Returns when it is on disk, so: from a thread of its own,
 * without any lock, one at a time, and not after sched fini(), when Slurm does
 * the same itself. Does nothing in a slurmctld that is not in charge.
 */
void rspb_save_now(void);

#endif
