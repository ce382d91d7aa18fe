/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/shares/shares.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/times.h"
#include "common/shares/internal.h"

static int64_t within(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* RET the begin of the slot that time lies in. */
static int64_t slot_begin(const struct rspb_shares *shares, int64_t time)
{
	int64_t rest = time % shares->granularity;

	return time - (rest < 0 ? rest + shares->granularity : rest);
}

struct rspb_shares *rspb_shares_create(uint32_t machines,
				       const int64_t *capacity,
				       int64_t granularity, int64_t now)
{
	struct rspb_shares *shares;

	shares = calloc(1, sizeof(*shares) +
				   machines * sizeof(shares->machine[0]));
	if (!shares)
		return NULL;
	shares->machines = machines;
	shares->granularity = within(granularity, 1, INT64_C(1) << 40);
	shares->now = slot_begin(shares, within(now, RSPB_TIME_MIN + 1,
						RSPB_TIME_MAX - 1));
	for (uint32_t m = 0; m < machines; m++)
		shares->machine[m].capacity = within(capacity[m], 0, INT32_MAX);
	if (!rspb_share_index_init(&shares->index, machines))
		return shares;
	rspb_shares_destroy(shares);
	return NULL;
}

void rspb_shares_destroy(struct rspb_shares *shares)
{
	if (!shares)
		return;
	for (uint32_t m = 0; m < shares->machines; m++)
		free(shares->machine[m].steps);
	rspb_share_index_fini(&shares->index);
	free(shares);
}

struct rspb_shares *rspb_shares_clone(const struct rspb_shares *shares)
{
	size_t bytes = sizeof(*shares) +
		       shares->machines * sizeof(shares->machine[0]);
	struct rspb_shares *copy = malloc(bytes);
	bool whole;

	if (!copy)
		return NULL;
	memcpy(copy, shares, bytes);
	whole = !rspb_share_index_clone(&copy->index, &shares->index);
	for (uint32_t m = 0; m < copy->machines; m++) {
		struct rspb_share_machine *to = &copy->machine[m];
		size_t size = to->count * sizeof(*to->steps);

		to->room = to->count;
		to->steps = size ? malloc(size) : NULL;
		if (to->steps)
			memcpy(to->steps, shares->machine[m].steps, size);
		else if (size)
			whole = false;
	}
	if (whole)
		return copy;
	rspb_shares_destroy(copy);
	return NULL;
}

void rspb_shares_resize(struct rspb_shares *shares, const int64_t *capacity)
{
	for (uint32_t m = 0; m < shares->machines; m++) {
		struct rspb_share_machine *machine = &shares->machine[m];
		int64_t new = within(capacity[m], 0, INT32_MAX);

		for (uint32_t i = 0; i < machine->count; i++)
			if (machine->steps[i].used > new)
				new = machine->steps[i].used;
		machine->capacity = new;
	}
}

int64_t rspb_shares_capacity(const struct rspb_shares *shares, uint32_t machine)
{
	return machine < shares->machines ? shares->machine[machine].capacity
					  : 0;
}

static int check_window(const struct rspb_shares *shares, int64_t *start,
			int64_t *end, struct rspb_err *err)
{
	if (*start <= RSPB_TIME_MIN || *end >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " is out of range; times lie within 2^61 "
				 "units of zero",
				 *start, *end);
	if (*end <= *start)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " is empty; its end must lie after its start",
				 *start, *end);
	*start = slot_begin(shares, *start);
	*end = slot_begin(shares, *end - 1) + shares->granularity;
	return 0;
}

static int check_machine(const struct rspb_shares *shares, uint32_t machine,
			 struct rspb_err *err)
{
	if (machine >= shares->machines)
		return rspb_fail(err,
				 "machine %" PRIu32 " does not exist; "
				 "there are %" PRIu32 ", numbered from 0",
				 machine, shares->machines);
	return 0;
}

/* Change a span by a share that fits. */
static int change(struct rspb_shares *shares, uint32_t m,
		  const struct rspb_share_span *span, int64_t share,
		  struct rspb_err *err)
{
	struct rspb_share_machine *machine = &shares->machine[m];
	size_t chunk;

