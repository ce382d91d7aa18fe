/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/save.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/release/saver.h"
#include "plugins/compat/slurm.h"

/*
 * Slurm's thread that saves state waits five seconds between two saves, with
 * one exception: told to end, it saves what is waiting, at once. So it is ended
 * and begun anew, as slurmctld itself does it; whoever saves is never two. Its
 * functions that save cannot be called beside it: the older copy of the two
 * could be written last.
 */
void rspb_save_now(void)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	pthread_t *saver = &slurmctld_config.thread_id_save;
	int rc;

	if (!*saver)
		return;
	schedule_job_save();
	shutdown_state_save();
	rspb_release_saver_join(*saver);
	/* Slurm ends when it cannot have a thread. This one is worth waiting
	 * for: without it nothing would be saved any more. */
	while ((rc = rspb_release_saver_create(saver))) {
		error("rspb: the thread that saves state: %s", strerror(rc));
		nanosleep(&pause, NULL);
	}
}
