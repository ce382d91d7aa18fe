/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's thread that saves state, to be ended and begun anew: a thread of its
 * own, from 26.05 on one of Slurm's pool, whose threads must not be joined past
 * it. */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_SAVER_H
#define RSPB_PLUGINS_COMPAT_RELEASE_SAVER_H

#include <pthread.h>

#include "plugins/compat/release/headers.h"

#ifdef RSPB_HAVE_SAVER_POOL
#include "src/common/threadpool.h"
#endif

static inline void rspb_release_saver_join(pthread_t saver)
{
#ifdef RSPB_HAVE_SAVER_POOL
	threadpool_join(saver, __func__);
#else
	pthread_join(saver, NULL);
#endif
}

/* RET 0, or an error number. */
static inline int rspb_release_saver_create(pthread_t *saver)
{
#ifdef RSPB_HAVE_SAVER_POOL
	return threadpool_create(slurmctld_state_save, "slurmctld_state_save",
				 NULL, false, "sstate", saver, __func__);
#else
	return pthread_create(saver, NULL, slurmctld_state_save, NULL);
#endif
}

#endif
