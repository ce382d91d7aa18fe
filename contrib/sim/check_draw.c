/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A schedule over time: how many nodes are in use, and as a document for the calendar page. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/check_read.h"
#include "contrib/sim/jsonl/out.h"

/* Nodes that are taken or released, by bookings and by regular jobs. */
struct change {
	int64_t time;
	double booked, regular;
};

static int by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	return (a->time > b->time) - (a->time < b->time);
}

/* RET two changes for each that had nodes, by time, which the caller frees; NULL: out of
 * memory. */
static struct change *list_changes(const struct check *check, size_t *n)
{
	struct change *changes = calloc(2 * check->n_kept + 1, sizeof(*changes));

	*n = 0;
	for (size_t i = 0; changes && i < check->n_kept; i++) {
		const struct check_kept *kept = &check->kept[i];
		double nodes = check_granted(check, kept->booking);
		double booked = kept->regular ? 0 : nodes, regular = kept->regular ? nodes : 0;

		if (kept->ended <= kept->booking->start)
			continue;
		changes[(*n)++] = (struct change){ kept->booking->start, booked, regular };
		changes[(*n)++] = (struct change){ kept->ended, -booked, -regular };
	}
	if (changes && *n)
		qsort(changes, *n, sizeof(*changes), by_time);
	return changes;
}

static void print_use(const struct change *now, bool json)
{
	/* Sums of parts come back to nothing. */
	double booked = now->booked > 1e-9 ? now->booked : 0;
	double regular = now->regular > 1e-9 ? now->regular : 0;

	printf(json ? "{\"time\":%" PRId64 ",\"booked\":%.9g,\"regular\":%.9g}\n"
		    : "%" PRId64 ",%.9g,%.9g\n",
	       now->time, booked, regular);
}

int check_print_use(const struct check *check, bool json, struct rspb_err *err)
{
	struct change sum = { 0, 0, 0 };
	size_t n;
	struct change *changes = list_changes(check, &n);

	if (!changes)
		return rspb_fail(err, "out of memory");
	if (!json)
		puts("time,booked,regular");
	for (size_t i = 0; i < n; i++) {
		sum.time = changes[i].time;
		sum.booked += changes[i].booked;
		sum.regular += changes[i].regular;
		if (i + 1 == n || changes[i + 1].time != sum.time)
			print_use(&sum, json);
	}
	free(changes);
	return fflush(stdout) ? rspb_fail(err, "stdout: %s", strerror(errno)) : 0;
}

/* RET an object of what is drawn of one, to be put; NULL: out of memory. */
static struct json_object *box_of(const struct check *check, const struct check_kept *kept,
				  int64_t began)
{
	const struct rspb_booking *b = kept->booking;
	const struct rspb_request *request = b->request;
	struct rspb_nodeset *nodes = rspb_nodeset_create(check->width);
	struct json_object *box = nodes ? json_object_new_object() : NULL;
	size_t size = 0;
	char *on = NULL, id[40];

	if (box) {
		rspb_booking_cover(b, nodes);
		size = rspb_nodeset_print(nodes, NULL, 0) + 1;
		on = malloc(size);
	}
	if (on) {
		rspb_nodeset_print(nodes, on, size);
		rspb_json_put_int(box, "start", b->start + began);
		rspb_json_put_int(box, "end", kept->ended + began);
		rspb_json_put_text(box, "on", on);
	}
	if (on && kept->regular)
		rspb_json_put_text(box, "kind", "job");
	if (on && !kept->regular) {
		snprintf(id, sizeof(id), "rspb_%" PRIu64, request->id);
		rspb_json_put_text(box, "id", id);
		rspb_json_put_int(box, "job", (int64_t) request->id);
		rspb_json_put_int(box, "uid", request->user);
		snprintf(id, sizeof(id), "%" PRIu32, request->user);
		rspb_json_put_text(box, "user", id);
		rspb_json_put_text(box, "state", "booked");
		rspb_json_put_int(box, "ready", request->ready + began);
		rspb_json_put_int(box, "deadline", request->deadline + began);
		rspb_json_put_int(box, "duration", request->duration);
		rspb_json_put_int(box, "nodes_asked", (int64_t) request->parts[0].nodes);
		rspb_json_put_int(box, "nodes", rspb_nodeset_count(nodes));
		sim_put_real(box, "benefit", rspb_ratio_double(b->benefit));
	}
	rspb_nodeset_destroy(nodes);
	if (on)
		free(on);
	else
		json_object_put(box);
	return on ? box : NULL;
}

static struct json_object *names_of(const struct check *check)
{
	struct json_object *names = json_object_new_array();
	char name[24];

	for (uint32_t n = 0; n < check->width; n++) {
		snprintf(name, sizeof(name), "n%" PRIu32, n);
		json_object_array_add(names, json_object_new_string(name));
	}
	return names;
}

int check_print_timeline(const struct check *check, int64_t began, struct rspb_err *err)
{
	struct json_object *document = json_object_new_object();
	struct json_object *bookings = json_object_new_array(), *others = json_object_new_array();
	int64_t first = INT64_MAX;
	int rc = 0;

	for (size_t i = 0; !rc && i < check->n_kept; i++) {
		const struct check_kept *kept = &check->kept[i];
		struct json_object *box;

		if (kept->ended <= kept->booking->start)
			continue;
		box = box_of(check, kept, began);
		rc = box ? 0 : rspb_fail(err, "out of memory");
		json_object_array_add(kept->regular ? others : bookings, box);
		first = kept->booking->start < first ? kept->booking->start : first;
	}
	rspb_json_put_int(document, "version", 1);
	rspb_json_put_text(document, "cluster", "schedule");
	rspb_json_put_text(document, "zone", "Etc/UTC");
	rspb_json_put(document, "nodes", names_of(check));
	rspb_json_put(document, "bookings", bookings);
	rspb_json_put(document, "others", others);
	rspb_json_put_int(document, "time", (first == INT64_MAX ? 0 : first) + began);
	if (!rc) {
		sim_print(stdout, document);
		putchar('\n');
	}
	json_object_put(document);
	return !rc && fflush(stdout) ? rspb_fail(err, "stdout: %s", strerror(errno)) : rc;
}
