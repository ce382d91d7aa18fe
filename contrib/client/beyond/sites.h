/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other clusters, each by its own slurm.conf or its name in slurmdbd. */
#ifndef RSPB_CLIENT_BEYOND_SITES_H
#define RSPB_CLIENT_BEYOND_SITES_H

#include "contrib/client/beyond/plans.h"
#include "contrib/client/command.h"

struct rspb_other {
	char *name; /* as typed: a slurm.conf where it has a '/' */
	struct rspb_client client;
};
/* A job on one of them. */
struct rspb_other_job {
	int64_t job; /* 0: none */
	struct rspb_bid *bids;
	size_t n_bids;
};

/* RET 0 with its client connected to, or -1 with err. */
int rspb_other_init(struct rspb_other *other, struct rspb_err *err);
void rspb_other_fini(struct rspb_other *other);

/* Submit words of sbatch, open for offers, and read what is offered. RET 0, or -1,
 * which was said; what was submitted is in *job all the same. */
int rspb_other_open(const struct rspb_command *command, struct rspb_other *other,
		    char *const *words, int n, struct rspb_other_job *job);
/* Ask for a bid; hold: for so many seconds only, 0: for good. RET true: it is
 * booked; *until: as long. */
bool rspb_other_take(const struct rspb_command *command, struct rspb_other *other, int64_t job,
		     const struct rspb_bid *bid, int64_t hold, int64_t *until);
/* Cancel a job that there may be. */
void rspb_other_cancel(const struct rspb_other *other, struct rspb_other_job *job);

#endif
