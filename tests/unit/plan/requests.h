/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests in one line, and what became of them. */
#ifndef RSPB_TESTS_UNIT_REQUESTS_H
#define RSPB_TESTS_UNIT_REQUESTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/plan/schedule.h"
#include "common/policy/policy.h"
#include "contrib/sim/policy/preset.h"
#include "tests/unit/runner.h"
#include "tests/validate/validate.h"

/* A request for whole nodes with a fixed start. */
static inline struct rspb_request *ask(uint64_t id, int64_t ready, int64_t duration, uint32_t nodes)
{
	struct rspb_request *request = rspb_request_create(1);

	ck_assert_ptr_nonnull(request);
	request->id = id;
	request->ready = ready;
	request->duration = duration;
	request->deadline = ready + duration;
	request->parts[0].nodes = request->parts[0].nodes_min = nodes;
	return request;
}

static inline void benefit(struct rspb_request *request, const char *text)
{
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_benefit_read(&request->benefit, text, &err), "%s", err.text);
}

/* One more part; the request's memory moves. */
static inline struct rspb_part *add_part(struct rspb_request *request, uint32_t nodes,
					 int64_t share)
{
	uint32_t n = request->n_parts++;
	struct rspb_part *part;

	request->parts = realloc(request->parts, (n + 1) * sizeof(*request->parts));
	ck_assert_ptr_nonnull(request->parts);
	part = &request->parts[n];
	memset(part, 0, sizeof(*part));
	part->nodes = part->nodes_min = nodes;
	part->share = share;
	return part;
}

/* A request for shares of machines, one part each, ended by 0. */
static inline struct rspb_request *ask_shares(uint64_t id, int64_t ready, int64_t duration,
					      const char *shape, const int64_t *shares)
{
	struct rspb_request *request = ask(id, ready, duration, 1);

	benefit(request, shape);
	request->n_parts = 0;
	for (; *shares; shares++)
		add_part(request, 1, *shares);
	return request;
}
#define SHARES(...) ((const int64_t[]){ __VA_ARGS__, 0 })

static inline struct rspb_nodeset *nodes_of(uint32_t width, const char *text)
{
	struct rspb_nodeset *set = rspb_nodeset_create(width);

	ck_assert_int_eq(rspb_nodeset_parse(set, text, NULL), 0);
	return set;
}

static inline struct rspb_policy policy_of(const char *preset)
{
	struct rspb_policy policy;

	ck_assert_int_eq(sim_preset_policy(preset, &policy, NULL), 0);
	return policy;
}

/* "10-20 0-3,5:7000" per part, "declined" else; in a buffer of its own. */
static inline const char *outcome(const struct rspb_booking *booking)
{
	static char text[4096];
	char nodes[1024];
	size_t at;

	if (booking->state != RSPB_BOOKED)
		return rspb_state_name(booking->state);
	at = (size_t) snprintf(text, sizeof(text), "%lld-%lld", (long long) booking->start,
			       (long long) booking->end);
	for (uint32_t i = 0; i < booking->n_grants; i++) {
		const struct rspb_grant *grant = &booking->grants[i];

		rspb_nodeset_print(grant->nodes, nodes, sizeof(nodes));
		at += (size_t) snprintf(text + at, sizeof(text) - at, " %s", nodes);
		if (grant->share)
			at += (size_t) snprintf(text + at, sizeof(text) - at, ":%lld",
						(long long) grant->share);
	}
	return text;
}

/* Decide n requests in one batch, check each outcome and the ledger, destroy
 * the requests. */
static inline void decide(struct rspb_ledger *ledger, const char *preset, int64_t now, size_t n,
			  struct rspb_request **requests, const char *const *wanted)
{
	struct rspb_policy policy = policy_of(preset);
	struct rspb_booking *out[64];
	struct rspb_err err = { "" };

	ck_assert_uint_le(n, 64);
	ck_assert_msg(!rspb_schedule_batch(ledger, &policy,
					   (const struct rspb_request *const *) requests, n, now,
					   out, &err),
		      "%s", err.text);
	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(!strcmp(outcome(out[i]), wanted[i]),
			      "request %zu: %s, wanted %s (%s)", i, outcome(out[i]), wanted[i],
			      rspb_booking_why(out[i]));
		rspb_booking_destroy(out[i]);
		rspb_request_destroy(requests[i]);
	}
	ck_assert_msg(!validate_ledger(ledger, &err), "%s", err.text);
}

#endif
