/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a booking is bound to a node: at once, or late, at its start. Nodes
 * fluctuate: local work that nobody announced makes them unavailable.
 *
 * Source: Wu and Luo, sections 4 and 5.2 (virtual resource container, QDD-based
 * selection), and the experiment of section 6.
 */
#ifndef RSPB_PAPERS_BINDING_H
#define RSPB_PAPERS_BINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/booking.h"

struct rspb_busy {
	int64_t start, end; /* half-open */
};

/* A node and its local work, which is known only when it happens. */
struct rspb_binding_node {
	struct rspb_busy *local; /* by start, disjoint; borrowed */
	size_t n_local;
};

enum { RSPB_BINDING_LOG = 4 };

struct rspb_binding_request {
	int64_t arrival, ready, duration; /* ready >= arrival */
	const uint32_t *nodes;		  /* eligible ones, the preferred first */
	uint32_t n_nodes;
	/* Found out: */
	enum rspb_state state;
	int64_t node;  /* where it ran, -1: nowhere */
	int64_t bound; /* where it was meant to run, -1: nowhere */
	uint32_t n_log;
	struct {
		int64_t time;
		enum rspb_state state;
	} log[RSPB_BINDING_LOG];
};

struct rspb_binding_rules {
	bool late;	  /* bind at the start, else when it is booked */
	bool kill_active; /* local work ends what runs on its node */
	bool strict;	  /* something must lie between two bookings */
	bool pool;	  /* late: book no more at a time than nodes fit */
};

/*
 * Run all requests to their end. Of one instant, ends come first, then local
 * work, arrivals, starts; equals by arrival, then in the order of the list. What
 * no node may have is declined. RET 0, or -1 with err (out of memory).
 */
int rspb_binding_run(const struct rspb_binding_node *nodes, uint32_t n_nodes,
		     const struct rspb_binding_rules *rules, struct rspb_binding_request *requests,
		     size_t n, struct rspb_err *err);

#endif
