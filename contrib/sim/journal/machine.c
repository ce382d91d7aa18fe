/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A journal begins: the machine and what decided. */
#include <stdlib.h>
#include <string.h>

#include "common/base/names.h"
#include "common/conf/config.h"
#include "common/policy/fields.h"
#include "contrib/sim/journal/journal.h"
#include "contrib/sim/jsonl/read.h"
#include "contrib/sim/policy/preset.h"

static const int64_t time_limit = INT64_C(1) << 60;

/* An array of one entry per node. RET NULL with err. */
static struct json_object *read_list(const struct sim_record *record, const char *key,
				     int64_t nodes, struct rspb_err *err)
{
	struct json_object *list = sim_array(record, key, err);

	if (!list || json_object_array_length(list) == (size_t) nodes)
		return list;
	sim_bad(record, key, err, "has %zu entries, there are %lld nodes",
		json_object_array_length(list), (long long) nodes);
	return NULL;
}

static int read_capacity(const struct sim_record *record, int64_t nodes, int64_t **capacity,
			 struct rspb_err *err)
{
	struct json_object *list;

	*capacity = NULL;
	if (!sim_has(record, "capacity"))
		return 0;
	list = read_list(record, "capacity", nodes, err);
	if (!list)
		return -1;
	*capacity = calloc((size_t) nodes, sizeof(**capacity));
	if (!*capacity)
		return rspb_fail(err, "out of memory");
	for (int64_t i = 0; i < nodes; i++)
		if (sim_value_int(record, "capacity", json_object_array_get_idx(list, (size_t) i),
				  0, time_limit, &(*capacity)[i], err))
			return -1;
	return 0;
}

/* RET one number for each node, to be freed; NULL with err. */
static uint32_t *read_numbers(const struct sim_record *record, const char *key, uint32_t nodes,
			      struct rspb_err *err)
{
	struct json_object *list = read_list(record, key, nodes, err);
	uint32_t *numbers = list ? calloc(nodes, sizeof(*numbers)) : NULL;

	if (list && !numbers)
		rspb_fail(err, "out of memory");
	for (uint32_t i = 0; numbers && i < nodes; i++) {
		int64_t number = 0;

		if (sim_value_int(record, key, json_object_array_get_idx(list, i), 0, UINT32_MAX,
				  &number, err)) {
			free(numbers);
			return NULL;
		}
		numbers[i] = (uint32_t) number;
	}
	return numbers;
}

/* The ledger knows the weights of its nodes, their leaves and their speeds from the
 * line, if it has any. */
static int read_marks(struct rspb_ledger *ledger, const struct sim_record *record, const char *key,
		      int (*mark)(struct rspb_ledger *ledger, const uint32_t *numbers),
		      struct rspb_err *err)
{
	uint32_t *numbers;
	int rc;

	if (!sim_has(record, key))
		return 0;
	numbers = read_numbers(record, key, rspb_ledger_nodes(ledger), err);
	if (!numbers)
		return -1;
	rc = mark(ledger, numbers) ? rspb_fail(err, "out of memory") : 0;
	free(numbers);
	return rc;
}

static int read_room(struct rspb_ledger *ledger, const struct sim_record *record,
		     struct rspb_err *err)
{
	struct json_object *key = sim_need(record, "key", err);
	uint32_t *of = key ? read_numbers(record, "of", rspb_ledger_nodes(ledger), err) : NULL;
	int rc = of ? 0 : -1;

	if (of && rspb_ledger_add_room(ledger, json_object_get_uint64(key), of))
		rc = rspb_fail(err, "out of memory");
	free(of);
	return rc;
}

/* And what else they have. */
static int read_rooms(struct rspb_ledger *ledger, const struct sim_record *record,
		      struct rspb_err *err)
{
	struct sim_record one = *record;
	struct json_object *list;
	int rc = 0;

	if (!sim_has(record, "rooms"))
		return 0;
	list = sim_array(record, "rooms", err);
	if (!list)
		return -1;
	for (size_t i = 0; !rc && i < json_object_array_length(list); i++) {
		one.object = json_object_array_get_idx(list, i);
		rc = read_room(ledger, &one, err);
	}
	return rc;
}

static int read_names(struct journal *journal, const struct sim_record *record,
		      struct rspb_err *err)
{
	struct json_object *list;

	if (!sim_has(record, "names"))
		return 0;
	list = read_list(record, "names", journal->nodes, err);
	if (!list)
		return -1;
	journal->names = calloc(journal->nodes, sizeof(*journal->names));
	for (uint32_t i = 0; journal->names && i < journal->nodes; i++) {
		struct json_object *name = json_object_array_get_idx(list, i);

		if (!json_object_is_type(name, json_type_string))
			return sim_bad(record, "names", err, "%.60s is not a name", sim_text(name));
		journal->names[i] = strdup(json_object_get_string(name));
		if (!journal->names[i])
			return rspb_fail(err, "out of memory");
	}
	return journal->names ? 0 : rspb_fail(err, "out of memory");
}

