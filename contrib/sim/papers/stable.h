/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stable sort of indices, for keys that are no plain numbers. */
#ifndef RSPB_PAPERS_STABLE_H
#define RSPB_PAPERS_STABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Does what index b names come before what a names? False when equal. */
typedef bool (*rspb_before_fn)(size_t b, size_t a, void *arg);

/* Sort order[n]; equal ones stay as they are. scratch[n] is overwritten. */
void rspb_stable_sort(size_t *order, size_t *scratch, size_t n,
		      rspb_before_fn before, void *arg);

#endif
