/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kind of booking that is made for a job, or for all components of a
 * heterogeneous one, with whole nodes or cores of its own. */
#ifndef RSPB_CTLD_KINDS_JOB_H
#define RSPB_CTLD_KINDS_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/ctld/book/kind.h"

extern const struct rspb_kind rspb_kind_job;
/* Requests of jobs, also with shares. */
extern const struct rspb_source rspb_source_jobs;

/* Taking locks: what has ended, when anything has changed; each second. */
void rspb_jobs_look(const struct rspb_config *config, int64_t now);
void rspb_jobs_flush(int64_t now);

/* The kind of booking that is made for a job with a share of the CPUs of its
 * nodes: as any job's, but others may be beside it, and its nodes are told. */
extern const struct rspb_kind rspb_kind_shares;

/*
 * Telling the nodes which share of their CPUs each job was granted, in the
 * text of common/wire/share_lines.h.
 */

/* Tell the nodes of an active booking, whose components have these ids, with
 * at least the read lock: does not wait for them. Without shares: nothing. */
void rspb_message_send(const struct rspb_booking *booking, const uint32_t *ids, uint32_t n,
		       const struct rspb_config *config);

/* Tell the nodes of all active bookings once more, so that one whose slurmd
 * was away knows, too. Takes the read lock. */
void rspb_message_renew(const struct rspb_config *config);

#endif
