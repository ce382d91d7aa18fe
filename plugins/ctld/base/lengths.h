/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long something took, every time since slurmctld was started. Any thread counts, without a
 * lock; the memory does not grow. */
#ifndef RSPB_CTLD_BASE_LENGTHS_H
#define RSPB_CTLD_BASE_LENGTHS_H

#include <stdatomic.h>
#include <stdint.h>

enum {
	/* Powers of two, each in four parts. */
	RSPB_LENGTHS_PARTS = 4,
	RSPB_LENGTHS = 40 * RSPB_LENGTHS_PARTS,
	RSPB_LENGTHS_STEPS = 12
};

/* All zero: nothing yet. */
struct rspb_lengths {
	atomic_uint_fast64_t n, by_length[RSPB_LENGTHS];
	atomic_int_fast64_t sum_us, longest_us;
};

struct rspb_lengths_sum {
	uint64_t n;
	int64_t sum_us, longest_us;
	int64_t most_us; /* of 99 of 100, to a fifth */
	/* How many took less than rspb_lengths_step(i). */
	uint64_t below[RSPB_LENGTHS_STEPS];
};

void rspb_lengths_add(struct rspb_lengths *lengths, int64_t us);
void rspb_lengths_read(struct rspb_lengths *lengths, struct rspb_lengths_sum *out);
/* Microseconds: 64, and four times as much each, up to 268 seconds. */
int64_t rspb_lengths_step(unsigned int i);

#endif
