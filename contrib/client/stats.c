/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb stats: prints what slurmctld has counted. It counts nothing itself. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/words.h"

enum { BAR = 40 };

/* The options that the user typed. */
struct wish {
	bool users;
	int64_t days; /* 0: not said */
};

/* --- for people -------------------------------------------------------------- */

static double per_cent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void print_refused(FILE *out, json_object *refused)
{
	const char *lead = "; refused: ";

	json_object_object_foreach(refused, key, value)
	{
		if (!json_object_get_int64(value))
			continue;
		fprintf(out, "%s%" PRId64 " %s", lead, json_object_get_int64(value), key);
		lead = ", ";
	}
	fputc('\n', out);
}

/* Where there were any: what would have become of requests (Mode=observe). */
static void print_observed(FILE *out, json_object *of)
{
	double booked = rspb_json_real(of, "booked"), decided = rspb_json_real(of, "decided");

	if (!decided)
		return;
	fprintf(out, "observed    %.0f, %.0f would be booked (%.0f %%)", decided, booked,
		per_cent(booked, decided));
	print_refused(out, rspb_json_get(of, "refused"));
}

/* Print "a100 2 of 8" of each object of a list, after the lead; nothing of an empty one. */
static void print_amounts(FILE *out, json_object *list, const char *lead)
{
	size_t n = list ? json_object_array_length(list) : 0;

	for (size_t i = 0; i < n; i++) {
		json_object *one = json_object_array_get_idx(list, i);
		const char *name = rspb_json_text(one, "name");

		fprintf(out, "%s%s%s%" PRId64, i ? ", " : lead, name, *name ? " " : "",
			rspb_json_int(one, "booked"));
		/* Licenses can be without number. */
		if (json_object_object_get_ex(one, "all", NULL))
			fprintf(out, " of %" PRId64, rspb_json_int(one, "all"));
	}
}

/* Print what bookings have at this time besides nodes. */
static void print_taken(FILE *out, json_object *stats)
{
	json_object *taken = rspb_json_get(stats, "taken");

	/* Users who may not see nodes are not told. */
	if (!taken)
		return;
	fprintf(out, "active      memory %.1f of %.1f GiB", rspb_json_real(taken, "mem") / 1024,
		rspb_json_real(taken, "all_mem") / 1024);
	print_amounts(out, rspb_json_list(taken, "gpus"), "; GPUs: ");
	print_amounts(out, rspb_json_list(taken, "licenses"), "; licenses: ");
	fputc('\n', out);
}

static void print_totals(FILE *out, json_object *stats)
{
	json_object *t = rspb_json_get(stats, "totals"), *now = rspb_json_get(stats, "bookings");
	double booked = rspb_json_real(t, "booked"), decided = rspb_json_real(t, "decided"),
	       benefit = rspb_json_real(t, "benefit"),
	       hours = rspb_json_real(t, "node_seconds_booked") / 3600,
	       used = rspb_json_real(t, "node_seconds_used") / 3600;
	char since[RSPB_OUTPUT_CELL];

	fprintf(out, "since       %s\n", rspb_output_time(rspb_json_int(stats, "since"), since));
	fprintf(out, "requests    %.0f decided, %.0f booked (%.0f %%)", decided, booked,
		per_cent(booked, decided));
	print_refused(out, rspb_json_get(t, "refused"));
	print_observed(out, rspb_json_get(t, "observed"));
	fprintf(out, "benefit     %.2f of %.0f (%.0f %%), %.2f a booking\n", benefit, decided,
		per_cent(benefit, decided), booked > 0 ? benefit / booked : 0);
	fprintf(out,
		"now         %" PRId64 " booked, %" PRId64 " active, %" PRId64
		" waiting or declined\n",
		rspb_json_int(now, "booked"), rspb_json_int(now, "active"),
		rspb_json_int(now, "waiting"));
	fprintf(out,
		"ended       %" PRId64 " completed, %" PRId64 " terminated, %" PRId64
		" cancelled; %" PRId64 " not used\n",
		rspb_json_int(t, "completed"), rspb_json_int(t, "terminated"),
		rspb_json_int(t, "cancelled"), rspb_json_int(t, "no_shows"));
	print_taken(out, stats);
	fprintf(out, "node-hours  %.1f booked, %.1f used (%.0f %%), %.1f charged\n", hours, used,
		per_cent(used, hours), rspb_json_real(t, "node_seconds_charged") / 3600);
}

/* "0.0123", in what can be read. */
static const char *as_time(double seconds, char buf[RSPB_OUTPUT_CELL])
{
	if (seconds < 0.01)
		snprintf(buf, RSPB_OUTPUT_CELL, "%.2f ms", seconds * 1000);
	else if (seconds < 1)
		snprintf(buf, RSPB_OUTPUT_CELL, "%.0f ms", seconds * 1000);
	else
		snprintf(buf, RSPB_OUTPUT_CELL, "%.1f s", seconds);
	return buf;
}

static void print_times(FILE *out, json_object *stats)
{
	static const char *const titles[][2] = {
		{ "decision", "to a decision" },     { "batch", "deciding a batch" },
		{ "lock_read", "locks to read" },    { "lock_write", "locks to write" },
		{ "journal_sync", "journal syncs" },
	};
	char mean[RSPB_OUTPUT_CELL], p99[RSPB_OUTPUT_CELL], longest[RSPB_OUTPUT_CELL];

	fprintf(out, "\n%-18s %10s %10s %10s %10s\n", "TIME", "COUNT", "MEAN", "99 OF 100",
		"LONGEST");
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		json_object *of = rspb_json_get(rspb_json_get(stats, "times"), titles[i][0]);
		double n = rspb_json_real(of, "count");

		as_time(n > 0 ? rspb_json_real(of, "sum") / n : 0, mean);
		as_time(rspb_json_real(of, "p99"), p99);
		as_time(rspb_json_real(of, "longest"), longest);
		fprintf(out, "%-18s %10.0f %10s %10s %10s\n", titles[i][1], n, mean, p99, longest);
	}
}

