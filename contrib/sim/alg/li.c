/* SPDX-License-Identifier: GPL-2.0-or-later */
/* li: jobs with ready time and deadline on a row of PEs, one by one. */
#include <stdlib.h>
#include <string.h>

#include "common/plan/schedule.h"
#include "common/plan/search.h"
#include "common/policy/degrade.h"
#include "common/policy/order.h"
#include "common/policy/when.h"
#include "common/policy/where.h"
#include "contrib/sim/alg/alg.h"

static const int64_t time_limit = INT64_C(1) << 53;

struct setup {
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	struct rspb_nodeset *set; /* scratch */
	char *text;		  /* scratch, for one set */
	size_t text_size;
	bool dump;
	int64_t jobs, accepted;
	double slowdown, work, accepted_work;
};

/* RET -1 with err when one of the set is booked within [start, end), else 0. */
static int is_booked(const struct setup *setup, int64_t start, int64_t end,
		     struct rspb_err *err)
{
	for (size_t i = 0; i < rspb_ledger_blocks(setup->ledger); i++) {
		int64_t from, to;
		bool beside;
		const struct rspb_nodeset *nodes = rspb_ledger_block_at(
			setup->ledger, i, &from, &to, &beside);

		if (from < end && start < to &&
		    !rspb_nodeset_disjoint(nodes, setup->set))
			return rspb_fail(err,
					 "some are booked already, by entry "
					 "%zu, from %lld to %lld",
					 i, (long long) from, (long long) to);
	}
	return 0;
}

static int read_booked(struct setup *setup, const struct sim_record *config,
		       struct json_object *value, struct rspb_err *err)
{
	struct sim_record entry = *config;
	struct json_object *pes;
	struct rspb_err why;
	int64_t start, end;

	entry.object = value;
	entry.within = "booked[].";
	if (!json_object_is_type(value, json_type_object))
		return sim_bad(config, "booked", err, "%.60s is no object",
			       sim_text(value));
	if (sim_only(&entry, "start end pes", err) ||
	    sim_int(&entry, "start", -time_limit, time_limit, &start, err) ||
	    sim_int(&entry, "end", -time_limit, time_limit, &end, err))
		return -1;
	pes = sim_need(&entry, "pes", err);
	if (!pes)
		return -1;
	if (!json_object_is_type(pes, json_type_string))
		return sim_bad(&entry, "pes", err,
			       "must be a text such as "
			       "\"0-3,7\"");
	if (rspb_nodeset_parse(setup->set, json_object_get_string(pes), &why) ||
	    is_booked(setup, start, end, &why) ||
	    rspb_ledger_block(setup->ledger, start, end, setup->set, &why))
		return sim_bad(&entry, "pes", err, "%.200s", why.text);
	return 0;
}

static int read_policy(struct setup *setup, const struct sim_record *config,
		       struct rspb_err *err)
{
	static const char *const policies[] = { "FF",	  "PE_B", "PE_W",
						"Du_B",	  "Du_W", "PEDu_B",
						"PEDu_W", NULL };
	static const char *const choices[] = { "lowest", "best", "worst", "gap",
					       NULL };
	static const char *const ends[] = { "deadline", "inf", "last",
					    "dl_only", NULL };
	int policy = 0, choice = 0, open_end = 0;

	if (sim_name_or(config, "policy", policies, &policy, err) ||
	    sim_name_or(config, "node_select", choices, &choice, err) ||
	    sim_name_or(config, "open_end", ends, &open_end, err) ||
	    sim_bool_or(config, "dump", &setup->dump, err))
		return -1;
	rspb_policy_from_preset(rspb_preset_find(policies[policy]),
				&setup->policy);
	setup->policy.where = rspb_where_find(choices[choice]);
	setup->policy.open_end = (enum rspb_open_end) open_end;
	return 0;
}

/* Time begins with whatever comes first. */
static int64_t first_time(const struct sim_run *run)
{
	int64_t first = time_limit, arrival;
	struct rspb_err ignored;

	for (size_t i = 0; i < run->in.n; i++)
		if (!sim_int(&run->in.records[i], "arrival", -time_limit,
			     time_limit, &arrival, &ignored) &&
		    arrival < first)
			first = arrival;
	return first == time_limit ? 0 : first;
}

static int setup_init(struct setup *setup, const struct sim_run *run,
		      struct rspb_err *err)
{
	const struct sim_record *config = &run->in.config;
	struct json_object *booked = NULL;
	int64_t n_pe;

