/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From jobs in the waiting room to requests the planner understands. */
#ifndef RSPB_CTLD_JOBS_INTAKE_H
#define RSPB_CTLD_JOBS_INTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/request.h"
#include "common/wire/flags.h"

struct rspb_door;
struct rspb_job;

enum { RSPB_USER_NAME = 64 };

/* One request and the jobs it came from. */
struct rspb_ask {
	struct rspb_request *request; /* owned; NULL once taken */
	struct rspb_door *door;	      /* owned; NULL: its jobs (door.h) */
	uint32_t n_jobs;
	uint32_t *jobs;			 /* owned: by part */
	struct rspb_contract *contracts; /* owned: by part */
	char user[RSPB_USER_NAME];
	char account[RSPB_USER_NAME], qos[RSPB_USER_NAME];
	struct rspb_err refusal; /* text "": none */
};

struct rspb_asks {
	size_t n, room;
	struct rspb_ask *items;
};

void rspb_asks_fini(struct rspb_asks *asks);
/* RET the place behind the last, empty, to be counted by n once it is good;
 * NULL: out of memory. */
struct rspb_ask *rspb_asks_add(struct rspb_asks *asks);
/* Fill in the user's name. Names may come over the network: no lock may be
 * held. */
void rspb_intake_user(struct rspb_ask *ask);

/*
 * The window of a request in whole seconds: the latest begin, the longest limit
 * and the earliest deadline of all components, each given to window() with its
 * own --book=asap, then close() once. Of the job only these and the time of
 * submission are looked at.
 */
void rspb_intake_window(struct rspb_request *request,
			const struct rspb_job *job, bool asap,
			const struct rspb_config *config, int64_t now);
void rspb_intake_window_close(struct rspb_request *request,
			      const struct rspb_config *config, int64_t now);

/* What the site takes for the priority of a job's request (PrioritySource). */
int64_t rspb_intake_priority(const struct rspb_config *config,
			     const struct rspb_job *leader);

/*
 * Whether a job waits for a decision now: it is in the waiting room, neither
 * held nor dependent on others, and its contract says "requested".
 */
bool rspb_intake_waits(const struct rspb_job *job);
/*
 * Find who waits: leaders' ids by submission into *ids (malloc'ed, the caller
 * frees it). Takes the read lock. earliest: the first moment somebody wants to
 * start, INT64_MAX: nobody waits. RET how many, -1: shutdown or no memory.
 */
int64_t rspb_intake_scan(uint32_t **ids, int64_t *earliest);
/*
 * Make an ask of each of n leaders as of `now`, in short write sections. What
 * the site's settings rule out carries its refusal. RET 0, or -1 with err.
 */
int rspb_intake_collect(const uint32_t *ids, size_t n, uint32_t width,
			const struct rspb_config *config, int64_t now,
			struct rspb_asks *asks, struct rspb_err *err);

#endif
