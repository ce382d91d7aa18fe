/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Terms that all lines of requests have in common. */
#ifndef RSPB_SIM_REPLAY_TERMS_H
#define RSPB_SIM_REPLAY_TERMS_H

#include "contrib/sim/jsonl/fields.h"
#include "contrib/sim/replay/workload.h"

/* Read when a request comes and when it may run, no earlier than those of the workload; and what
 * it is worth, into a request for whole nodes. RET 0, or -1 with err and *request to be
 * destroyed. */
int sim_terms_window(const struct sim_record *record, const struct sim_workload *workload,
		     struct sim_job *job, struct rspb_err *err);
int sim_terms_worth(const struct sim_record *record, size_t id, const struct sim_job *job,
		    struct rspb_request **request, struct rspb_err *err);

#endif