	if (sim_int(config, "n_pe", 1, 1 << 24, &n_pe, err) ||
	    read_policy(setup, config, err))
		return -1;
	setup->text_size = (size_t) n_pe * 12 + 1;
	setup->text = malloc(setup->text_size);
	setup->set = rspb_nodeset_create((uint32_t) n_pe);
	setup->ledger = rspb_ledger_create((uint32_t) n_pe, NULL,
					   first_time(run));
	if (!setup->text || !setup->set || !setup->ledger)
		return rspb_fail(err, "out of memory");
	if (sim_has(config, "booked")) {
		booked = sim_array(config, "booked", err);
		if (!booked)
			return -1;
	}
	for (size_t i = 0; booked && i < json_object_array_length(booked); i++)
		if (read_booked(setup, config,
				json_object_array_get_idx(booked, i), err))
			return -1;
	return 0;
}

static void setup_fini(struct setup *setup)
{
	rspb_ledger_destroy(setup->ledger);
	rspb_nodeset_destroy(setup->set);
	free(setup->text);
}

static int read_job(struct rspb_request *request, size_t i,
		    const struct sim_record *record, struct rspb_err *err)
{
	int64_t npe;

	request->id = i;
	if (sim_int(record, "arrival", -time_limit, time_limit,
		    &request->arrival, err) ||
	    sim_int(record, "ready", -time_limit, time_limit, &request->ready,
		    err) ||
	    sim_int(record, "duration", 1, time_limit, &request->duration,
		    err) ||
	    sim_int(record, "deadline", -time_limit, time_limit,
		    &request->deadline, err) ||
	    sim_int(record, "npe", 1, UINT32_MAX, &npe, err))
		return -1;
	request->parts[0].nodes = request->parts[0].nodes_min = (uint32_t) npe;
	return 0;
}

static void emit_job(struct sim_run *run, struct setup *setup, size_t i,
		     const struct rspb_booking *booking)
{
	struct json_object *line = json_object_new_object();

	sim_put_id(line, &run->in.records[i]);
	sim_put_bool(line, "accepted", booking != NULL);
	if (booking) {
		rspb_nodeset_print(booking->grants[0].nodes, setup->text,
				   setup->text_size);
		sim_put_int(line, "start", booking->start);
		sim_put_int(line, "end", booking->end);
		sim_put_text(line, "pes", setup->text);
	}
	sim_emit(run, line);
}

/* By the duration and the work that were asked for. */
static void count(struct setup *setup, double duration, double work,
		  const struct rspb_booking *booking)
{
	const struct rspb_request *request;

	setup->jobs++;
	setup->work += work;
	if (!booking)
		return;
	request = booking->request;
	setup->accepted++;
	setup->accepted_work += (double) request->parts[0].nodes *
				(double) request->duration;
	setup->slowdown += (double) (booking->end - request->ready) / duration;
}

/* What can't be right on any machine is declined like what doesn't fit. */
static bool possible(const struct rspb_request *request, uint32_t n_pe)
{
	return request->parts[0].nodes <= n_pe &&
	       request->deadline >= request->ready + request->duration;
}

/* The request in its k-th form besides the one it was written in: "forms", pairs of PEs
 * and a duration. RET 1, 0: it has no more, -1 with err. */
static int read_form(const struct sim_record *record, size_t k,
		     struct rspb_request *request, struct rspb_err *err)
{
	struct json_object *list = sim_has(record, "forms")
					   ? sim_array(record, "forms", err)
					   : NULL;
	struct json_object *pair;
	int64_t npe;

	if (!list)
		return sim_has(record, "forms") ? -1 : 0;
	if (k >= json_object_array_length(list))
		return 0;
	pair = json_object_array_get_idx(list, k);
	if (!json_object_is_type(pair, json_type_array) ||
	    json_object_array_length(pair) != 2)
		return sim_bad(record, "forms", err,
			       "%.60s is no pair [npe, duration]",
			       sim_text(pair));
	if (sim_value_int(record, "forms", json_object_array_get_idx(pair, 0),
			  1, UINT32_MAX, &npe, err) ||
	    sim_value_int(record, "forms", json_object_array_get_idx(pair, 1),
			  1, time_limit, &request->duration, err))
		return -1;
	request->parts[0].nodes = request->parts[0].nodes_min = (uint32_t) npe;
	return 1;
}

/* When it would be over where the policy puts it. RET 1, 0: nowhere, -1 with err. */
static int foresee(const struct setup *setup,
		   const struct rspb_request *request, int64_t *end,
		   struct rspb_err *err)
{
	struct rspb_plan plan;
	int rc;

