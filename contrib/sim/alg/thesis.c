/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rb rspb corspb corsbf corsbfr: batches of requests for shares of machines. */
#include <stdlib.h>
#include <string.h>

#include "common/plan/schedule.h"
#include "common/policy/order.h"
#include "common/policy/where.h"
#include "contrib/sim/alg/alg.h"
#include "contrib/sim/replay/batches.h"

static const int64_t time_limit = INT64_C(1) << 53;
static const int64_t share_limit = INT64_C(1) << 40;

struct setup {
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	int64_t machines, t0, granularity;
	bool on_arrival, end_inclusive;

	size_t n;
	struct rspb_request **requests;	     /* in order of arrival */
	struct rspb_booking **bookings;	     /* of each, once decided */
	int64_t *ready, *decided_at, *batch; /* of each; ready as asked */
	int64_t *later_ready; /* least slot of it and all after it */
	int64_t batches;      /* decided */
};

static int read_policy(struct setup *setup, const struct sim_run *run,
		       struct rspb_err *err)
{
	static const char *const selects[] = { "avgload", "first", "best",
					       NULL };
	const struct sim_record *config = &run->in.config;
	const char *name = run->algorithm->name;
	bool sort_priority = true, rb = !strcmp(name, "rb");
	int select = 0;

	rspb_policy_from_preset(rspb_preset_find(name), &setup->policy);
	setup->on_arrival = rb;
	if (sim_name_or(config, rb ? "rb_select" : "rspb_select", selects,
			&select, err) ||
	    sim_int_or(config, "delta", 1, time_limit,
		       &setup->policy.batch_interval, err) ||
	    sim_bool_or(config, "distinct", &setup->policy.distinct, err) ||
	    sim_bool_or(config, "trim", &setup->policy.trim, err) ||
	    sim_bool_or(config, "sort_priority", &sort_priority, err))
		return -1;
	if (rb || !strcmp(name, "rspb"))
		setup->policy.where = rspb_where_find(selects[select]);
	/* Orders that do not go by priority stay what they are. */
	if (!sort_priority &&
	    setup->policy.order == rspb_order_named("priority"))
		setup->policy.order = rspb_order_named("arrival");
	return 0;
}

static int read_machines(struct setup *setup, const struct sim_record *config,
			 struct rspb_err *err)
{
	struct json_object *list = sim_array(config, "machines", err);
	int64_t *capacity;
	int rc = 0;

	if (!list)
		return -1;
	setup->machines = (int64_t) json_object_array_length(list);
	if (!setup->machines || setup->machines > 1 << 24)
		return sim_bad(config, "machines", err,
			       "needs 1 to %d of "
			       "them",
			       1 << 24);
	capacity = calloc((size_t) setup->machines, sizeof(*capacity));
	if (!capacity)
		return rspb_fail(err, "out of memory");
	for (int64_t i = 0; !rc && i < setup->machines; i++)
		rc = sim_value_int(config, "machines",
				   json_object_array_get_idx(list, (size_t) i),
				   0, share_limit, &capacity[i], err);
	if (!rc) {
		setup->ledger = rspb_ledger_create((uint32_t) setup->machines,
						   capacity, -time_limit);
		if (!setup->ledger)
			rc = rspb_fail(err, "out of memory");
	}
	free(capacity);
	return rc;
}

static int read_sub(struct setup *setup, struct rspb_part *part,
		    const struct sim_record *record, size_t k, bool floating,
		    struct json_object *value, struct rspb_err *err)
{
	struct sim_record sub = *record;
	char within[32];
	int64_t machine;

	snprintf(within, sizeof(within), "subs[%zu].", k);
	sub.object = value;
	sub.within = within;
	if (!json_object_is_type(value, json_type_object))
		return sim_bad(record, "subs", err, "%.60s is no object",
			       sim_text(value));
	if (sim_int(&sub, "cpu", 1, share_limit, &part->share, err))
		return -1;
	part->has_benefit = sim_has(&sub, "benefit");
	if (part->has_benefit &&
	    sim_benefit(&sub, "benefit", &part->benefit, err))
		return -1;
	if (floating)
		return 0;
	if (sim_int(&sub, "machine", 0, setup->machines - 1, &machine, err))
		return -1;
	part->fixed = rspb_nodeset_create((uint32_t) setup->machines);
	if (!part->fixed)
		return rspb_fail(err, "out of memory");
	rspb_nodeset_add(part->fixed, (uint32_t) machine);
	return 0;
}

/* The whole slots that a window touches. */
static void to_slots(const struct setup *setup, struct rspb_request *request)
{
	int64_t g = setup->granularity,
		end = request->ready + request->duration;
	int64_t first = request->ready / g - (request->ready % g < 0);
	int64_t last = end / g + (end % g > 0) + setup->end_inclusive;

	request->ready = first * g;
	request->duration = (last - first) * g;
	request->deadline = last * g;
}

