/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers which limits count for a user and what is left of them. It judges no request. */
#include "plugins/ctld/pictures/allowed.h"

#include <stdbool.h>

#include "common/conf/limits.h"
#include "common/wire/members.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/requests/limits.h"

/* Add a row unless there is no limit (0). used: below 0: the limit is no sum. */
static void add_row(json_object *list, const char *key, const char *unit, int64_t value,
		    int64_t used)
{
	json_object *row;

	if (!value)
		return;
	row = json_object_new_object();
	rspb_json_put_text(row, "limit", key);
	rspb_json_put_text(row, "unit", unit);
	rspb_json_put_int(row, "value", value);
	if (used >= 0) {
		rspb_json_put_int(row, "used", used);
		rspb_json_put_int(row, "left", used < value ? value - used : 0);
	}
	json_object_array_add(list, row);
}

static void add_rows(json_object *list, const struct rspb_config *config, uint32_t machine,
		     const struct rspb_limits_use *use)
{
	uint32_t nodes = rspb_limits_nodes(config, machine);
	int64_t all = machine;

	add_row(list, "MaxNodes", "nodes", nodes, -1);
	add_row(list, "MaxDuration", "seconds", config->max_duration, -1);
	add_row(list, "MaxNodeHours", "node-seconds", (int64_t) config->max_node_hours * 3600, -1);
	add_row(list, "MinNotice", "seconds", config->min_notice, -1);
	add_row(list, "Horizon", "seconds", config->horizon, -1);
	add_row(list, "SeriesHorizon", "seconds", config->series_horizon, -1);
	add_row(list, "MaxWaitingPerUser", "bookings", config->max_waiting_user,
		use->user.bookings);
	add_row(list, "MaxAheadPerUser", "node-seconds", config->max_ahead_user * all,
		use->user.ahead);
	add_row(list, "MaxSeriesAheadPerUser", "node-seconds", config->max_series_ahead * all,
		use->series.ahead);
	add_row(list, "MaxWaitingPerAccount", "bookings", config->max_waiting_account,
		use->account.bookings);
	add_row(list, "MaxAheadPerAccount", "node-seconds", config->max_ahead_account * all,
		use->account.ahead);
	if (config->max_share_percent && config->max_share_percent < 100)
		add_row(list, "MaxBookedPercent", "nodes", all * config->max_share_percent / 100,
			-1);
}

int rspb_allowed_answer(const struct rspb_inquiry *inquiry, uint32_t uid,
			const struct rspb_picture *picture, json_object *answer,
			struct rspb_err *err)
{
	const struct rspb_partition *where = rspb_picture_partition(picture, inquiry->partition);
	uint32_t machine = rspb_ledger_machine(picture->ledger);
	struct rspb_request *request;
	struct rspb_limits_use use;
	const struct rspb_config *config;
	struct rspb_config space;
	json_object *list;
	struct rspb_err why;
	int rc;

	if (!where)
		return rspb_fail(err, "there is no partition %s", inquiry->partition);
	request = rspb_request_create(1);
	if (!request)
		return rspb_fail(err, "out of memory");
	request->user = uid;
	rspb_request_label(request, inquiry->account, inquiry->qos, where->name);
	config = rspb_limits_settings(rspb_settings_get(), request, &space);
	rc = rspb_limits_use(picture->ledger, request, rspb_no_show_held(uid, picture->at),
			     picture->at + config->ahead_from, &use);
	if (!rc) {
		list = json_object_new_array();
		add_rows(list, config, machine, &use);
		rspb_json_put_text(answer, "partition", where->name);
		rspb_json_put(answer, "limits", list);
		if (rspb_no_show_check(uid, picture->at, &why))
			rspb_json_put_text(answer, "barred", why.text);
	}
	rspb_request_destroy(request);
	return rc ? rspb_fail(err, "out of memory") : 0;
}
