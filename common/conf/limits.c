/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/limits.h"

#include <inttypes.h>

/* RET most nodes of one booking, 0: any number. A part of them is one at least. */
static uint32_t most_nodes(const struct rspb_config *config, uint32_t nodes)
{
	uint32_t part = (uint32_t) ((uint64_t) nodes *
				    config->max_nodes_percent / 100);

	if (!config->max_nodes_percent)
		return config->max_nodes;
	return part ? part : 1;
}

static int size(const struct rspb_request *request,
		const struct rspb_config *config, uint32_t machine,
		struct rspb_err *err)
{
	uint32_t most = most_nodes(config, machine), i;
	uint64_t nodes = 0;

	for (i = 0; i < request->n_parts; i++)
		nodes += request->parts[i].nodes;
	if (most && nodes > most)
		return rspb_fail(err,
				 "%" PRIu64 " nodes are more than the %" PRIu32
				 " that one booking may have (MaxNodes)",
				 nodes, most);
	if (!request->duration)
		return rspb_fail(err, "a booking needs a time limit (--time)");
	if (config->max_duration && request->duration > config->max_duration)
		return rspb_fail(err,
				 "%" PRId64 " minutes are longer than a "
				 "booking may be (MaxDuration, %" PRId64
				 " minutes)",
				 request->duration / 60,
				 config->max_duration / 60);
	return 0;
}

static int times(const struct rspb_request *request,
		 const struct rspb_config *config, int64_t now,
		 struct rspb_err *err)
{
	if (request->ready < request->arrival + config->min_notice)
		return rspb_fail(err,
				 "a booking must be asked for at least %" PRId64
				 " s before its start (MinNotice)",
				 config->min_notice);
	if (request->ready + request->duration > now + config->horizon)
		return rspb_fail(err,
				 "the booking would end more than %" PRId64
				 " hours from now (Horizon)",
				 config->horizon / 3600);
	if (request->deadline < request->ready + request->duration)
		return rspb_fail(err,
				 "begin and time limit end %" PRId64
				 " s after the deadline",
				 request->ready + request->duration -
					 request->deadline);
	return 0;
}

int rspb_limits_request(const struct rspb_request *request,
			const struct rspb_config *config, uint32_t nodes,
			int64_t now, struct rspb_err *err)
{
	return size(request, config, nodes, err) ||
			       times(request, config, now, err)
		       ? -1
		       : 0;
}

int64_t rspb_limits_ahead(const struct rspb_booking *booking, int64_t now)
{
	int64_t start = booking->start > now ? booking->start : now, sum = 0;

	for (uint32_t i = 0; start < booking->end && i < booking->n_grants;
	     i++) {
		const struct rspb_grant *grant = &booking->grants[i];
		int64_t nodes = rspb_nodeset_count(grant->nodes);

		sum += (booking->end - start) * nodes *
		       (grant->share ? grant->share : RSPB_SHARE_WHOLE) /
		       RSPB_SHARE_WHOLE;
	}
	return sum;
}

/* Add what a user has in the ledger. */
static struct rspb_holding held_by(const struct rspb_ledger *ledger,
				   uint32_t user, int64_t now,
				   struct rspb_holding held)
{
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->request->user != user || rspb_state_final(b->state))
			continue;
		held.bookings++;
		held.ahead += rspb_limits_ahead(b, now);
	}
	return held;
}

static int user_part(const struct rspb_ledger *ledger,
		     const struct rspb_booking *booking,
		     struct rspb_holding besides,
		     const struct rspb_config *config, struct rspb_err *err)
{
	int64_t now = booking->decided_at;
	int64_t most = config->max_ahead_user * rspb_ledger_nodes(ledger);
	const char *unused = besides.bookings ? ", NoShow" : "";
	struct rspb_holding held;

	if (booking->request->user == RSPB_USER_NONE ||
	    (!config->max_waiting_user && !config->max_ahead_user))
		return 0;
	held = held_by(ledger, booking->request->user, now, besides);
	if (config->max_waiting_user &&
	    held.bookings >= config->max_waiting_user)
		return rspb_fail(err,
				 "you have %u bookings that have not ended, "
				 "which is as many as you may "
				 "(MaxWaitingPerUser%s)",
				 held.bookings, unused);
	held.ahead += rspb_limits_ahead(booking, now);
	if (config->max_ahead_user && held.ahead > most)
		return rspb_fail(err,
				 "with this you would have %.1f node-hours "
				 "booked, and %.1f are allowed "
				 "(MaxAheadPerUser%s)",
				 (double) held.ahead / 3600,
				 (double) most / 3600, unused);
	return 0;
}

/* Whether so many nodes more fit below MaxBookedPercent. */
static int machine_part(const struct rspb_ledger *ledger,
			const struct rspb_booking *booking, uint32_t more,
			const struct rspb_config *config, struct rspb_err *err)
{
	uint32_t most = 0, fewest = 0, allowed;

	if (!config->max_share_percent || config->max_share_percent >= 100)
		return 0;
	allowed = (uint64_t) rspb_ledger_nodes(ledger) *
		  config->max_share_percent / 100;
	if (rspb_profile_peak(rspb_ledger_profile(ledger), booking->start,
			      booking->end, &most, &fewest, err))
		return -1;
	if (most + more > allowed)
		return rspb_fail(err,
				 "%u of %u nodes that may be booked at "
				 "one time are taken (MaxBookedPercent=%u%%)",
				 most, allowed, config->max_share_percent);
	return 0;
}

int rspb_limits_grant(const struct rspb_ledger *ledger,
		      const struct rspb_booking *booking,
		      struct rspb_holding besides,
		      const struct rspb_config *config, struct rspb_err *err)
{
	if (user_part(ledger, booking, besides, config, err))
		return -1;
	return machine_part(ledger, booking, rspb_booking_nodes(booking),
			    config, err);
}

int rspb_limits_growth(const struct rspb_ledger *ledger,
		       const struct rspb_booking *booking,
		       const struct rspb_config *config, struct rspb_err *err)
{
	const struct rspb_booking *old = rspb_ledger_find(ledger,
							  booking->request->id);
	uint32_t before = old ? rspb_booking_nodes(old) : 0;
	uint32_t after = rspb_booking_nodes(booking);

	return after <= before ? 0
			       : machine_part(ledger, booking, after - before,
					      config, err);
}
