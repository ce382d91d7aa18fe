/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RB, RSPB, Co-RSPB, Co-RSBF and Co-RSBFR line by line as they were printed
 * (Min, figures 4.2, 5.1 to 5.8), on one slot per second and machine, against
 * the library on random batches. Slow and simple on purpose.
 */
#include <inttypes.h>

#include "tests/unit/plan/requests.h"
#include "tests/validate/validate.h"

enum { MACHINES = 6, SLOTS = 80, BATCH = 12, SUBS = 4 };

static unsigned int seed;

static int64_t pick(int64_t low, int64_t high)
{
	return low + rand_r(&seed) % (high - low + 1);
}

/* Slot tables of all machines, and what each request got. */
struct naive {
	int64_t capacity[MACHINES];
	int64_t slot[MACHINES][SLOTS];
	struct got {
		bool accepted;
		int machine[SUBS];
		int64_t cpu[SUBS];
	} got[BATCH];
};

static void add_reservation(struct naive *naive, int m, const struct rspb_request *r, int64_t cpu)
{
	for (int64_t t = r->ready; t < r->ready + r->duration; t++)
		naive->slot[m][t] += cpu;
}

static int64_t cpu_smallest(const struct naive *naive, int m, const struct rspb_request *r)
{
	int64_t heaviest = 0;

	for (int64_t t = r->ready; t < r->ready + r->duration; t++)
		if (naive->slot[m][t] > heaviest)
			heaviest = naive->slot[m][t];
	return naive->capacity[m] - heaviest;
}

static int64_t load(const struct naive *naive, int m, const struct rspb_request *r)
{
	int64_t sum = 0;

	for (int64_t t = r->ready; t < r->ready + r->duration; t++)
		sum += naive->slot[m][t];
	return sum;
}

/* Whether benefit of a is greater than that of b. */
static bool better(const struct rspb_request *r, uint32_t i, int64_t a, int64_t b)
{
	const struct rspb_benefit *f = rspb_request_benefit(r, i);

	return rspb_ratio_compare(rspb_benefit_value(f, a, r->parts[i].share),
				  rspb_benefit_value(f, b, r->parts[i].share)) > 0;
}

/*
 * One sub-request: the machine in the hard queue, else that in the soft queue.
 * `full` is what the hard queue asks for, `own` the machine that stands in
 * its queue from the beginning (figure 5.8), or -1. RET the machine, or -1.
 */
static int select_machine(const struct naive *naive, const struct rspb_request *r, uint32_t i,
			  int64_t full, bool by_load, int own)
{
	int64_t least = rspb_part_least(r, i);
	int hard = -1, soft = -1;

	if (own >= 0 && cpu_smallest(naive, own, r) >= full)
		hard = own;
	else
		soft = own;
	for (int m = 0; m < MACHINES; m++) {
		int64_t smallest = cpu_smallest(naive, m, r);

		if (m == own)
			continue;
		if (smallest >= full) {
			if (hard < 0 || (by_load ? load(naive, m, r) < load(naive, hard, r)
						 : smallest < cpu_smallest(naive, hard, r)))
				hard = m;
		} else if (hard < 0 && smallest >= least &&
			   (soft < 0 || better(r, i, smallest, cpu_smallest(naive, soft, r)))) {
			soft = m;
		}
	}
	return hard >= 0 ? hard : soft;
}

