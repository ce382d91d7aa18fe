/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds to a request what its flags want beyond nodes and length. */
#ifndef RSPB_PLUGINS_CTLD_REQUESTS_WANT_H
#define RSPB_PLUGINS_CTLD_REQUESTS_WANT_H

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/request.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"

/* --work: let a request whose part has its range of nodes, or may have fewer tasks, and no length
 * yet, be what that comes to within `longest` seconds (0: any). It has the length of the shortest
 * form. Without --work nothing is changed. RET 0, or -1 with err. */
int rspb_want_forms(const struct rspb_terms *flags, struct rspb_request *request, int64_t longest,
		    struct rspb_err *err);
/* Add what the contract of a request's first job wants: its forms, unless it asks for an offer,
 * which is a single form; its price; the worth of its start. RET likewise. */
int rspb_want_fill(const struct rspb_contract *contract, struct rspb_request *request,
		   int64_t longest, struct rspb_err *err);
/* Where nodes have speeds (Speed=): let a request that has no forms and one part be as long as
 * its slowest node takes for what a usual one does in its length; of an offer, which is a
 * time, it gets nodes that are no slower than usual. With at least the read lock. RET 0,
 * or -1 with err. */
int rspb_want_speed(const struct rspb_config *config, struct rspb_request *request, bool offer,
		    struct rspb_err *err);
/* --time-min: let a request of one part without --work be shorter where there is no place
 * for it as long as it is, at least so many seconds (0: it is not). RET likewise. */
int rspb_want_shorter(int64_t least, struct rspb_request *request, struct rspb_err *err);
/* --prefer-qos: tell the eligible nodes of a part apart by how near they are. With at
 * least the read lock on nodes. RET 0, or -1 with err. */
int rspb_want_nodes(const struct rspb_prefer *prefer, struct rspb_part *part, struct rspb_err *err);
/* Do the same for a booked job whose nodes are looked for again. */
void rspb_want_again(const struct rspb_job *job, struct rspb_part *part);

#endif
