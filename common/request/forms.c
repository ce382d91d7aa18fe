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
	parts = (__int128) work->serial * nodes + (RSPB_MOLDABLE_WHOLE - work->serial);
	return (int64_t) ((work->seconds * parts + per - 1) / per);
}

/* The i-th of so many numbers from most down to least. */
static uint32_t spread(uint32_t least, uint32_t most, uint32_t i, uint32_t n)
{
	return n == 1 ? most : most - (uint32_t) ((uint64_t) (most - least) * i / (n - 1));
}

/* The i-th number of so many that are tried; 0: it is not in the range. */
static uint32_t number_of(const struct rspb_moldable *work, const struct rspb_form_range *range,
			  uint32_t i, uint32_t tries)
{
	uint32_t number = work->n ? work->table[work->n - 1 - i].nodes
				  : spread(range->least, range->most, i, tries);

	if (work->n && range->on)
		number = number % range->on ? 0 : number / range->on;
	return number < range->least || number > range->most ? 0 : number;
}

static struct rspb_form form_of(const struct rspb_moldable *work,
				const struct rspb_form_range *range, uint32_t number)
{
	uint32_t all = range->on ? number * range->on : number;
	int64_t takes = rspb_moldable_duration(work, all) + range->unit - 1;

	return (struct rspb_form){
		.nodes = range->on ? range->on : number,
		.tasks = range->on ? number : 0,
		.duration = takes / range->unit * range->unit,
	};
}

uint32_t rspb_moldable_forms(const struct rspb_moldable *work, const struct rspb_form_range *range,
			     struct rspb_form out[RSPB_FORMS_MOST], struct rspb_err *err)
{
	uint32_t all = range->most - range->least + 1, n = 0;
	uint32_t tries = work->n ? work->n : all < RSPB_FORMS_MOST ? all : RSPB_FORMS_MOST;
	uint32_t each = range->on ? range->on : 1;

	for (uint32_t i = 0; i < tries; i++) {
		uint32_t number = number_of(work, range, i, tries);
		struct rspb_form form;

		if (!number)
			continue;
		form = form_of(work, range, number);
		if (range->longest && form.duration > range->longest)
			continue;
		/* More of them that gain nothing go. */
		while (n && out[n - 1].duration >= form.duration)
			n--;
		out[n++] = form;
	}
	if (!n)
		rspb_fail(err,
			  "on %" PRIu32 " to %" PRIu32 " %s it is not done "
			  "within %" PRId64 " minutes",
			  range->least * each, range->most * each, range->on ? "tasks" : "nodes",
			  range->longest / 60);
	return n;
}
