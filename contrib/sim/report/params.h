/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters of a model or trace: NAME=VALUE. */
#ifndef RSPB_SIM_REPORT_PARAMS_H
#define RSPB_SIM_REPORT_PARAMS_H

#include <stdint.h>

#include "common/base/err.h"
#include "contrib/sim/replay/workload.h"

enum { SIM_PARAMS = 24 };

struct sim_param {
	const char *name;
	double fallback, low, high;
	const char *help;
};

/* Values of a model's parameters, in the order of its rows. */
struct sim_params {
	double value[SIM_PARAMS];
	struct sim_setup setup;
};

/* Rows are ended by name NULL. */
void sim_params_defaults(const struct sim_param *rows, struct sim_params *params);
/* "umed=7". RET 0, or -1 with err: unknown to `whose` ("model lublin"; with all
 * names), out of range. */
int sim_params_set(const char *whose, const struct sim_param *rows, struct sim_params *params,
		   const char *assignment, struct rspb_err *err);

#endif
