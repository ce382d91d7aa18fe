/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A queue, first in, first out, of structures that begin with a struct rspb_link and belong to its
 * owner. The owner guards the queue with a lock of its own. All zeros are an empty queue. */
#ifndef RSPB_CTLD_BASE_QUEUE_H
#define RSPB_CTLD_BASE_QUEUE_H

#include <stddef.h>

struct rspb_link {
	struct rspb_link *next;
};

struct rspb_queue {
	struct rspb_link *first, **last; /* last: where there is a first */
};

static inline void rspb_queue_put(struct rspb_queue *queue, struct rspb_link *link)
{
	link->next = NULL;
	*(queue->first ? queue->last : &queue->first) = link;
	queue->last = &link->next;
}

/* Put a link before all others. */
static inline void rspb_queue_put_first(struct rspb_queue *queue, struct rspb_link *link)
{
	if (!queue->first)
		queue->last = &link->next;
	link->next = queue->first;
	queue->first = link;
}

/* Remove a link from anywhere in the queue; at: the pointer that points to it. */
static inline void rspb_queue_take_at(struct rspb_queue *queue, struct rspb_link **at)
{
	if (!(*at)->next)
		queue->last = at;
	*at = (*at)->next;
}

/* RET the first link, which is removed; NULL: the queue is empty. */
static inline void *rspb_queue_take(struct rspb_queue *queue)
{
	struct rspb_link *link = queue->first;

	if (link)
		queue->first = link->next;
	return link;
}

#endif
