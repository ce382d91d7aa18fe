/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/stable.h"

#include <string.h>

void rspb_stable_sort(size_t *order, size_t *scratch, size_t n,
		      rspb_before_fn before, void *arg)
{
	size_t half = n / 2, a = 0, b = half;

	if (n < 2)
		return;
	rspb_stable_sort(order, scratch, half, before, arg);
	rspb_stable_sort(order + half, scratch, n - half, before, arg);
	memcpy(scratch, order, n * sizeof(*order));
	for (size_t at = 0; at < n; at++) {
		bool left = b == n ||
			    (a < half && !before(scratch[b], scratch[a], arg));

		order[at] = left ? scratch[a++] : scratch[b++];
	}
}
