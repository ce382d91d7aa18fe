/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads from accounting how long earlier runs of a job took. Source: Min, thesis, chapter 3: an
 * application information service, which foretells what is needed from past runs. */
#ifndef RSPB_CLIENT_HISTORY_H
#define RSPB_CLIENT_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* --format of sacct -n -P -X for the lines that are read here. */
#define RSPB_HISTORY_FORMAT "ElapsedRaw,NNodes,State,JobName"

/* Runs on one number of nodes, in seconds. */
struct rspb_history_row {
	int64_t nodes;
	size_t runs;	/* that ended well, or ran out of time */
	size_t expired; /* of these: out of time, so they need longer than they had */
	int64_t median, most95, longest;
};

struct rspb_history {
	size_t n;
	struct rspb_history_row *rows; /* owned; by the number of nodes */
	size_t failed, cancelled;      /* left aside: they tell of no length */
};

/*
 * Read lines of sacct; those of jobs of another name, or that are not over, are left
 * out. The median and the 95 per cent are of the run at rank 1/2 and 95/100 of all,
 * rounded up: of fewer than 20 runs the longest. RET 0 with what the caller fini's, or
 * -1 with err.
 */
int rspb_history_read(const char *lines, const char *name, struct rspb_history *out,
		      struct rspb_err *err);
void rspb_history_fini(struct rspb_history *history);
/* Minutes to book for a row, at least 1: the 95 per cent rounded up. */
int64_t rspb_history_minutes(const struct rspb_history_row *row);

#endif
