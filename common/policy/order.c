/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order: which request of a batch is looked at first. One function and one row
 * each.
 */
#include "common/policy/policy.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/names.h"

/* --- accounts --- */

/* Compare by account; requests without one come first, by user. */
static int compare_owners(const struct rspb_request *a, const struct rspb_request *b)
{
	size_t n, m;
	const char *of_a = rspb_request_account_of(a, &n);
	const char *of_b = rspb_request_account_of(b, &m);
	int order;

	if (!n && !m)
		return a->user < b->user ? -1 : a->user > b->user;
	/* An account is a piece of a longer text and does not end with 0. */
	order = memcmp(of_a, of_b, n < m ? n : m);
	return order ? order : n < m ? -1 : n > m;
}

static int compare_accounts(const void *left, const void *right)
{
	const struct rspb_account *a = left, *b = right;

	return compare_owners(a->request, b->request);
}

int rspb_accounts_init(struct rspb_accounts *accounts, const struct rspb_request *const *requests,
		       size_t n)
{
	struct rspb_account *list = calloc(n + 1, sizeof(*list));

	*accounts = (struct rspb_accounts){ .list = list };
	if (!list)
		return -1;
	for (size_t i = 0; i < n; i++)
		list[i].request = requests[i];
	/* Requests of one account are next to each other then, and the first of them stands for
	 * it. */
	qsort(list, n, sizeof(*list), compare_accounts);
	for (size_t i = 0; i < n; i++)
		if (!i || compare_accounts(&list[i], &list[accounts->n - 1]))
			list[accounts->n++] = list[i];
	return 0;
}

void rspb_accounts_fini(struct rspb_accounts *accounts)
{
	free(accounts->list);
	*accounts = (struct rspb_accounts){ .list = NULL };
}

struct rspb_account *rspb_accounts_find(const struct rspb_accounts *accounts,
					const struct rspb_request *request)
{
	const struct rspb_account wanted = { request, 0 };

	return accounts->n ? bsearch(&wanted, accounts->list, accounts->n, sizeof(wanted),
				     compare_accounts)
			   : NULL;
}

/* --- orders --- */

static int64_t by_priority(const struct rspb_request *request)
{
	return request->priority;
}

/* The highest key is decided first, so what has to be small comes with a minus. */
static int64_t by_deadline(const struct rspb_request *request)
{
	return -request->deadline;
}

/* The slack between deadline and ready time that the work itself leaves. */
static int64_t by_laxity(const struct rspb_request *request)
{
	return -(request->deadline - request->ready - request->duration);
}

/* The sum over all parts of what the request accepts at least, in 1/10000 of a CPU. */
static int64_t by_minimum(const struct rspb_request *request)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < request->n_parts; i++)
		sum = rspb_part_add_cpu(&request->parts[i], rspb_part_least(request, i), sum);
	return sum;
}

/* Nodes, or shares of machines, times seconds that a request asks for. */
static int64_t work_of(const struct rspb_request *request)
{
	int64_t sum = 0, work;

	for (uint32_t i = 0; i < request->n_parts; i++)
		sum = rspb_part_add_cpu(&request->parts[i], rspb_part_asked(&request->parts[i]),
					sum);
	/* Requests that are too large to be counted are alike, and come last by smallness. */
	if (__builtin_mul_overflow(sum, request->duration, &work))
		work = INT64_MAX;
	return work;
}

static int64_t by_price(const struct rspb_request *request)
{
	return rspb_request_price(request);
}

static int64_t by_smallness(const struct rspb_request *request)
{
	return -work_of(request);
}

/* The last two columns are key and cost. Without a key the first to arrive is the first to be
 * decided. */
const struct rspb_order rspb_orders[] = {
	{ "arrival", "fcfs", "first come, first served", "Varvarigos et al., section 4.1 (FCFS)",
	  NULL, NULL },
	{ "priority", NULL, "highest priority first", "Min, figure 4.2, lines 11-12", by_priority,
	  NULL },
	{ "deadline", "edf", "earliest deadline first", "Varvarigos et al., section 4.1 (EDF)",
	  by_deadline, NULL },
	{ "laxity", "llf", "least slack before the deadline first",
	  "Varvarigos et al., section 4.1 (least laxity)", by_laxity, NULL },
	{ "minimum", NULL, "largest sum of least acceptable amounts first",
	  "Min, figure 5.4, lines 2-4 (best fit decreasing)", by_minimum, NULL },
	{ "smallest", NULL, "least work, nodes or shares x time, first",
	  "this project; doc/policies.md", by_smallness, NULL },
	{ "price", NULL, "highest price first, then by arrival",
	  "Varvarigos et al., section 2 (the price a user is willing to pay)", by_price, NULL },
	{ "fair", "max-min",
	  "accounts in turn, the one with least work booked first; within an account by priority",
	  "Varvarigos et al., section 5.1.1 (max-min fair sharing)", by_priority, work_of },
	{ .name = NULL }
};

