/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the members of a run of the thesis' algorithms. It decides nothing. */
#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"
#include "contrib/sim/alg/thesis.h"

static const int64_t time_limit = INT64_C(1) << 53;
static const int64_t share_limit = INT64_C(1) << 40;

static int read_policy(struct thesis *thesis, const struct sim_run *run, struct rspb_err *err)
{
	static const char *const selects[] = { "avgload", "first", "best", NULL };
	const struct sim_record *config = &run->in.config;
	const char *name = run->algorithm->name;
	bool sort_priority = true, rb = !strcmp(name, "rb");
	int select = 0;

	rspb_policy_from_preset(rspb_preset_find(name), &thesis->policy);
	thesis->on_arrival = rb;
	if (sim_name_or(config, rb ? "rb_select" : "rspb_select", selects, &select, err) ||
	    sim_int_or(config, "delta", 1, time_limit, &thesis->policy.batch_interval, err) ||
	    sim_bool_or(config, "distinct", &thesis->policy.distinct, err) ||
	    sim_bool_or(config, "trim", &thesis->policy.trim, err) ||
	    sim_bool_or(config, "sort_priority", &sort_priority, err))
		return -1;
	if (rb || !strcmp(name, "rspb"))
		thesis->policy.where = rspb_where_find(selects[select]);
	/* Orders that do not go by priority stay what they are. */
	if (!sort_priority && thesis->policy.order == rspb_order_named("priority"))
		thesis->policy.order = rspb_order_named("arrival");
	return 0;
}

static int read_machines(struct thesis *thesis, const struct sim_record *config,
			 struct rspb_err *err)
{
	struct json_object *list = sim_array(config, "machines", err);
	int64_t *capacity;
	int rc = 0;

	if (!list)
		return -1;
	thesis->machines = (int64_t) json_object_array_length(list);
	if (!thesis->machines || thesis->machines > RSPB_PROFILE_NODES)
		return sim_bad(config, "machines", err, "must have 1 to %d entries",
			       RSPB_PROFILE_NODES);
	capacity = calloc((size_t) thesis->machines, sizeof(*capacity));
	if (!capacity)
		return rspb_fail(err, "out of memory");
	for (int64_t i = 0; !rc && i < thesis->machines; i++)
		rc = sim_value_int(config, "machines", json_object_array_get_idx(list, (size_t) i),
				   0, share_limit, &capacity[i], err);
	if (!rc) {
		thesis->ledger = rspb_ledger_create((uint32_t) thesis->machines, capacity,
						    -time_limit);
		if (!thesis->ledger)
			rc = rspb_fail(err, "out of memory");
	}
	free(capacity);
	return rc;
}

static int keep_benefit(const struct sim_record *record, struct rspb_benefit **at,
			struct rspb_err *err)
{
	struct rspb_benefit made;

	if (sim_benefit(record, "benefit", &made, err))
		return -1;
	return rspb_benefit_keep(at, &made) ? rspb_fail(err, "out of memory") : 0;
}

static int read_sub(struct thesis *thesis, struct rspb_part *part, const struct sim_record *record,
		    size_t k, bool floating, struct json_object *value, struct rspb_err *err)
{
	struct sim_record sub = *record;
	char within[32];
	int64_t machine;

	snprintf(within, sizeof(within), "subs[%zu].", k);
	sub.object = value;
	sub.within = within;
	if (!json_object_is_type(value, json_type_object))
		return sim_bad(record, "subs", err, "%.60s is not an object", sim_text(value));
	if (sim_only(&sub, "cpu benefit machine", err) ||
	    sim_int(&sub, "cpu", 1, share_limit, &part->share, err))
		return -1;
	if (sim_has(&sub, "benefit") && keep_benefit(&sub, &part->benefit, err))
		return -1;
	if (floating)
		return 0;
	if (sim_int(&sub, "machine", 0, thesis->machines - 1, &machine, err))
		return -1;
	part->fixed = rspb_nodeset_create((uint32_t) thesis->machines);
	if (!part->fixed)
		return rspb_fail(err, "out of memory");
	rspb_nodeset_add(part->fixed, (uint32_t) machine);
	return 0;
}

/* The whole slots that a window touches. */
static void to_slots(const struct thesis *thesis, struct rspb_request *request)
{
	int64_t g = thesis->granularity, end = request->ready + request->duration;
	int64_t first = request->ready / g - (request->ready % g < 0);
	int64_t last = end / g + (end % g > 0) + thesis->end_inclusive;

	request->ready = first * g;
	request->duration = (last - first) * g;
	request->deadline = last * g;
}

