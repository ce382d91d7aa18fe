/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/bits.h"

#include "common/wire/unfold.h"
#include "plugins/compat/release/resv.h"

enum { WORD = 64 };

/* Most words are full or empty, and counting a word costs no more than to look at
 * one bit. */
static void add_word(bitstr_t *bits, int64_t from, int64_t to,
		     struct rspb_nodeset *out)
{
	int64_t left = bit_set_count_range(bits, (int32_t) from, (int32_t) to);

	if (left == WORD) {
		out->bits[from / WORD] = UINT64_MAX;
		return;
	}
	for (int64_t n = from; n < to && left; n++)
		if (bit_test(bits, n)) {
			rspb_nodeset_add(out, (uint32_t) n);
			left--;
		}
}

/* Most sets are those of jobs, which lie close together. */
void rspb_bits_add(bitstr_t *bits, struct rspb_nodeset *out)
{
	int64_t first = bits ? bit_ffs(bits) : -1, end;

	if (first < 0)
		return;
	end = bit_fls(bits) + 1;
	if (end > out->width)
		end = out->width;
	for (int64_t n = first / WORD * WORD; n < end; n += WORD)
		add_word(bits, n, n + WORD < end ? n + WORD : end, out);
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

bitstr_t *rspb_bits_there(bitstr_t *bits)
{
	bitstr_t *there = bits ? bit_copy(bits) : NULL;

	for (int n = 0; there && n < node_record_count; n++)
		if (!rspb_record_there(node_record_table_ptr[n]))
			bit_clear(there, n);
	return there;
}

int rspb_bits_named(const char *what, const char *names, bitstr_t **out,
		    struct rspb_err *err)
{
	bitstr_t *bits = NULL;
	char *copy;
	int rc;

	if (rspb_unfold_names_check(what, names, (uint32_t) node_record_count,
				    err))
		return -1;
	copy = xstrdup(names);
	rc = rspb_release_nodes(copy, &bits);
	xfree(copy);
	if (!rc) {
		*out = bits;
		return 0;
	}
	FREE_NULL_BITMAP(bits);
	return rspb_fail(err, "%s=%s: not all of these nodes exist", what,
			 names);
}
