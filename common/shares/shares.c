/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/shares/shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/times.h"
#include "common/shares/internal.h"

/* Hold a value within bounds. Capacities come from the configuration and are limited, not refused,
 * so that a table always exists. */
static int64_t within(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* Return the begin of the slot that contains a time. */
static int64_t slot_begin(const struct rspb_shares *shares, int64_t time)
{
	/* The remainder of a negative time is negative in C, and slots must be rounded towards the
	 * past there, too. */
	int64_t rest = time % shares->granularity;

	return time - (rest < 0 ? rest + shares->granularity : rest);
}

static size_t pages_of(uint32_t machines)
{
	return (machines + RSPB_SHARE_PAGE - 1) / RSPB_SHARE_PAGE;
}

/* Allocate a table without pages and chunks. Zeroed pages and no chunks are what
 * rspb_shares_destroy() accepts, so a partly made table can be destroyed. */
static struct rspb_shares *alloc(uint32_t machines)
{
	struct rspb_shares *shares = calloc(1, sizeof(*shares) +
						       pages_of(machines) * sizeof(*shares->pages));

	if (shares)
		shares->machines = machines;
	return shares;
}

/* Return a machine to write to. Its page is copied first if other tables share it. RET NULL without
 * memory. */
static struct rspb_share_machine *own(struct rspb_shares *shares, uint32_t m)
{
	struct rspb_share_page **page = &shares->pages[m / RSPB_SHARE_PAGE];

	return rspb_share_page_own(page) ? NULL : &(*page)->machine[m % RSPB_SHARE_PAGE];
}

struct rspb_shares *rspb_shares_create(uint32_t machines, const int64_t *capacity,
				       int64_t granularity, int64_t now)
{
	struct rspb_shares *shares = alloc(machines);
	bool whole;

	if (!shares)
		return NULL;
	shares->granularity = within(granularity, 1, INT64_C(1) << 40);
	shares->now = slot_begin(shares, within(now, RSPB_TIME_MIN + 1, RSPB_TIME_MAX - 1));
	whole = !rspb_share_index_init(&shares->index, machines);
	for (size_t p = 0; whole && p < pages_of(machines); p++)
		whole = (shares->pages[p] = rspb_share_page_create()) != NULL;
	if (!whole) {
		rspb_shares_destroy(shares);
		return NULL;
	}
	/* The pages are new and nobody shares them, so own() cannot fail. */
	for (uint32_t m = 0; m < machines; m++)
		own(shares, m)->capacity = within(capacity[m], 0, INT32_MAX);
	return shares;
}

void rspb_shares_destroy(struct rspb_shares *shares)
{
	if (!shares)
		return;
	for (size_t p = 0; p < pages_of(shares->machines); p++)
		rspb_share_page_drop(shares->pages[p]);
	rspb_share_index_fini(&shares->index);
	free(shares);
}

/* Each decision works on a copy of the ledger, so a copy must be cheap: it shares all pages and
 * chunks. */
struct rspb_shares *rspb_shares_clone(const struct rspb_shares *shares)
{
	struct rspb_shares *copy = alloc(shares->machines);

	if (!copy)
		return NULL;
	copy->granularity = shares->granularity;
	copy->now = shares->now;
	for (size_t p = 0; p < pages_of(shares->machines); p++)
		copy->pages[p] = rspb_share_page_use(shares->pages[p]);
	if (!rspb_share_index_clone(&copy->index, &shares->index))
		return copy;
	rspb_shares_destroy(copy);
	return NULL;
}

int rspb_shares_resize(struct rspb_shares *shares, const int64_t *capacity)
{
	for (uint32_t m = 0; m < shares->machines; m++) {
		struct rspb_share_machine *machine = own(shares, m);
		int64_t new = within(capacity[m], 0, INT32_MAX);

		if (!machine)
			return -1;
		/* Bookings keep what they have when a node shrinks. The capacity stays at the
		 * highest amount that is reserved, and no sum exceeds it. */
		for (uint32_t i = 0; i < machine->count; i++)
			if (machine->steps[i].used > new)
				new = machine->steps[i].used;
		machine->capacity = new;
	}
	return 0;
}

int64_t rspb_shares_capacity(const struct rspb_shares *shares, uint32_t machine)
{
	return machine < shares->machines ? rspb_share_machine_at(shares, machine)->capacity : 0;
}

/* Check a window and round it outwards to whole slots. The error names the times as the caller gave
 * them. */
static int check_window(const struct rspb_shares *shares, int64_t *start, int64_t *end,
			struct rspb_err *err)
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
	/* The last instant of a half-open window is end - 1; its slot is the last one that is
	 * taken. */
	*end = slot_begin(shares, *end - 1) + shares->granularity;
	return 0;
}

static int check_machine(const struct rspb_shares *shares, uint32_t machine, struct rspb_err *err)
{
	if (machine >= shares->machines)
		return rspb_fail(err,
				 "machine %" PRIu32 " does not exist; "
				 "there are %" PRIu32 ", numbered from 0",
				 machine, shares->machines);
	return 0;
}

/* Change a span by a share that fits. The memory for both representations is reserved before either
 * changes, so that they never differ. */
static int change(struct rspb_shares *shares, uint32_t m, const struct rspb_share_span *span,
		  int64_t share, struct rspb_err *err)
{
	struct rspb_share_machine *machine = own(shares, m);
	size_t chunk;

	if (!machine || rspb_share_machine_reserve(machine) ||
	    rspb_share_index_reserve(&shares->index, span->start, span->end, &chunk))
		return rspb_fail(err, "out of memory for the share table");
	/* The order matters: the index reads the new peaks from the steps of the machine. */
	rspb_share_machine_change(machine, span, share);
	rspb_share_index_change(&shares->index, chunk, machine, m, span->start, span->end, share);
	return 0;
}