static int read_times(struct thesis *thesis, struct rspb_request *request,
		      const struct sim_record *record, struct rspb_err *err)
{
	if (sim_int(record, "arrival", -time_limit / 2, time_limit / 2, &request->arrival, err) ||
	    sim_int(record, "ready", -time_limit / 2, time_limit / 2, &request->ready, err) ||
	    sim_int(record, "duration", 1, time_limit / 2, &request->duration, err) ||
	    sim_int_or(record, "priority", 0, time_limit, &request->priority, err))
		return -1;
	thesis->ready[request->id] = request->ready;
	to_slots(thesis, request);
	return 0;
}

/* RET a new request, or NULL with err. */
static struct rspb_request *read_request(struct thesis *thesis, size_t i,
					 const struct sim_record *record, struct rspb_err *err)
{
	struct json_object *subs = sim_array(record, "subs", err);
	struct rspb_request *request;
	bool floating = true;
	size_t n = subs ? json_object_array_length(subs) : 0;
	int rc;

	if (!subs)
		return NULL;
	if (!n || n > RSPB_MAX_PARTS) {
		sim_bad(record, "subs", err, "must have 1 to %d entries", RSPB_MAX_PARTS);
		return NULL;
	}
	request = rspb_request_create((uint32_t) n);
	if (!request) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	request->id = i;
	rc = read_times(thesis, request, record, err) ||
	     sim_bool_or(record, "floating", &floating, err) ||
	     (sim_has(record, "benefit") && keep_benefit(record, &request->benefit, err));
	for (size_t k = 0; !rc && k < n; k++)
		rc = read_sub(thesis, &request->parts[k], record, k, floating,
			      json_object_array_get_idx(subs, k), err);
	if (rc) {
		rspb_request_destroy(request);
		return NULL;
	}
	return request;
}

static int read_all(struct thesis *thesis, const struct sim_run *run, struct rspb_err *err)
{
	size_t n = run->in.n + 1;

	thesis->requests = calloc(n, sizeof(*thesis->requests));
	thesis->bookings = calloc(n, sizeof(*thesis->bookings));
	thesis->ready = calloc(n, sizeof(*thesis->ready));
	thesis->decided_at = calloc(n, sizeof(*thesis->decided_at));
	thesis->batch = calloc(n, sizeof(*thesis->batch));
	thesis->later_ready = calloc(n, sizeof(*thesis->later_ready));
	if (!thesis->requests || !thesis->bookings || !thesis->ready || !thesis->decided_at ||
	    !thesis->batch || !thesis->later_ready)
		return rspb_fail(err, "out of memory");
	for (; thesis->n < run->in.n; thesis->n++) {
		struct rspb_request *request = read_request(thesis, thesis->n,
							    &run->in.records[thesis->n], err);

		if (!request)
			return -1;
		thesis->requests[thesis->n] = request;
	}
	return 0;
}

int thesis_read(struct thesis *thesis, const struct sim_run *run, struct rspb_err *err)
{
	const struct sim_record *config = &run->in.config;

	*thesis = (struct thesis){ .granularity = 1 };
	return sim_lines_unique(&run->in, err) || read_policy(thesis, run, err) ||
			       read_machines(thesis, config, err) ||
			       sim_int_or(config, "t0", -time_limit / 2, time_limit / 2,
					  &thesis->t0, err) ||
			       sim_int_or(config, "granularity", 1, time_limit / 2,
					  &thesis->granularity, err) ||
			       sim_bool_or(config, "end_inclusive", &thesis->end_inclusive, err) ||
			       read_all(thesis, run, err)
		       ? -1
		       : 0;
}

void thesis_fini(struct thesis *thesis)
{
	for (size_t i = 0; i < thesis->n; i++) {
		rspb_request_destroy(thesis->requests[i]);
		rspb_booking_destroy(thesis->bookings[i]);
	}
	free(thesis->requests);
	free(thesis->bookings);
	free(thesis->ready);
	free(thesis->decided_at);
	free(thesis->batch);
	free(thesis->later_ready);
	free(thesis->events);
	free(thesis->fates);
	free(thesis->down);
	rspb_ledger_destroy(thesis->ledger);
}
