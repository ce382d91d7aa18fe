/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could be had instead of a request that does not fit as asked: the same
 * later, less of it, or the same for a shorter time. Only asks, books nothing.
 */
#ifndef RSPB_PLAN_OFFERS_H
#define RSPB_PLAN_OFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/request.h"

enum rspb_offer_kind {
	RSPB_OFFER_LATER,   /* all of it, after the asked window */
	RSPB_OFFER_SHORTER, /* all of it within the window, not as long */
	RSPB_OFFER_LESS,    /* within the window, less than acceptable */
	RSPB_N_OFFERS
};

struct rspb_offer {
	enum rspb_offer_kind kind;
	int64_t start, end;
	int64_t nodes; /* of all parts together */
	int64_t share; /* of the first part, 0: whole nodes */
};

/*
 * Fill out[RSPB_N_OFFERS] with what can be had by a request that the policy
 * declines at `now` on this ledger, at most one offer of a kind, in the order
 * above; nothing ends after `until`. RET how many, or -1 with err.
 */
int rspb_offers(const struct rspb_ledger *ledger,
		const struct rspb_policy *policy,
		const struct rspb_request *request, int64_t now, int64_t until,
		struct rspb_offer *out, struct rspb_err *err);

/* "6 nodes from 2026-11-24T09:00:00Z", "4 nodes ...", "6 nodes for 1800
 * seconds from ...". RET the length, as snprintf. */
size_t rspb_offer_print(const struct rspb_offer *offer, char *buf, size_t size);

/* Add "; on offer: ..., or ..." to a text of at most size - 1 bytes, as many
 * offers as fit. RET 0, or -1 with err and the text as it was. */
int rspb_offers_add(const struct rspb_ledger *ledger,
		    const struct rspb_policy *policy,
		    const struct rspb_request *request, int64_t now,
		    int64_t until, char *text, size_t size,
		    struct rspb_err *err);

#endif
