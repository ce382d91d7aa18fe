/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb list: bookings and requests, a line each. Which may be seen slurmctld decides. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"

#define ROW "%-10s %-10s %-16s %-19s %-19s %7s %6s %8s "

/* Columns that are left out where no booking of a list has a value for them. */
struct columns {
	bool mem, licenses;
};

static struct columns columns_of(json_object *list)
{
	struct columns columns = { false, false };

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);

		columns.mem |= json_object_object_get_ex(one, "mem", NULL);
		columns.licenses |= json_object_object_get_ex(one, "licenses", NULL);
	}
	return columns;
}

/* Print the cells after those of each list, up to the benefit. */
static void print_rest(struct columns columns, const char *mem, const char *licenses,
		       const char *benefit)
{
	if (columns.mem)
		printf("%7s ", mem);
	if (columns.licenses)
		printf("%12s ", *licenses ? licenses : "-");
	printf("%7s  ", benefit);
}

static void print_head(json_object *list, struct columns columns)
{
	char start[RSPB_OUTPUT_CELL], zone[RSPB_OUTPUT_CELL];

	snprintf(start, sizeof(start), "START (%.20s)",
		 rspb_output_zones(list, "start", "end", zone));
	printf(ROW, "JOB", "USER", "STATE", start, "END", "NODES", "SHARE", "GPUS");
	print_rest(columns, "MEM", "LICENSES", "BENEFIT");
	puts("NODELIST(REASON)");
}

/* "12c", or "8-12c" where its nodes give different numbers of cores. */
static void print_cores(json_object *booking, char share[RSPB_OUTPUT_CELL])
{
	int64_t usual = rspb_json_int(booking, "cores"), least = usual, most = usual;
	json_object *nodes;

	for (size_t i = 0; json_object_object_get_ex(booking, "by_node", &nodes) &&
			   i < json_object_array_length(nodes);
	     i++) {
		int64_t cores = rspb_json_int(json_object_array_get_idx(nodes, i), "cores");

		/* A whole node of another component has none. */
		if (!cores)
			continue;
		least = !least || cores < least ? cores : least;
		most = cores > most ? cores : most;
	}
	if (least < most)
		snprintf(share, RSPB_OUTPUT_CELL, "%" PRId64 "-%" PRId64 "c", least, most);
	else if (usual)
		snprintf(share, RSPB_OUTPUT_CELL, "%" PRId64 "c", usual);
}

static void print_row(json_object *booking, struct columns columns)
{
	char job[RSPB_OUTPUT_CELL], user[RSPB_OUTPUT_CELL] = "-", start[RSPB_OUTPUT_CELL],
				    end[RSPB_OUTPUT_CELL], nodes[RSPB_OUTPUT_CELL],
				    share[RSPB_OUTPUT_CELL] = "-", benefit[RSPB_OUTPUT_CELL] = "-",
				    gpus[RSPB_OUTPUT_CELL], mem[RSPB_OUTPUT_CELL];
	const char *names = rspb_json_text(booking, "names");
	const char *remark = rspb_json_text(booking, "remark");
	char state[RSPB_OUTPUT_CELL], *said, *offers;
	bool mine = json_object_object_get_ex(booking, "uid", NULL);

	if (mine)
		rspb_output_user(rspb_json_int(booking, "uid"), user);
	rspb_output_id(booking, job);
	if (json_object_object_get_ex(booking, "share", NULL))
		snprintf(share, sizeof(share), "%g%%", rspb_json_real(booking, "share"));
	else
		print_cores(booking, share);
	if (json_object_object_get_ex(booking, "benefit", NULL))
		snprintf(benefit, sizeof(benefit), "%.2f", rspb_json_real(booking, "benefit"));
	printf(ROW, job, user, rspb_output_state(booking, state),
	       rspb_output_time(rspb_json_int(booking, "start"), start),
	       rspb_output_time(rspb_json_int(booking, "end"), end),
	       rspb_output_nodes(booking, nodes), share, rspb_output_gpus(booking, gpus));
	print_rest(columns, rspb_output_mem(booking, mem), rspb_json_text(booking, "licenses"),
		   benefit);
	said = rspb_output_local(*remark ? remark : rspb_json_text(booking, "reason"));
	/* Other offers would make it a line of three. */
	offers = said ? strstr(said, "; on offer: ") : NULL;
	if (offers && !*names)
		*offers = '\0';
	/* Print a booking that needs attention. */
	if (*names)
		printf(*remark ? "%s !%s\n" : "%s\n", names, said ? said : "");
	else if (!strcmp(state, "declined") && said && !strstr(said, "rspb "))
		printf("(%s; rspb offers %s)\n", said, job);
	else
		printf("(%s)\n", said ? said : "");
	free(said);
}

