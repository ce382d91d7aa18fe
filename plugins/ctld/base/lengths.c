/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts lengths of time by magnitude, without a lock. Callers measure them, and no single length
 * is kept. */
#include "plugins/ctld/base/tally.h"

enum { PARTS = RSPB_LENGTHS_PARTS, FIRST_STEP = 6 };

/* RET the bucket of a length. Each power of two has four buckets, so that a percentile is known
 * to a fifth. Lengths below eight microseconds have a bucket each; a negative length counts as
 * none. */
static size_t length_of(int64_t us)
{
	size_t length = 0;

	while (us >= 2 * PARTS) {
		us /= 2;
		length += PARTS;
	}
	length = us < 0 ? 0 : length + (size_t) us;
	return length < RSPB_LENGTHS ? length : RSPB_LENGTHS - 1;
}

/* RET the most microseconds that are counted there. */
static int64_t most_of(size_t length)
{
	size_t doubled = length < 2 * PARTS ? 0 : length / PARTS - 1;

	return ((int64_t) (length - doubled * PARTS + 1) << doubled) - 1;
}

int64_t rspb_lengths_step(unsigned int i)
{
	return INT64_C(1) << (FIRST_STEP + 2 * i);
}

void rspb_lengths_add(struct rspb_lengths *lengths, int64_t us)
{
	int_fast64_t longest = atomic_load(&lengths->longest_us);

	atomic_fetch_add(&lengths->n, 1);
	atomic_fetch_add(&lengths->sum_us, us);
	atomic_fetch_add(&lengths->by_length[length_of(us)], 1);
	/* Another thread may raise the maximum meanwhile; a failed exchange loads its value for
	 * the next try. */
	while (us > longest && !atomic_compare_exchange_weak(&lengths->longest_us, &longest, us))
		;
}

void rspb_lengths_read(struct rspb_lengths *lengths, struct rspb_lengths_sum *out)
{
	uint64_t below = 0;
	unsigned int step = 0;

	/* Threads go on adding meanwhile. The count is taken from the buckets, so that it fits
	 * the percentile; the sum and the longest may miss lengths that the buckets have. */
	*out = (struct rspb_lengths_sum){
		.sum_us = atomic_load(&lengths->sum_us),
		.longest_us = atomic_load(&lengths->longest_us),
		.most_us = -1,
	};
	for (size_t i = 0; i < RSPB_LENGTHS; i++)
		out->n += atomic_load(&lengths->by_length[i]);
	for (size_t i = 0; i < RSPB_LENGTHS; i++) {
		/* A step is closed before the first bucket that reaches it is added: the
		 * figures are cumulative. */
		while (step < RSPB_LENGTHS_STEPS && most_of(i) >= rspb_lengths_step(step))
			out->below[step++] = below;
		below += atomic_load(&lengths->by_length[i]);
		if (out->most_us < 0 && below * 100 >= out->n * 99)
			out->most_us = most_of(i);
	}
	/* A bucket's upper end may be longer than anything that was measured. */
	if (out->most_us > out->longest_us)
		out->most_us = out->longest_us;
}
