/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which Slurm this process is, asked before anything of it can be trusted. */
#ifndef RSPB_PLUGINS_COMPAT_LOAD_RUNNING_H
#define RSPB_PLUGINS_COMPAT_LOAD_RUNNING_H

#include <stdint.h>

#include "common/base/err.h"

/*
 * The version that Slurm's own plugins have which are loaded already, as
 * SLURM_VERSION_NUMBER. Those in the folder of the shared object at this address
 * do not count. RET 0: none is loaded.
 */
uint32_t rspb_running_version(const void *within);

/* rspb-check looks for this sentence in the file. */
extern const char rspb_built_for[];

/* RET 0: that is the one we are built for; or -1 with err. */
int rspb_running_check(uint32_t version, struct rspb_err *err);

#endif