	if (rspb_share_machine_reserve(machine) ||
	    rspb_share_index_reserve(&shares->index, span->start, span->end,
				     &chunk))
		return rspb_fail(err, "out of memory for the share table");
	rspb_share_machine_change(machine, span, share);
	rspb_share_index_change(&shares->index, chunk, machine, m, span->start,
				span->end, share);
	return 0;
}

static int check_change(const struct rspb_shares *shares, uint32_t machine,
			int64_t *start, int64_t *end, int64_t share,
			struct rspb_err *err)
{
	if (check_machine(shares, machine, err) ||
	    check_window(shares, start, end, err))
		return -1;
	if (share <= 0)
		return rspb_fail(err,
				 "share %" PRId64 " is not positive; give "
				 "1/10000 of a CPU or more",
				 share);
	if (*start < shares->now)
		*start = shares->now;
	return 0;
}

int rspb_shares_add(struct rspb_shares *shares, uint32_t machine, int64_t start,
		    int64_t end, int64_t share, struct rspb_err *err)
{
	struct rspb_share_span span;
	int64_t spare;

	if (check_change(shares, machine, &start, &end, share, err))
		return -1;
	if (end <= start)
		return 0;
	span = rspb_share_machine_span(&shares->machine[machine], start, end);
	spare = shares->machine[machine].capacity - span.most;
	if (share > spare)
		return rspb_fail(err,
				 "share %" PRId64 " does not fit on "
				 "machine %" PRIu32 " within %" PRId64
				 " to %" PRId64 "; at most %" PRId64
				 " is free there",
				 share, machine, start, end, spare);
	return change(shares, machine, &span, share, err);
}

int rspb_shares_remove(struct rspb_shares *shares, uint32_t machine,
		       int64_t start, int64_t end, int64_t share,
		       struct rspb_err *err)
{
	struct rspb_share_span span;

	if (check_change(shares, machine, &start, &end, share, err))
		return -1;
	if (end <= start)
		return 0;
	span = rspb_share_machine_span(&shares->machine[machine], start, end);
	if (share > span.least)
		return rspb_fail(err,
				 "share %" PRId64 " is not held on "
				 "machine %" PRIu32 " all of %" PRId64
				 " to %" PRId64 "; at most %" PRId64
				 " can be given "
				 "back",
				 share, machine, start, end, span.least);
	return change(shares, machine, &span, -share, err);
}

int rspb_shares_advance(struct rspb_shares *shares, int64_t now,
			struct rspb_err *err)
{
	if (now < shares->now || now >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "now cannot go from %" PRId64 " to %" PRId64
				 "; it only moves on, within 2^61",
				 shares->now, now);
	/* A slot that has begun stays whole. */
	shares->now = slot_begin(shares, now);
	for (uint32_t m = 0; m < shares->machines; m++)
		rspb_share_machine_advance(&shares->machine[m], shares->now);
	rspb_share_index_advance(&shares->index, shares->now);
	return 0;
}

int rspb_shares_peak(const struct rspb_shares *shares, uint32_t machine,
		     int64_t start, int64_t end, int64_t *peak,
		     struct rspb_err *err)
{
	if (check_machine(shares, machine, err) ||
	    check_window(shares, &start, &end, err))
		return -1;
	*peak = rspb_share_machine_peak(&shares->machine[machine], start, end);
	return 0;
}

/* The row of all peaks, NULL when the window lies before now. */
static const int32_t *peaks_of(const struct rspb_shares *shares, int64_t start,
			       int64_t end)
{
	if (end <= shares->now)
		return NULL;
	return rspb_share_index_peaks(&shares->index,
				      start > shares->now ? start : shares->now,
				      end);
}

int rspb_shares_peaks(const struct rspb_shares *shares, int64_t start,
		      int64_t end, int64_t *peaks, struct rspb_err *err)
{
	const int32_t *row;

	if (check_window(shares, &start, &end, err))
		return -1;
	row = peaks_of(shares, start, end);
	for (uint32_t m = 0; m < shares->machines; m++)
		peaks[m] = row ? row[m] : 0;
	return 0;
}

int rspb_shares_loads(const struct rspb_shares *shares, int64_t start,
		      int64_t end, int64_t *loads, struct rspb_err *err)
{
	if (check_window(shares, &start, &end, err))
		return -1;
	for (uint32_t m = 0; m < shares->machines; m++)
		loads[m] = rspb_share_machine_load(&shares->machine[m], start,
						   end);
	return 0;
}
