/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The broker: what lives once in slurmctld, shared by the sched, select and
 * job_submit plugins through librspb.so. It owns the ledger and its one mutex.
 *
 * Lock order: slurmctld locks first, then the broker's mutex. Nothing here
 * waits, reads files or calls Slurm while the mutex is held. The functions
 * below may be called with any slurmctld locks held, or none.
 *
 * Node numbers are those of Slurm's node bitmaps. The broker knows for which
 * node table its ledger was built; while that is out of date (nodes were
 * added, slurmctld is starting) these functions answer "don't know" (false, -1)
 * and callers go on as stock Slurm would.
 */
#ifndef RSPB_CTLD_BROKER_H
#define RSPB_CTLD_BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/request/request.h"
#include "plugins/compat/job.h"
#include "plugins/compat/parts/parts.h"
#include "plugins/compat/resv.h"

/* sched plugin's init() and fini(). start: make the broker, start the agent
 * thread (joinable). RET 0 or -1 with err. stop: join it, forget everything
 * that is only in memory; the waiting room goes if nobody waits in it. */
int rspb_broker_start(struct rspb_err *err);
void rspb_broker_stop(void);
bool rspb_broker_running(void);
/* Read rspb.conf and SchedulerParameters anew. On -1 the old settings stay. */
int rspb_broker_reconfig(struct rspb_err *err);

/* Whether there is nothing booked at all: one relaxed load, for callers that
 * are asked very often. */
bool rspb_broker_idle(void);
/* Whether it runs and has not read yet what is booked: the first moments behind
 * a start of slurmctld. */
bool rspb_broker_reading(void);
/* Nodes held by our bookings at any instant of [start, end); all, if the nodes have had other
 * numbers for a moment than the book. At least the read lock. RET false: don't know, set
 * untouched. */
bool rspb_broker_booked(int64_t start, int64_t end, struct rspb_nodeset *set);
/* The first start from `from` on at which no booking holds so many of these nodes for
 * so many seconds. RET false: there is none, or don't know. */
bool rspb_broker_first(int64_t from, int64_t seconds, uint32_t nodes, const struct rspb_nodeset *of,
		       int64_t *start);
/* Whether ordinary jobs may be beside shares anywhere: one relaxed load. */
bool rspb_broker_colocates(void);
/* Find the nodes of the set where only shares are booked and ordinary jobs may run beside them, and
 * for every node how much is kept for shares there, in per cent. RET false: don't know, or nowhere;
 * both are untouched. */
bool rspb_broker_beside(int64_t start, int64_t end, struct rspb_nodeset *set, uint8_t *dedicated);
/* Whether bookings may have parts of nodes: one relaxed load. */
bool rspb_broker_lends_parts(void);
/* Find what bookings of parts keep of nodes on which nothing else is booked. parts: made by the
 * caller, with the keys that it asks about. RET false: don't know, or nothing. */
bool rspb_broker_parts(int64_t start, int64_t end, struct rspb_parts *parts);
/* next_start[n] = start of the first booking on node n after `from`, or
 * RSPB_TIME_MAX, and ranks[n] = the node's rank (compat/node.h), 0 if all are alike;
 * open->width entries. Where there are several leaves (policy/leaves.h), open keeps the
 * nodes of those that were chosen. RET false: don't know. */
bool rspb_broker_next_start(int64_t from, const struct rspb_nodeset *chosen,
			    struct rspb_nodeset *open, int64_t *next_start, uint32_t *ranks);

/* How many licenses of a key (quota.h) bookings that have not begun are to have at
 * a time within [start, end), at most. */
int64_t rspb_broker_license(uint64_t key, int64_t start, int64_t end);

/* Whether the calling thread may start this job (of a heterogeneous one, its
 * leader's id) now: a booked one is started by the agent alone, on its second
 * and with what it was granted. */
bool rspb_broker_may_start(uint64_t job_id);

/* Whether a user's other jobs may use a reservation: the user's own booking,
 * begun, of which nothing is given back before its end (ReleaseEarly=no). */
bool rspb_broker_lends(const char *reservation, uint32_t uid);

/* Whether a booking starts within the next second, or is late by less. Long
 * work under slurmctld's locks (a backfill pass) had better end quickly. */
bool rspb_broker_imminent(void);

/* A request is about to be there that wants to start at READY, s: the agent wakes up
 * for it, unless it is about to look anyway. */
void rspb_broker_wake(int64_t ready);

enum rspb_advice {
	RSPB_ADVICE_NONE,   /* don't know: text is untouched */
	RSPB_ADVICE_LIKELY, /* it would be booked */
	RSPB_ADVICE_ROOM,   /* there is no room for it */
	RSPB_ADVICE_LIMITS  /* the site does not allow so much */
};
/*
 * Answers at submission whether this request would fit now, seen from the last snapshot? Fills text
 * with one line for the user ("likely: Nov 24 09:00-11:00 CET on 4 nodes, benefit 1.00 (as of 1 s
 * ago)", or why not), with THEN behind the age; *start is when it would begin, 0: never. Bounded:
 * never more than a few milliseconds, takes no slurmctld lock. draft: the job that it is going to
 * be, about which Slurm's selection is asked by whoever submits it, and so holds the locks; NULL:
 * it is not asked. Where the number of nodes was our guess the request asks for as many as Slurm
 * needs.
 */
enum rspb_advice rspb_broker_advise(struct rspb_request *request, const struct rspb_job *draft,
				    const char *zone, const char *then, char *text, size_t size,
				    int64_t *start);

#endif
