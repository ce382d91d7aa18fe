/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/forms.h"

#include <inttypes.h>

bool rspb_moldable_said(const struct rspb_moldable *work)
{
	return work->seconds || work->n;
}

int64_t rspb_moldable_duration(const struct rspb_moldable *work, uint32_t nodes)
{
	__int128 parts, per = (__int128) RSPB_MOLDABLE_WHOLE * nodes;

	for (uint32_t i = 0; i < work->n; i++)
		if (work->table[i].nodes == nodes)
			return work->table[i].duration;
	if (!work->seconds)
		return 0;
	parts = (__int128) work->serial * nodes +
		(RSPB_MOLDABLE_WHOLE - work->serial);
	return (int64_t) ((work->seconds * parts + per - 1) / per);
}

/* The i-th of so many numbers from most down to least. */
static uint32_t spread(uint32_t least, uint32_t most, uint32_t i, uint32_t n)
{
	return n == 1 ? most
		      : most - (uint32_t) ((uint64_t) (most - least) * i /
					   (n - 1));
}

uint32_t rspb_moldable_forms(const struct rspb_moldable *work, uint32_t least,
			     uint32_t most, int64_t unit, int64_t longest,
			     struct rspb_form out[RSPB_FORMS_MOST],
			     struct rspb_err *err)
{
	uint32_t all = most - least + 1, n = 0;
	uint32_t tries = work->n		 ? work->n
			 : all < RSPB_FORMS_MOST ? all
						 : RSPB_FORMS_MOST;

	for (uint32_t i = 0; i < tries; i++) {
		struct rspb_form form;

		form.nodes = work->n ? work->table[work->n - 1 - i].nodes
				     : spread(least, most, i, tries);
		form.duration = (rspb_moldable_duration(work, form.nodes) +
				 unit - 1) /
				unit * unit;
		if (form.nodes < least || form.nodes > most ||
		    (longest && form.duration > longest))
			continue;
		/* More nodes that gain nothing go. */
		while (n && out[n - 1].duration >= form.duration)
			n--;
		out[n++] = form;
	}
	if (!n)
		rspb_fail(err,
			  "on %" PRIu32 " to %" PRIu32 " nodes it is not done "
			  "within %" PRId64 " minutes",
			  least, most, longest / 60);
	return n;
}
