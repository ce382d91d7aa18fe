/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/hash.h"

uint64_t rspb_hash(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *at = data;

	while (size--)
		hash = (hash ^ *at++) * UINT64_C(1099511628211);
	return hash;
}
