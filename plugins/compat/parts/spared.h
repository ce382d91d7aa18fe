/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Devices that a start has to leave. A booking of GPUs in total (--gpus) has a fixed number on
 * each of its nodes, or of each type there, and Slurm, which gets no list of them in all
 * releases, would fill the first node. The devices beyond that number are marked as taken for
 * the time of one question to the select plugin. Write lock, which is kept meanwhile.
 */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_SPARED_H
#define RSPB_PLUGINS_COMPAT_PARTS_SPARED_H

#include "plugins/compat/slurm.h"

struct rspb_part;
struct rspb_spared;

/* The nodes of a start, its cores, and how much of each node it is to have. */
struct rspb_spared_start {
	const bitstr_t *nodes;
	const bitstr_t *cores;	      /* the ones that it may have, of all nodes */
	const struct rspb_part *part; /* NULL: the text says what differs from the usual */
	const char *odd;	      /* text of a tag (common/wire/texts.h) */
};

/* How the devices that are left to the start are chosen. One order may suit Slurm where another
 * does not, so that callers try all. */
enum rspb_spared_order {
	RSPB_SPARED_NEAR,   /* devices beside its cores, the first ones */
	RSPB_SPARED_ROOMY,  /* devices of sockets with many of its cores for each */
	RSPB_SPARED_PACKED, /* devices of sockets with many that are free */
	RSPB_SPARED_ORDERS
};

/* RET how many devices of a kind a job that asks for so many in all has on each of so many
 * nodes; 0: it asks otherwise. */
uint64_t rspb_spared_each(const gres_job_state_t *asked, uint32_t nodes);
/* Mark what a job is to leave on the nodes of a start. *lacks: whether less than it is to have is
 * free on one of them now. RET NULL: nothing. */
struct rspb_spared *rspb_spared_mark(const job_record_t *job, const struct rspb_spared_start *start,
				     enum rspb_spared_order order, bool *lacks);
/* Take the marks off, and destroy them. */
void rspb_spared_unmark(struct rspb_spared *spared);

#endif
