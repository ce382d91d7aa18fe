/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what follows the plugin's name in plugstack.conf:
 *
 *	optional spank_rspb.so state=/run/slurm-rspb user=slurm
 */
#ifndef RSPB_PLUGINS_SPANK_SETTINGS_H
#define RSPB_PLUGINS_SPANK_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "plugins/spank/files.h"

struct rspb_spank_settings {
	bool shares;	       /* shares=off: leave the cpu controller alone */
	char state[RSPB_PATH]; /* state=DIR, absolute */
	uid_t user;	       /* user=NAME: SlurmUser, who may send changes */
};

/* Read ac words. RET 0; -1 with err naming the first wrong one, the others
 * count all the same. *settings is complete in both cases. */
int rspb_spank_settings_read(struct rspb_spank_settings *settings, int ac, char **argv,
			     struct rspb_err *err);

#endif
