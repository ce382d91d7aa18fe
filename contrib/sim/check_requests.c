/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The requests of a schedule, one a row, for those who plot. */
#include "contrib/sim/check_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/jsonl/out.h"

/* The nodes of a request, a share as the part of a node that it is. */
static double wanted(const struct check *check, const struct rspb_booking *b)
{
	const struct rspb_request *request = b->request;
	double sum = 0;

	if (request->n_forms)
		return rspb_request_form(request).nodes;
	for (uint32_t i = 0; i < request->n_parts; i++) {
		const struct rspb_part *part = &request->parts[i];

		if (sim_sums_is_link(&check->sums, part))
			continue;
		sum += part->nodes *
		       (part->share ? (double) part->share / (double) rspb_part_whole(part) : 1);
	}
	return sum;
}

double check_granted(const struct check *check, const struct rspb_booking *b)
{
	double sum = 0;

	for (uint32_t i = 0; i < b->n_grants; i++)
		if (!sim_sums_is_link(&check->sums, &b->request->parts[i]))
			sum += rspb_grant_nodes(&b->request->parts[i], &b->grants[i]);
	return sum;
}

/* RET a line with the columns of a request, to be put; NULL: out of memory. */
static struct json_object *line_of(const struct check *check, const struct rspb_booking *b)
{
	const struct rspb_request *request = b->request;
	struct rspb_nodeset *nodes = rspb_nodeset_create(check->width);
	struct json_object *line = NULL;
	bool booked = b->n_grants > 0;
	char *text = NULL;
	size_t size;

	if (nodes) {
		rspb_booking_cover(b, nodes);
		size = rspb_nodeset_print(nodes, NULL, 0) + 1;
		text = malloc(size);
	}
	if (text && (line = json_object_new_object())) {
		rspb_nodeset_print(nodes, text, size);
		rspb_json_put_int(line, "id", (int64_t) request->id);
		rspb_json_put_int(line, "asked", request->arrival);
		rspb_json_put_int(line, "ready", request->ready);
		rspb_json_put_int(line, "deadline", request->deadline);
		rspb_json_put_int(line, "duration", request->duration);
		rspb_json_put_int(line, "priority", request->priority);
		sim_put_real(line, "wanted", wanted(check, b));
		rspb_json_put_int(line, "decided", b->decided_at);
		rspb_json_put_text(line, "state", booked ? "booked" : "declined");
		if (booked) {
			rspb_json_put_int(line, "start", b->start);
			rspb_json_put_int(line, "end", b->end);
		}
		sim_put_real(line, "grant", check_granted(check, b));
		sim_put_real(line, "worth", booked ? rspb_ratio_double(b->benefit) : 0);
		rspb_json_put_text(line, "nodes", text);
	}
	rspb_nodeset_destroy(nodes);
	free(text);
	return line;
}

/* The columns of CSV; the one with commas is last. */
static const char *const columns[] = { "id",	   "asked",  "ready",	"deadline", "duration",
				       "priority", "wanted", "decided", "state",    "start",
				       "end",	   "grant",  "worth",	"nodes" };
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void print_csv(struct json_object *line)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		struct json_object *value = json_object_object_get(line, columns[i]);

		fputs(i ? "," : "", stdout);
		if (i + 1 == COLUMNS)
			printf("\"%s\"", json_object_get_string(value));
		else if (json_object_is_type(value, json_type_string))
			fputs(json_object_get_string(value), stdout);
		else if (value)
			sim_print(stdout, value);
	}
}

static int print_row(const struct check *check, const struct rspb_booking *b, bool json,
		     struct rspb_err *err)
{
	struct json_object *line = line_of(check, b);

	if (!line)
		return rspb_fail(err, "out of memory");
	if (json)
		sim_print(stdout, line);
	else
		print_csv(line);
	putchar('\n');
	json_object_put(line);
	return 0;
}

static int by_id(const void *left, const void *right)
{
	const struct rspb_booking *a = *(struct rspb_booking *const *) left;
	const struct rspb_booking *b = *(struct rspb_booking *const *) right;

	return a->request->id < b->request->id ? -1 : a->request->id > b->request->id;
}

int check_print_requests(const struct check *check, bool json, struct rspb_err *err)
{
	size_t n = 0;
	struct rspb_booking **all = calloc(check->n_kept + check->n_declined + 1,
					   sizeof(struct rspb_booking *));
	int rc = all ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; all && i < check->n_kept; i++)
		if (!check->kept[i].regular)
			all[n++] = check->kept[i].booking;
	for (size_t i = 0; all && i < check->n_declined; i++)
		all[n++] = check->declined[i];
	if (all)
		qsort(all, n, sizeof(*all), by_id);
	for (size_t i = 0; !rc && !json && i < COLUMNS; i++)
		printf("%s%s", columns[i], i + 1 < COLUMNS ? "," : "\n");
	for (size_t i = 0; !rc && i < n; i++)
		rc = print_row(check, all[i], json, err);
	free(all);
	if (!rc && fflush(stdout))
		rc = rspb_fail(err, "stdout: %s", strerror(errno));
	return rc;
}