	if (!possible(request, rspb_ledger_nodes(setup->ledger)))
		return 0;
	if (rspb_plan_init(&plan, setup->ledger, &setup->policy, err))
		return -1;
	rc = rspb_plan_begin(&plan, request, err);
	if (!rc)
		rc = rspb_search(&plan, request->arrival, err);
	*end = plan.end;
	rspb_plan_fini(&plan);
	return rc;
}

/* A malleable job is a group of rigid ones (their last section), of which the one counts that is
 * over first; the first among equals. RET 0 or -1 with err. */
static int choose_form(const struct sim_run *run, const struct setup *setup,
		       struct rspb_request *request, struct rspb_err *err)
{
	const struct sim_record *record = &run->in.records[request->id];
	int64_t end, least = INT64_MAX, duration = request->duration;
	uint32_t nodes = request->parts[0].nodes;
	int more = sim_has(record, "forms"), rc = 0;

	for (size_t k = 0; more > 0 && rc >= 0; k++) {
		rc = foresee(setup, request, &end, err);
		if (rc > 0 && end < least) {
			least = end;
			duration = request->duration;
			nodes = request->parts[0].nodes;
		}
		if (rc >= 0)
			more = read_form(record, k, request, err);
	}
	request->duration = duration;
	request->parts[0].nodes = request->parts[0].nodes_min = nodes;
	return rc < 0 || more < 0 ? -1 : 0;
}

static int decide(struct sim_run *run, struct setup *setup,
		  struct rspb_request *request, struct rspb_err *err)
{
	const struct rspb_request *const list[] = { request };
	double duration = (double) request->duration;
	double work = duration * (double) request->parts[0].nodes;
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE,
				       .time = request->arrival };
	struct rspb_booking *booking = NULL;
	bool accepted;

	if (rspb_ledger_apply(setup->ledger, &advance, err))
		return sim_at(&run->in.records[request->id], err);
	if (choose_form(run, setup, request, err))
		return -1;
	if (possible(request, rspb_ledger_nodes(setup->ledger)) &&
	    rspb_schedule_batch(setup->ledger, &setup->policy, list, 1,
				request->arrival, &booking, err))
		return sim_at(&run->in.records[request->id], err);
	accepted = booking && booking->state == RSPB_BOOKED;
	count(setup, duration, work, accepted ? booking : NULL);
	emit_job(run, setup, request->id, accepted ? booking : NULL);
	rspb_booking_destroy(booking);
	return 0;
}

struct dump {
	struct setup *setup;
	struct json_object *list;
};

static int dump_record(int64_t time, const struct rspb_nodeset *booked,
		       void *arg)
{
	struct dump *dump = arg;
	struct json_object *pair = json_object_new_array();

	rspb_nodeset_print(booked, dump->setup->text, dump->setup->text_size);
	json_object_array_add(pair, json_object_new_int64(time));
	json_object_array_add(pair, json_object_new_string(dump->setup->text));
	json_object_array_add(dump->list, pair);
	return 0;
}

static void emit_end(struct sim_run *run, struct setup *setup)
{
	struct json_object *line = json_object_new_object();
	struct json_object *summary = json_object_new_object();
	struct dump dump = { .setup = setup };

	sim_put_int(summary, "jobs", setup->jobs);
	sim_put_int(summary, "accepted", setup->accepted);
	sim_put_real(summary, "acceptance",
		     setup->jobs
			     ? (double) setup->accepted / (double) setup->jobs
			     : 0);
	sim_put_real(summary, "slowdown",
		     setup->accepted
			     ? setup->slowdown / (double) setup->accepted
			     : 0);
	sim_put_real(summary, "accepted_work",
		     setup->work > 0 ? setup->accepted_work / setup->work : 0);
	sim_put(line, "summary", summary);
	if (setup->dump) {
		dump.list = json_object_new_array();
		rspb_profile_records(rspb_ledger_profile(setup->ledger),
				     dump_record, &dump);
		sim_put(line, "records", dump.list);
	}
	sim_emit(run, line);
}

int sim_alg_li(struct sim_run *run, struct rspb_err *err)
{
	struct setup setup = { .dump = false };
	struct rspb_request *request = rspb_request_create(1);
	int rc = request ? sim_lines_unique(&run->in, err)
			 : rspb_fail(err, "out of memory");

	if (!rc)
		rc = setup_init(&setup, run, err);
	for (size_t i = 0; !rc && i < run->in.n; i++)
		rc = read_job(request, i, &run->in.records[i], err) ||
				     decide(run, &setup, request, err)
			     ? -1
			     : 0;
	if (!rc)
		emit_end(run, &setup);
	rspb_request_destroy(request);
	setup_fini(&setup);
	return rc;
}
