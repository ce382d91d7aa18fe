/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers which plugins and settings are in force. It changes none. */
#include "plugins/ctld/pictures/in_force.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/wire/members.h"
#include "plugins/compat/abi.h"
#include "plugins/ctld/base/settings.h"

/* "default", "SchedulerParameters", "rspb.conf:12"; of what a preset says its key. */
static void put_origin(json_object *to, const struct rspb_option *option, int32_t from)
{
	char text[32];

	snprintf(text, sizeof(text), "rspb.conf:%" PRId32, from);
	rspb_json_put_text(to, "from",
			   from > 0			  ? text
			   : from == RSPB_FROM_PARAMETERS ? "SchedulerParameters"
			   : option->fallback		  ? "default"
							  : rspb_options[0].key);
}

static void write_rows(json_object *list, const struct rspb_config *config, bool paths)
{
	const size_t mode = offsetof(struct rspb_config, mode);

	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		bool limit = o->by_rule || o->offset == mode;
		json_object *row;
		char value[RSPB_CONFIG_LIST];

		if (o->kind == RSPB_OPTION_PATH && !paths)
			continue;
		row = json_object_new_object();
		rspb_option_get(o, config, value, sizeof(value));
		rspb_json_put_text(row, "key", o->key);
		rspb_json_put_text(row, "value", value);
		put_origin(row, o, config->from[o - rspb_options]);
		rspb_json_put_bool(row, "limit", limit);
		json_object_array_add(list, row);
	}
}

static void write_rules(json_object *list, const char *rules)
{
	while (*rules) {
		size_t len = strcspn(rules, "\n");

		if (len)
			json_object_array_add(list, json_object_new_string_len(rules, (int) len));
		rules += len + (rules[len] == '\n');
	}
}

void rspb_in_force_answer(const struct rspb_caller_view *who, const struct rspb_picture *picture,
			  json_object *answer)
{
	json_object *settings = json_object_new_object(), *loaded = json_object_new_array(),
		    *rows = json_object_new_array(), *rules = json_object_new_array();
	const struct rspb_config *config = rspb_settings_get();

	for (int i = 0; i < RSPB_ABI_PLUGINS; i++)
		if (rspb_abi_loaded(i))
			json_object_array_add(loaded, json_object_new_string(rspb_abi_plugins[i]));
	write_rows(rows, config, who->privileged);
	if (who->privileged)
		write_rules(rules, config->rules);
	if (who->sees_nodes)
		rspb_json_put_int(settings, "nodes", rspb_ledger_machine(picture->ledger));
	rspb_json_put(settings, "loaded", loaded);
	rspb_json_put(settings, "keys", rows);
	rspb_json_put(settings, "rules", rules);
	rspb_json_put(answer, "settings", settings);
}
