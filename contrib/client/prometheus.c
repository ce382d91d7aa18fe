/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/prometheus.h"

#include <string.h>

#include "contrib/client/client.h"
#include "contrib/client/output.h"

enum { LABEL = 256, MIB = 1024 * 1024 };

/* Rows of one name follow each other. path is where the value is in the answer. */
static const struct row {
	const char *name, *type, *help, *path, *label;
} rows[] = {
	{ "rspb_start_time_seconds", "gauge",
	  "Time at which slurmctld began to count, in seconds since 1970.", "since", "" },
	{ "rspb_nodes", "gauge", "Nodes of the cluster.", "nodes", "" },
	{ "rspb_requests_booked_total", "counter", "Requests that were booked.", "totals.booked",
	  "" },
	{ "rspb_requests_refused_total", "counter", "Requests that were not booked, by reason.",
	  "totals.refused.request", "reason=\"request\"" },
	{ "rspb_requests_refused_total", "", "", "totals.refused.limits", "reason=\"limits\"" },
	{ "rspb_requests_refused_total", "", "", "totals.refused.room", "reason=\"room\"" },
	{ "rspb_requests_refused_total", "", "", "totals.refused.slurm", "reason=\"slurm\"" },
	{ "rspb_requests_refused_total", "", "", "totals.refused.journal", "reason=\"journal\"" },
	{ "rspb_requests_observed_total", "counter",
	  "Requests under Mode=observe, for which nothing was booked, by what the decision "
	  "would have been.",
	  "totals.observed.booked", "as=\"booked\"" },
	{ "rspb_requests_observed_total", "", "", "totals.observed.refused.request",
	  "as=\"request\"" },
	{ "rspb_requests_observed_total", "", "", "totals.observed.refused.limits",
	  "as=\"limits\"" },
	{ "rspb_requests_observed_total", "", "", "totals.observed.refused.room", "as=\"room\"" },
	{ "rspb_benefit_granted_total", "counter",
	  "Benefit of the bookings, 1 for each that was granted in full.", "totals.benefit", "" },
	{ "rspb_bookings", "gauge",
	  "Requests that wait or were declined, future bookings, and bookings whose time "
	  "slot has begun.",
	  "bookings.waiting", "state=\"waiting\"" },
	{ "rspb_bookings", "", "", "bookings.booked", "state=\"booked\"" },
	{ "rspb_bookings", "", "", "bookings.active", "state=\"active\"" },
	{ "rspb_bookings_ended_total", "counter", "Bookings that have ended, by how they ended.",
	  "totals.completed", "by=\"completed\"" },
	{ "rspb_bookings_ended_total", "", "", "totals.terminated", "by=\"terminated\"" },
	{ "rspb_bookings_ended_total", "", "", "totals.cancelled", "by=\"cancelled\"" },
	{ "rspb_no_shows_total", "counter",
	  "Bookings that their owners did not use or cancelled late.", "totals.no_shows", "" },
	{ "rspb_booked_node_seconds_total", "counter", "Node-seconds of ended bookings, as booked.",
	  "totals.node_seconds_booked", "" },
	{ "rspb_used_node_seconds_total", "counter",
	  "Node-seconds of ended bookings until their jobs ended.", "totals.node_seconds_used",
	  "" },
	{ "rspb_charged_node_seconds_total", "counter",
	  "Node-seconds charged for ended bookings (ChargePercent).", "totals.node_seconds_charged",
	  "" },
	{ "rspb_socket_open_connections", "gauge", "Open connections to the port of rspb(1).",
	  "socket.open", "" },
	{ "rspb_socket_opened_connections_total", "counter", "Connections to the port of rspb(1).",
	  "socket.opened", "" },
	{ "rspb_socket_requests_total", "counter", "Messages with a valid credential.",
	  "socket.questions", "" },
	{ "rspb_socket_refused_requests_total", "counter", "Messages with an invalid credential.",
	  "socket.refused", "" },
	{ "rspb_socket_timeouts_total", "counter",
	  "Connections that were closed because they were too slow.", "socket.slow", "" },
};

/* Figures of each user. */
static const struct row user_rows[] = {
	{ "rspb_user_requests_booked_total", "counter", "Requests of a user that were booked.",
	  "booked", "" },
	{ "rspb_user_requests_total", "counter", "Requests of a user that were decided.", "decided",
	  "" },
	{ "rspb_user_benefit_granted_total", "counter", "Benefit of the bookings of a user.",
	  "benefit", "" },
	{ "rspb_user_no_shows_total", "counter",
	  "Bookings that a user did not use or cancelled late.", "no_shows", "" },
	{ "rspb_user_booked_node_seconds_total", "counter",
	  "Node-seconds of ended bookings of a user, as booked.", "node_seconds_booked", "" },
	{ "rspb_user_used_node_seconds_total", "counter",
	  "Node-seconds of ended bookings of a user until their jobs ended.", "node_seconds_used",
	  "" },
};

