/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The site's settings: rspb.conf beside slurm.conf, then what
 * SchedulerParameters says. */
#ifndef RSPB_CTLD_BASE_SETTINGS_H
#define RSPB_CTLD_BASE_SETTINGS_H

#include "common/base/err.h"
#include "common/conf/config.h"

/* Fill *out from defaults, file and parameters. A file that does not exist is
 * an empty one. RET 0, or -1 with err and *out unchanged. */
int rspb_settings_load(struct rspb_config *out, struct rspb_err *err);

#endif
