/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws what traces do not say of a job: how important it is, what less than asked and a later
 * start are worth, and whether it asks for a share of its nodes. It draws as Min's thesis draws its
 * requests, section 4.5. */
#ifndef RSPB_SIM_REPLAY_WORTH_H
#define RSPB_SIM_REPLAY_WORTH_H

#include "common/request/request.h"
#include "contrib/sim/replay/random.h"
#include "contrib/sim/replay/workload.h"

struct sim_worth {
	double priority; /* 1 to this, each alike; 0: all have 1 */
	/* How many of 100 jobs have a benefit function, ask for a share of 10 to 90 per cent of
	 * each of their nodes, have a benefit function of the time. */
	double soft, shares, timely;
	double price; /* they pay between 100 and this, per cent of the usual; 0: all
		       * the usual price */
};

/* RET whether anything is to be drawn. */
bool sim_worth_any(const struct sim_worth *worth);
/* RET the job as a request with that id, which the caller owns, with as many draws
 * whatever is wanted; NULL with err. */
struct rspb_request *sim_worth_draw(struct sim_random *random, const struct sim_worth *worth,
				    const struct sim_job *job, uint64_t id, struct rspb_err *err);
/* RET a price between the usual one and `most` per cent of it, each alike. */
int64_t sim_worth_price(struct sim_random *random, double most);
/* A benefit function, hard, linear, stairs or concave, a quarter each (figure 1.1);
 * least: its smallest fraction, 0: the shapes' own. Owned by the caller at *benefit.
 * RET 0 or -1 with err. */
int sim_worth_shape(struct sim_random *random, double least, struct rspb_benefit **benefit,
		    struct rspb_err *err);

#endif
