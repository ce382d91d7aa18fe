/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/bits.h"

void rspb_bits_add(bitstr_t *bits, struct rspb_nodeset *out)
{
	int64_t n, last;

	if (!bits)
		return;
	last = bit_fls(bits);
	if (last >= out->width)
		last = (int64_t) out->width - 1;
	for (n = bit_ffs(bits); n >= 0 && n <= last; n++)
		if (bit_test(bits, n))
			rspb_nodeset_add(out, (uint32_t) n);
}

bitstr_t *rspb_bits_make(const struct rspb_nodeset *set)
{
	bitstr_t *bits = bit_alloc(node_record_count);
	uint32_t n;

	for (n = rspb_nodeset_next(set, 0);
	     n < set->width && n < (uint32_t) node_record_count;
	     n = rspb_nodeset_next(set, n + 1))
		bit_set(bits, n);
	return bits;
}
