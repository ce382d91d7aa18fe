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

/* For qsort() and bsearch(), of items that begin with such a number. */
int rspb_array_by_u32(const void *a, const void *b);
int rspb_array_by_u64(const void *a, const void *b);
int rspb_array_by_i64(const void *a, const void *b);

#endif