static void print_load(FILE *out, json_object *stats)
{
	json_object *days = rspb_json_list(stats, "load");
	char from[RSPB_OUTPUT_CELL], bar[BAR + 1];
	bool gpus = false;

	if (days && json_object_array_length(days))
		gpus = json_object_object_get_ex(json_object_array_get_idx(days, 0), "gpus", NULL);
	fprintf(out, gpus ? "\n%-18s %10s %10s\n" : "\n%-18s %10s\n", "DAY", "BOOKED", "GPUS");
	for (size_t i = 0; days && i < json_object_array_length(days); i++) {
		json_object *day = json_object_array_get_idx(days, i);
		double booked = rspb_json_real(day, "booked");
		int length = (int) (booked * BAR + 0.5);

		length = length < 0 ? 0 : length > BAR ? BAR : length;
		memset(bar, '#', (size_t) length);
		bar[length] = '\0';
		rspb_output_time(rspb_json_int(day, "from"), from);
		fprintf(out, "%-18.10s %8.1f %%", from, 100 * booked);
		if (gpus)
			fprintf(out, " %8.1f %%", 100 * rspb_json_real(day, "gpus"));
		fprintf(out, "%s%s\n", length ? "  " : "", bar);
	}
}

static void print_leads(FILE *out, json_object *stats)
{
	json_object *leads = rspb_json_list(stats, "leads"), *in;
	char text[RSPB_OUTPUT_CELL];

	fprintf(out, "\n%-18s %10s\n", "NODES FOR 1 H", "EARLIEST IN");
	for (size_t i = 0; leads && i < json_object_array_length(leads); i++) {
		json_object *lead = json_object_array_get_idx(leads, i);

		if (json_object_object_get_ex(lead, "seconds", &in))
			rspb_output_duration(json_object_get_int64(in), text);
		else
			snprintf(text, sizeof(text), "never");
		fprintf(out, "%-18" PRId64 " %11s\n", rspb_json_int(lead, "nodes"), text);
	}
}

static void print_user(FILE *out, json_object *user)
{
	char name[RSPB_OUTPUT_CELL];

	fprintf(out, "%-12s %8" PRId64 " %8" PRId64 " %8.2f %8" PRId64 " %10.1f %10.1f %10.1f\n",
		rspb_output_user(rspb_json_int(user, "uid"), name), rspb_json_int(user, "decided"),
		rspb_json_int(user, "booked"), rspb_json_real(user, "benefit"),
		rspb_json_int(user, "no_shows"), rspb_json_real(user, "node_seconds_booked") / 3600,
		rspb_json_real(user, "node_seconds_used") / 3600,
		rspb_json_real(user, "node_seconds_charged") / 3600);
}

/* One's own, or all. */
static void print_users(FILE *out, json_object *stats, bool all)
{
	json_object *users = rspb_json_list(stats, "users");

	fprintf(out, "\n%-12s %8s %8s %8s %8s %10s %10s %10s\n", "USER", "DECIDED", "BOOKED",
		"BENEFIT", "NOT USED", "NODE-HOURS", "USED", "CHARGED");
	for (size_t i = 0; users && i < json_object_array_length(users); i++) {
		json_object *user = json_object_array_get_idx(users, i);

		if (all || (uid_t) rspb_json_int(user, "uid") == geteuid())
			print_user(out, user);
	}
}

/* --- the command ------------------------------------------------------------- */

static void print(const struct rspb_command *command, const struct wish *wish, json_object *answer)
{
	json_object *stats = rspb_json_get(answer, "stats");

	if (command->json) {
		printf("%s\n",
		       json_object_to_json_string_ext(answer,
						      JSON_C_TO_STRING_PRETTY |
							      JSON_C_TO_STRING_NOSLASHESCAPE));
		return;
	}
	print_totals(stdout, stats);
	print_users(stdout, stats, wish->users);
	print_load(stdout, stats);
	print_leads(stdout, stats);
	print_times(stdout, stats);
}

static int set(int option, void *to, struct rspb_err *err)
{
	struct wish *wish = to;

	if (option == 'u') {
		wish->users = true;
		return 0;
	}
	if (!rspb_words_count(optarg, &wish->days, err) && wish->days <= 366)
		return 0;
	return rspb_fail(err, "--days=%s: allowed are 1 to 366", optarg);
}

int rspb_command_stats(const struct rspb_command *command)
{
	static const struct option options[] = { { "users", no_argument, NULL, 'u' },
						 { "days", required_argument, NULL, 'd' },
						 { NULL } };
	struct wish wish = { .users = false };
	json_object *question, *answer = NULL;
	int rc;

	if (!rspb_command_options(command, "ud:", options, set, &wish))
		return RSPB_EXIT_USAGE;
	question = rspb_command_question("stats");
	if (wish.days)
		rspb_json_put_int(question, "days", wish.days);
	rc = rspb_command_ask(command, question, &answer);
	if (rc)
		return rc;
	print(command, &wish, answer);
	json_object_put(answer);
	return RSPB_EXIT_DONE;
}
