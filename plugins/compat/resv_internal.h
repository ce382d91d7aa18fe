/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What resv*.c share, and those who give a job a reservation. */
#ifndef RSPB_PLUGINS_COMPAT_RESV_INTERNAL_H
#define RSPB_PLUGINS_COMPAT_RESV_INTERNAL_H

#include "plugins/compat/release/resv.h"
#include "plugins/compat/resv.h"
#include "plugins/compat/slurm.h"

void rspb_resv_view(slurmctld_resv_t *resv, int64_t now, struct rspb_resv *out);

/* One more, for which there is room: init() leaves as much as there are. RET false:
 * there is none. */
bool rspb_resv_keys_add(struct rspb_resv_keys *keys, uint64_t id, uint32_t part,
			slurmctld_resv_t *resv);
/* Keep no record, only which there are: find() has nothing to show then. */
void rspb_resv_keys_forget(struct rspb_resv_keys *keys);
/* One less; there may be none. */
void rspb_resv_keys_drop(struct rspb_resv_keys *keys, uint64_t id,
			 uint32_t part);

/* Slurm's validate_job_resv(), which finds at once what was made last under this very
 * lock: it looks for the reservation that a job names from the first one on. Write
 * lock. */
int rspb_resv_validate(job_record_t *job);
/* The reservation of that name, NULL: there is none. The one that was made last under
 * this very write lock is found at once, others behind all before them. */
slurmctld_resv_t *rspb_resv_named(const char *name);
/* The write lock is about to be given back: Slurm may free any record then. */
void rspb_resv_unlocked(void);

#endif
