/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Booked jobs after a restart: their bookings from contracts and reservations.
 * Jobs that lost their reservation go back to the waiting room, reservations
 * that lost their job go. */
#ifndef RSPB_CTLD_JOBS_RECOVER_H
#define RSPB_CTLD_JOBS_RECOVER_H

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
	int64_t now;
	bool fresh; /* slurmctld has just begun */
	/* Counted for the log. */
	size_t booked, lost, waiting, removed;
};

/* Into the ledger with what Slurm has kept; with the read lock. */
void rspb_jobs_recover(struct rspb_recovery *to);
/* Put right what does not fit; takes locks. */
void rspb_jobs_repair(struct rspb_recovery *from);

#endif
