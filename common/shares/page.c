/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of machines that copies of a table share. */
#include <stdlib.h>
#include <string.h>

#include "common/shares/internal.h"

struct rspb_share_page *rspb_share_page_create(void)
{
	struct rspb_share_page *page = calloc(1, sizeof(*page));

	if (page)
		atomic_init(&page->users, 1);
	return page;
}

static int copy_steps(struct rspb_share_machine *to, const struct rspb_share_machine *from)
{
	size_t size = from->count * sizeof(*from->steps);

	to->capacity = from->capacity;
	if (!size)
		return 0;
	to->steps = malloc(size);
	if (!to->steps)
		return -1;
	memcpy(to->steps, from->steps, size);
	to->count = from->count;
	to->room = from->count;
	return 0;
}

int rspb_share_page_own(struct rspb_share_page **page)
{
	struct rspb_share_page *own;

	if (atomic_load_explicit(&(*page)->users, memory_order_acquire) == 1)
		return 0;
	own = rspb_share_page_create();
	for (int m = 0; own && m < RSPB_SHARE_PAGE; m++)
		if (copy_steps(&own->machine[m], &(*page)->machine[m])) {
			rspb_share_page_drop(own);
			own = NULL;
		}
	if (!own)
		return -1;
	rspb_share_page_drop(*page);
	*page = own;
	return 0;
}

struct rspb_share_page *rspb_share_page_use(struct rspb_share_page *page)
{
	atomic_fetch_add_explicit(&page->users, 1, memory_order_relaxed);
	return page;
}

void rspb_share_page_drop(struct rspb_share_page *page)
{
	if (!page || atomic_fetch_sub_explicit(&page->users, 1, memory_order_acq_rel) > 1)
		return;
	for (int m = 0; m < RSPB_SHARE_PAGE; m++)
		free(page->machine[m].steps);
	free(page);
}
