/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The broker: what lives once in slurmctld, shared by the sched, select and
 * job_submit plugins through librspb.so. What is booked is read by book/book.h.
 *
 * Lock order: slurmctld locks first, then the book's mutex. Nothing here
 * waits, reads files or calls Slurm while the mutex is held. The functions
 * below may be called with any slurmctld locks held, or none.
 */
#ifndef RSPB_CTLD_BROKER_H
#define RSPB_CTLD_BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/request.h"
#include "plugins/compat/job.h"

/* sched plugin's init() and fini(). start: make the broker, start the agent
 * thread (joinable). RET 0 or -1 with err. stop: join it, forget everything
 * that is only in memory; the waiting room goes if nobody waits in it. */
int rspb_broker_start(struct rspb_err *err);
void rspb_broker_stop(void);
bool rspb_broker_running(void);
/* Read rspb.conf and SchedulerParameters anew. On -1 the old settings stay. */
int rspb_broker_reconfig(struct rspb_err *err);

/* Whether it runs and has not read yet what is booked: the first moments behind
 * a start of slurmctld. */
bool rspb_broker_reading(void);
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
