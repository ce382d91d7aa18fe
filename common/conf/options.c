/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option table of common/conf/config.h: what each key takes. */
#include "common/conf/config.h"

#include <string.h>

#include "common/base/names.h"
#include "common/base/text.h"
#include "common/conf/by_feature.h"
#include "common/conf/value.h"
#include "common/policy/degrade.h"
#include "common/policy/order.h"
#include "common/policy/when.h"
#include "common/policy/where.h"
#include "common/wire/duration.h"

/* One pair of functions for a key of each kind. */

#define SET(field)                                                             \
	static int set_##field(struct rspb_config *config, const char *value,  \
			       struct rspb_err *err)
#define GET(field)                                                             \
	static size_t get_##field(const struct rspb_config *config, char *buf, \
				  size_t size)

/* clang-format off */
#define DURATION(field, unit_ms, low, high)				\
	SET(field)							\
	{								\
		return rspb_value_duration(value, unit_ms, low, high,	\
				    &config->field, err);		\
	}								\
	GET(field)							\
	{								\
		return rspb_duration_print_ms(config->field * (unit_ms),\
					      buf, size);		\
	}

#define COUNT(field, low, high)						\
	SET(field)							\
	{								\
		return rspb_value_count(value, low, high, &config->field, err);\
	}								\
	GET(field)							\
	{								\
		return rspb_value_print_count(buf, size, config->field,	\
					      "");			\
	}

#define BOOL(field)							\
	SET(field)							\
	{								\
		return rspb_value_bool(value, &config->field, err);	\
	}								\
	GET(field)							\
	{								\
		return rspb_value_print(buf, size,			\
					config->field ? "yes" : "no");	\
	}

#define LIST(field)							\
	SET(field)							\
	{								\
		return rspb_value_list(value, config->field, err);	\
	}								\
	GET(field)							\
	{								\
		return rspb_value_print(buf, size, config->field);	\
	}

#define PATH(field, may_be_empty)					\
	SET(field)							\
	{								\
		return rspb_value_path(value, may_be_empty,		\
				       config->field,			\
				       sizeof(config->field), err);	\
	}								\
	GET(field)							\
	{								\
		return rspb_value_print(buf, size, config->field);	\
	}

