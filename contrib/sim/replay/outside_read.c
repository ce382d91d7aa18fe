/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the answers of a policy that is a program. */
#include <inttypes.h>
#include <string.h>

#include "common/plan/plan.h"
#include "common/wire/json.h"
#include "contrib/sim/replay/outside_internal.h"

const char *const sim_outside_sends[SIM_SENDS + 1] = {
	[SIM_SEND_STARTS] = "starts",
	[SIM_SEND_COUNTS] = "counts",
	[SIM_SEND_NODES] = "nodes",
	[SIM_SEND_NOTHING] = "nothing",
};

int sim_outside_int(struct json_object *of, const char *key, int64_t *out, struct rspb_err *err)
{
	struct json_object *value = rspb_json_get(of, key);

	if (!json_object_is_type(value, json_type_int))
		return rspb_fail(err, "\"%s\" is %.40s; it must be a whole number", key,
				 value ? json_object_to_json_string(value) : "missing");
	*out = json_object_get_int64(value);
	return 0;
}

int sim_outside_read_machine(struct sim_outside *outside, struct json_object *answer,
			     int64_t *interval, struct rspb_err *err)
{
	const char *send = rspb_json_text(answer, "send");
	int64_t protocol;

	*interval = 0;
	if (sim_outside_int(answer, "protocol", &protocol, err))
		return -1;
	if (protocol != SIM_OUTSIDE_PROTOCOL)
		return rspb_fail(err, "\"protocol\" is %" PRId64 ", this program has %d", protocol,
				 SIM_OUTSIDE_PROTOCOL);
	if (rspb_json_get(answer, "batch") && sim_outside_int(answer, "batch", interval, err))
		return -1;
	if (*interval < 0 || *interval > INT32_MAX)
		return rspb_fail(err, "\"batch\" is %" PRId64 ", allowed are 0 to %d seconds",
				 *interval, INT32_MAX);
	if (rspb_json_get(answer, "most") && sim_outside_int(answer, "most", &outside->most, err))
		return -1;
	if (outside->most < 0)
		return rspb_fail(err,
				 "\"most\" is %" PRId64 ", allowed is a number of starts; 0: all",
				 outside->most);
	while (*send && strcmp(send, sim_outside_sends[outside->send]))
		if (++outside->send == SIM_SENDS)
			return rspb_fail(err,
					 "\"send\" is \"%.40s\", allowed are starts, counts, "
					 "nodes, nothing",
					 send);
	return 0;
}

/* Choose `count` nodes, the lowest on which that part fits from `booking->start` on. */
static int choose_nodes(struct sim_outside *outside, const struct rspb_ledger *ledger,
			const struct rspb_booking *booking, uint32_t i, int64_t count,
			struct rspb_err *err)
{
	const struct rspb_part *part = &booking->request->parts[i];
	const struct rspb_grant *grant = &booking->grants[i];
	struct rspb_nodeset *set = outside->set;

	if (!ledger)
		return rspb_fail(err, "a move must name its nodes, such as \"0-3\"");
	if (!grant->share) {
		if (rspb_profile_free_over(rspb_ledger_profile(ledger), booking->start,
					   booking->end, set, err))
			return -1;
	} else {
		const struct rspb_shares *shares = rspb_ledger_shares(ledger);

		if (rspb_ledger_shareable_over(ledger, booking->start, booking->end, set, err) ||
		    rspb_shares_peaks(shares, booking->start, booking->end, outside->peaks, err))
			return -1;
		for (uint32_t n = 0; n < set->width; n++)
			if (rspb_shares_capacity(shares, n) - outside->peaks[n] < grant->share)
				rspb_nodeset_remove(set, n);
	}
	if (part->eligible)
		rspb_nodeset_and(set, part->eligible);
	if (part->fixed)
		rspb_nodeset_and(set, part->fixed);
	for (uint32_t k = 0; k < i; k++)
		if (!grant->share || !booking->grants[k].share)
			rspb_nodeset_minus(set, booking->grants[k].nodes);
	if (rspb_nodeset_count(set) < count)
		return rspb_fail(err,
				 "%" PRId64 " nodes are not free from %" PRId64 " to %" PRId64
				 ", %" PRIu32 " are",
				 count, booking->start, booking->end, rspb_nodeset_count(set));
	rspb_nodeset_keep_lowest(set, (uint32_t) count);
	return 0;
}

/* The nodes of a part, from "nodes": a number, or which ones. */
static int read_nodes(struct sim_outside *outside, const struct rspb_ledger *ledger,
		      struct json_object *value, struct rspb_booking *booking, uint32_t i,
		      struct rspb_err *err)
{
	const struct rspb_part *part = &booking->request->parts[i];
	struct rspb_nodeset *set = outside->set;
	int64_t count = part->nodes;

