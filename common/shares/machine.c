/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The break points of one machine; see internal.h. */
#include <string.h>

#include "common/base/array.h"
#include "common/shares/internal.h"

/* RET the index of the first step at or after time. */
static size_t step_at(const struct rspb_share_machine *machine, int64_t time)
{
	const struct rspb_share_step *at = machine->steps;

	/* The search has no branch that depends on data, because such branches are predicted
	 * badly. */
	for (size_t n = machine->count; n;) {
		size_t half = n / 2;

		at += -(size_t) (at[half].time < time) & (n - half);
		n = half;
	}
	return (size_t) (at - machine->steps);
}

/* Return the index of the step that holds at `start`, or of the first one after it if none holds
 * there. */
static size_t first_step(const struct rspb_share_machine *machine, int64_t start)
{
	size_t i = step_at(machine, start);

	if (i && (i == machine->count || machine->steps[i].time > start))
		i--;
	return i;
}

/* Return the peak from the steps of one machine. The step that holds at `start` counts, and no step
 * at or after `end` does. */
int64_t rspb_share_machine_peak(const struct rspb_share_machine *machine, int64_t start,
				int64_t end)
{
	int64_t peak = 0;

	for (size_t i = first_step(machine, start);
	     i < machine->count && machine->steps[i].time < end; i++)
		if (machine->steps[i].used > peak)
			peak = machine->steps[i].used;
	return peak;
}

bool rspb_share_machine_above(const struct rspb_share_machine *machine, int64_t level,
			      int64_t *from, int64_t *until)
{
	const struct rspb_share_step *steps = machine->steps;
	size_t i = first_step(machine, *from), end;

	while (i < machine->count && steps[i].used <= level)
		i++;
	if (i == machine->count)
		return false;
	if (steps[i].time > *from)
		*from = steps[i].time;
	/* The last step uses 0, so a stretch above a level always ends at some step. */
	for (end = i; end + 1 < machine->count && steps[end].used > level;)
		end++;
	*until = steps[end].time;
	return *until > *from;
}

int64_t rspb_share_machine_load(const struct rspb_share_machine *machine, int64_t start,
				int64_t end)
{
	int64_t load = 0;

	for (size_t i = first_step(machine, start);
	     i < machine->count && machine->steps[i].time < end; i++) {
		const struct rspb_share_step *step = &machine->steps[i];
		int64_t a = step->time > start ? step->time : start;
		/* The last step has no end of its own; it uses 0, so any end will do. */
		int64_t b = i + 1 < machine->count ? step[1].time : end;

		/* A window may be as long as the range of times, and then the product exceeds 63
		 * bits. */
		if (__builtin_mul_overflow((b < end ? b : end) - a, step->used, &a) ||
		    __builtin_add_overflow(load, a, &load))
			return INT64_MAX;
	}
	return load;
}

/* The span has all that a check and the change after it need, so that the steps are searched once.
 * A span is valid only until the machine changes. */
struct rspb_share_span rspb_share_machine_span(const struct rspb_share_machine *machine,
					       int64_t start, int64_t end)
{
	const struct rspb_share_step *steps = machine->steps;
	uint32_t i = (uint32_t) step_at(machine, start);
	struct rspb_share_span span = {
		.start = start,
		.end = end,
		.from = i,
		.before = i ? steps[i - 1].used : 0,
		.begins = i < machine->count && steps[i].time == start,
	};

	span.most = span.least = span.begins ? steps[i].used : span.before;
	for (; i < machine->count && steps[i].time < end; i++) {
		int64_t used = steps[i].used;

		span.most = used > span.most ? used : span.most;
		span.least = used < span.least ? used : span.least;
	}
	span.to = i;
	return span;
}

/* A change adds at most two steps, at the begin and at the end of its window. */
int rspb_share_machine_reserve(struct rspb_share_machine *machine)
{
	return rspb_array_grow(&machine->steps, &machine->room, machine->count + 2,
			       sizeof(*machine->steps));
}

/* Move some steps by `by` places, up or down. */
static void shift(struct rspb_share_step *from, size_t count, int by)
{
	if (by)
		memmove(from + by, from, count * sizeof(*from));
}

/* Change the steps within a span. Neighbours that become equal are merged, so that the number of
 * steps follows from what is booked and not from how it came about. */
void rspb_share_machine_change(struct rspb_share_machine *machine,
			       const struct rspb_share_span *span, int64_t share)
{
	struct rspb_share_step *steps = machine->steps;
	uint32_t i = span->from, j = span->to, count = machine->count;
	int64_t after = j ? steps[j - 1].used : 0;
	bool ends = j < count && steps[j].time == span->end;
	/* A change makes a step where there was none, and may undo one. */
	bool first_goes = span->begins && steps[i].used + share == span->before;
	bool last_goes = ends && steps[j].used == after + share;
	/* `front` and `back` say by how many places the steps within and after the span move. */
	int front = span->begins ? -(int) first_goes : 1;
	int back = front + (ends ? -(int) last_goes : 1);

	/* Steps are moved towards a gap: within the span first if they move down, after it first if
	 * they move up. Otherwise one move would overwrite what the other still needs. */
	if (front < 0)
		shift(steps + i + first_goes, j - i - first_goes, front);
	shift(steps + j + last_goes, count - j - last_goes, back);
	if (front > 0)
		shift(steps + i, j - i, front);
	machine->count = (uint32_t) ((int) count + back);
	if (front > 0)
		/* The new first step has the value from before the span. The loop below adds the
		 * share to it as to the others. */
		steps[i] = (struct rspb_share_step){ span->start, span->before };
	for (uint32_t k = i; k < (uint32_t) ((int) j + front); k++)
		steps[k].used += share;
	if (!ends)
		steps[(int) j + front] = (struct rspb_share_step){ span->end, after };
}

/* The caller asks this first, so that pages with nothing to forget stay shared. */
bool rspb_share_machine_due(const struct rspb_share_machine *machine, int64_t now)
{
	return machine->count && machine->steps[0].time < now;
}

void rspb_share_machine_advance(struct rspb_share_machine *machine, int64_t now)
{
	size_t from = first_step(machine, now);

	if (from == machine->count)
		return;
	/* The step that holds at `now` begins there from now on, and the value at `now` stays. */
	if (machine->steps[from].time < now)
		machine->steps[from].time = now;
	/* Nothing reserved needs no step to say so. */
	from += machine->steps[from].time == now && !machine->steps[from].used;
	machine->count -= (uint32_t) from;
	memmove(machine->steps, machine->steps + from, machine->count * sizeof(machine->steps[0]));
}
