/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The share table as break points, a sorted array of its own for each
 * machine: oracle and denominator, never tuned. Every function means what its
 * namesake in common/shares/shares.h means.
 */
#ifndef RSPB_TESTS_NAIVE_STEPS_H
#define RSPB_TESTS_NAIVE_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct naive_steps;

struct naive_steps *naive_steps_create(uint32_t machines, const int64_t *capacity,
				       int64_t granularity, int64_t now);
void naive_steps_destroy(struct naive_steps *steps);
int naive_steps_add(struct naive_steps *steps, uint32_t machine, int64_t start, int64_t end,
		    int64_t share, struct rspb_err *err);
int naive_steps_remove(struct naive_steps *steps, uint32_t machine, int64_t start, int64_t end,
		       int64_t share, struct rspb_err *err);
int naive_steps_advance(struct naive_steps *steps, int64_t now, struct rspb_err *err);
int naive_steps_peak(const struct naive_steps *steps, uint32_t machine, int64_t start, int64_t end,
		     int64_t *peak, struct rspb_err *err);
int naive_steps_peaks(const struct naive_steps *steps, int64_t start, int64_t end, int64_t *peaks,
		      struct rspb_err *err);
int naive_steps_loads(const struct naive_steps *steps, int64_t start, int64_t end, int64_t *loads,
		      struct rspb_err *err);

#endif
