/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QoS parameters and what nodes offer of them, from a config line. */
#ifndef RSPB_SIM_ALG_QOS_H
#define RSPB_SIM_ALG_QOS_H

#include "contrib/sim/alg/exact.h"
#include "contrib/sim/papers/qdd.h"

struct sim_qos {
	size_t n_params, n_nodes;
	const char **names; /* [n_params], borrowed */
	struct rspb_qdd_param *params;
	struct rspb_qdd_value **offered; /* [n_nodes][n_params] */
};

/* Read "params" (none: no parameters) and the list of nodes under `key`; all
 * in pool. RET 0 or -1 with err. */
int sim_qos_read(struct rspb_pool *pool, struct sim_qos *qos, const struct sim_record *config,
		 const char *key, struct rspb_err *err);
/* Squared distance of each node from the "qos" of a record. RET 0 or -1. */
int sim_qos_squared(struct rspb_pool *pool, const struct sim_qos *qos,
		    const struct sim_record *record, struct rspb_rational *squared,
		    struct rspb_err *err);

#endif
