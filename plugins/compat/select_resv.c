/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sees when Slurm picks nodes for a reservation, and takes booked ones away. Which are
 * booked the caller says. */
#include "plugins/compat/select_resv.h"

#include "plugins/compat/bits.h"

#ifdef RSPB_SLURM_SELECT_resv_test

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY };

static int64_t period_of(uint64_t flags)
{
	uint64_t days = RESERVE_FLAG_DAILY | RESERVE_FLAG_WEEKDAY | RESERVE_FLAG_WEEKEND;

	if (flags & RESERVE_FLAG_HOURLY)
		return HOUR;
	if (flags & days)
		return DAY;
	return flags & RESERVE_FLAG_WEEKLY ? WEEK : 0;
}

static int64_t end_of(const resv_desc_msg_t *desc)
{
	if (desc->end_time > desc->start_time)
		return desc->end_time;
	if (desc->duration == INFINITE || desc->duration == NO_VAL)
		return INT64_MAX;
	return desc->start_time + INT64_C(60) * desc->duration;
}

static void take_out(bitstr_t *bits, const struct rspb_nodeset *kept)
{
	for (uint32_t n = 0; n < kept->width; n++)
		if (!rspb_nodeset_has(kept, n))
			bit_clear(bits, n);
}

void rspb_select_resv_prepare(const resv_desc_msg_t *desc, bitstr_t *available,
			      rspb_select_resv_fn prepare)
{
	struct rspb_select_resv resv = {
		.name = desc->name ? desc->name : "",
		.start = desc->start_time,
		.end = end_of(desc),
		.period = period_of(desc->flags),
	};
	struct rspb_nodeset *nodes = rspb_nodeset_create(bit_size(available));

	if (!nodes)
		return;
	rspb_bits_add(available, nodes);
	prepare(&resv, nodes);
	take_out(available, nodes);
	rspb_nodeset_destroy(nodes);
}

bool rspb_select_resv_asked(const struct rspb_select_call *call, struct rspb_select_resv *out)
{
	(void) call;
	(void) out;
	return false;
}

#else

bool rspb_select_resv_asked(const struct rspb_select_call *call, struct rspb_select_resv *out)
{
	const job_record_t *job = call->job;
	bool endless;

	if (job->job_id || !job->details || !rspb_select_call_will_run(call))
		return false;
	endless = job->time_limit == NO_VAL || job->time_limit == INFINITE;
	*out = (struct rspb_select_resv){
		.name = "",
		.start = job->details->begin_time,
		.end = endless ? INT64_MAX
			       : job->details->begin_time + INT64_C(60) * job->time_limit,
	};
	return true;
}

#endif
