/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of named rows: look a name up, or say which known one is nearest to a
 * mistyped one. A table is an array of structs whose first two members are
 * `const char *name` and `const char *alias` (or NULL), ended by name NULL.
 */
#ifndef RSPB_BASE_NAMES_H
#define RSPB_BASE_NAMES_H

#include <stddef.h>

/* Make a function that finds a row of one table, of that type. */
#define RSPB_NAMES_FINDER(function, type, table)                                                   \
	const struct type *function(const char *name)                                              \
	{                                                                                          \
		return rspb_names_find(table, sizeof((table)[0]), name);                           \
	}

/* RET the row of `size` bytes with that name or alias, or NULL; case, '_' and
 * '-' don't count. */
const void *rspb_names_find(const void *rows, size_t size, const char *name);
/* RET the name (or alias) of the table that is nearest to a wrong one; the
 * earlier row among equals; NULL for an empty table. */
const char *rspb_names_nearest(const void *rows, size_t size, const char *name);

#endif
