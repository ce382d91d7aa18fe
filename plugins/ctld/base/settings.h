/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The site's settings: rspb.conf beside slurm.conf, then what
 * SchedulerParameters says. */
#ifndef RSPB_CTLD_BASE_SETTINGS_H
#define RSPB_CTLD_BASE_SETTINGS_H

#include <stdbool.h>

#include "common/base/err.h"
#include "common/conf/config.h"

/* --- settings.c --- */

/* Read them from defaults, file and parameters; from now on they are in force.
 * A file that does not exist is an empty one. RET 0, or -1 with err and the old
 * ones stay; also 0, and an error in the log, when they are bad and this
 * slurmctld takes over from one that runs: its settings stay in force (kept.c).
 */
int rspb_settings_read(struct rspb_err *err);
/* Put numbers for the users whom rules name. No lock may be held: names may come
 * over the network. A later call tries names without a number again. RET 0: all names have a
 * number, 1: there is no user of some name, -1: the name service could not be asked for one. */
int rspb_settings_learn(void);
/* RET the settings in force; any thread. They stay unchanged as long as a caller uses them; a later
 * call may return others. */
const struct rspb_config *rspb_settings_get(void);
/* The policy as a live cluster runs it. */
void rspb_settings_policy(const struct rspb_config *config, struct rspb_policy *policy);

/* --- kept.c --- */

/*
 * The settings in force, kept for the next slurmctld. From Slurm 23.11 on
 * "scontrol reconfigure" starts slurmctld anew, so that what was in force is
 * only known from disk when the new settings are wrong. That is for a slurmctld
 * which takes over from one that runs; after a stop a site's settings count,
 * good or bad.
 */

/* Keep the text of rspb.conf and SchedulerParameters (NULL: none), for this
 * process. Best effort: a failure costs the next one its way back. */
void rspb_kept_write(const char *text, const char *parameters);
/* RET true with both (the caller frees them) when this process, or one that
 * still runs, has kept them. */
bool rspb_kept_read(char **text, char **parameters);

#endif
