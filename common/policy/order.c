/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/order.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/names.h"

static int64_t by_priority(const struct rspb_request *request)
{
	return request->priority;
}

static int64_t by_deadline(const struct rspb_request *request)
{
	return -request->deadline;
}

/* The slack between deadline and ready time that the work itself leaves. */
static int64_t by_laxity(const struct rspb_request *request)
{
	return -(request->deadline - request->ready - request->duration);
}

static int64_t by_minimum(const struct rspb_request *request)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < request->n_parts; i++)
		sum = rspb_part_add_cpu(&request->parts[i],
					rspb_part_least(request, i), sum);
	return sum;
}

int64_t rspb_order_work(const struct rspb_request *request)
{
	int64_t sum = 0, work;

	for (uint32_t i = 0; i < request->n_parts; i++)
		sum = rspb_part_add_cpu(&request->parts[i],
					rspb_part_asked(&request->parts[i]),
					sum);
	if (__builtin_mul_overflow(sum, request->duration, &work))
		work = INT64_MAX;
	return work;
}

static int64_t by_smallness(const struct rspb_request *request)
{
	return -rspb_order_work(request);
}

const struct rspb_order rspb_orders[] = {
	{ "arrival", "fcfs", "first come, first served",
	  "Varvarigos et al., section 4.1 (FCFS)", NULL, NULL },
	{ "priority", NULL, "highest priority first",
	  "Min, figure 4.2, lines 11-12", by_priority, NULL },
	{ "deadline", "edf", "earliest deadline first",
	  "Varvarigos et al., section 4.1 (EDF)", by_deadline, NULL },
	{ "laxity", "llf", "least slack before the deadline first",
	  "Varvarigos et al., section 4.1 (least laxity)", by_laxity, NULL },
	{ "minimum", NULL, "largest sum of least acceptable amounts first",
	  "Min, figure 5.4, lines 2-4 (best fit decreasing)", by_minimum,
	  NULL },
	{ "smallest", NULL, "least work, nodes or shares x time, first",
	  "this project; doc/policies.md", by_smallness, NULL },
	{ "fair", "max-min",
	  "accounts in turn, the one with least work booked first; of each by "
	  "priority",
	  "Varvarigos et al., section 5.1.1 (max-min fair sharing)",
	  by_priority, rspb_order_work },
	{ .name = NULL }
};

RSPB_NAMES_FINDER(rspb_order_named, rspb_order, rspb_orders)

struct ranked {
	const struct rspb_request *request;
	int64_t key;
	size_t index;
};

static int compare(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	if (a->request->arrival != b->request->arrival)
		return a->request->arrival < b->request->arrival ? -1 : 1;
	if (a->request->id != b->request->id)
		return a->request->id < b->request->id ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

bool rspb_order_same_account(const struct rspb_request *a,
			     const struct rspb_request *b)
{
	size_t n, m;
	const char *of_a = rspb_request_account_of(a, &n);
	const char *of_b = rspb_request_account_of(b, &m);

	if (!n || !m)
		return n == m && a->user == b->user;
	return n == m && !memcmp(of_a, of_b, n);
}

/* Accounts with requests, by the first of each. */
struct account {
	const struct rspb_request *request;
	int64_t cost; /* what it has booked, and what came before */
	size_t first; /* of ranked[], not yet in its place */
};

static size_t account_of(const struct account *accounts, size_t n,
			 const struct rspb_request *request)
{
	size_t i = 0;

	while (i < n && !rspb_order_same_account(accounts[i].request, request))
		i++;
	return i;
}

/* From its first on, the next of ranked[n] that is of that account; n: none. */
static size_t next_of(const struct ranked *ranked, size_t n, size_t from,
		      const struct rspb_request *request)
{
	while (from < n &&
	       !rspb_order_same_account(ranked[from].request, request))
		from++;
	return from;
}

/*
 * Who is next, n times: the smallest demands are met first, and who wants more than
 * others shares what is left with those that do. RET 0 or -1: out of memory.
 */
static int take_turns(const struct rspb_order *order, const int64_t *held,
		      struct ranked *ranked, size_t n)
{
	struct account *accounts = calloc(n + 1, sizeof(*accounts));
	struct ranked *turns = calloc(n + 1, sizeof(*turns));
	size_t many = 0;

	for (size_t i = 0; accounts && turns && i < n; i++) {
		size_t at = account_of(accounts, many, ranked[i].request);

		if (at == many)
			accounts[many++] = (struct account){
				ranked[i].request,
				held ? held[ranked[i].index] : 0, i
			};
	}
	for (size_t i = 0; accounts && turns && i < n; i++) {
		struct account *next = NULL;

		for (size_t a = 0; a < many; a++)
			if (accounts[a].first < n &&
			    (!next || accounts[a].cost < next->cost))
				next = &accounts[a];
		turns[i] = ranked[next->first];
		if (__builtin_add_overflow(next->cost,
					   order->cost(turns[i].request),
					   &next->cost))
			next->cost = INT64_MAX;
		next->first = next_of(ranked, n, next->first + 1,
				      next->request);
	}
	if (accounts && turns)
		memcpy(ranked, turns, n * sizeof(*ranked));
	free(accounts);
	free(turns);
	return accounts && turns ? 0 : -1;
}

int rspb_order_sort(const struct rspb_order *order,
		    const struct rspb_request **requests, const int64_t *held,
		    size_t *index, size_t n)
{
	struct ranked *ranked = calloc(n ? n : 1, sizeof(*ranked));

	if (!ranked)
		return -1;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){
			requests[i], order->key ? order->key(requests[i]) : 0, i
		};
	qsort(ranked, n, sizeof(*ranked), compare);
	if (order->cost && take_turns(order, held, ranked, n)) {
		free(ranked);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		requests[i] = ranked[i].request;
		index[i] = ranked[i].index;
	}
	free(ranked);
	return 0;
}
