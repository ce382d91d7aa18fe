/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's lists, as far as reservations are made with them. Without Slurm's
 * headers, in which their types differ from release to release. */
#include "tests/unit/compat/lists.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 10000 };

struct xlist {
	void *items[ROOM];
	int n, at;
};

void *list_create(void *destroy);
void *list_append(struct xlist *list, void *item);
int list_count(struct xlist *list);
void *list_pop(struct xlist *list);
int list_for_each(struct xlist *list, int (*fn)(void *, void *), void *arg);
void *list_iterator_create(struct xlist *list);
void *list_next(struct xlist *list);
void list_iterator_destroy(void *list);

void *list_create(void *destroy)
{
	(void) destroy;
	return calloc(1, sizeof(struct xlist));
}

void *list_append(struct xlist *list, void *item)
{
	return list->items[list->n++] = item;
}

int list_count(struct xlist *list)
{
	return list->n;
}

void list_take(void *list, int i)
{
	struct xlist *from = list;

	memmove(from->items + i, from->items + i + 1,
		(size_t) (--from->n - i) * sizeof(*from->items));
}

void *list_at(void *list, int i)
{
	return ((struct xlist *) list)->items[i];
}

void *list_pop(struct xlist *list)
{
	void *item = list->n ? list->items[0] : NULL;

	if (item)
		list_take(list, 0);
	return item;
}

int list_for_each(struct xlist *list, int (*fn)(void *, void *), void *arg)
{
	for (int i = 0; i < list->n; i++)
		if (fn(list->items[i], arg) < 0)
			return -(i + 1);
	return list->n;
}

void *list_iterator_create(struct xlist *list)
{
	list->at = 0;
	return list;
}

void *list_next(struct xlist *list)
{
	return list->at < list->n ? list->items[list->at++] : NULL;
}

void list_iterator_destroy(void *list)
{
	(void) list;
}
