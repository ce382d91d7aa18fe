/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that resv*.c share with the files that give a job a reservation. */
#ifndef RSPB_PLUGINS_COMPAT_RESV_INTERNAL_H
#define RSPB_PLUGINS_COMPAT_RESV_INTERNAL_H

#include "plugins/compat/release/resv.h"
#include "plugins/compat/resv.h"
#include "plugins/compat/slurm.h"

/* Names that stand for all users, or for the accounts of all: see rspb_slurm_conf(). */
#define RSPB_RESV_ALL_USERS    "-daemon"
#define RSPB_RESV_ALL_ACCOUNTS "root"

/* The reservation of that name, NULL: there is none. Slurm looks from the first one on. */
slurmctld_resv_t *rspb_resv_named(const char *name);

#endif