#define WORDS(field, type, ...)						\
	static const char *const words_##field[] = { __VA_ARGS__, NULL };\
	SET(field)							\
	{								\
		int word = rspb_value_word(value, words_##field, err);	\
									\
		if (word < 0)						\
			return -1;					\
		config->field = (type) word;				\
		return 0;						\
	}								\
	GET(field)							\
	{								\
		return rspb_value_print(buf, size,			\
					words_##field[config->field]);	\
	}

/* A choice of the policy: a row of its table, of which all have a name and an
 * alias first. */
#define CHOICE(field, find, table)					\
	SET(field)							\
	{								\
		const struct rspb_##field *row = find(value);		\
									\
		if (!row)						\
			return rspb_fail(err, "is unknown; did you mean "\
					 "%s?", rspb_names_nearest(table,\
						sizeof(table[0]), value));\
		config->policy.field = row;				\
		return 0;						\
	}								\
	GET(field)							\
	{								\
		return rspb_value_print(buf, size,			\
					config->policy.field->name);	\
	}
/* clang-format on */

SET(preset)
{
	const struct rspb_preset *preset = rspb_preset_find(value);

	if (!preset && rspb_preset_other(value))
		return rspb_fail(err, "%s", rspb_preset_other(value));
	if (!preset)
		return rspb_fail(err, "is unknown; did you mean %s?",
				 rspb_preset_nearest(value));
	config->preset = preset;
	rspb_policy_from_preset(preset, &config->policy);
	return 0;
}

GET(preset)
{
	return rspb_value_print(buf, size, config->preset->name);
}

/* A number, or a part of all nodes. */
SET(max_nodes)
{
	size_t len = strlen(value);
	uint32_t number = 0, percent = 0;

	if (len && value[len - 1] == '%') {
		if (rspb_text_points(value, len, 1, &percent, err))
			return -1;
	} else if (rspb_value_count(value, 0, 1000000, &number, err)) {
		return -1;
	}
	config->max_nodes = number;
	config->max_nodes_percent = percent;
	return 0;
}

GET(max_nodes)
{
	return config->max_nodes_percent
		       ? rspb_value_print_count(buf, size,
						config->max_nodes_percent, "%")
		       : rspb_value_print_count(buf, size, config->max_nodes,
						"");
}

SET(max_share_percent)
{
	return rspb_text_points(value, strlen(value), 1,
				&config->max_share_percent, err);
}

GET(max_share_percent)
{
	return rspb_value_print_count(buf, size, config->max_share_percent,
				      "%");
}

/* A value for all nodes, then others for nodes of a feature. */
static int set_by_feature(const struct rspb_by_feature *kind, const char *value,
			  uint32_t *all, char *features, struct rspb_err *err)
{
	char list[RSPB_CONFIG_LIST];

	if (rspb_value_list(value, list, err) < 0)
		return -1;
	return rspb_by_feature_read(kind, list, all, features, RSPB_CONFIG_LIST,
				    err);
}

static size_t print_by_feature(char *buf, size_t size, const char *all,
			       const char *features)
{
	struct rspb_text out = rspb_text_over(buf, size);

	rspb_text_add(&out, "%s%s%s", all, *features ? "," : "", features);
	return out.len;
}

SET(dedicated_share_percent)
{
	return set_by_feature(&rspb_by_feature_percent, value,
			      &config->dedicated_share_percent,
			      config->dedicated_features, err);
}

GET(dedicated_share_percent)
{
	char all[16];

	rspb_value_print_count(all, sizeof(all),
			       config->dedicated_share_percent, "%");
	return print_by_feature(buf, size, all, config->dedicated_features);
}

SET(colocate)
{
	uint32_t all;

	if (set_by_feature(&rspb_by_feature_yes, value, &all,
			   config->colocate_features, err) < 0)
		return -1;
	config->colocate = all;
	return 0;
}

GET(colocate)
{
	return print_by_feature(buf, size, config->colocate ? "yes" : "no",
				config->colocate_features);
}

CHOICE(order, rspb_order_named, rspb_orders)
CHOICE(when, rspb_when_find, rspb_whens)
CHOICE(where, rspb_where_find, rspb_wheres)
CHOICE(degrade, rspb_degrade_find, rspb_degrades)

SET(keep_surplus)
{
	bool reclaim;

	if (rspb_value_bool(value, &reclaim, err) < 0)
		return -1;
	config->policy.keep_surplus = !reclaim;
	return 0;
}

GET(keep_surplus)
{
	return rspb_value_print(buf, size,
				config->policy.keep_surplus ? "no" : "yes");
}

WORDS(yield, enum rspb_yield, "none", "surplus", "part", "whole")
DURATION(batch_interval_ms, 1, 50, 3600000)
DURATION(horizon, 1000, 60, 315360000)
DURATION(min_notice, 1000, 0, 31536000)
DURATION(max_duration, 1000, 0, 315360000)
COUNT(max_waiting_user, 0, 1000000)
DURATION(max_ahead_user, 1000, 0, 315360000)
WORDS(on_decline, enum rspb_on_decline, "hold", "cancel", "ordinary")
WORDS(overrun, enum rspb_overrun, "end", "best-effort")
BOOL(release_early)
WORDS(unstartable, enum rspb_unstartable, "hold", "release")
DURATION(start_within, 1000, 1, 31536000)
WORDS(share_mode, enum rspb_share_mode, "weight", "ceiling", "hard")
DURATION(share_period_ms, 1, 20, 100)
DURATION(share_report_s, 1000, 0, 86400)

PATH(share_state_dir, false)
PATH(journal_file, true)
WORDS(priority_source, enum rspb_priority_source, "job", "qos")
LIST(allow_accounts)
LIST(allow_groups)
LIST(allow_qos)
BOOL(debug_locks)

#define PAIR(field) set_##field, get_##field

const struct rspb_option rspb_options[] = {
	{ "Algorithm", NULL, NULL, RSPB_PRESET_DEFAULT,
	  "the name of a preset (rspb.conf(5))",
	  "preset of order, start, nodes and degradation", PAIR(preset) },
	{ "Order", NULL, NULL, NULL, "the name of an order",
	  "which request of a batch is looked at first", PAIR(order) },
	{ "When", NULL, NULL, NULL, "the name of a start policy",
	  "which of the feasible starts is taken", PAIR(when) },
	{ "Where", NULL, NULL, NULL, "the name of a node policy",
	  "which nodes are taken at that start", PAIR(where) },
	{ "Degrade", NULL, NULL, NULL, "the name of a degradation",
	  "how much is granted when it does not all fit", PAIR(degrade) },
	{ "Reclaim", NULL, NULL, "yes", "yes, no",
	  "whether requests may have what bookings grew by beyond their "
	  "promise",
	  PAIR(keep_surplus) },
	{ "Yield", NULL, NULL, "whole", "none, surplus, part, whole",
	  "the most that others give up for a booking that lost a node",
	  PAIR(yield) },
	{ "BatchInterval", NULL, "time", "1s", "50ms to 1h",
	  "how long requests are gathered before they are decided together",
	  PAIR(batch_interval_ms) },
	{ "Horizon", NULL, "time", "14d", "1m to 3650d, in whole seconds",
	  "how far ahead a booking may end", PAIR(horizon) },
	{ "MinNotice", NULL, "time", "0s", "0s to 365d, in whole seconds",
	  "least time between a request and its start", PAIR(min_notice) },
	{ "MaxNodes", NULL, "nodes", "25%",
	  "0 (no limit) to 1000000, or 1% to 100% of all nodes",
	  "most nodes of one booking", PAIR(max_nodes) },
	{ "MaxDuration", NULL, "time", "1d",
	  "0s (no limit) to 3650d, in whole seconds", "longest booking",
	  PAIR(max_duration) },
	{ "MaxWaitingPerUser", NULL, "bookings", "8", "0 (no limit) to 1000000",
	  "most bookings of one user that have not ended",
	  PAIR(max_waiting_user) },
	{ "MaxAheadPerUser", NULL, "time", "6h",
	  "0s (no limit) to 3650d, in whole seconds",
	  "most that one user may have booked ahead, as time of all nodes",
	  PAIR(max_ahead_user) },
	{ "MaxBookedPercent", NULL, "percent", "50%", "1% to 100%",
	  "share of all nodes that may be booked at any one time",
	  PAIR(max_share_percent) },
	{ "OnDecline", NULL, NULL, "hold", "hold, cancel, ordinary",
	  "what becomes of a job whose request is declined", PAIR(on_decline) },
	{ "Overrun", NULL, NULL, "best-effort", "end, best-effort",
	  "whether a job may go on behind its window while nobody follows",
	  PAIR(overrun) },
	{ "ReleaseEarly", NULL, NULL, "yes", "yes, no",
	  "whether the rest of the window is free when a job ends early",
	  PAIR(release_early) },
	{ "Unstartable", NULL, NULL, "release", "release, hold",
	  "whether a booking whose job cannot start gives its nodes back",
	  PAIR(unstartable) },
	{ "StartWithin", NULL, "time", "5m", "1s to 365d, in whole seconds",
	  "how long behind its start it keeps them all the same",
	  PAIR(start_within) },
	{ "DedicatedShare", NULL, "percent", "100%",
	  "0% to 100%, then any number of FEATURE:PCT",
	  "part of each node's CPUs that bookings of shares may take",
	  PAIR(dedicated_share_percent) },
	{ "Colocate", NULL, NULL, "no",
	  "yes or no, then any number of FEATURE:yes or FEATURE:no",
	  "whether ordinary jobs may be on a node beside bookings of shares",
	  PAIR(colocate) },
	{ "ShareMode", NULL, NULL, "weight", "weight, ceiling, hard",
	  "what a booked CPU share means on the node", PAIR(share_mode) },
	{ "SharePeriod", NULL, "time", "100ms", "20ms to 100ms",
	  "period of the kernel's CPU quota", PAIR(share_period_ms) },
	{ "ShareReport", NULL, "time", "30s",
	  "0s (at the end only) to 1d, in whole seconds",
	  "how often nodes tell what running jobs with a share have used",
	  PAIR(share_report_s) },
	{ "ShareStateDir", NULL, NULL, "/run/slurm-rspb", "an absolute path",
	  "where the nodes keep the granted shares: state= in plugstack.conf",
	  PAIR(share_state_dir) },
	{ "PrioritySource", NULL, NULL, "job", "job, qos",
	  "whose priority a request has", PAIR(priority_source) },
	{ "AllowAccounts", NULL, "list", "",
	  "names separated by commas, none for all", "accounts that may book",
	  PAIR(allow_accounts) },
	{ "AllowGroups", NULL, "list", "",
	  "names separated by commas, none for all",
	  "groups of users that may book", PAIR(allow_groups) },
	{ "AllowQos", NULL, "list", "",
	  "names separated by commas, none for all", "QOS that may book",
	  PAIR(allow_qos) },
	{ "JournalFile", NULL, NULL, "",
	  "an absolute path, none for no journal",
	  "where slurmctld records what it decides, for rspb-sim journal",
	  PAIR(journal_file) },
	{ "DebugLocks", NULL, NULL, "no", "yes, no",
	  "log how long every commit held Slurm's locks", PAIR(debug_locks) },
	{ .key = NULL },
};

const struct rspb_option *rspb_option_find(const char *key)
{
	return rspb_names_find(rspb_options, sizeof(rspb_options[0]), key);
}