	if (json_object_is_type(value, json_type_string)) {
		if (rspb_nodeset_parse(set, json_object_get_string(value), err))
			return -1;
		count = rspb_nodeset_count(set);
	} else if (json_object_is_type(value, json_type_int)) {
		count = json_object_get_int64(value);
	} else if (value) {
		return rspb_fail(
			err, "\"nodes\" is %.40s; it must be a number, or a text such as \"0-3\"",
			json_object_to_json_string(value));
	}
	if (count < (part->share ? part->nodes : part->nodes_min) || count > part->nodes)
		return rspb_fail(err, "%" PRId64 " nodes, allowed are %" PRIu32 " to %" PRIu32,
				 count, part->share ? part->nodes : part->nodes_min, part->nodes);
	if (!json_object_is_type(value, json_type_string) &&
	    choose_nodes(outside, ledger, booking, i, count, err))
		return -1;
	if ((part->eligible && !rspb_nodeset_within(set, part->eligible)) ||
	    (part->fixed && !rspb_nodeset_within(set, part->fixed)))
		return rspb_fail(err, "the request does not allow one of the nodes");
	rspb_nodeset_copy(booking->grants[i].nodes, set);
	return 0;
}

static int read_part(struct sim_outside *outside, const struct rspb_ledger *ledger,
		     struct json_object *from, struct rspb_booking *booking, uint32_t i,
		     struct rspb_err *err)
{
	const struct rspb_part *part = &booking->request->parts[i];
	int64_t share = part->share;

	if (rspb_json_get(from, "share") && sim_outside_int(from, "share", &share, err))
		return -1;
	if (share < (part->share > 0) || share > part->share)
		return rspb_fail(err, "\"share\" is %" PRId64 ", allowed are %d to %" PRId64, share,
				 part->share > 0, part->share);
	booking->grants[i].share = share;
	return read_nodes(outside, ledger, rspb_json_get(from, "nodes"), booking, i, err);
}

/* Read all parts from "parts", or the only part from the decision itself. */
static int read_parts(struct sim_outside *outside, const struct rspb_ledger *ledger,
		      struct json_object *decision, struct rspb_booking *booking,
		      struct rspb_err *err)
{
	struct json_object *list = rspb_json_list(decision, "parts");
	uint32_t n = booking->request->n_parts;

	if (list && json_object_array_length(list) != n)
		return rspb_fail(err, "\"parts\" has %zu entries, the request has %" PRIu32,
				 json_object_array_length(list), n);
	for (uint32_t i = 0; i < n; i++) {
		struct json_object *from = list	    ? json_object_array_get_idx(list, i)
					   : n == 1 ? decision
						    : NULL;

		if (read_part(outside, ledger, from, booking, i, err))
			return n > 1 ? rspb_fail_at(err, "part %" PRIu32, i) : -1;
	}
	return 0;
}

/* RET whether what is counted on each node suffices, which the ledger does not look at. */
static int check_quotas(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
			struct rspb_err *err)
{
	const struct rspb_preset *preset = rspb_preset_find("li-ff");
	struct rspb_policy policy;
	bool any = false;
	int rc;

	for (uint32_t i = 0; i < booking->request->n_parts; i++)
		any |= booking->request->parts[i].n_quotas > 0;
	if (!any || !ledger)
		return 0;
	rspb_policy_from_preset(preset, &policy);
	rc = rspb_plan_there(ledger, &policy, booking, err);
	return rc ? (rc < 0 ? -1 : 0)
		  : rspb_fail(err, "a node does not have enough for the request");
}

int sim_outside_read_grant(struct sim_outside *outside, const struct rspb_ledger *ledger,
			   struct json_object *decision, int64_t now, struct rspb_booking *booking,
			   struct rspb_err *err)
{
	const struct rspb_request *request = booking->request;
	int64_t first = request->ready > now ? request->ready : now;
	int64_t last = rspb_request_last(request);

	if (sim_outside_int(decision, "start", &booking->start, err))
		return -1;
	if (booking->start < first || booking->start > last)
		return rspb_fail(err,
				 "\"start\" is %" PRId64 ", allowed are %" PRId64 " to %" PRId64,
				 booking->start, first, last);
	booking->end = booking->start + request->duration;
	if (rspb_booking_grant(booking, outside->workload->nodes, err) ||
	    read_parts(outside, ledger, decision, booking, err))
		return -1;
	return check_quotas(ledger, booking, err);
}
