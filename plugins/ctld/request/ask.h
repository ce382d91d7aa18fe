/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that wait for a decision: what they are, which come first, and whether the site's
 * settings allow them. */
#ifndef RSPB_CTLD_REQUEST_ASK_H
#define RSPB_CTLD_REQUEST_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/request.h"
#include "common/wire/flags.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/request/users.h"

/* --- ask.c --- */

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

/* --- turns.c --- */

/* Chooses the requests that are decided first where more wait than a batch should hold: one of each
 * user, then another of each, so that a flood of one user's delays nobody else's by more than a
 * batch. */

/* users[n]: the user of each request, in the order they came. Writes the numbers of at most `most`
 * of them into taken[], rising. RET how many, -1: out of memory. */
int64_t rspb_turns_take(const uint32_t *users, size_t n, size_t most, size_t *taken);

/* --- limits.c --- */

/* Judges by the site's settings which users may book what. */

struct rspb_job;

/* New settings, no lock held: say in the log which names of accounts and QOS there
 * are none of. */
void rspb_limits_learn(const struct rspb_config *config);
/* The settings that count for a request (rspb_rules_for) on this machine; any locks. */
const struct rspb_config *rspb_limits_settings(const struct rspb_config *config,
					       const struct rspb_request *request,
					       struct rspb_config *space);
/* Whether a job has parts of nodes by the settings for its user, account, QOS and partition; at
 * least the read lock. */
bool rspb_limits_parts(const struct rspb_job *job);
/* Whether its user, account and QOS may book at all; any locks. RET 0, or -1 with
 * a sentence for the user. */
int rspb_limits_who(const struct rspb_ask *ask, const struct rspb_config *config, int64_t now,
		    struct rspb_err *err);
/* Before planning; any locks (users.h). RET 0, or -1 with a
 * sentence for the user. config: what counts for the request (rspb_rules_for()). */
int rspb_limits_check(const struct rspb_ask *ask, const struct rspb_config *config, uint32_t width,
		      int64_t now, struct rspb_err *err);
/* The same where it is not known yet which QOS one that names none ("") gets. */
int rspb_limits_foresee(const struct rspb_ask *ask, const struct rspb_config *config,
			uint32_t width, int64_t now, struct rspb_err *err);

/* Whether the limits allow a booking that is planned beside what the ledger holds:
 * rspb_limits_grant() by the settings for its request, with what its user has left unused. RET 0,
 * or -1 with err. */
int rspb_limits_decision(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
			 const struct rspb_config *config, int64_t now, struct rspb_err *err);
/* Agent, once it is decided that a booking is to be another: rspb_limits_grant() of the
 * new one, as if the old one were not in the ledger. */
int rspb_limits_instead(const struct rspb_ledger *ledger, const struct rspb_booking *old,
			const struct rspb_booking *new, const struct rspb_config *config,
			int64_t now, struct rspb_err *err);

#endif