static void cancel(struct naive *naive, const struct rspb_request *r, struct got *got)
{
	for (uint32_t i = 0; i < r->n_parts; i++)
		if (got->cpu[i])
			add_reservation(naive, got->machine[i], r, -got->cpu[i]);
	memset(got, 0, sizeof(*got));
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Sub-requests in the order they are looked at. */
static void sort_subs(const struct rspb_request *r, uint32_t *order)
{
	for (uint32_t i = 0; i < r->n_parts; i++) {
		uint32_t at = i;

		for (; at && !r->parts[0].fixed &&
		       rspb_part_least(r, i) > rspb_part_least(r, order[at - 1]);
		     at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* floatScheduling and fixScheduling. */
static void place(struct naive *naive, const struct rspb_request *r, struct got *got,
		  const char *algorithm)
{
	bool by_load = !strcmp(algorithm, "rb") || !strcmp(algorithm, "rspb");
	bool least_only = !strncmp(algorithm, "co-rsbf", 7);
	uint32_t order[SUBS];

	sort_subs(r, order);
	for (uint32_t k = 0; k < r->n_parts; k++) {
		uint32_t i = order[k];
		int64_t least = rspb_part_least(r, i);
		int64_t full = least_only ? least : rspb_part_full(r, i);
		int m = r->parts[i].fixed ? (int) rspb_nodeset_next(r->parts[i].fixed, 0)
					  : select_machine(naive, r, i, full, by_load, -1);
		int64_t free_cpu = m < 0 ? 0 : cpu_smallest(naive, m, r);

		if (free_cpu < (strcmp(algorithm, "rb") ? least : full)) {
			cancel(naive, r, got);
			return;
		}
		got->machine[i] = m;
		got->cpu[i] = smaller(free_cpu, full);
		add_reservation(naive, m, r, got->cpu[i]);
	}
	got->accepted = true;
}

/* refineScheduling, both rounds. */
static void refine(struct naive *naive, const struct rspb_request *r, struct got *got)
{
	for (uint32_t k = 0; k < 2 * r->n_parts; k++) {
		uint32_t i = k % r->n_parts;
		int64_t full = rspb_part_full(r, i);
		int m = got->machine[i];

		if (rspb_part_least(r, i) == full || (k >= r->n_parts && got->cpu[i] >= full))
			continue;
		add_reservation(naive, m, r, -got->cpu[i]);
		if (k < r->n_parts && !r->parts[i].fixed)
			m = select_machine(naive, r, i, full, false, m);
		got->machine[i] = m;
		got->cpu[i] = smaller(cpu_smallest(naive, m, r), full);
		add_reservation(naive, m, r, got->cpu[i]);
	}
}

static int64_t sum_of_least(const struct rspb_request *r)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < r->n_parts; i++)
		sum += rspb_part_least(r, i);
	return sum;
}

/* Requests in the order they are looked at; the sort is stable. */
static void sort_requests(struct rspb_request *const *requests, const char *algorithm, int *order)
{
	bool by_least = !strncmp(algorithm, "co-rsbf", 7);

	for (int i = 0; i < BATCH; i++) {
		int at = i;

		for (; at && strcmp(algorithm, "rb") &&
		       (by_least ? sum_of_least(requests[i]) > sum_of_least(requests[order[at - 1]])
				 : requests[i]->priority > requests[order[at - 1]]->priority);
		     at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

static void naive_batch(struct naive *naive, struct rspb_request *const *requests,
			const char *algorithm)
{
	int order[BATCH];

	sort_requests(requests, algorithm, order);
	memset(naive->got, 0, sizeof(naive->got));
	for (int k = 0; k < BATCH; k++)
		place(naive, requests[order[k]], &naive->got[order[k]], algorithm);
	for (int k = 0; k < BATCH && !strcmp(algorithm, "co-rsbfr"); k++)
		if (naive->got[order[k]].accepted)
			refine(naive, requests[order[k]], &naive->got[order[k]]);
}

static struct rspb_request *random_request(uint64_t id, int64_t subs)
{
	static const char *const shapes[] = { "hard", "linear", "stairs:30%", "concave",
					      "convex:70%" };
	struct rspb_request *r = ask_shares(id, pick(0, SLOTS - 31), pick(1, 30),
					    shapes[pick(0, 4)], SHARES(0));
	bool fixed = !pick(0, 2);

	r->priority = pick(1, 5);
	for (int64_t i = 0; i < subs; i++) {
		struct rspb_part *part = add_part(r, 1, pick(1, 9000));

		if (fixed) {
			part->fixed = rspb_nodeset_create(MACHINES);
			rspb_nodeset_add(part->fixed, (uint32_t) pick(0, MACHINES - 1));
		}
		if (!pick(0, 3))
			ck_assert_int_eq(rspb_benefit_read(&part->benefit, shapes[pick(0, 4)],
							   NULL),
					 0);
	}
	return r;
}

/* The naive outcome as outcome() prints it. */
static const char *naive_outcome(const struct got *got, const struct rspb_request *r)
{
	static char text[1024];
	size_t at;

	if (!got->accepted)
		return "declined";
	at = (size_t) sprintf(text, "%" PRId64 "-%" PRId64, r->ready, r->ready + r->duration);
	for (uint32_t i = 0; i < r->n_parts; i++)
		at += (size_t) sprintf(text + at, " %d:%" PRId64, got->machine[i], got->cpu[i]);
	return text;
}

static void compare_batch(struct naive *naive, struct rspb_ledger *ledger, uint64_t first_id,
			  const char *algorithm)
{
	struct rspb_policy policy = policy_of(algorithm);
	struct rspb_request *requests[BATCH];
	struct rspb_booking *out[BATCH];
	bool single = algorithm[0] == 'r';

	for (uint64_t i = 0; i < BATCH; i++)
		requests[i] = random_request(first_id + i, single ? 1 : pick(1, SUBS));
	naive_batch(naive, requests, algorithm);
	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy,
					     (const struct rspb_request *const *) requests, BATCH,
					     0, out, NULL),
			 0);
	for (int i = 0; i < BATCH; i++) {
		ck_assert_msg(!strcmp(outcome(out[i]), naive_outcome(&naive->got[i], requests[i])),
			      "%s, seed %u, request %d: %s, literally %s", algorithm, seed, i,
			      outcome(out[i]), naive_outcome(&naive->got[i], requests[i]));
		rspb_booking_destroy(out[i]);
		rspb_request_destroy(requests[i]);
	}
}

START_TEST(as_printed)
{
	static const char *const algorithms[] = { "rb", "rspb", "co-rspb", "co-rsbf", "co-rsbfr" };

	for (unsigned int run = 0; run < 150; run++) {
		struct naive *naive = calloc(1, sizeof(*naive));
		struct rspb_ledger *ledger;

		seed = run * 31 + 7;
		for (int m = 0; m < MACHINES; m++)
			naive->capacity[m] = pick(3000, 12000);
		ledger = rspb_ledger_create(MACHINES, naive->capacity, 0);
		for (uint64_t batch = 0; batch < 3; batch++)
			compare_batch(naive, ledger, 1 + batch * BATCH, algorithms[_i]);
		ck_assert_int_eq(validate_ledger(ledger, NULL), 0);
		rspb_ledger_destroy(ledger);
		free(naive);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *suite = suite_create("thesis");
	TCase *tcase = tcase_create("thesis");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, as_printed, 0, 5);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(suite)
