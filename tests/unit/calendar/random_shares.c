/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random_shares [--ops N] [--seed S] [--no-validate]
 *
 * Random operations on the share table, on plain break points and, as long as
 * time does not advance, on the thesis' slot table; every answer compared. The
 * seed is printed.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shares/shares.h"
#include "tests/naive/rng.h"
#include "tests/naive/slots.h"
#include "tests/naive/steps.h"
#include "tests/validate/validate.h"

enum { HORIZON = 4000, MOST_MACHINES = 200, HELD = 2000 };

struct held {
	uint32_t machine;
	int64_t start, end, share;
};

struct trio {
	uint32_t machines;
	int64_t now;
	bool slotted; /* the slot table still holds the same */
	struct rspb_shares *shares;
	struct naive_steps *steps;
	struct slots slots;
	struct held held[HELD];
	size_t count;
	uint64_t rng;
	int64_t x[MOST_MACHINES], y[MOST_MACHINES], z[MOST_MACHINES];
	struct rspb_shares *kept; /* a copy that nothing is done to */
	int64_t kept_now, was[MOST_MACHINES];
	struct rspb_err err;
};

static const char *do_add(struct trio *t)
{
	struct held h = {
		.machine = (uint32_t) rng_below(&t->rng, t->machines + 1),
		.start = t->now + (int64_t) rng_below(&t->rng, HORIZON),
		.share = (int64_t) rng_below(&t->rng, 5000),
	};
	int rc;

	h.end = h.start + (int64_t) rng_log(&t->rng, HORIZON) - 1;
	if (t->slotted && h.end > 2 * HORIZON)
		h.end = 2 * HORIZON;
	if (!rng_below(&t->rng, 200)) {
		h.start = (int64_t) rng_next(&t->rng);
		h.end = (int64_t) rng_next(&t->rng);
	}
	rc = naive_steps_add(t->steps, h.machine, h.start, h.end, h.share, NULL);
	if (rspb_shares_add(t->shares, h.machine, h.start, h.end, h.share, &t->err) != rc)
		return "add";
	if (!rc && (h.start < 0 || h.end > 2 * HORIZON))
		t->slotted = false;
	if (!rc && t->slotted)
		slots_add(&t->slots, h.machine, h.start, h.end, h.share);
	if (!rc && t->count < HELD)
		t->held[t->count++] = h;
	return NULL;
}

static const char *do_remove(struct trio *t)
{
	size_t i = (size_t) rng_below(&t->rng, t->count);
	struct held h = t->held[i];
	int rc;

	if (!t->count)
		return NULL;
	if (!rng_below(&t->rng, 4))
		h.end += (int64_t) rng_below(&t->rng, 20) - 10;
	rc = naive_steps_remove(t->steps, h.machine, h.start, h.end, h.share, NULL);
	if (rspb_shares_remove(t->shares, h.machine, h.start, h.end, h.share, &t->err) != rc)
		return "remove";
	if (rc)
		return NULL;
	t->held[i] = t->held[--t->count];
	if (t->slotted && h.end <= 2 * HORIZON)
		slots_add(&t->slots, h.machine, h.start, h.end, -h.share);
	else
		t->slotted = false;
	return NULL;
}

static bool differ(const struct trio *t, const int64_t *a, const int64_t *b)
{
	return memcmp(a, b, t->machines * sizeof(*a)) != 0;
}

static const char *ask_all(struct trio *t, int64_t start, int64_t end)
{
	rspb_shares_peaks(t->shares, start, end, t->x, NULL);
	naive_steps_peaks(t->steps, start, end, t->y, NULL);
	if (differ(t, t->x, t->y))
		return "peaks";
	if (t->slotted && end <= 2 * HORIZON) {
		slots_peaks(&t->slots, start, end, t->z);
		if (differ(t, t->x, t->z))
			return "peaks of slots";
	}
	rspb_shares_loads(t->shares, start, end, t->x, NULL);
	naive_steps_loads(t->steps, start, end, t->y, NULL);
	if (differ(t, t->x, t->y))
		return "loads";
	if (t->slotted && end <= 2 * HORIZON && slots_load(&t->slots, 0, start, end) != t->x[0])
		return "load of slots";
	return NULL;
}

