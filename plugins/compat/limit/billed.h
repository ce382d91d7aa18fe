/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes what Slurm bills, by a partition's TRESBillingWeights. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_BILLED_H
#define RSPB_PLUGINS_COMPAT_LIMIT_BILLED_H

#include <stdint.h>

/* RET as how many nodes like that one a job is billed, by what it has, or asked for where it
 * never began; 0: its partition has no weights. With at least the read lock; takes the
 * locks of Slurm's associations behind it. */
double rspb_billed_nodes(uint32_t job, uint32_t node);

#endif