bool rspb_order_sells(const struct rspb_order *order)
{
	/* A price is paid only where it decides who comes first. */
	return order->key == by_price;
}

RSPB_NAMES_FINDER(rspb_order_named, rspb_order, rspb_orders)

struct ranked {
	const struct rspb_request *request;
	int64_t key;
	size_t index;
};

/* Compare by key, arrival and id, so that the order of the input does not matter. */
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

/* The places in ranked[] of an account's requests, from the first to the last. */
struct queue {
	struct rspb_account *account;
	size_t first, last; /* n: none is left */
};

/* Which account each is of: chains next[], of queues[], one per account. */
static void line_up(const struct rspb_accounts *accounts, const struct ranked *ranked, size_t n,
		    struct queue *queues, size_t *next)
{
	for (size_t a = 0; a < accounts->n; a++)
		queues[a] = (struct queue){ &accounts->list[a], n, n };
	for (size_t i = 0; i < n; i++) {
		struct queue *queue =
			&queues[rspb_accounts_find(accounts, ranked[i].request) - accounts->list];

		/* Append to the chain, whose first link is in the queue itself. */
		next[i] = n;
		*(queue->first == n ? &queue->first : &next[queue->last]) = i;
		queue->last = i;
	}
}

/* RET the queue of the account with the least cost. Among equals it is the one whose next request
 * comes first by the order. */
static struct queue *turn_of(struct queue *queues, size_t many, size_t n)
{
	struct queue *turn = NULL;

	for (size_t a = 0; a < many; a++) {
		int64_t cost = queues[a].account->cost;

		if (queues[a].first == n)
			continue;
		if (!turn || cost < turn->account->cost ||
		    (cost == turn->account->cost && queues[a].first < turn->first))
			turn = &queues[a];
	}
	return turn;
}

/* Choose the next account, n times. The smallest demands are met first, and the accounts that want
 * more share what is left. RET 0 or -1: out of memory. */
static int take_turns(const struct rspb_order *order, struct rspb_accounts *accounts,
		      struct ranked *ranked, size_t n)
{
	struct queue *queues = calloc(accounts->n + 1, sizeof(*queues));
	struct ranked *turns = calloc(n + 1, sizeof(*turns));
	size_t *next = calloc(n + 1, sizeof(*next));
	bool enough = queues && turns && next;

	if (enough)
		line_up(accounts, ranked, n, queues, next);
	for (size_t i = 0; enough && i < n; i++) {
		/* A turn compares all accounts, so that a batch costs requests times accounts. */
		struct queue *turn = turn_of(queues, accounts->n, n);
		int64_t *cost = &turn->account->cost;

		turns[i] = ranked[turn->first];
		/* The request counts before the next turn as if it were booked. */
		if (__builtin_add_overflow(*cost, order->cost(turns[i].request), cost))
			*cost = INT64_MAX;
		turn->first = next[turn->first];
	}
	if (enough)
		memcpy(ranked, turns, n * sizeof(*ranked));
	free(queues);
	free(turns);
	free(next);
	return enough ? 0 : -1;
}

int rspb_order_sort(const struct rspb_order *order, const struct rspb_request **requests,
		    struct rspb_accounts *accounts, size_t *index, size_t n)
{
	/* Memory for no entries may be NULL, which would look like a failure. */
	struct ranked *ranked = calloc(n ? n : 1, sizeof(*ranked));

	if (!ranked)
		return -1;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){ requests[i], order->key ? order->key(requests[i]) : 0,
					     i };
	qsort(ranked, n, sizeof(*ranked), compare);
	if (order->cost && take_turns(order, accounts, ranked, n)) {
		free(ranked);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		/* Nothing can fail any more, so that the caller never sees half of the order. */
		requests[i] = ranked[i].request;
		index[i] = ranked[i].index;
	}
	free(ranked);
	return 0;
}