static int read_times(struct setup *setup, struct rspb_request *request,
		      const struct sim_record *record, struct rspb_err *err)
{
	if (sim_int(record, "arrival", -time_limit / 2, time_limit / 2,
		    &request->arrival, err) ||
	    sim_int(record, "ready", -time_limit / 2, time_limit / 2,
		    &request->ready, err) ||
	    sim_int(record, "duration", 1, time_limit / 2, &request->duration,
		    err) ||
	    sim_int_or(record, "priority", 0, time_limit, &request->priority,
		       err))
		return -1;
	setup->ready[request->id] = request->ready;
	to_slots(setup, request);
	return 0;
}

/* RET a new request, or NULL with err. */
static struct rspb_request *read_request(struct setup *setup, size_t i,
					 const struct sim_record *record,
					 struct rspb_err *err)
{
	struct json_object *subs = sim_array(record, "subs", err);
	struct rspb_request *request;
	bool floating = true;
	size_t n = subs ? json_object_array_length(subs) : 0;
	int rc;

	if (!subs)
		return NULL;
	if (!n || n > RSPB_MAX_PARTS) {
		sim_bad(record, "subs", err, "needs 1 to %d of them",
			RSPB_MAX_PARTS);
		return NULL;
	}
	request = rspb_request_create((uint32_t) n);
	if (!request) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	request->id = i;
	rc = read_times(setup, request, record, err) ||
	     sim_bool_or(record, "floating", &floating, err) ||
	     (sim_has(record, "benefit") &&
	      sim_benefit(record, "benefit", &request->benefit, err));
	for (size_t k = 0; !rc && k < n; k++)
		rc = read_sub(setup, &request->parts[k], record, k, floating,
			      json_object_array_get_idx(subs, k), err);
	if (rc) {
		rspb_request_destroy(request);
		return NULL;
	}
	return request;
}

static int read_all(struct setup *setup, const struct sim_run *run,
		    struct rspb_err *err)
{
	size_t n = run->in.n + 1;

	setup->requests = calloc(n, sizeof(*setup->requests));
	setup->bookings = calloc(n, sizeof(*setup->bookings));
	setup->ready = calloc(n, sizeof(*setup->ready));
	setup->decided_at = calloc(n, sizeof(*setup->decided_at));
	setup->batch = calloc(n, sizeof(*setup->batch));
	setup->later_ready = calloc(n, sizeof(*setup->later_ready));
	if (!setup->requests || !setup->bookings || !setup->ready ||
	    !setup->decided_at || !setup->batch || !setup->later_ready)
		return rspb_fail(err, "out of memory");
	for (; setup->n < run->in.n; setup->n++) {
		struct rspb_request *request = read_request(
			setup, setup->n, &run->in.records[setup->n], err);

		if (!request)
			return -1;
		setup->requests[setup->n] = request;
	}
	return 0;
}

/* Nothing that is still to come looks back before `time`. */
static int forget(struct setup *setup, int64_t time, struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = time };

	if (time <= rspb_ledger_now(setup->ledger))
		return 0;
	return rspb_ledger_apply(setup->ledger, &record, err);
}

/* A batch: the requests that list[n] names, together. */
static int decide(const size_t *list, size_t n, int64_t now, void *arg,
		  struct rspb_err *err)
{
	struct setup *setup = arg;
	const struct rspb_request **requests = malloc((n + 1) *
						      sizeof(*requests));
	struct rspb_booking **out = malloc((n + 1) * sizeof(*out));
	int64_t earliest = now;
	int rc = requests && out
			 ? forget(setup, setup->later_ready[list[0]], err)
			 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < n; i++) {
		requests[i] = setup->requests[list[i]];
		/* A slot that has begun can still be booked. */
		if (requests[i]->ready < earliest)
			earliest = requests[i]->ready;
	}
	if (!rc)
		rc = rspb_schedule_batch(setup->ledger, &setup->policy,
					 requests, n, earliest, out, err);
	for (size_t i = 0; !rc && i < n; i++) {
		setup->bookings[list[i]] = out[i];
		setup->decided_at[list[i]] = now;
		setup->batch[list[i]] = setup->batches;
	}
	setup->batches++;
	free(requests);
	free(out);
	return rc;
}

static int by_arrival(const void *left, const void *right)
{
	const struct sim_arrival *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->request < b->request ? -1 : a->request > b->request;
}

/* RET the requests as they arrive, or NULL. Their starts count as asked for,
 * not as the slots they are in. */
static struct sim_arrival *sort_arrivals(struct setup *setup)
{
	struct sim_arrival *list = malloc((setup->n + 1) * sizeof(*list));
	int64_t least = INT64_MAX;