/* Histograms. */
static const struct row times[] = {
	{ "rspb_decision_seconds", "histogram",
	  "Time from a request, to the second, to its decision.", "times.decision", "" },
	{ "rspb_batch_seconds", "histogram",
	  "Time to decide a batch of requests and write it to disk.", "times.batch", "" },
	{ "rspb_lock_held_seconds", "histogram", "How long slurmctld's locks were held.",
	  "times.lock_read", "lock=\"read\"" },
	{ "rspb_lock_held_seconds", "histogram", "How long slurmctld's locks were held.",
	  "times.lock_write", "lock=\"write\"" },
	{ "rspb_journal_sync_seconds", "histogram", "Time to write to the journal and sync it.",
	  "times.journal_sync", "" },
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* RET NULL: the answer has no such member. */
static json_object *at_path(json_object *from, const char *path)
{
	char key[LABEL];

	while (from && path) {
		size_t length = strcspn(path, ".");
		json_object *next = NULL;

		snprintf(key, sizeof(key), "%.*s", (int) length, path);
		json_object_object_get_ex(from, key, &next);
		from = next;
		path = path[length] ? path + length + 1 : NULL;
	}
	return from;
}

static void print_head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void print_value(FILE *out, const char *name, const char *label, double value)
{
	if (*label)
		fprintf(out, "%s{%s} %.15g\n", name, label, value);
	else
		fprintf(out, "%s %.15g\n", name, value);
}

/* KEY="...", with what is special in a label escaped. */
static void label_with(const char *key, const char *value, char label[LABEL])
{
	size_t n = (size_t) snprintf(label, LABEL, "%s=\"", key);

	/* Room is left for an escaped character and the end. */
	for (const char *at = value; *at && n + 4 < LABEL; at++) {
		if (*at == '"' || *at == '\\')
			label[n++] = '\\';
		label[n++] = *at;
	}
	strcpy(label + n, "\"");
}

static void print_rows(FILE *out, json_object *stats)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		json_object *value = at_path(stats, rows[i].path);

		if (*rows[i].type)
			print_head(out, rows[i].name, rows[i].type, rows[i].help);
		if (value)
			print_value(out, rows[i].name, rows[i].label,
				    json_object_get_double(value));
	}
}

static void print_buckets(FILE *out, const struct row *row, json_object *of)
{
	json_object *steps = rspb_json_list(of, "below");
	const char *comma = *row->label ? "," : "";
	char label[LABEL], name[LABEL];
	double count = rspb_json_real(of, "count");

	snprintf(name, sizeof(name), "%s_bucket", row->name);
	for (size_t i = 0; steps && i < json_object_array_length(steps); i++) {
		json_object *step = json_object_array_get_idx(steps, i);

		snprintf(label, sizeof(label), "%s%sle=\"%.9g\"", row->label, comma,
			 rspb_json_real(step, "seconds"));
		print_value(out, name, label, rspb_json_real(step, "count"));
	}
	snprintf(label, sizeof(label), "%s%sle=\"+Inf\"", row->label, comma);
	print_value(out, name, label, count);
	snprintf(name, sizeof(name), "%s_sum", row->name);
	print_value(out, name, row->label, rspb_json_real(of, "sum"));
	snprintf(name, sizeof(name), "%s_count", row->name);
	print_value(out, name, row->label, count);
}

static bool is_first(const struct row *row, const struct row *list)
{
	return row == list || strcmp(row[-1].name, row->name);
}

static void print_times(FILE *out, json_object *stats)
{
	for (size_t i = 0; i < COUNT(times); i++) {
		if (is_first(&times[i], times))
			print_head(out, times[i].name, times[i].type, times[i].help);
		print_buckets(out, &times[i], at_path(stats, times[i].path));
	}
	for (size_t i = 0; i < COUNT(times); i++) {
		char name[LABEL];

		snprintf(name, sizeof(name), "%.*s_longest_seconds",
			 (int) (strrchr(times[i].name, '_') - times[i].name), times[i].name);
		if (is_first(&times[i], times))
			print_head(out, name, "gauge", "The longest of these times.");
		print_value(out, name, times[i].label,
			    rspb_json_real(at_path(stats, times[i].path), "longest"));
	}
}

/* Print a value of each object of a list, with a label for its name, or its place where it has none.
 * Objects without that member have no value: a cluster without GPUs has none for them. */
