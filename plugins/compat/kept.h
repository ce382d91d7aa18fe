/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ordinary jobs beside bookings of shares on a node: what of it is kept for the
 * shares, whole cores and a part of the memory, and what is left to the others.
 */
#ifndef RSPB_PLUGINS_COMPAT_KEPT_H
#define RSPB_PLUGINS_COMPAT_KEPT_H

#include <stdint.h>

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
