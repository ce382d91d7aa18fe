/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow, and their usual orders. */
#ifndef RSPB_BASE_ARRAY_H
#define RSPB_BASE_ARRAY_H

#include <stddef.h>

/*
 * Make room for `count` items of `size` bytes: `array` points to the pointer to
 * them, from malloc() or NULL, *room says for how many there is. RET 0, or -1
 * without memory and nothing changed.
 */
int rspb_array_grow(void *array, size_t *room, size_t count, size_t size);

/*
 * Sorted items, by an order as of qsort(); key begins as an item does.
 * place: RET the place of the first item that is not below the key, where a new one belongs.
 * find: RET the item with the key, NULL: there is none.
 */
size_t rspb_array_place(const void *key, const void *items, size_t n, size_t size,
			int (*order)(const void *, const void *));
void *rspb_array_find(const void *key, const void *items, size_t n, size_t size,
		      int (*order)(const void *, const void *));
/* Put a copy of an item at a place, before those that are there. RET the copy, good until the next
 * change; NULL: out of memory, and nothing has changed. */
void *rspb_array_insert(void *array, size_t *room, size_t *n, size_t at, const void *item,
			size_t size);
/* Take out an item, NULL: none; what it owns is the caller's. */
void rspb_array_remove(void *items, size_t *n, void *item, size_t size);

/* For qsort() and the functions above, of items that begin with such a number. */
int rspb_array_by_u32(const void *a, const void *b);
int rspb_array_by_u64(const void *a, const void *b);
int rspb_array_by_i64(const void *a, const void *b);

#endif
