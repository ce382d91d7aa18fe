/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload that was written by hand or by a program: JSON lines, a machine and the
 * requests for it in order of arrival; man page of rspb-sim(1), REQUESTS.
 */
#ifndef RSPB_SIM_REPLAY_REQUESTS_H
#define RSPB_SIM_REPLAY_REQUESTS_H

#include "contrib/sim/replay/workload.h"

/* Read a file, the first `limit` requests of it (0: all), into a workload without
 * any. RET 0, or -1 with err that names file, line and field. */
int sim_requests_read(const char *path, size_t limit, struct sim_workload *workload,
		      struct rspb_err *err);
/* The same of a text; name stands in errors. */
int sim_requests_parse(const char *text, size_t length, const char *name, size_t limit,
		       struct sim_workload *workload, struct rspb_err *err);

#endif
