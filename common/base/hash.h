/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash to tell things apart, not to keep anybody out: FNV-1a, 64 bits. */
#ifndef RSPB_BASE_HASH_H
#define RSPB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define RSPB_HASH_START UINT64_C(14695981039346656037)

/* Go on with these bytes from RSPB_HASH_START, or from what was returned for
 * those before them. */
static inline uint64_t rspb_hash(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *at = (const unsigned char *) data;

	while (size--)
		hash = (hash ^ *at++) * UINT64_C(1099511628211);
	return hash;
}

/* Where a number is looked for first in a table of so many rows, a power of two. */
static inline size_t rspb_hash_row(uint64_t number, size_t rows)
{
	return (size_t) (number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (rows - 1);
}

#endif
