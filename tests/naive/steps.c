/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/naive/steps.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/calendar/profile.h"

/* `used` is reserved from time until the next step. */
struct step {
	int64_t time;
	int64_t used;
};

struct machine {
	int64_t capacity;
	struct step *steps; /* rising times; the last one uses 0 */
	size_t count;
	size_t room;
};

struct naive_steps {
	uint32_t machines;
	int64_t granularity;
	int64_t now;
	struct machine machine[];
};

static int64_t within(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* RET the begin of the slot that time lies in. */
static int64_t slot_begin(const struct naive_steps *steps, int64_t time)
{
	int64_t rest = time % steps->granularity;

	return time - (rest < 0 ? rest + steps->granularity : rest);
}

struct naive_steps *naive_steps_create(uint32_t machines, const int64_t *capacity,
				       int64_t granularity, int64_t now)
{
	struct naive_steps *steps;

	steps = calloc(1, sizeof(*steps) + machines * sizeof(steps->machine[0]));
	if (!steps)
		return NULL;
	steps->machines = machines;
	steps->granularity = within(granularity, 1, INT64_C(1) << 40);
	steps->now = slot_begin(steps, within(now, RSPB_TIME_MIN + 1, RSPB_TIME_MAX - 1));
	for (uint32_t m = 0; m < machines; m++)
		steps->machine[m].capacity = within(capacity[m], 0, INT32_MAX);
	return steps;
}

void naive_steps_destroy(struct naive_steps *steps)
{
	if (!steps)
		return;
	for (uint32_t m = 0; m < steps->machines; m++)
		free(steps->machine[m].steps);
	free(steps);
}

/* RET the index of the first step at or after time. */
static size_t step_at(const struct machine *machine, int64_t time)
{
	size_t low = 0, high = machine->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (machine->steps[mid].time < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int check_window(const struct naive_steps *steps, int64_t *start, int64_t *end,
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
	*start = slot_begin(steps, *start);
	*end = slot_begin(steps, *end - 1) + steps->granularity;
	return 0;
}

static int check_machine(const struct naive_steps *steps, uint32_t machine, struct rspb_err *err)
{
	if (machine >= steps->machines)
		return rspb_fail(err,
				 "machine %" PRIu32 " does not exist; "
				 "there are %" PRIu32 ", numbered from 0",
				 machine, steps->machines);
	return 0;
}

/* The steps that hold within [start, end) are from..to-1. */
static size_t first_step(const struct machine *machine, int64_t start)
{
	size_t i = step_at(machine, start);

	if (i && (i == machine->count || machine->steps[i].time > start))
		i--;
	return i;
}

static int64_t peak_of(const struct machine *machine, int64_t start, int64_t end)
{
	int64_t peak = 0;

	for (size_t i = first_step(machine, start);
	     i < machine->count && machine->steps[i].time < end; i++)
		if (machine->steps[i].used > peak)
			peak = machine->steps[i].used;
	return peak;
}

static int64_t least_of(const struct machine *machine, int64_t start, int64_t end)
{
	size_t i = first_step(machine, start);
	int64_t least;

	if (i == machine->count || machine->steps[i].time > start)
		return 0;
	least = machine->steps[i].used;
	for (; i < machine->count && machine->steps[i].time < end; i++)
		if (machine->steps[i].used < least)
			least = machine->steps[i].used;
	return least;
}

/* Room for two more steps. RET -1: out of memory. */
static int reserve(struct machine *machine)
{
	size_t room = 2 * machine->room + 4;
	struct step *grown;

	if (machine->count + 2 <= machine->room)
		return 0;
	grown = realloc(machine->steps, room * sizeof(*grown));
	if (!grown)
		return -1;
	machine->steps = grown;
	machine->room = room;
	return 0;
}

static void split(struct machine *machine, int64_t time)
{
	size_t i = step_at(machine, time);
	struct step *step = machine->steps + i;

	if (i < machine->count && step->time == time)
		return;
	memmove(step + 1, step, (machine->count - i) * sizeof(*step));
	*step = (struct step){ time, i ? step[-1].used : 0 };
	machine->count++;
}

static void join(struct machine *machine, int64_t time)
{
	size_t i = step_at(machine, time);
	struct step *step = machine->steps + i;

	if (i == machine->count || step->time != time || step->used != (i ? step[-1].used : 0))
		return;
	machine->count--;
	memmove(step, step + 1, (machine->count - i) * sizeof(*step));
}

static int change(struct machine *machine, int64_t start, int64_t end, int64_t share,
		  struct rspb_err *err)
{
	if (reserve(machine))
		return rspb_fail(err, "out of memory for the share table");
	split(machine, start);
	split(machine, end);
	for (size_t i = step_at(machine, start); machine->steps[i].time < end; i++)
		machine->steps[i].used += share;
	join(machine, end);
	join(machine, start);
	return 0;
}

static int check_change(const struct naive_steps *steps, uint32_t machine, int64_t *start,
			int64_t *end, int64_t share, struct rspb_err *err)
{
	if (check_machine(steps, machine, err) || check_window(steps, start, end, err))
		return -1;
	if (share <= 0)
		return rspb_fail(err,
				 "share %" PRId64 " is not positive; give "
				 "1/10000 of a CPU or more",
				 share);
	if (*start < steps->now)
		*start = steps->now;
	return 0;
}

int naive_steps_add(struct naive_steps *steps, uint32_t machine, int64_t start, int64_t end,
		    int64_t share, struct rspb_err *err)
{
	struct machine *at;
	int64_t spare;

	if (check_change(steps, machine, &start, &end, share, err))
		return -1;
	if (end <= start)
		return 0;
	at = &steps->machine[machine];
	spare = at->capacity - peak_of(at, start, end);
	if (share > spare)
		return rspb_fail(err,
				 "share %" PRId64 " does not fit on "
				 "machine %" PRIu32 " within %" PRId64 " to %" PRId64
				 "; at most %" PRId64 " is free there",
				 share, machine, start, end, spare);
	return change(at, start, end, share, err);
}

int naive_steps_remove(struct naive_steps *steps, uint32_t machine, int64_t start, int64_t end,
		       int64_t share, struct rspb_err *err)
{
	struct machine *at;
	int64_t held;

	if (check_change(steps, machine, &start, &end, share, err))
		return -1;
	if (end <= start)
		return 0;
	at = &steps->machine[machine];
	held = least_of(at, start, end);
	if (share > held)
		return rspb_fail(err,
				 "share %" PRId64 " is not held on "
				 "machine %" PRIu32 " all of %" PRId64 " to %" PRId64
				 "; at most %" PRId64 " can be given "
				 "back",
				 share, machine, start, end, held);
	return change(at, start, end, -share, err);
}

static void forget_before(struct machine *machine, int64_t now)
{
	size_t from = first_step(machine, now);

	if (from == machine->count)
		return;
	if (machine->steps[from].time < now)
		machine->steps[from].time = now;
	machine->count -= from;
	memmove(machine->steps, machine->steps + from, machine->count * sizeof(machine->steps[0]));
	join(machine, now);
}

int naive_steps_advance(struct naive_steps *steps, int64_t now, struct rspb_err *err)
{
	if (now < steps->now || now >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "now cannot go from %" PRId64 " to %" PRId64
				 "; it only moves on, within 2^61",
				 steps->now, now);
	/* A slot that has begun stays whole. */
	steps->now = slot_begin(steps, now);
	for (uint32_t m = 0; m < steps->machines; m++)
		forget_before(&steps->machine[m], steps->now);
	return 0;
}

int naive_steps_peak(const struct naive_steps *steps, uint32_t machine, int64_t start, int64_t end,
		     int64_t *peak, struct rspb_err *err)
{
	if (check_machine(steps, machine, err) || check_window(steps, &start, &end, err))
		return -1;
	*peak = peak_of(&steps->machine[machine], start, end);
	return 0;
}

int naive_steps_peaks(const struct naive_steps *steps, int64_t start, int64_t end, int64_t *peaks,
		      struct rspb_err *err)
{
	if (check_window(steps, &start, &end, err))
		return -1;
	for (uint32_t m = 0; m < steps->machines; m++)
		peaks[m] = peak_of(&steps->machine[m], start, end);
	return 0;
}

static int64_t load_of(const struct machine *machine, int64_t start, int64_t end)
{
	int64_t load = 0;

	for (size_t i = first_step(machine, start);
	     i < machine->count && machine->steps[i].time < end; i++) {
		const struct step *step = &machine->steps[i];
		int64_t a = step->time > start ? step->time : start;
		int64_t b = i + 1 < machine->count ? step[1].time : end;

		if (__builtin_mul_overflow((b < end ? b : end) - a, step->used, &a) ||
		    __builtin_add_overflow(load, a, &load))
			return INT64_MAX;
	}
	return load;
}

int naive_steps_loads(const struct naive_steps *steps, int64_t start, int64_t end, int64_t *loads,
		      struct rspb_err *err)
{
	if (check_window(steps, &start, &end, err))
		return -1;
	for (uint32_t m = 0; m < steps->machines; m++)
		loads[m] = load_of(&steps->machine[m], start, end);
	return 0;
}