	if (!list)
		return NULL;
	for (size_t i = 0; i < setup->n; i++)
		list[i] = (struct sim_arrival){ setup->requests[i]->arrival,
						setup->ready[i], i };
	qsort(list, setup->n, sizeof(*list), by_arrival);
	for (size_t i = setup->n; i-- > 0;) {
		size_t request = list[i].request;

		if (setup->requests[request]->ready < least)
			least = setup->requests[request]->ready;
		setup->later_ready[request] = least;
	}
	return list;
}

static void emit_request(struct sim_run *run, const struct setup *setup,
			 size_t i)
{
	const struct rspb_booking *booking = setup->bookings[i];
	bool accepted = booking->state == RSPB_BOOKED;
	struct json_object *line = json_object_new_object(), *subs;

	sim_put_id(line, &run->in.records[i]);
	sim_put_bool(line, "accepted", accepted);
	sim_put_int(line, "decided_at", setup->decided_at[i]);
	sim_put_int(line, "batch", setup->batch[i]);
	sim_put_real(line, "benefit",
		     accepted ? rspb_ratio_double(booking->benefit) : 0);
	if (accepted) {
		subs = json_object_new_array();
		for (uint32_t k = 0; k < booking->n_grants; k++) {
			const struct rspb_grant *grant = &booking->grants[k];
			struct json_object *sub = json_object_new_object();

			sim_put_int(sub, "machine",
				    rspb_nodeset_next(grant->nodes, 0));
			sim_put_int(sub, "cpu", grant->share);
			sim_put_real(sub, "benefit",
				     rspb_ratio_double(grant->benefit));
			json_object_array_add(subs, sub);
		}
		sim_put(line, "subs", subs);
	}
	sim_emit(run, line);
}

static void emit_summary(struct sim_run *run, const struct setup *setup)
{
	struct json_object *summary = json_object_new_object();
	double requested = 0, reserved = 0, subs = 0, weight = 0, benefit = 0;
	int64_t rejections = 0, rejected_priority = 0;

	for (size_t i = 0; i < setup->n; i++) {
		const struct rspb_request *request = setup->requests[i];
		const struct rspb_booking *b = setup->bookings[i];
		bool accepted = b->state == RSPB_BOOKED;

		subs += request->n_parts;
		weight += (double) request->priority;
		for (uint32_t k = 0; k < request->n_parts; k++)
			requested += (double) request->parts[k].share;
		for (uint32_t k = 0; accepted && k < b->n_grants; k++)
			reserved += (double) b->grants[k].share;
		if (accepted) {
			benefit += (double) request->priority *
				   rspb_ratio_double(b->benefit);
		} else {
			rejections++;
			rejected_priority += request->priority;
		}
	}
	sim_put_int(summary, "requests", (int64_t) setup->n);
	sim_put_int(summary, "rejections", rejections);
	sim_put_int(summary, "rejected_priority_sum", rejected_priority);
	sim_put_real(summary, "mean_requested_cpu",
		     subs > 0 ? requested / subs : 0);
	sim_put_real(summary, "mean_reserved_cpu",
		     subs > 0 ? reserved / subs : 0);
	sim_put_real(summary, "system_benefit",
		     weight > 0 ? benefit / weight : 0);
	sim_emit_summary(run, summary);
}

static int run_all(struct sim_run *run, struct setup *setup,
		   struct rspb_err *err)
{
	struct sim_arrival *arrivals = sort_arrivals(setup);
	int64_t interval = setup->on_arrival ? 0 : setup->policy.batch_interval;
	int rc = arrivals ? sim_batches(arrivals, setup->n, setup->t0, interval,
					decide, setup, err)
			  : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < setup->n; i++)
		emit_request(run, setup, i);
	if (!rc)
		emit_summary(run, setup);
	free(arrivals);
	return rc;
}

static void setup_fini(struct setup *setup)
{
	for (size_t i = 0; i < setup->n; i++) {
		rspb_request_destroy(setup->requests[i]);
		rspb_booking_destroy(setup->bookings[i]);
	}
	free(setup->requests);
	free(setup->bookings);
	free(setup->ready);
	free(setup->decided_at);
	free(setup->batch);
	free(setup->later_ready);
	rspb_ledger_destroy(setup->ledger);
}

int sim_alg_thesis(struct sim_run *run, struct rspb_err *err)
{
	const struct sim_record *config = &run->in.config;
	struct setup setup = { .granularity = 1 };
	int rc = sim_lines_unique(&run->in, err) ||
				 read_policy(&setup, run, err) ||
				 read_machines(&setup, config, err) ||
				 sim_int_or(config, "t0", -time_limit / 2,
					    time_limit / 2, &setup.t0, err) ||
				 sim_int_or(config, "granularity", 1,
					    time_limit / 2, &setup.granularity,
					    err) ||
				 sim_bool_or(config, "end_inclusive",
					     &setup.end_inclusive, err) ||
				 read_all(&setup, run, err) ||
				 run_all(run, &setup, err)
			 ? -1
			 : 0;

	setup_fini(&setup);
	return rc;
}
