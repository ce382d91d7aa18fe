/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Booked jobs after a restart get their bookings as promised. Jobs whose booking cannot be
 * kept return to the waiting room, and reservations without a job are deleted. */
#ifndef RSPB_CTLD_KINDS_RECOVER_H
#define RSPB_CTLD_KINDS_RECOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/record/durable.h"

/* A ledger that is built from what Slurm has kept. */
struct rspb_recovery {
	const struct rspb_config *config;
	struct rspb_ledger *ledger;
	uint32_t width;
	uint64_t table; /* the nodes that it is made for */
	/* The cores dedicated to shares, where the nodes have changed; otherwise NULL. */
	const uint8_t *moved;
	int64_t now;
	bool fresh; /* slurmctld has just begun */
	/* Counted for the log. */
	size_t booked, lost, waiting;
};

/* Each job once, in sections under the write lock. RET 0, 1: the nodes have changed
 * meanwhile, or -1: no memory, or slurmctld is going down. */
int rspb_jobs_recover(struct rspb_recovery *to);
/* Delete the reservations of jobs that have no booking in the book's ledger; takes locks. RET how
 * many there were. */
size_t rspb_jobs_remove_orphans(int64_t now);

/* The booking of a job, from its contracts. */

/* When it may be, and what that is worth. RET 0, or -1: out of memory. */
int rspb_recall_request(const struct rspb_contract *contract, struct rspb_request *request);
/* How many nodes, or which share of them, one part asks for. RET likewise. */
int rspb_recall_part(const struct rspb_contract *contract, struct rspb_part *part);
/* Set what it was granted, except for the nodes. */
void rspb_recall_grant(const struct rspb_contract *contract, struct rspb_grant *grant);

/* Applies the journal's record of a job to Slurm again after a crash. */

/* RET the promise by which the job is over, which may be that of its first component; NULL: it
 * is not. */
const struct rspb_promise *rspb_redo_end(const struct rspb_job *job);
/* With the write lock, of a job that is over: its contract becomes the one that was promised,
 * unless Slurm's is later. */
void rspb_redo_record(const struct rspb_job *job);
/* With the write lock, of a job that is not over: its contract, and those of its
 * components, become those that were promised; it ends if it had. What Slurm knows later
 * than the journal stays. Doing it twice is doing it once. RET whether anything of
 * Slurm's was changed. */
bool rspb_job_redo(const struct rspb_job *job, const struct rspb_config *config);

#endif
