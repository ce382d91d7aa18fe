/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings in force, kept for the next slurmctld. From Slurm 23.11 on
 * "scontrol reconfigure" starts slurmctld anew, so that what was in force is
 * only known from disk when the new settings are wrong. That is for a slurmctld
 * which takes over from one that runs; after a stop a site's settings count,
 * good or bad.
 */
#ifndef RSPB_CTLD_BASE_KEPT_H
#define RSPB_CTLD_BASE_KEPT_H

#include <stdbool.h>

/* Keep the text of rspb.conf and SchedulerParameters (NULL: none), for this
 * process. Best effort: a failure costs the next one its way back. */
void rspb_kept_write(const char *text, const char *parameters);
/* RET true with both (the caller frees them) when this process, or one that
 * still runs, has kept them. */
bool rspb_kept_read(char **text, char **parameters);

#endif
