/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares a kind of booking: how a decision is carried out in Slurm, and how the booking starts
 * and changes. A new kind is a table in a file of its own and a row in broker.c
 * (doc/architecture.md).
 *
 * All functions are called by the agent's thread. One that may be NULL says
 * what that means.
 */
#ifndef RSPB_CTLD_BOOK_KIND_H
#define RSPB_CTLD_BOOK_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"

struct rspb_ask;
struct rspb_asks;

/* Whether a booking can be started now. */
enum rspb_readiness {
	RSPB_READY,
	RSPB_READY_LATER, /* err says why not yet */
	RSPB_READY_RUNS,  /* it runs already */
	RSPB_READY_NEVER  /* what it was made for is gone */
};

struct rspb_kind {
	/* Whether a request, and so its booking, is of this kind. */
	bool (*owns)(const struct rspb_request *request);
	bool has_jobs;	  /* its id is that of its job */
	bool by_operator; /* the site's Allow settings are not asked */
	/* Start the booking before its start, so that its nodes are prepared in time. */
	bool ahead;

	/* With the write lock: whether an ask still waits as it did. */
	bool (*waits)(const struct rspb_ask *ask);
	/* Before it is told to anybody, with the read lock: note in the journal
	 * what its records are about to say. booking: NULL: it has not come to
	 * that; they say what the ask does. */
	void (*promise)(const struct rspb_ask *ask, const struct rspb_booking *booking);
	/* With the write lock: make a booking of an ask real, that is in the
	 * ledger. RET 0, or -1 with err and nothing left of it in Slurm. */
	int (*commit)(const struct rspb_ask *ask, const struct rspb_booking *booking,
		      const struct rspb_config *config, struct rspb_err *err);
	/* With the write lock: there is no booking for it as it asks. RET false: it
	 * asks otherwise now, as it may, and is decided about anew. */
	bool (*refuse)(const struct rspb_ask *ask, const char *reason,
		       const struct rspb_config *config);

	/* With the write lock: whether it can be started now. NULL: always. */
	enum rspb_readiness (*ready)(const struct rspb_booking *booking, int64_t now,
				     struct rspb_err *err);
	/* With the write lock: its nodes are clear, or it runs already: start it, and
	 * say so in ledger and Slurm, behind which booking is not to be used. RET 0, or
	 * -1 with err; 1 where who is on its nodes is not to blame; 2 while its job is
	 * cleaned up, which says nothing of its nodes. Of one that is active (ahead): its
	 * start has come, or slurmctld was started anew before it; err: NULL.
	 */
	int (*start)(const struct rspb_booking *booking, int64_t now, struct rspb_err *err);

	/* Changes. suits: before a booking that has not begun gets other nodes or
	 * times, with the write lock: whether Slurm would start it there. RET 0, or
	 * -1 with err; NULL: it is not asked. mirror: with the write lock: what
	 * Slurm has of a booking that stands becomes what the book says, whatever
	 * that is by now; done twice it does no harm. moved: it is the book that
	 * has other nodes, and Slurm is asked whether it would start the job; else
	 * somebody may have changed what there is. RET 0, or -1 with err. lose: with
	 * the write lock: its booking is lost, and it asks again. NULL: it is not
	 * given up for others.
	 */
	int (*suits)(const struct rspb_ask *ask, const struct rspb_booking *booking,
		     struct rspb_err *err);
	int (*mirror)(const struct rspb_ask *ask, const struct rspb_booking *booking, bool moved,
		      const struct rspb_config *config, int64_t now, struct rspb_err *err);
	void (*lose)(const struct rspb_ask *ask, uint64_t id, const char *why);
	/* With the write lock: what stands in the way of one, or why a request is
	 * not decided yet; "": nothing. */
	void (*tell)(uint64_t id, const char *text);
};

/* Where requests come from, which may be of several kinds. All take locks. */
struct rspb_source {
	/* How many wait, as far as is known; *earliest is lowered to the first moment
	 * one of them wants to start; RET -1: it cannot be said now. */
	int64_t (*waiting)(int64_t *earliest);
	/* Add an ask of each. RET 0, 1: not now, or -1 with err. */
	int (*collect)(uint32_t width, const struct rspb_config *config, int64_t now,
		       struct rspb_asks *asks, struct rspb_err *err);
};

/* Before anything is booked: rows, with a NULL behind the last. */
void rspb_kind_use(const struct rspb_kind *const *rows, const struct rspb_source *const *sources);
/* RET the kind of a request. */
const struct rspb_kind *rspb_kind_of(const struct rspb_request *request);

/* The same of all sources, one row after the other. */
int64_t rspb_sources_waiting(int64_t *earliest);
int rspb_sources_collect(uint32_t width, const struct rspb_config *config, int64_t now,
			 struct rspb_asks *asks, struct rspb_err *err);

#endif
