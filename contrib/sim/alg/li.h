/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The setup of li, as its config line says (li_read.c). */
#ifndef RSPB_SIM_ALG_LI_H
#define RSPB_SIM_ALG_LI_H

#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "contrib/sim/alg/alg.h"

/* Times are less far from 0. */
#define SIM_LI_TIMES (INT64_C(1) << 53)
enum { SIM_LI_SPEED = 100 }; /* of a standard PE */

struct sim_li {
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	struct rspb_nodeset *set; /* scratch */
	char *text;		  /* scratch, for one set */
	size_t text_size;
	uint32_t fastest; /* speed of a PE; 0: all are alike */
	bool dump;
	int64_t jobs, accepted;
	double slowdown, work, accepted_work;
};

/* RET 0, or -1 with err; sim_li_fini() is for both. */
int sim_li_init(struct sim_li *setup, const struct sim_run *run, struct rspb_err *err);
void sim_li_fini(struct sim_li *setup);

#endif
