/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The config line of li. */
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/policy/policy.h"
#include "contrib/sim/alg/li.h"

/* RET -1 with err when one of the set is booked within [start, end), else 0. */
static int is_booked(const struct sim_li *setup, int64_t start, int64_t end, struct rspb_err *err)
{
	for (size_t i = 0; i < rspb_ledger_blocks(setup->ledger); i++) {
		int64_t from, to;
		bool beside;
		const struct rspb_nodeset *nodes = rspb_ledger_block_at(setup->ledger, i, &from,
									&to, &beside);

		if (from < end && start < to && !rspb_nodeset_disjoint(nodes, setup->set))
			return rspb_fail(err,
					 "some are booked already, by entry "
					 "%zu, from %lld to %lld",
					 i, (long long) from, (long long) to);
	}
	return 0;
}

static int read_booked(struct sim_li *setup, const struct sim_record *config,
		       struct json_object *value, struct rspb_err *err)
{
	struct sim_record entry = *config;
	struct json_object *pes;
	struct rspb_err why;
	int64_t start, end;

	entry.object = value;
	entry.within = "booked[].";
	if (!json_object_is_type(value, json_type_object))
		return sim_bad(config, "booked", err, "%.60s is not an object", sim_text(value));
	if (sim_only(&entry, "start end pes", err) ||
	    sim_int(&entry, "start", -SIM_LI_TIMES, SIM_LI_TIMES, &start, err) ||
	    sim_int(&entry, "end", -SIM_LI_TIMES, SIM_LI_TIMES, &end, err))
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

static int read_policy(struct sim_li *setup, const struct sim_record *config, struct rspb_err *err)
{
	static const char *const policies[] = { "FF",	"PE_B",	  "PE_W",   "Du_B",
						"Du_W", "PEDu_B", "PEDu_W", NULL };
	static const char *const choices[] = { "lowest", "best", "worst", "gap", NULL };
	static const char *const ends[] = { "deadline", "inf", "last", "dl_only", NULL };
	int policy = 0, choice = 0, open_end = 0;

	if (sim_name_or(config, "policy", policies, &policy, err) ||
	    sim_name_or(config, "node_select", choices, &choice, err) ||
	    sim_name_or(config, "open_end", ends, &open_end, err) ||
	    sim_bool_or(config, "dump", &setup->dump, err))
		return -1;
	rspb_policy_from_preset(rspb_preset_find(policies[policy]), &setup->policy);
	setup->policy.where = rspb_where_find(choices[choice]);
	setup->policy.open_end = (enum rspb_open_end) open_end;
	return 0;
}

/* Time begins with whatever comes first. */
static int64_t first_time(const struct sim_run *run)
{
	int64_t first = SIM_LI_TIMES, arrival;
	struct rspb_err ignored;

	for (size_t i = 0; i < run->in.n; i++)
		if (!sim_int(&run->in.records[i], "arrival", -SIM_LI_TIMES, SIM_LI_TIMES, &arrival,
			     &ignored) &&
		    arrival < first)
			first = arrival;
	return first == SIM_LI_TIMES ? 0 : first;
}

/* Read one of "speeds": PEs, and how fast they are in parts of a standard one. */
static int read_speed(struct sim_li *setup, const struct sim_record *config,
		      struct json_object *pair, uint32_t *speeds, struct rspb_err *err)
{
	struct rspb_err why;
	int64_t num, den;
	const char *text;

	if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
		return sim_bad(config, "speeds", err, "%.60s is not a pair [pes, speed]",
			       sim_text(pair));
	text = json_object_get_string(json_object_array_get_idx(pair, 0));
	if (rspb_nodeset_parse(setup->set, text ? text : "", &why))
		return sim_bad(config, "speeds", err, "%.200s", why.text);
	text = json_object_get_string(json_object_array_get_idx(pair, 1));
	if (!text || rspb_text_decimal(text, strlen(text), &num, &den, NULL) || num <= 0 ||
	    num > 1000 * den || SIM_LI_SPEED * num % den)
		return sim_bad(config, "speeds", err,
			       "%.60s is not a speed; allowed are 0.01 to 1000 in "
			       "steps of 0.01",
			       text ? text : "null");
	RSPB_NODESET_EACH (n, setup->set)
		speeds[n] = (uint32_t) (SIM_LI_SPEED * num / den);
	return 0;
}

/* All others are standard ones. */
static int read_speeds(struct sim_li *setup, const struct sim_record *config, uint32_t n_pe,
		       struct rspb_err *err)
{
	struct json_object *list = sim_array(config, "speeds", err);
	uint32_t *speeds = list ? malloc(n_pe * sizeof(*speeds)) : NULL;
	int rc = speeds ? 0 : -1;

	for (uint32_t i = 0; !rc && i < n_pe; i++)
		speeds[i] = SIM_LI_SPEED;
	for (size_t i = 0; !rc && i < json_object_array_length(list); i++)
		rc = read_speed(setup, config, json_object_array_get_idx(list, i), speeds, err);
	if (!rc && rspb_ledger_speed(setup->ledger, speeds))
		rc = rspb_fail(err, "out of memory");
	for (uint32_t i = 0; !rc && i < n_pe; i++)
		if (speeds[i] > setup->fastest)
			setup->fastest = speeds[i];
	free(speeds);
	return rc;
}

int sim_li_init(struct sim_li *setup, const struct sim_run *run, struct rspb_err *err)
{
	const struct sim_record *config = &run->in.config;
	struct json_object *booked = NULL;
	int64_t n_pe;

	if (sim_int(config, "n_pe", 1, RSPB_PROFILE_NODES, &n_pe, err) ||
	    read_policy(setup, config, err))
		return -1;
	setup->text_size = (size_t) n_pe * 12 + 1;
	setup->text = malloc(setup->text_size);
	setup->set = rspb_nodeset_create((uint32_t) n_pe);
	setup->ledger = rspb_ledger_create((uint32_t) n_pe, NULL, first_time(run));
	if (!setup->text || !setup->set || !setup->ledger)
		return rspb_fail(err, "out of memory");
	if (sim_has(config, "speeds") && read_speeds(setup, config, (uint32_t) n_pe, err))
		return -1;
	if (sim_has(config, "booked")) {
		booked = sim_array(config, "booked", err);
		if (!booked)
			return -1;
	}
	for (size_t i = 0; booked && i < json_object_array_length(booked); i++)
		if (read_booked(setup, config, json_object_array_get_idx(booked, i), err))
			return -1;
	return 0;
}

void sim_li_fini(struct sim_li *setup)
{
	rspb_ledger_destroy(setup->ledger);
	rspb_nodeset_destroy(setup->set);
	free(setup->text);
}
