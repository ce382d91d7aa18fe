/* SPDX-License-Identifier: GPL-2.0-or-later */
/* li: jobs with ready time and deadline on a row of PEs, one by one. */
#include <stdlib.h>

#include "common/plan/schedule.h"
#include "contrib/sim/alg/li.h"

/* The request's form, and those besides: "forms", pairs of PEs and a duration. A
 * malleable job is a group of rigid ones (Li et al., last section). */
static int read_forms(struct rspb_request *request, const struct sim_record *record,
		      struct rspb_err *err)
{
	struct rspb_form forms[RSPB_FORMS_MOST] = { { .nodes = request->parts[0].nodes,
						      .duration = request->duration } };
	struct json_object *list = NULL;
	size_t n;

	if (sim_has(record, "forms") && !(list = sim_array(record, "forms", err)))
		return -1;
	n = list ? json_object_array_length(list) : 0;
	if (n >= RSPB_FORMS_MOST)
		return sim_bad(record, "forms", err, "%zu pairs; allowed are up to %d", n,
			       RSPB_FORMS_MOST - 1);
	for (size_t k = 0; k < n; k++) {
		struct json_object *pair = json_object_array_get_idx(list, k);
		int64_t npe;

		if (!json_object_is_type(pair, json_type_array) ||
		    json_object_array_length(pair) != 2)
			return sim_bad(record, "forms", err, "%.60s is not a pair [npe, duration]",
				       sim_text(pair));
		if (sim_value_int(record, "forms", json_object_array_get_idx(pair, 0), 1,
				  UINT32_MAX, &npe, err) ||
		    sim_value_int(record, "forms", json_object_array_get_idx(pair, 1), 1,
				  SIM_LI_TIMES, &forms[k + 1].duration, err))
			return -1;
		forms[k + 1].nodes = (uint32_t) npe;
	}
	return rspb_request_set_forms(request, forms, (uint32_t) n + 1)
		       ? rspb_fail(err, "out of memory")
		       : 0;
}

static int read_job(struct rspb_request *request, size_t i, const struct sim_record *record,
		    struct rspb_err *err)
{
	int64_t npe;

	request->id = i;
	if (sim_int(record, "arrival", -SIM_LI_TIMES, SIM_LI_TIMES, &request->arrival, err) ||
	    sim_int(record, "ready", -SIM_LI_TIMES, SIM_LI_TIMES, &request->ready, err) ||
	    sim_int(record, "duration", 1, SIM_LI_TIMES, &request->duration, err) ||
	    sim_int(record, "deadline", -SIM_LI_TIMES, SIM_LI_TIMES, &request->deadline, err) ||
	    sim_int(record, "npe", 1, UINT32_MAX, &npe, err))
		return -1;
	request->parts[0].nodes = request->parts[0].nodes_min = (uint32_t) npe;
	return read_forms(request, record, err);
}

static void emit_job(struct sim_run *run, struct sim_li *setup, size_t i,
		     const struct rspb_booking *booking)
{
	struct json_object *line = json_object_new_object();

	sim_put_id(line, &run->in.records[i]);
	rspb_json_put_bool(line, "accepted", booking != NULL);
	if (booking) {
		rspb_nodeset_print(booking->grants[0].nodes, setup->text, setup->text_size);
		rspb_json_put_int(line, "start", booking->start);
		rspb_json_put_int(line, "end", booking->end);
		rspb_json_put_text(line, "pes", setup->text);
	}
	sim_emit(run, line);
}

/* Count by the duration and the work that were asked for. */
static void count(struct sim_li *setup, double duration, double work,
		  const struct rspb_booking *booking)
{
	const struct rspb_request *request;

	setup->jobs++;
	setup->work += work;
	if (!booking)
		return;
	request = booking->request;
	setup->accepted++;
	setup->accepted_work += (double) request->parts[0].nodes * (double) request->duration;
	setup->slowdown += (double) (booking->end - request->ready) / duration;
}