static const char *do_ask(struct trio *t)
{
	int64_t start = t->now - 5 + (int64_t) rng_below(&t->rng, HORIZON);
	int64_t end = start + (int64_t) rng_log(&t->rng, HORIZON);
	uint32_t m = (uint32_t) rng_below(&t->rng, t->machines);

	if (start < 0)
		start = 0;
	if (end <= start)
		end = start + 1;
	rspb_shares_peak(t->shares, m, start, end, t->x, NULL);
	naive_steps_peak(t->steps, m, start, end, t->y, NULL);
	if (t->x[0] != t->y[0])
		return "peak";
	return ask_all(t, start, end);
}

static void ask_kept(const struct trio *t, int64_t *peaks)
{
	rspb_shares_peaks(t->kept, t->kept_now, t->kept_now + 2 * HORIZON, peaks, NULL);
}

/* Whatever was done since, a copy is as it was. */
static const char *do_copy(struct trio *t)
{
	struct rspb_shares *copy = rspb_shares_clone(t->shares);

	if (!copy)
		return "clone";
	if (t->kept) {
		ask_kept(t, t->x);
		if (differ(t, t->x, t->was))
			return "a copy has changed";
		if (validate_shares(t->kept, &t->err))
			return t->err.text;
		rspb_shares_destroy(t->kept);
	}
	t->kept = copy;
	if (rng_below(&t->rng, 2)) {
		t->kept = t->shares;
		t->shares = copy;
	}
	t->kept_now = t->now;
	ask_kept(t, t->was);
	return NULL;
}

static const char *do_advance(struct trio *t)
{
	int64_t now = t->now + (int64_t) rng_log(&t->rng, 300);

	if (naive_steps_advance(t->steps, now, NULL) !=
	    rspb_shares_advance(t->shares, now, &t->err))
		return "advance";
	t->now = now;
	t->slotted = false;
	return NULL;
}

static bool trio_init(struct trio *t, uint32_t machines, uint64_t seed)
{
	int64_t capacity[MOST_MACHINES];
	int64_t granularity;

	*t = (struct trio){ .machines = machines, .rng = seed };
	for (uint32_t m = 0; m < machines; m++)
		capacity[m] = (int64_t) rng_below(&t->rng, 3) * 10000 + 5000;
	granularity = rng_below(&t->rng, 2) ? 1 : (int64_t) rng_below(&t->rng, 60);
	t->slotted = granularity <= 1;
	t->shares = rspb_shares_create(machines, capacity, granularity, 0);
	t->steps = naive_steps_create(machines, capacity, granularity, 0);
	return t->shares && t->steps && !slots_init(&t->slots, machines, 2 * HORIZON);
}

static const char *run(struct trio *t, size_t ops, bool validate)
{
	const char *wrong = NULL;

	for (size_t i = 0; !wrong && i < ops; i++) {
		uint64_t kind = rng_below(&t->rng, 100);

		wrong = kind < 45   ? do_add(t)
			: kind < 70 ? do_remove(t)
			: kind < 98 ? do_ask(t)
			: kind < 99 ? do_advance(t)
				    : do_copy(t);
		if (!wrong && (validate || i + 1 == ops) && validate_shares(t->shares, &t->err))
			wrong = t->err.text;
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static const uint32_t machines[] = { 1, 3, 7, 8, 9, 64, 200 };
	uint64_t seed = 20240607, ops = 20000;
	bool validate = true;
	static struct trio t;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--no-validate"))
			validate = false;
		else if (i + 1 < argc && !strcmp(argv[i], "--ops"))
			ops = strtoull(argv[++i], NULL, 10);
		else if (i + 1 < argc && !strcmp(argv[i], "--seed"))
			seed = strtoull(argv[++i], NULL, 10);
		else
			return 2;
	}
	printf("seed %" PRIu64 "\n", seed);
	for (uint64_t done = 0, round = 0; done < ops; done += 1000, round++) {
		const char *wrong;

		if (!trio_init(&t, machines[round % 7], seed + round))
			return 2;
		wrong = run(&t, 1000, validate);
		if (wrong) {
			printf("round %" PRIu64 ": %s\n", round, wrong);
			return EXIT_FAILURE;
		}
		rspb_shares_destroy(t.shares);
		rspb_shares_destroy(t.kept);
		naive_steps_destroy(t.steps);
		slots_fini(&t.slots);
	}
	printf("%" PRIu64 " operations agree\n", ops);
	return EXIT_SUCCESS;
}
