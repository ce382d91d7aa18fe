/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers the last jobs that were given nodes. Whether they still have them, it does
 * not know. Slurm's locks are its own: who notes holds the write lock. */
#include "plugins/ctld/book/starts.h"

static struct {
	uint32_t ids[RSPB_STARTS_MOST];
	uint32_t n;
} last;

void rspb_starts_note(uint32_t job)
{
	last.ids[last.n++ % RSPB_STARTS_MOST] = job;
}

uint32_t rspb_starts_count(void)
{
	return last.n;
}

static int add_once(uint32_t *ids, int n, uint32_t id)
{
	for (int i = 0; i < n; i++)
		if (ids[i] == id)
			return n;
	ids[n] = id;
	return n + 1;
}

int rspb_starts_since(uint32_t count, uint32_t ids[RSPB_STARTS_MOST])
{
	int n = 0;

	if (last.n - count > RSPB_STARTS_MOST)
		return -1;
	for (; count != last.n; count++)
		n = add_once(ids, n, last.ids[count % RSPB_STARTS_MOST]);
	return n;
}
