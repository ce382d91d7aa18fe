/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload of all benchmarks: sizes log-uniform in 1..N/4, durations 0.1
 * to 1.9 h, starts spread so that 52 % of the machine is in use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ledger/ledger.h"
#include "tests/bench/bench.h"
#include "tests/naive/rng.h"
#include "tests/validate/validate.h"

const char *const style_names[] = { "lowest", "run", "scattered" };

void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "bench: %s failed\n", what);
	exit(2);
}

static void keep_scattered(struct rspb_nodeset *set, uint32_t count, uint64_t *rng)
{
	uint32_t have = rspb_nodeset_count(set);

	/* Each node stays with the chance that the rest is right. */
	for (uint32_t n = rspb_nodeset_next(set, 0); n < set->width;
	     n = rspb_nodeset_next(set, n + 1), have--) {
		if (rng_below(rng, have) < count)
			count--;
		else
			rspb_nodeset_remove(set, n);
	}
}

void load_keep(struct load *load, uint32_t count, uint64_t *rng)
{
	struct rspb_nodeset *set = load->set;

	if (load->style == SCATTERED) {
		keep_scattered(set, count, rng);
		return;
	}
	if (load->style == RUN) {
		uint32_t from = (uint32_t) rng_below(rng, set->width);

		/* From somewhere upwards, when enough are free there. */
		rspb_nodeset_copy(load->other, set);
		for (uint32_t n = 0; n < from; n++)
			rspb_nodeset_remove(load->other, n);
		if (rspb_nodeset_count(load->other) >= count)
			rspb_nodeset_copy(set, load->other);
	}
	rspb_nodeset_keep_lowest(set, count);
}

struct shape {
	uint32_t size;
	int64_t duration;
};

/* Li et al., section 6.1: powers of two, run times of a table. */
static struct shape papers_shape(uint32_t nodes, uint64_t *rng)
{
	static const int64_t runs[] = { 60, 300, 900, 1800, 3600, 10800 };
	bool low = rng_unit(rng) < 0.82;
	double log2_share = low ? -5.5 + 2.5 * rng_unit(rng) : -3.0 + 3.0 * rng_unit(rng);
	uint32_t size = nodes;

	for (; log2_share < -0.5 && size > 1; log2_share += 1)
		size /= 2;
	return (struct shape){ size, runs[rng_below(rng, 6)] };
}

static struct shape shape_of(const struct load_spec *spec, uint64_t *rng)
{
	if (spec->papers_mix)
		return papers_shape(spec->nodes, rng);
	return (struct shape){
		(uint32_t) rng_log(rng, spec->nodes / 4),
		360 + (int64_t) rng_below(rng, 6480),
	};
}

static void place(struct load *load, struct shape shape, uint64_t *rng, struct job *job)
{
	struct rspb_query query = {
		.ready = (int64_t) rng_below(rng, (uint64_t) load->horizon),
		.deadline = 4 * load->horizon + 100 * HOUR,
		.duration = shape.duration,
		.nodes = shape.size,
	};
	struct rspb_rect rect;

	must(rspb_profile_search(load->profile, &query, &rspb_when_find("ff")->prefers, &rect,
				 load->set, NULL) == 1,
	     "placing");
	load_keep(load, shape.size, rng);
	job->start = rect.start;
	job->end = rect.start + shape.duration;
	job->nodes = rspb_nodeset_clone(load->set);
	must(job->nodes && !rspb_profile_add(load->profile, job->start, job->end, job->nodes, NULL),
	     "booking");
	if (load->list)
		must(!naive_list_add(load->list, job->start, job->end, job->nodes, NULL),
		     "naive booking");
}

void load_init(struct load *load, const struct load_spec *spec, uint64_t seed)
{
	uint64_t rng = seed, again = seed;
	double work = 0;
	const int64_t forever = RSPB_TIME_MAX - 1;

	*load = (struct load){ .nodes = spec->nodes,
			       .style = spec->style,
			       .bookings = spec->bookings };
	load->profile = rspb_profile_create(spec->nodes, 0);
	load->list = spec->naive ? naive_list_create(spec->nodes, 0) : NULL;
	load->set = rspb_nodeset_create(spec->nodes);
	load->other = rspb_nodeset_create(spec->nodes);
	load->jobs = calloc(spec->bookings, sizeof(*load->jobs));
	must(load->profile && load->set && load->other && load->jobs, "allocating");
	/* Booked while others are placed: a mask would make each search several times slower. */
	for (uint32_t n = spec->nodes - spec->left_out; n < spec->nodes; n++)
		rspb_nodeset_add(load->other, n);
	must(!spec->left_out || !rspb_profile_add(load->profile, 0, forever, load->other, NULL),
	     "leaving out");
	for (size_t i = 0; i < spec->bookings; i++) {
		struct shape shape = shape_of(spec, &again);

		work += (double) shape.size * (double) shape.duration;
	}
	load->horizon = (int64_t) (work / (0.52 * spec->nodes));
	again = seed;
	for (size_t i = 0; i < spec->bookings; i++)
		place(load, shape_of(spec, &again), &rng, &load->jobs[i]);
	rspb_nodeset_clear(load->set);
	for (uint32_t n = spec->nodes - spec->left_out; n < spec->nodes; n++)
		rspb_nodeset_add(load->set, n);
	must(!spec->left_out || !rspb_profile_remove(load->profile, 0, forever, load->set, NULL),
	     "leaving out");
	load->stats = validate_stats(load->profile);
}

void load_fini(struct load *load)
{
	for (size_t i = 0; i < load->bookings; i++)
		rspb_nodeset_destroy(load->jobs[i].nodes);
	free(load->jobs);
	rspb_nodeset_destroy(load->set);
	rspb_nodeset_destroy(load->other);
	rspb_profile_destroy(load->profile);
	naive_list_destroy(load->list);
}

struct rspb_ledger *load_ledger(const struct load *load)
{
	struct rspb_ledger *ledger = rspb_ledger_create(load->nodes, NULL, 0);

	for (size_t i = 0; i < load->bookings; i++) {
		const struct job *job = &load->jobs[i];
		struct rspb_request *r = rspb_request_create(1);
		struct rspb_booking *booking;
		struct rspb_record record = { .kind = RSPB_REC_BOOK };

		must(ledger && r, "ledger");
		r->id = i + 1;
		r->ready = job->start;
		r->duration = job->end - job->start;
		r->deadline = job->end;
		r->parts[0].nodes = rspb_nodeset_count(job->nodes);
		r->parts[0].nodes_min = r->parts[0].nodes;
		booking = rspb_booking_create(r);
		must(booking && !rspb_booking_grant(booking, load->nodes, NULL), "grant");
		booking->state = RSPB_BOOKED;
		booking->start = job->start;
		booking->end = job->end;
		rspb_nodeset_copy(booking->grants[0].nodes, job->nodes);
		rspb_booking_value(booking);
		record.booking = booking;
		must(!rspb_ledger_apply(ledger, &record, NULL), "booking");
		rspb_booking_destroy(booking);
		rspb_request_destroy(r);
	}
	return ledger;
}