/* A place without a name is one that no node is in. */
static void count_nodes(const struct journal *journal)
{
	uint32_t there = 0;

	for (uint32_t i = 0; journal->names && i < journal->nodes; i++)
		there += journal->names[i][0] != '\0';
	if (there)
		rspb_ledger_set_machine(journal->ledger, there);
}

static int read_setting(const char *key, struct json_object *value, struct rspb_config *config,
			struct rspb_err *err)
{
	const struct rspb_option *option = rspb_option_find(key);

	if (!strcmp(key, "Rule") && json_object_is_type(value, json_type_string))
		return rspb_rules_read(json_object_get_string(value), config->rules, err);
	if (!option && rspb_names_find(rspb_options_gone, sizeof(rspb_options_gone[0]), key))
		return 0; /* recorded by an earlier release */
	if (!option)
		return rspb_fail(err, "%.40s: is not a key of rspb.conf", key);
	if (!json_object_is_type(value, json_type_string))
		return rspb_fail(err, "%s: is not a text in quotes", key);
	if (rspb_option_set(option, config, json_object_get_string(value), err))
		return rspb_fail_at(err, "%s", option->key);
	return 0;
}

static int read_settings(struct json_object *object, struct rspb_config *config,
			 struct rspb_err *err)
{
	if (!json_object_is_type(object, json_type_object))
		return rspb_fail(err, "is not an object");
	/* The preset first: other keys replace parts of it. */
	for (int preset = 1; preset >= 0; preset--) {
		json_object_object_foreach(object, key, value)
		{
			if ((rspb_option_find(key) == rspb_options) == preset &&
			    read_setting(key, value, config, err))
				return -1;
		}
	}
	return 0;
}

/* Read what decided: the policy in full, else settings, else a preset's name. */
static int read_policy(struct journal *journal, const struct sim_record *record,
		       struct rspb_err *err)
{
	struct rspb_policy *policy = &journal->contenders[0].policy;
	struct json_object *preset = sim_get(record, "preset");
	struct json_object *settings = sim_get(record, "settings");
	struct json_object *said = sim_get(record, "policy");
	struct rspb_err why;

	journal->has_config = settings;
	rspb_config_defaults(&journal->config);
	journal->config.simulated = sim_presets;
	if (settings && read_settings(settings, &journal->config, &why))
		return sim_bad(record, "settings", err, "%s", why.text);
	if (journal->asked)
		return 0;
	*policy = journal->config.policy;
	if (!settings && preset &&
	    sim_preset_policy(json_object_is_type(preset, json_type_string)
				      ? json_object_get_string(preset)
				      : "",
			      policy, &why))
		return sim_bad(record, "preset", err, "%s", why.text);
	/* Older journals have members of policies that no cluster runs. */
	if (json_object_is_type(said, json_type_object)) {
		json_object_object_del(said, "tidal");
		json_object_object_del(said, "price");
	}
	if (said && sim_read(rspb_policy_fields, said, policy, 0, &why))
		return sim_bad(record, "policy", err, "%s", why.text);
	/* Offers decide nothing, and take long. */
	policy->offer_horizon = 0;
	return 0;
}

int journal_machine(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	int64_t nodes, now = 0, *capacity;

	if (journal_batch_end(journal, true, record, err))
		return -1;
	journal_forget(journal);
	if (sim_int(record, "nodes", 1, RSPB_PROFILE_NODES, &nodes, err) ||
	    sim_int_or(record, "now", -time_limit, time_limit, &now, err))
		return -1;
	journal->nodes = (uint32_t) nodes;
	if (read_names(journal, record, err) || read_policy(journal, record, err))
		return -1;
	if (!read_capacity(record, nodes, &capacity, err)) {
		journal->ledger = rspb_ledger_create(journal->nodes, capacity, now);
		if (!journal->ledger)
			rspb_fail(err, "out of memory");
		else if (capacity)
			journal->sums.shares = true;
	}
	free(capacity);
	journal->machines++;
	if (journal->ledger)
		count_nodes(journal);
	if (!journal->ledger ||
	    read_marks(journal->ledger, record, "weights", rspb_ledger_weigh, err) ||
	    read_marks(journal->ledger, record, "leaves", rspb_ledger_leaf, err) ||
	    read_marks(journal->ledger, record, "speeds", rspb_ledger_speed, err))
		return -1;
	return read_rooms(journal->ledger, record, err);
}

int journal_gap(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	int64_t lost;

	if (sim_int(record, "lost", 0, time_limit, &lost, err) ||
	    journal_batch_end(journal, true, record, err))
		return -1;
	fprintf(journal->notices, "%s:%zu: a gap, at least %lld entries are missing\n",
		record->file, record->line, (long long) lost);
	journal_forget(journal);
	journal->nodes = 0;
	journal->gaps++;
	return 0;
}
