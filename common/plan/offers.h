/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what could be booked instead of a request that does not fit as asked: the same later, the
 * same for a shorter time, less of it, or fewer nodes for so much longer that the node-seconds are
 * equal. It books nothing. */
#ifndef RSPB_PLAN_OFFERS_H
#define RSPB_PLAN_OFFERS_H

#include "common/base/err.h"
#include "common/base/text.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"

/* The notice of offers that people read (struct rspb_policy). */
enum { RSPB_OFFER_NOTICE_S = 120 };

enum rspb_offer_kind {
	RSPB_OFFER_LATER,
	RSPB_OFFER_SHORTER,
	RSPB_OFFER_LESS,
	RSPB_OFFER_LONGER,
	RSPB_N_OFFERS
};
struct rspb_offer {
	enum rspb_offer_kind kind;
	int64_t start, end;
	int64_t nodes, share;	   /* share of each node; 0: whole nodes */
	int64_t tasks;		   /* in all, of work that counts in them; else 0 */
	uint32_t distance;	   /* of its nodes from those preferred, on the mean */
	struct rspb_ratio benefit; /* of what is less: nodes, share, or time */
};
/* Find the offers for a request that does not fit at `now` on this ledger, each of which ends by
 * `until`. longest: the longest duration for fewer nodes, 0: not longer. A request that fits has no
 * other offer. A request with forms (request/forms.h) is offered each form as soon as it fits,
 * where no other that is over as soon takes as few node-seconds. By kind; where the start counts,
 * or those who pay more come first (policy->order), what is worth most first, then, of these, the
 * cheapest. RET how many, or -1 with err. */
int rspb_offers_find(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		     const struct rspb_request *request, int64_t now, int64_t until,
		     int64_t longest, struct rspb_offer out[RSPB_N_OFFERS], struct rspb_err *err);
/* As one word, which `rspb accept` takes back: "4@20261124T110000Z+3600",
 * "35.5%@...", "1/6@..." with six tasks on one node, with nothing before '@' where there are
 * components. */
void rspb_offer_word(const struct rspb_offer *offer, const struct rspb_request *asked,
		     struct rspb_text *text);
/* The flags of ours and of sbatch which ask for just that, with their times in
 * UTC (rspb_zone_localize() knows them by the '='): " -N4 --time=60 --begin=...", behind
 * --book. */
void rspb_offer_flags(const struct rspb_offer *offer, const struct rspb_request *asked,
		      struct rspb_text *text);
/*
 * Add them to a text of at most size - 1 bytes: "; on offer: 6 nodes from
 * 2026-11-24T09:00:00Z: rspb accept 17 6@20261124T090000Z+3600 or ...", as many
 * as fit; for who is not there to accept one "6 nodes with -N6 --time=60 ...", and to
 * an operator "6 nodes from 2026-...". RET 0, or -1 with err.
 */
int rspb_offers_add(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		    const struct rspb_request *request, int64_t now, int64_t until, char *text,
		    size_t size, struct rspb_err *err);

#endif
