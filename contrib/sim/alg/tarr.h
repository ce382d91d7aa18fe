/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run of tarr: its tasks, and what of them can be read. */
#ifndef RSPB_SIM_ALG_TARR_H
#define RSPB_SIM_ALG_TARR_H

#include "contrib/sim/alg/alg.h"
#include "contrib/sim/papers/tarr.h"

struct tarr_task {
	size_t n;			 /* copies, 0: declined */
	struct rspb_tarr_answer *copies; /* oet: as far as is known by now */
	const struct sim_record *record; /* its line */
	int64_t ready;			 /* what it waits for is over; 0: it waits for nothing */
	bool begun;			 /* by a line of its own */
};

struct tarr_setup {
	struct rspb_pool *pool;
	struct rspb_tarr *tarr;
	size_t n_resources;
	struct json_object *known; /* by id: which of tasks */
	struct tarr_task *tasks;   /* [n] */
	size_t n;
	int64_t last; /* time of the line before */
	bool pull;    /* who waits for what is over early comes forward */
};

/* Both RET 0, or -1 with err. */
int sim_tarr_config(struct tarr_setup *setup, const struct sim_record *config,
		    struct rspb_err *err);
int sim_tarr_task(struct tarr_setup *setup, const struct sim_record *record,
		  struct rspb_tarr_task *task, struct rspb_err *err);

#endif
