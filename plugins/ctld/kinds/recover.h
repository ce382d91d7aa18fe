/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Booked jobs after a restart get their bookings as promised. Jobs whose booking cannot be
 * kept return to the waiting room, and reservations without a job are deleted. */
#ifndef RSPB_CTLD_KINDS_RECOVER_H
#define RSPB_CTLD_KINDS_RECOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"
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

/* Jobs that were promised a time slot and that Slurm no longer knows, because its file of
 * jobs was older or damaged. */

/*
 * With the write lock: a promise whose job is not there. Where it was lost, its
 * nodes stay its owner's for the window, in a reservation kept_<job>, and the log
 * says so; where it ended while nobody of us was there, the promise goes. RET
 * whether it goes.
 */
bool rspb_lost_keep(const struct rspb_promise *promise, int64_t now);

/*
 * With the write lock, at a start: a booked job that is back from an older file, but
 * without its script, so that Slurm has failed it, or its first component; then it is
 * ended. Its nodes are kept likewise, and its contract says where. RET false: that is not
 * so, or its time is over.
 */
bool rspb_lost_script(const struct rspb_job *job, int64_t now);

/*
 * Runs that slurmctld and nodes do not agree about.
 *
 * Jobs of which the slurmctld before this one may have started a run that it
 * did not live to save. They wait, as far as this one knows; but their nodes
 * may run them. Started again at once, they would fail, or their nodes be
 * drained ("Duplicate jobid").
 */

/* Note a job (of a heterogeneous one, the leader) that was to start before now,
 * in seconds, when this slurmctld took over. launched: when the journal says that
 * it was started, 0: it does not. */
void rspb_orphan_suspect(uint64_t id, int64_t launched, int64_t now);
/* When it was started before, as far as the journal knows; 0: it was not. */
int64_t rspb_orphan_launched(uint64_t id);
/*
 * Whether nothing stands in the way of starting the jobs of a booking, one a
 * grant. If it is a suspect, its nodes are cleared first, which takes some
 * seconds, and a minute where a step has ended while no slurmctld was there;
 * ask again then. Nodes that do not answer are waited for half a minute. Wants
 * the write lock. RET false: not yet, with err.
 */
bool rspb_orphan_gone(const struct rspb_booking *b, const uint32_t *ids, uint32_t n, int64_t now,
		      struct rspb_err *err);
/* Forget a job that has started. */
void rspb_orphan_forget(uint64_t id);

/*
 * The other way round: what was launched when slurmctld or the slurmd died may have
 * never come to its node, which Slurm sees when that registers, at the earliest
 * rspb_slurm_conf().missing after the start. On its own that is half an hour later.
 */
/* A job has started at a second; doubt: while another slurmctld was there. */
void rspb_orphan_launch(uint64_t id, int64_t start, bool doubt, int64_t now);
/* Have nodes register whose time has come. Takes locks. */
void rspb_orphan_look(int64_t now);

#endif
