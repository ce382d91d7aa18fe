/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the numbers of the jobs that have nodes. Where they are and for how long, it does
 * not know. */
#include "plugins/ctld/book/placed.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/ctld/base/walk.h"
#include "plugins/ctld/book/starts.h"

/* So many are looked at each time whether they are gone. */
enum { SWEPT = 512 };

static struct {
	uint32_t *ids;
	size_t n, room;
	size_t next;	 /* to be looked at */
	uint32_t starts; /* there were, when it was seen */
	bool known, in_order;
} kept;

void rspb_placed_reset(void)
{
	free(kept.ids);
	memset(&kept, 0, sizeof(kept));
}

static int add(uint32_t id, size_t at)
{
	if (rspb_array_grow(&kept.ids, &kept.room, kept.n + 1,
			    sizeof(*kept.ids)))
		return -1;
	memmove(kept.ids + at + 1, kept.ids + at,
		(kept.n - at) * sizeof(*kept.ids));
	kept.ids[at] = id;
	kept.n++;
	return 0;
}

static int add_placed(const struct rspb_job_mark *mark, void *arg)
{
	(void) arg;
	return rspb_job_is_placed(mark) ? add(mark->id, kept.n) : 0;
}

/* Each number is there once. */
static int add_new(uint32_t id)
{
	size_t low = 0, high = kept.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (kept.ids[middle] == id)
			return 0;
		if (kept.ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return add(id, low);
}

static bool is_placed(uint32_t id)
{
	struct rspb_job_mark mark;

	return rspb_job_mark_find(id, &mark) && rspb_job_is_placed(&mark);
}

/* Who has ended goes, a few at a time. */
static void sweep(void)
{
	size_t from = kept.next < kept.n ? kept.next : 0;
	size_t to = from + SWEPT < kept.n ? from + SWEPT : kept.n;
	size_t stay = from;

	for (size_t i = from; i < to; i++)
		if (is_placed(kept.ids[i]))
			kept.ids[stay++] = kept.ids[i];
	if (kept.n > to)
		memmove(kept.ids + stay, kept.ids + to,
			(kept.n - to) * sizeof(*kept.ids));
	kept.n -= to - stay;
	kept.next = stay;
}

static int list_all(struct rspb_section *section, bool *inside)
{
	int rc;

	kept.n = kept.next = 0;
	kept.in_order = false;
	rc = rspb_walk_jobs(section, inside, add_placed, NULL);
	kept.known = !rc && *inside;
	return rc;
}

int rspb_placed_see(struct rspb_section *section, bool *inside)
{
	uint32_t ids[RSPB_STARTS_MOST];
	int n = kept.known ? rspb_starts_since(kept.starts, ids) : -1, rc = 0;

	*inside = true;
	/* Who starts while all are listed is new the next time. */
	kept.starts = rspb_starts_count();
	if (n < 0)
		return list_all(section, inside);
	sweep();
	for (int i = 0; i < n && !rc; i++)
		rc = add_new(ids[i]);
	kept.known = !rc;
	return rc;
}

static int compare(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *) left, b = *(const uint32_t *) right;

	return a < b ? -1 : a > b;
}

const uint32_t *rspb_placed_ids(size_t *n)
{
	if (!kept.in_order && kept.n)
		qsort(kept.ids, kept.n, sizeof(*kept.ids), compare);
	kept.in_order = true;
	*n = kept.n;
	return kept.ids;
}
