/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/worth.h"

#include <math.h>

enum { SHARE_LOW = RSPB_SHARE_WHOLE / 10, SHARE_HIGH = 9 * SHARE_LOW };

bool sim_worth_any(const struct sim_worth *worth)
{
	return worth->priority > 0 || worth->soft > 0 || worth->shares > 0 || worth->timely > 0 ||
	       worth->price > 0;
}

int64_t sim_worth_price(struct sim_random *random, double most)
{
	double usual = most < 100 ? most : 100;

	return (int64_t) (sim_random_uniform(random, usual, most > 100 ? most : 100) *
			  RSPB_PRICE_USUAL / 100);
}

int sim_worth_shape(struct sim_random *random, double least, struct rspb_benefit **benefit,
		    struct rspb_err *err)
{
	struct rspb_benefit made;
	static const char *const names[] = { "hard", "linear", "stairs", "concave" };
	const struct rspb_shape *shape = rspb_shape_find(names[sim_random_whole(random, 0, 3)]);
	struct rspb_ratio squeeze = { 0, 0 };

	if (!shape)
		return rspb_fail(err, "a benefit shape is missing");
	if (least > 0)
		squeeze = (struct rspb_ratio){ lrint(least * 1000), 1000 };
	rspb_shape_draw(shape, squeeze, &made);
	return rspb_benefit_keep(benefit, &made) ? rspb_fail(err, "out of memory") : 0;
}

/* Give so many of a hundred jobs one; it is drawn in any case. */
static int some_shape(struct sim_random *random, double per_cent, struct rspb_benefit **benefit,
		      struct rspb_err *err)
{
	bool has = sim_random_uniform(random, 0, 100) < per_cent;

	if (sim_worth_shape(random, 0, benefit, err))
		return -1;
	return has ? 0 : rspb_benefit_keep(benefit, NULL);
}

struct rspb_request *sim_worth_draw(struct sim_random *random, const struct sim_worth *worth,
				    const struct sim_job *job, uint64_t id, struct rspb_err *err)
{
	struct rspb_request *request = sim_job_request(job, id);
	double important = sim_random_real(random);
	bool shared = sim_random_uniform(random, 0, 100) < worth->shares;
	int64_t share = sim_random_whole(random, SHARE_LOW, SHARE_HIGH);

	if (!request) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	request->priority = 1 + (int64_t) (important * worth->priority);
	request->parts[0].share = shared ? share : 0;
	if (!some_shape(random, worth->soft, &request->benefit, err) &&
	    !some_shape(random, worth->timely, &request->benefit_time, err))
		return request;
	rspb_request_destroy(request);
	return NULL;
}
