/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/naive/slots.h"

#include <stdlib.h>

int slots_init(struct slots *table, uint32_t machines, size_t slots)
{
	*table = (struct slots){ machines, slots, NULL };
	table->used = calloc(machines * slots + 1, sizeof(*table->used));
	return table->used ? 0 : -1;
}

void slots_fini(struct slots *table)
{
	free(table->used);
}

void slots_add(struct slots *table, uint32_t machine, int64_t start, int64_t end, int64_t share)
{
	int64_t *row = table->used + machine * table->slots;

	for (int64_t t = start; t < end; t++)
		row[t] += share;
}

int64_t slots_peak(const struct slots *table, uint32_t machine, int64_t start, int64_t end)
{
	const int64_t *row = table->used + machine * table->slots;
	int64_t peak = 0;

	for (int64_t t = start; t < end; t++)
		if (row[t] > peak)
			peak = row[t];
	return peak;
}

void slots_peaks(const struct slots *table, int64_t start, int64_t end, int64_t *peaks)
{
	for (uint32_t m = 0; m < table->machines; m++)
		peaks[m] = slots_peak(table, m, start, end);
}

int64_t slots_load(const struct slots *table, uint32_t machine, int64_t start, int64_t end)
{
	const int64_t *row = table->used + machine * table->slots;
	int64_t load = 0;

	for (int64_t t = start; t < end; t++)
		load += row[t];
	return load;
}
