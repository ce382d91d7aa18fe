/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thesis' slot table: for every machine an array with the share reserved
 * in each slot of time (Min, figure 3.3), scanned slot by slot. Oracle and
 * denominator, never tuned. Times lie within [0, slots); one unit a slot.
 */
#ifndef RSPB_TESTS_NAIVE_SLOTS_H
#define RSPB_TESTS_NAIVE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

struct slots {
	uint32_t machines;
	size_t slots;
	int64_t *used; /* machine by machine */
};

int slots_init(struct slots *table, uint32_t machines, size_t slots);
void slots_fini(struct slots *table);
/* share may be negative: given back. */
void slots_add(struct slots *table, uint32_t machine, int64_t start, int64_t end, int64_t share);
int64_t slots_peak(const struct slots *table, uint32_t machine, int64_t start, int64_t end);
void slots_peaks(const struct slots *table, int64_t start, int64_t end, int64_t *peaks);
int64_t slots_load(const struct slots *table, uint32_t machine, int64_t start, int64_t end);

#endif
