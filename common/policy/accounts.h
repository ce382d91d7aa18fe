/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups requests by account, or by user where there is none, for an order in which these take
 * turns. */
#ifndef RSPB_POLICY_ACCOUNTS_H
#define RSPB_POLICY_ACCOUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "common/request/request.h"

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

#endif
