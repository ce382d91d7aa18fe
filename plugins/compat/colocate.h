/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ordinary jobs and bookings of shares on one node, in Slurm's terms: cores and
 * memory. Slurm itself lets jobs of partitions with OverSubscribe=FORCE onto a
 * node together, others not; a reservation of cores keeps jobs without it off
 * these cores, one of whole nodes off the nodes.
 *
 * dedicated[n]: per cent of node n that are kept for shares where ordinary jobs
 * may be beside them, 0: they may not. Locks as for job.h.
 */
#ifndef RSPB_PLUGINS_COMPAT_COLOCATE_H
#define RSPB_PLUGINS_COMPAT_COLOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/job.h"

/* Whether a job that runs is of a kind that may be beside shares, and what it has on a node
 * leaves the cores and the memory alone that are kept of it. memory: what such jobs have
 * there already (MB); if it may be there, what it has is added. */
bool rspb_colocate_job(const struct rspb_job *job, uint32_t node, uint32_t percent,
		       uint64_t *memory);

/* Turn a reservation of whole nodes, just made, into one of the cores that are
 * kept; of nodes with none, all. Nothing when none of its nodes has any. Wants
 * the write lock. */
void rspb_colocate_resv(const char *name, const uint8_t *dedicated, uint32_t width);
/* Whether the reservation leaves a job that runs its cores. */
bool rspb_colocate_spares(const char *name, const struct rspb_job *job);

/*
 * Ordinary jobs beside bookings of shares on a node: what of it is kept for the
 * shares, whole cores and a part of the memory, and what is left to the others.
 */

/* Cores kept of `cores` for a dedicated share of percent (0..100): rounded up,
 * so that the share always has as much. */
static inline uint32_t rspb_colocate_kept(uint32_t percent, uint32_t cores)
{
	if (percent >= 100)
		return cores;
	return (uint32_t) (((uint64_t) cores * percent + 99) / 100);
}

/*
 * Number of the i-th of the cores kept, i < the above, on a node of so many
 * sockets with `cores` cores each, numbered socket by socket: the last ones, of
 * all sockets in turn, as others are given out from the first one on.
 */
static inline uint32_t rspb_colocate_core(uint32_t i, uint32_t sockets, uint32_t cores)
{
	uint32_t socket = sockets - 1 - i % sockets;

	return socket * cores + cores - 1 - i / sockets;
}

/* RET what is left to others of a resource that can be divided at will, such as memory. */
static inline uint64_t rspb_colocate_rest(uint32_t percent, uint64_t whole)
{
	uint64_t part = percent < 100 ? 100 - percent : 0;

	/* No product of the whole, which may be any number. */
	return whole / 100 * part + whole % 100 * part / 100;
}

#endif
