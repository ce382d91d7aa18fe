/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts that take different numbers of cores or devices of their nodes, for a job that says
 * only how many tasks or devices it has in all.
 */
#ifndef RSPB_CTLD_REQUEST_UNEVEN_H
#define RSPB_CTLD_REQUEST_UNEVEN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/request/request.h"
#include "common/wire/flags.h"

struct rspb_job;

/* The free resources of nodes while a window lasts. */
struct rspb_uneven_free {
	const struct rspb_ledger *ledger;
	int64_t start, end;
	struct rspb_nodeset *nodes; /* owned: nobody has them as a whole */
	int64_t *cores;		    /* owned: the units that are taken of each, at most */
	size_t n_rooms;
	int64_t **taken; /* owned, and each of them: likewise of each room of the ledger */
};

/* Look at the ledger, whose bookings are many, before the lock is taken. RET 0, -1: out of memory;
 * fini() is the caller's either way. */
int rspb_uneven_look(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		     struct rspb_uneven_free *out);
void rspb_uneven_free_fini(struct rspb_uneven_free *had);
/* Whether a job with these flags may have such a part. Write lock. */
bool rspb_uneven_may(const struct rspb_job *job, const struct rspb_terms *flags);
/* How a part takes more than its load seems to need. */
struct rspb_uneven_how {
	bool mixes;	/* it takes devices of each type of a node, of which Slurm may find more
			 * beside free cores, and not the first types */
	uint32_t extra; /* it takes so many more cores of each node, where they are free */
	bool given;	/* it takes what Slurm would give its job this second, maybe whole nodes */
};

/* Fill in a part that takes of each of its nodes what is free there, until all tasks or devices
 * have a place. What the part had is destroyed. Write lock. RET 0, or -1 with err: the job cannot
 * be spread so, or there is too little. */
int rspb_uneven_fill(const struct rspb_job *job, const struct rspb_terms *flags,
		     const struct rspb_uneven_free *at, struct rspb_uneven_how how,
		     struct rspb_part *part, struct rspb_err *err);
/* RET the nodes that may replace lost ones of a booked part, whose other nodes it keeps, for the
 * caller to destroy; NULL: it may have others anyway, or out of memory. Write lock. */
struct rspb_nodeset *rspb_uneven_others(const struct rspb_job *job, const struct rspb_part *part,
					const struct rspb_nodeset *granted);
/* Print the other amounts of a part as contracts have them (wire/texts.h). At least the read
 * lock. RET false: they are too long for it, and the text is "". */
bool rspb_uneven_print(const struct rspb_part *part, char *text, size_t size);
/* Take them over again from such a text. At least the read lock. RET 0, -1: out of memory. */
int rspb_uneven_recall(const char *text, struct rspb_part *part);

#endif
