/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Devices that a start has to leave. A booking of GPUs in total (--gpus) has the same number
 * on each of its nodes, and Slurm, which gets no list of them in all releases, would fill the
 * first node. The devices beyond that number are marked as taken for the time of one
 * question to the select plugin. Write lock, which is kept meanwhile.
 */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_SPARED_H
#define RSPB_PLUGINS_COMPAT_PARTS_SPARED_H

#include "plugins/compat/slurm.h"

struct rspb_spared;

/* RET how many devices of a kind a job that asks for so many in all has on each of so many
 * nodes; 0: it asks otherwise. */
uint64_t rspb_spared_each(const gres_job_state_t *asked, uint32_t nodes);
/* Mark what the job of a reservation of cores is to leave on its nodes. RET NULL: nothing. */
struct rspb_spared *rspb_spared_mark(const job_record_t *job, const slurmctld_resv_t *resv);
/* Take the marks off, and destroy them. */
void rspb_spared_unmark(struct rspb_spared *spared);

#endif
