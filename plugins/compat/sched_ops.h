/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operations of a scheduler plugin: the same in all versions from 22.05. */
#ifndef RSPB_PLUGINS_COMPAT_SCHED_OPS_H
#define RSPB_PLUGINS_COMPAT_SCHED_OPS_H

#include "plugins/compat/slurm.h"

struct rspb_sched_ops {
	int (*init)(void);
	void (*fini)(void);
	int (*reconfig)(void);
};

/* Names to look up, in the order of the members. */
#define RSPB_SCHED_NAMES                                                                           \
	{                                                                                          \
		"init", "fini", "sched_p_reconfig"                                                 \
	}

extern int sched_p_reconfig(void);

#endif
