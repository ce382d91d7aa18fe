/* SPDX-License-Identifier: GPL-2.0-or-later */
/* states, benefit: the life of a booking and what a part of it is worth. */
#include "common/request/benefit.h"
#include "common/request/booking.h"
#include "contrib/sim/alg/alg.h"

static const int64_t most_units = INT64_C(1) << 40;

static int read_state(const struct sim_record *record, enum rspb_state *state, struct rspb_err *err)
{
	struct json_object *value = sim_get(record, "state");

	*state = RSPB_REQUESTED;
	if (!value)
		return 0;
	if (!json_object_is_type(value, json_type_string) ||
	    rspb_state_parse(json_object_get_string(value), state))
		return sim_bad(record, "state", err, "%.60s is not a state", sim_text(value));
	return 0;
}

static int states_line(struct sim_run *run, const struct sim_record *record, struct rspb_err *err)
{
	struct json_object *events = sim_array(record, "events", err), *item;
	struct json_object *states, *refused, *line;
	enum rspb_state state;
	enum rspb_event event;

	if (!events || read_state(record, &state, err))
		return -1;
	for (size_t i = 0; i < json_object_array_length(events); i++) {
		item = json_object_array_get_idx(events, i);
		if (!json_object_is_type(item, json_type_string) ||
		    rspb_event_parse(json_object_get_string(item), &event))
			return sim_bad(record, "events", err,
				       "%.60s is none "
				       "of accept, decline, change, cancel, start, "
				       "terminate, end",
				       sim_text(item));
	}
	states = json_object_new_array();
	refused = json_object_new_array();
	for (size_t i = 0; i < json_object_array_length(events); i++) {
		item = json_object_array_get_idx(events, i);
		rspb_event_parse(json_object_get_string(item), &event);
		if (rspb_state_next(&state, event, NULL))
			json_object_array_add(refused, json_object_new_int64((int64_t) i));
		json_object_array_add(states, json_object_new_string(rspb_state_name(state)));
	}
	line = json_object_new_object();
	sim_put_id(line, record);
	rspb_json_put(line, "states", states);
	rspb_json_put(line, "refused", refused);
	rspb_json_put_bool(line, "final", rspb_state_final(state));
	sim_emit(run, line);
	return 0;
}

int sim_alg_states(struct sim_run *run, struct rspb_err *err)
{
	if (sim_lines_unique(&run->in, err))
		return -1;
	for (size_t i = 0; i < run->in.n; i++)
		if (states_line(run, &run->in.records[i], err))
			return -1;
	return 0;
}

int sim_alg_benefit(struct sim_run *run, struct rspb_err *err)
{
	for (size_t i = 0; i < run->in.n; i++) {
		const struct sim_record *record = &run->in.records[i];
		struct rspb_benefit benefit;
		struct rspb_ratio value;
		struct json_object *line;
		int64_t cpu, asked;

		if (sim_benefit(record, "benefit", &benefit, err) ||
		    sim_int(record, "requested", 1, most_units, &asked, err) ||
		    sim_int(record, "cpu", 0, most_units, &cpu, err))
			return -1;
		value = (struct rspb_ratio){ 0, 1 };
		if (cpu > 0)
			value = rspb_benefit_value(&benefit, cpu, asked);
		line = json_object_new_object();
		if (sim_has(record, "id"))
			sim_put_id(line, record);
		sim_put_real(line, "benefit", rspb_ratio_double(value));
		rspb_json_put_int(line, "cpu_min", rspb_benefit_min_units(&benefit, asked));
		rspb_json_put_int(line, "cpu_max", rspb_benefit_max_units(&benefit, asked));
		rspb_json_put_int(line, "trim", rspb_benefit_trim(&benefit, cpu, asked));
		sim_emit(run, line);
	}
	return 0;
}
