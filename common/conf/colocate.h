/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ordinary jobs beside bookings of shares on a node: what of it is kept for the
 * shares, whole cores and a part of the memory, and what is left to the others.
 */
#ifndef RSPB_CONF_COLOCATE_H
#define RSPB_CONF_COLOCATE_H

#include <stdint.h>

/* Cores kept of `cores` for a dedicated share of percent (0..100): rounded up,
 * so that the share always has as much. */
uint32_t rspb_colocate_kept(uint32_t percent, uint32_t cores);
/*
 * Number of the i-th of the cores kept, i < the above, on a node of so many
 * sockets with `cores` cores each, numbered socket by socket: the last ones, of
 * all sockets in turn, as others are given out from the first one on.
 */
uint32_t rspb_colocate_core(uint32_t i, uint32_t sockets, uint32_t cores);
/* What is left to others of what can be divided at will, such as memory. */
uint64_t rspb_colocate_rest(uint32_t percent, uint64_t whole);

#endif
