/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the benchmark share. */
#ifndef RSPB_TESTS_BENCH_BENCH_H
#define RSPB_TESTS_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/calendar/profile.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "tests/naive/list.h"
#include "tests/validate/validate.h"

enum { HOUR = 3600 };

/* How the nodes of a booking are chosen among the free ones. */
enum style { LOWEST, RUN, SCATTERED };
extern const char *const style_names[];

struct job {
	int64_t start, end;
	struct rspb_nodeset *nodes;
};

/* The same bookings in the profile and in the published array. */
struct load {
	uint32_t nodes;
	size_t bookings;
	enum style style;
	int64_t horizon;
	struct job *jobs;
	struct rspb_profile *profile;
	struct naive_list *list; /* NULL: not wanted */
	struct rspb_nodeset *set, *other;
	struct profile_stats stats;
};

struct load_spec {
	uint32_t nodes;
	size_t bookings;
	enum style style;
	bool naive;
	bool papers_mix;   /* sizes and run times of Li et al. */
	uint32_t left_out; /* highest nodes that get no booking */
};

/* Exits on failure: a benchmark without its load has nothing to say. */
void load_init(struct load *load, const struct load_spec *spec, uint64_t seed);
void load_fini(struct load *load);
/* Keep `count` of load->set's nodes in the load's style. */
void load_keep(struct load *load, uint32_t count, uint64_t *rng);
/* The same bookings in a ledger, which the caller destroys. */
struct rspb_ledger *load_ledger(const struct load *load);
/* Exit unless it is good. */
void must(bool good, const char *what);

static inline bool same_rect(const struct rspb_rect *x, const struct rspb_rect *y)
{
	return x->start == y->start && x->left == y->left && x->right == y->right &&
	       x->free == y->free;
}

/* Thread CPU time in nanoseconds. */
int64_t cpu_ns(void);

/* Repeats of one figure. */
enum { MOST_REPEATS = 64 };

struct series {
	int64_t ns[MOST_REPEATS];
	size_t count;
};

void series_add(struct series *series, int64_t ns);
/* RET whether enough was measured: what takes seconds is repeated less. */
bool series_enough(const struct series *naive, const struct series *lib);
int64_t series_median(const struct series *series);
/* For qsort() of such. */
int rising_ns(const void *a, const void *b);
/* Decide on a request alone, which is destroyed; counts it in *booked if it is. RET what
 * that took, CPU time in ns. */
int64_t decide_one(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		   struct rspb_request *request, size_t *booked);
/* (highest - lowest) / median, per cent. */
int series_spread(const struct series *series);

/* One line of the report; those a gate needs can be found again. */
struct result {
	const char *op;
	uint32_t nodes;
	size_t bookings, points, groups;
	const char *window, *request, *policy, *style;
	double candidates;
	int64_t naive_ns, lib_ns;
	int spread;
	size_t mismatches;
};

struct bench {
	uint64_t seed;
	bool quick;
	const char *one;   /* run this op only */
	const char *trace; /* file of jobs, or NULL */
	const char *busy;  /* why gates are judged with more room, or NULL */
	struct result results[256];
	size_t count;
	size_t mismatches;
	int64_t pass_ns[2]; /* one pass over the index, 1,024 and 10,240 */
	/* A copy of 10,000 bookings over one of 1,000. */
	double copy_growth;
	double part_bytes;   /* a part of a node, on file */
	double part_longest; /* decision among 10,000 of them, ns */
};

bool bench_wants(const struct bench *bench, const char *op);
/* The same of one style of the loads that an op has. */
bool bench_wants_style(const struct bench *bench, const char *op, enum style style);
void bench_report(struct bench *bench, const struct result *result);
/* RET the result with these fields (NULL or 0: any), or NULL. */
const struct result *bench_find(const struct bench *bench, const char *op, uint32_t nodes,
				size_t bookings, const char *window, const char *request,
				const char *policy, const char *style);
double ratio_of(const struct result *result);

void bench_machine(struct bench *bench);
void bench_search(struct bench *bench);
void bench_update(struct bench *bench);
void bench_mix(struct bench *bench);
void bench_shares(struct bench *bench);
void bench_batch(struct bench *bench);
void bench_planning(struct bench *bench);
void bench_offers(struct bench *bench);
void bench_waiting(struct bench *bench);
void bench_parts(struct bench *bench);
void bench_trace(struct bench *bench);
/* RET gates that failed. */
int bench_gates(const struct bench *bench);

#endif