/* Let the request be as it might be, on the fastest PEs. RET whether it might. */
static bool fits(const struct sim_li *setup, struct rspb_request *request, struct rspb_form form)
{
	int64_t speed = setup->fastest ? setup->fastest : SIM_LI_SPEED;

	request->duration = (int64_t) (((__int128) form.duration * SIM_LI_SPEED + speed - 1) /
				       speed);
	request->parts[0].nodes = request->parts[0].nodes_min = form.nodes;
	return form.nodes <= rspb_ledger_nodes(setup->ledger) &&
	       request->deadline >= request->ready + request->duration;
}

/* A request that is impossible on any machine is declined like one that does not fit. */
static bool possible(const struct sim_li *setup, struct rspb_request *request)
{
	for (uint32_t i = 0; i < request->n_forms; i++)
		if (fits(setup, request, request->forms[i]))
			return true;
	return false;
}

static int decide(struct sim_run *run, struct sim_li *setup, struct rspb_request *request,
		  struct rspb_err *err)
{
	const struct rspb_request *const list[] = { request };
	double duration = (double) request->duration;
	double work = duration * (double) request->parts[0].nodes;
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = request->arrival };
	struct rspb_booking *booking = NULL;
	bool accepted;

	if (rspb_ledger_apply(setup->ledger, &advance, err))
		return sim_at(&run->in.records[request->id], err);
	if (possible(setup, request) && rspb_schedule_batch(setup->ledger, &setup->policy, list, 1,
							    request->arrival, &booking, err))
		return sim_at(&run->in.records[request->id], err);
	accepted = booking && booking->state == RSPB_BOOKED;
	count(setup, duration, work, accepted ? booking : NULL);
	emit_job(run, setup, request->id, accepted ? booking : NULL);
	rspb_booking_destroy(booking);
	return 0;
}

struct dump {
	struct sim_li *setup;
	struct json_object *list;
};

static int dump_record(int64_t time, const struct rspb_nodeset *booked, void *arg)
{
	struct dump *dump = arg;
	struct json_object *pair = json_object_new_array();

	rspb_nodeset_print(booked, dump->setup->text, dump->setup->text_size);
	json_object_array_add(pair, json_object_new_int64(time));
	json_object_array_add(pair, json_object_new_string(dump->setup->text));
	json_object_array_add(dump->list, pair);
	return 0;
}

static void emit_end(struct sim_run *run, struct sim_li *setup)
{
	struct json_object *line = json_object_new_object();
	struct json_object *summary = json_object_new_object();
	struct dump dump = { .setup = setup };

	rspb_json_put_int(summary, "jobs", setup->jobs);
	rspb_json_put_int(summary, "accepted", setup->accepted);
	sim_put_real(summary, "acceptance",
		     setup->jobs ? (double) setup->accepted / (double) setup->jobs : 0);
	sim_put_real(summary, "slowdown",
		     setup->accepted ? setup->slowdown / (double) setup->accepted : 0);
	sim_put_real(summary, "accepted_work",
		     setup->work > 0 ? setup->accepted_work / setup->work : 0);
	rspb_json_put(line, "summary", summary);
	if (setup->dump) {
		dump.list = json_object_new_array();
		rspb_profile_records(rspb_ledger_profile(setup->ledger), dump_record, &dump);
		rspb_json_put(line, "records", dump.list);
	}
	sim_emit(run, line);
}

int sim_alg_li(struct sim_run *run, struct rspb_err *err)
{
	struct sim_li setup = { .dump = false };
	struct rspb_request *request = rspb_request_create(1);
	int rc = request ? sim_lines_unique(&run->in, err) : rspb_fail(err, "out of memory");

	if (!rc)
		rc = sim_li_init(&setup, run, err);
	for (size_t i = 0; !rc && i < run->in.n; i++)
		rc = read_job(request, i, &run->in.records[i], err) ||
				     decide(run, &setup, request, err)
			     ? -1
			     : 0;
	if (!rc)
		emit_end(run, &setup);
	rspb_request_destroy(request);
	sim_li_fini(&setup);
	return rc;
}