/* Check the arguments of a change and cut off its past, which is forgotten. After that, end <=
 * start means that nothing is left to do. */
static int check_change(const struct rspb_shares *shares, uint32_t machine, int64_t *start,
			int64_t *end, int64_t share, struct rspb_err *err)
{
	if (check_machine(shares, machine, err) || check_window(shares, start, end, err))
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

int rspb_shares_add(struct rspb_shares *shares, uint32_t machine, int64_t start, int64_t end,
		    int64_t share, struct rspb_err *err)
{
	const struct rspb_share_machine *at;
	struct rspb_share_span span;
	int64_t spare;

	if (check_change(shares, machine, &start, &end, share, err))
		return -1;
	if (end <= start)
		return 0;
	/* The check and the change use the same span, and nothing happens in between. */
	at = rspb_share_machine_at(shares, machine);
	span = rspb_share_machine_span(at, start, end);
	spare = at->capacity - span.most;
	if (share > spare)
		return rspb_fail(err,
				 "share %" PRId64 " does not fit on "
				 "machine %" PRIu32 " within %" PRId64 " to %" PRId64
				 "; at most %" PRId64 " is free there",
				 share, machine, start, end, spare);
	return change(shares, machine, &span, share, err);
}

int rspb_shares_remove(struct rspb_shares *shares, uint32_t machine, int64_t start, int64_t end,
		       int64_t share, struct rspb_err *err)
{
	struct rspb_share_span span;

	if (check_change(shares, machine, &start, &end, share, err))
		return -1;
	if (end <= start)
		return 0;
	span = rspb_share_machine_span(rspb_share_machine_at(shares, machine), start, end);
	/* More than is reserved at every instant of the window cannot be removed; a negative amount
	 * would count as free capacity later. */
	if (share > span.least)
		return rspb_fail(err,
				 "share %" PRId64 " is not held on "
				 "machine %" PRIu32 " all of %" PRId64 " to %" PRId64
				 "; at most %" PRId64 " can be given "
				 "back",
				 share, machine, start, end, span.least);
	return change(shares, machine, &span, -share, err);
}

/* Prepare all machines that have steps before now for writing, so that advancing cannot fail
 * halfway. RET -1 without memory. */
static int own_due(struct rspb_shares *shares, int64_t now)
{
	for (uint32_t m = 0; m < shares->machines; m++)
		if (rspb_share_machine_due(rspb_share_machine_at(shares, m), now) &&
		    !own(shares, m))
			return -1;
	return 0;
}

/* The clock of a table never goes back, because the past is forgotten and could not be restored. */
int rspb_shares_advance(struct rspb_shares *shares, int64_t now, struct rspb_err *err)
{
	if (now < shares->now || now >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "now cannot go from %" PRId64 " to %" PRId64
				 "; it only moves on, within 2^61",
				 shares->now, now);
	/* The slot that contains `now` has begun and is kept as a whole. */
	now = slot_begin(shares, now);
	if (own_due(shares, now))
		return rspb_fail(err, "out of memory for the share table");
	/* Nothing can fail from here on: own() finds pages that belong to this table alone. */
	shares->now = now;
	for (uint32_t m = 0; m < shares->machines; m++)
		if (rspb_share_machine_due(rspb_share_machine_at(shares, m), now))
			rspb_share_machine_advance(own(shares, m), now);
	rspb_share_index_advance(&shares->index, shares->now);
	return 0;
}

int rspb_shares_peak(const struct rspb_shares *shares, uint32_t machine, int64_t start, int64_t end,
		     int64_t *peak, struct rspb_err *err)
{
	if (check_machine(shares, machine, err) || check_window(shares, &start, &end, err))
		return -1;
	*peak = rspb_share_machine_peak(rspb_share_machine_at(shares, machine), start, end);
	return 0;
}

bool rspb_shares_above(const struct rspb_shares *shares, uint32_t machine, int64_t level,
		       int64_t *from, int64_t *until)
{
	return machine < shares->machines &&
	       rspb_share_machine_above(rspb_share_machine_at(shares, machine),
					level < 0 ? 0 : level, from, until);
}

int rspb_shares_peaks(const struct rspb_shares *shares, int64_t start, int64_t end, int64_t *peaks,
		      struct rspb_err *err)
{
	int32_t *rows;

	if (check_window(shares, &start, &end, err))
		return -1;
	/* The index has forgotten the past, in which nothing is reserved by definition. */
	if (end <= shares->now) {
		memset(peaks, 0, shares->machines * sizeof(*peaks));
		return 0;
	}
	rows = rspb_share_index_rows(&shares->index);
	if (!rows)
		return rspb_fail(err, "out of memory for the share table");
	/* A begin in the past would make the first chunk report values from before now. */
	rspb_share_index_peaks(&shares->index, start > shares->now ? start : shares->now, end,
			       rows);
	for (uint32_t m = 0; m < shares->machines; m++)
		peaks[m] = rows[m];
	free(rows);
	return 0;
}

int rspb_shares_loads(const struct rspb_shares *shares, int64_t start, int64_t end, int64_t *loads,
		      struct rspb_err *err)
{
	if (check_window(shares, &start, &end, err))
		return -1;
	for (uint32_t m = 0; m < shares->machines; m++)
		loads[m] = rspb_share_machine_load(rspb_share_machine_at(shares, m), start, end);
	return 0;
}
