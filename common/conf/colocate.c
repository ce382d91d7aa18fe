/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/colocate.h"

uint32_t rspb_colocate_kept(uint32_t percent, uint32_t cores)
{
	if (percent >= 100)
		return cores;
	return (uint32_t) (((uint64_t) cores * percent + 99) / 100);
}

uint32_t rspb_colocate_core(uint32_t i, uint32_t sockets, uint32_t cores)
{
	uint32_t socket = sockets - 1 - i % sockets;

	return socket * cores + cores - 1 - i / sockets;
}

uint64_t rspb_colocate_rest(uint32_t percent, uint64_t whole)
{
	uint64_t part = percent < 100 ? 100 - percent : 0;

	/* No product of the whole, which may be any number. */
	return whole / 100 * part + whole % 100 * part / 100;
}
