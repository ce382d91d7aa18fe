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
	size_t booked, lost, waiting, removed;
};

/* Each job once, in sections under the write lock. RET 0, 1: the nodes have changed
 * meanwhile, or -1: no memory, or slurmctld is going down. */
int rspb_jobs_recover(struct rspb_recovery *to);
/* Find reservations that hold nothing any more. Call after that, with the read lock. */
void rspb_jobs_look_at_orphans(struct rspb_recovery *to);
/* The ledger is the book's: what differs in Slurm becomes so; takes locks. */
void rspb_jobs_mirror(struct rspb_recovery *from);

#endif