/* The request for a list, and its answer. */
struct listing {
	bool all, ended;
	json_object *list;
};

static void fill(void *arg, json_object *question)
{
	const struct listing *listing = arg;

	rspb_json_put_bool(question, "all", listing->all);
	rspb_json_put_bool(question, "ended", listing->ended);
}

static void take_answer(void *arg, json_object *answer)
{
	struct listing *listing = arg;

	rspb_answer_append(answer, "bookings", listing->list);
}

int rspb_list_read(const struct rspb_command *command, bool all, bool ended, json_object *list)
{
	struct listing listing = { all, ended, list };
	const struct rspb_command_pages pages = { "list", fill, take_answer, &listing };
	struct rspb_client client;
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	rc = rspb_command_read(&client, command, &pages);
	rspb_client_fini(&client);
	return rc;
}

static bool same_series(json_object *a, json_object *b)
{
	return !strcmp(rspb_json_text(a, "series"), rspb_json_text(b, "series")) &&
	       rspb_json_int(a, "uid") == rspb_json_int(b, "uid");
}

/* Whether this is the first of several bookings of a series. */
static bool is_first(json_object *list, size_t at)
{
	json_object *booking = json_object_array_get_idx(list, at);

	for (size_t i = 0; i < at; i++)
		if (same_series(json_object_array_get_idx(list, i), booking))
			return false;
	return true;
}

/* A series as one: from its first start to its last end, and how many of it are
 * as its first one is. */
static void print_series(json_object *list, json_object *first, struct columns columns)
{
	const char *state = rspb_json_text(first, "state");
	char user[RSPB_OUTPUT_CELL] = "-", start[RSPB_OUTPUT_CELL], end[RSPB_OUTPUT_CELL],
	     nodes[RSPB_OUTPUT_CELL], gpus[RSPB_OUTPUT_CELL], mem[RSPB_OUTPUT_CELL], states[48];
	int64_t begin = rspb_json_int(first, "start"), last = 0;
	int n = 0, alike = 0;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);
		int64_t until = rspb_json_int(one, "end");

		if (!same_series(one, first))
			continue;
		n++;
		alike += !strcmp(rspb_json_text(one, "state"), state);
		last = until > last ? until : last;
	}
	if (json_object_object_get_ex(first, "uid", NULL))
		rspb_output_user(rspb_json_int(first, "uid"), user);
	if (alike == n)
		snprintf(states, sizeof(states), "%s", state);
	else
		snprintf(states, sizeof(states), "%d of %d %s", alike, n, state);
	printf(ROW, rspb_json_text(first, "series"), user, states, rspb_output_time(begin, start),
	       rspb_output_time(last, end), rspb_output_nodes(first, nodes), "-",
	       rspb_output_gpus(first, gpus));
	print_rest(columns, rspb_output_mem(first, mem), rspb_json_text(first, "licenses"), "-");
	printf("(series of %d)\n", n);
}

void rspb_list_print(json_object *list)
{
	struct columns columns = columns_of(list);

	print_head(list, columns);
	for (size_t i = 0; i < json_object_array_length(list); i++)
		print_row(json_object_array_get_idx(list, i), columns);
}

static void print_all(const struct rspb_command *command, json_object *list)
{
	struct columns columns = columns_of(list);
	json_object *object;

	if (command->json) {
		object = json_object_new_object();
		rspb_json_put_int(object, "version", 1);
		rspb_json_put(object, "bookings", json_object_get(list));
		rspb_output_json(object);
		return;
	}
	print_head(list, columns);
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);

		if (!*rspb_json_text(one, "series"))
			print_row(one, columns);
		else if (is_first(list, i))
			print_series(list, one, columns);
	}
}

int rspb_command_list(const struct rspb_command *command)
{
	static const struct option options[] = { { "all", no_argument, NULL, 'a' },
						 { "ended", no_argument, NULL, 'e' },
						 { NULL } };
	bool all = false, ended = false;
	json_object *list;
	int c, rc;

	while ((c = getopt_long(command->argc, command->argv, "ae", options, NULL)) != -1) {
		if (c == '?')
			return RSPB_EXIT_USAGE;
		*(c == 'a' ? &all : &ended) = true;
	}
	if (optind < command->argc)
		return rspb_command_misused(command, "unexpected argument %s",
					    command->argv[optind]);
	list = json_object_new_array();
	rc = rspb_list_read(command, all, ended, list);
	if (!rc)
		print_all(command, list);
	json_object_put(list);
	return rc;
}
