/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that wait for a decision, of whatever kind. */
#ifndef RSPB_CTLD_REQUEST_ASK_H
#define RSPB_CTLD_REQUEST_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/request.h"
#include "common/wire/flags.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/request/users.h"

/* A request and its source. */
struct rspb_ask {
	struct rspb_request *request;	 /* owned; NULL once taken */
	void *source;			 /* owned: what its kind knows of it; NULL: nothing */
	uint32_t n_jobs;		 /* 0: it has none */
	uint32_t *jobs;			 /* owned: by part */
	struct rspb_contract *contracts; /* owned: by part */
	/* That its job is about to get, "": none; NULL: they stay. */
	const char *features;
	/* Likewise, as compat/parts/needs.h prints it; and what it needed before. */
	const char *needs, *needed;
	/* Likewise: the time limit, s, of its jobs that have `limit_from` or more now; 0: they
	 * stay. */
	int64_t limit, limit_from;
	/* Likewise: so many nodes in place of so many, with tasks and CPUs in this ratio, of its
	 * only job; 0: they stay. */
	uint32_t nodes, nodes_had;
	char user[RSPB_USER_NAME];
	char account[RSPB_USER_NAME], qos[RSPB_USER_NAME];
	struct rspb_err refusal;       /* text "": none */
	enum rspb_refusal refused_for; /* RSPB_N_REFUSALS: wants no booking */
	/* Slurm would not start it where it was first put, or with it too much of the
	 * machine would be booked then. */
	bool misfit, crowded;
	bool displaces; /* jobs that run there make way for it */
};

struct rspb_asks {
	size_t n, room;
	struct rspb_ask *items;
	bool more; /* some wait for their turn: the next batch */
};

void rspb_asks_fini(struct rspb_asks *asks);
/* RET the place behind the last, empty, to be counted by n once it is good;
 * NULL: out of memory. */
struct rspb_ask *rspb_asks_add(struct rspb_asks *asks);
void rspb_ask_fini(struct rspb_ask *ask);
/* Fill in what a booking that stands asks for, with its jobs as they are; with the read
 * lock. RET false: one of them is gone. */
bool rspb_ask_involve(struct rspb_ask *ask, const struct rspb_request *request);
/* Log the decision on the request of its jobs, with the user and host that submitted them
 * (Audit=yes). text: what is booked, or why nothing is. With the read lock. */
void rspb_ask_audit(const struct rspb_ask *ask, bool done, const char *text);
/* Fill in the user's name as far as it is known (users.h). */
void rspb_ask_user(struct rspb_ask *ask);

#endif
