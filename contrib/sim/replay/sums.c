/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/sums.h"

/* RET what so many units of a part are of each of its nodes: of a CPU, or of the cores; or, where
 * nodes have sizes, the cores that were asked for. */
static double of_each(const struct sim_sums *sums, const struct rspb_request *request,
		      const struct rspb_part *part, int64_t units)
{
	if (sums->cores)
		return sums->cores(sums->cores_arg, request->id);
	return part->share ? (double) units / (double) rspb_part_whole(part) : 1;
}

bool sim_sums_is_link(const struct sim_sums *sums, const struct rspb_part *part)
{
	return sums->links_from && part->fixed &&
	       rspb_nodeset_next(part->fixed, 0) >= sums->links_from;
}

/* RET whether a part is of a link, whose unit seconds are added then. */
static bool add_link(struct sim_sums *sums, const struct rspb_booking *booking, uint32_t i)
{
	const struct rspb_request *request = booking->request;
	const struct rspb_part *part = &request->parts[i];

	if (!sim_sums_is_link(sums, part))
		return false;
	sums->bandwidth += (double) part->share * (double) request->duration;
	if (booking->n_grants)
		sums->bandwidth_accepted += (double) booking->grants[i].share *
					    (double) request->duration;
	return true;
}

/* Node seconds asked for by a request. */
static void add_parts(struct sim_sums *sums, const struct rspb_booking *booking)
{
	const struct rspb_request *request = booking->request;
	bool accepted = booking->n_grants > 0;
	struct rspb_form form = rspb_request_form(request);
	double price = (double) rspb_request_price(request);
	double asked, given;

	for (uint32_t i = 0; i < request->n_parts; i++) {
		const struct rspb_part *part = &request->parts[i];

		if (add_link(sums, booking, i))
			continue;
		asked = request->n_forms ? form.nodes : (double) part->nodes;
		given = !accepted ? 0 : (double) rspb_nodeset_count(booking->grants[i].nodes);
		asked *= of_each(sums, request, part, part->share);
		if (accepted)
			given *= of_each(sums, request, part, booking->grants[i].share);
		sums->parts++;
		sums->requested += asked;
		sums->reserved += given;
		asked *= (double) form.duration;
		given *= (double) request->duration;
		sums->work += asked;
		sums->work_accepted += given;
		sums->offered += asked * price;
		sums->paid += given * price;
	}
}

void sim_sums_add(const struct rspb_booking *booking, void *arg)
{
	const struct rspb_request *request = booking->request;
	struct sim_sums *sums = arg;

	sums->n++;
	sums->priced |= request->price > 0;
	add_parts(sums, booking);
	sums->weight += (double) request->priority;
	if (!booking->n_grants) {
		sums->rejected_priority += (double) request->priority;
		return;
	}
	sums->accepted++;
	sums->slowdown += (double) (booking->end - request->ready) /
			  (double) rspb_request_form(request).duration;
	sums->weighted += (double) request->priority * rspb_ratio_double(booking->benefit);
}

void sim_sums_metrics(const struct sim_sums *sums, struct sim_metrics *metrics)
{
	double rejected = sums->n - sums->accepted;
	double *value = metrics->value;

	value[SIM_JOBS] = sums->n;
	value[SIM_ACCEPTANCE] = sums->accepted / sums->n;
	value[SIM_SLOWDOWN] = sums->slowdown / sums->accepted;
	value[SIM_WORK] = sums->work_accepted / sums->work;
	value[SIM_REJECTIONS] = rejected;
	if (sums->cores)
		value[SIM_CORE_HOURS] = sums->work_accepted / 3600;
	if (sums->bandwidth > 0)
		value[SIM_BANDWIDTH] = sums->bandwidth_accepted / sums->bandwidth;
	if (sums->priced)
		value[SIM_INCOME] = sums->paid / sums->offered;
	if (sums->weight > 0) {
		value[SIM_BENEFIT] = sums->weighted / sums->weight;
		value[SIM_REJECTED_PRIORITY] = sums->rejected_priority;
		value[SIM_MEAN_REJECTED_PRIORITY] = sums->rejected_priority / rejected;
	}
	if (sums->shares) {
		value[SIM_REQUESTED_CPU] = 100 * sums->requested / sums->parts;
		value[SIM_RESERVED_CPU] = 100 * sums->reserved / sums->parts;
	}
}