static void print_each(FILE *out, const struct row *row, json_object *list)
{
	size_t n = list ? json_object_array_length(list) : 0;
	char label[LABEL], place[24];
	json_object *value;

	print_head(out, row->name, row->type, row->help);
	for (size_t i = 0; i < n; i++) {
		json_object *one = json_object_array_get_idx(list, i);
		bool named = json_object_object_get_ex(one, "name", NULL);

		if (!json_object_object_get_ex(one, row->path, &value))
			continue;
		snprintf(place, sizeof(place), "%zu", i);
		label_with(row->label, named ? rspb_json_text(one, "name") : place, label);
		print_value(out, row->name, label, json_object_get_double(value));
	}
}

static void print_load(FILE *out, json_object *stats)
{
	static const struct row rows_of[] = {
		{ "rspb_calendar_booked_ratio", "gauge",
		  "Part of the node-hours of a day that is booked; day 0 is the rest of today.",
		  "booked", "day" },
		{ "rspb_calendar_booked_gpu_ratio", "gauge",
		  "Part of the GPU-hours of a day that is booked.", "gpus", "day" },
	};

	for (size_t k = 0; k < COUNT(rows_of); k++)
		print_each(out, &rows_of[k], rspb_json_list(stats, "load"));
}

/* Print what bookings have now of GPUs, licenses and memory, and how much of these there is. */
static void print_taken(FILE *out, json_object *stats)
{
	static const struct row gpus[] = {
		{ "rspb_booked_gpus", "gauge",
		  "GPUs of bookings whose time slot has begun, by type.", "booked", "type" },
		{ "rspb_gpus", "gauge", "GPUs of the cluster, by type.", "all", "type" },
	};
	static const struct row licenses[] = {
		{ "rspb_booked_licenses", "gauge",
		  "Licenses of bookings whose time slot has begun.", "booked", "license" },
		{ "rspb_licenses", "gauge", "Licenses of the cluster.", "all", "license" },
	};
	static const struct row memory[] = {
		{ "rspb_booked_memory_bytes", "gauge",
		  "Memory of bookings whose time slot has begun; whole nodes count with all.",
		  "mem", "" },
		{ "rspb_memory_bytes", "gauge", "Memory of the nodes.", "all_mem", "" },
	};
	json_object *taken = rspb_json_get(stats, "taken");

	for (size_t i = 0; i < COUNT(gpus); i++)
		print_each(out, &gpus[i], rspb_json_list(taken, "gpus"));
	for (size_t i = 0; i < COUNT(licenses); i++)
		print_each(out, &licenses[i], rspb_json_list(taken, "licenses"));
	for (size_t i = 0; i < COUNT(memory); i++) {
		print_head(out, memory[i].name, memory[i].type, memory[i].help);
		if (taken)
			print_value(out, memory[i].name, "",
				    rspb_json_real(taken, memory[i].path) * MIB);
	}
}

static void print_leads(FILE *out, json_object *stats)
{
	static const char name[] = "rspb_lead_seconds";
	json_object *leads = rspb_json_list(stats, "leads");
	char label[LABEL];

	print_head(out, name, "gauge",
		   "Time until so many nodes are free for an hour; no value if they are not "
		   "available.");
	for (size_t i = 0; leads && i < json_object_array_length(leads); i++) {
		json_object *lead = json_object_array_get_idx(leads, i);

		snprintf(label, sizeof(label), "nodes=\"%lld\"",
			 (long long) rspb_json_int(lead, "nodes"));
		if (json_object_object_get_ex(lead, "seconds", NULL))
			print_value(out, name, label, rspb_json_real(lead, "seconds"));
	}
}

static void print_users(FILE *out, json_object *stats)
{
	json_object *users = rspb_json_list(stats, "users");
	char label[LABEL], name[RSPB_OUTPUT_CELL];

	for (size_t i = 0; i < COUNT(user_rows); i++) {
		print_head(out, user_rows[i].name, user_rows[i].type, user_rows[i].help);
		for (size_t k = 0; users && k < json_object_array_length(users); k++) {
			json_object *user = json_object_array_get_idx(users, k);

			rspb_output_user(rspb_json_int(user, "uid"), name);
			label_with("user", name, label);
			print_value(out, user_rows[i].name, label,
				    rspb_json_real(user, user_rows[i].path));
		}
	}
}

void rspb_prometheus_print(FILE *out, json_object *answer, bool users)
{
	json_object *stats = NULL;

	if (answer)
		json_object_object_get_ex(answer, "stats", &stats);
	print_head(out, "rspb_up", "gauge",
		   "1 if slurmctld answered; the other metrics are present only then.");
	print_value(out, "rspb_up", "", stats != NULL);
	print_head(out, "rspb_client_build_info", "gauge",
		   "The release of the program that serves these metrics.");
	print_value(out, "rspb_client_build_info", "version=\"" PACKAGE_VERSION "\"", 1);
	if (!stats)
		return;
	print_rows(out, stats);
	print_load(out, stats);
	print_taken(out, stats);
	print_leads(out, stats);
	print_times(out, stats);
	if (users)
		print_users(out, stats);
}
