/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order: which request of a batch is looked at first. One function and one row
 * each.
 */
#ifndef RSPB_POLICY_ORDER_H
#define RSPB_POLICY_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/request/request.h"

/* --- requests by account, or by user where there is none, for an order in which these take
 * turns --- */

struct rspb_account {
	const struct rspb_request *request; /* one of its requests */
	int64_t cost;			    /* of what it has booked; 0 until somebody adds to it */
};
struct rspb_accounts {
	size_t n;
	struct rspb_account *list; /* owned; each once, sorted */
};

/* Make the accounts of requests[n], which must outlive them. RET 0, -1: out of memory, then nothing
 * is owned. */
int rspb_accounts_init(struct rspb_accounts *accounts, const struct rspb_request *const *requests,
		       size_t n);
void rspb_accounts_fini(struct rspb_accounts *accounts);
/* RET the one of a request, NULL: none of its account or user is among them. In
 * log n steps. */
struct rspb_account *rspb_accounts_find(const struct rspb_accounts *accounts,
					const struct rspb_request *request);

/* --- orders --- */

struct rspb_order {
	const char *name;   /* "priority" */
	const char *alias;  /* or NULL */
	const char *help;   /* one line */
	const char *source; /* document, figure */
	/* Higher comes first; NULL: all alike. Equal ones go by arrival, then
	 * by id, so that the order of the input never matters. */
	int64_t (*key)(const struct rspb_request *request);
	/* If it is there accounts take turns: the next is the first, by the key, of the
	 * account whose bookings, and whose requests before it, sum up to least of
	 * this. */
	int64_t (*cost)(const struct rspb_request *request);
};
extern const struct rspb_order rspb_orders[]; /* ended by name NULL */
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_order *rspb_order_named(const char *name);

/* Whether its requests are bids: who is decided before others pays the price for it. */
bool rspb_order_sells(const struct rspb_order *order);
/* Sort requests[n] into the order of the row. accounts: theirs, with the cost of what
 * each has booked, to which that of the requests is added; for a row with a cost, else
 * NULL will do. RET 0, -1: out of memory (then nothing has moved). index[i] becomes the
 * place requests[i] had before. */
int rspb_order_sort(const struct rspb_order *order, const struct rspb_request **requests,
		    struct rspb_accounts *accounts, size_t *index, size_t n);

#endif
