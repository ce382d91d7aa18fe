/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A schedule looked through without the engine's calendars: nodes one by one, in
 * the order of the starts.
 */
#include "contrib/sim/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "contrib/sim/jsonl/lines.h"
#include "contrib/sim/jsonl/out.h"
#include "contrib/sim/jsonl/read.h"
#include "contrib/sim/jsonl/status.h"

enum { SHOWN = 10, MOST_NODES = 1 << 24, MOST_BOOKINGS = 1 << 26 };

/* A share that lies on a node until then. */
struct guest {
	int64_t end, share;
};

struct node {
	int64_t capacity;
	int64_t busy; /* held whole until then, by ... */
	uint64_t by;
	struct guest *guests; /* owned */
	size_t n, room;
};

struct check {
	uint32_t width;
	struct node *nodes; /* owned */
	bool shares;
	struct rspb_booking **kept; /* owned */
	size_t n_kept, kept_room;
	char *promised; /* owned, by id: 'b'ooked, 'd'eclined, 'k'ept */
	size_t promised_room;
	size_t requests, faults;
};

static void complain(struct check *check, uint64_t id, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void complain(struct check *check, uint64_t id, const char *fmt, ...)
{
	va_list args;

	if (check->faults++ >= SHOWN)
		return;
	printf("request %" PRIu64 ": ", id);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

/* --- reading --- */

static int read_machine(struct check *check, const struct sim_record *record,
			struct json_object *value, struct rspb_err *err)
{
	struct sim_record machine = *record;
	struct json_object *capacity;
	int64_t nodes;

	machine.object = value;
	machine.within = "machine.";
	if (check->width)
		return sim_bad(record, "machine", err, "it is said twice");
	if (sim_int(&machine, "nodes", 1, MOST_NODES, &nodes, err))
		return -1;
	check->nodes = calloc((size_t) nodes, sizeof(*check->nodes));
	if (!check->nodes)
		return rspb_fail(err, "out of memory");
	check->width = (uint32_t) nodes;
	for (uint32_t n = 0; n < check->width; n++)
		check->nodes[n].busy = INT64_MIN;
	check->shares = sim_has(&machine, "capacity");
	if (!check->shares)
		return 0;
	capacity = sim_array(&machine, "capacity", err);
	if (!capacity || json_object_array_length(capacity) != check->width)
		return sim_bad(&machine, "capacity", err,
			       "one figure a node is wanted");
	for (uint32_t n = 0; n < check->width; n++)
		if (sim_value_int(&machine, "capacity",
				  json_object_array_get_idx(capacity, n), 0,
				  INT64_MAX / 2, &check->nodes[n].capacity,
				  err))
			return -1;
	return 0;
}

static struct rspb_booking *read_booking(const struct check *check,
					 const struct sim_record *record,
					 struct json_object *value,
					 struct rspb_err *err)
{
	const char *text = sim_text(value);
	struct rspb_booking *booking;

	if (!check->width) {
		rspb_fail(err, "a booking before the machine");
		sim_at(record, err);
		return NULL;
	}
	booking = sim_read_booking(text, strlen(text), check->width, err);
	if (!booking)
		sim_at(record, err);
	return booking;
}

/* What was said of a request; room is made. RET NULL: out of memory. */
static char *promise_of(struct check *check, uint64_t id)
{
	size_t before = check->promised_room;

	if (id >= MOST_BOOKINGS ||
	    rspb_array_grow(&check->promised, &check->promised_room, id + 1, 1))
		return NULL;
	if (check->promised_room > before)
		memset(check->promised + before, 0,
		       check->promised_room - before);
	return &check->promised[id];
}

/* RET 0 or -1 with err; takes the booking. */
static int note_booking(struct check *check, struct rspb_booking *booking,
			bool kept, struct rspb_err *err)
{
	uint64_t id = booking->request->id;
	char *promise = promise_of(check, id);

	if (!promise ||
	    (kept &&
	     rspb_array_grow(&check->kept, &check->kept_room, check->n_kept + 1,
			     sizeof(struct rspb_booking *)))) {
		rspb_booking_destroy(booking);
		return rspb_fail(err, "out of memory");
	}
	if (kept) {
		if (*promise != 'b')
			complain(check, id, "it is kept and was %s",
				 *promise == 'k' ? "so already"
						 : "not promised");
		*promise = 'k';
		check->kept[check->n_kept++] = booking;
		return 0;
	}
	if (*promise)
		complain(check, id, "it is decided twice");
	*promise = booking->state == RSPB_BOOKED ? 'b' : 'd';
	check->requests++;
	rspb_booking_destroy(booking);
	return 0;
}

static int read_line(struct check *check, const char *text, size_t length,
		     struct sim_record *record, struct rspb_err *err)
{
	struct json_object *value = NULL;
	int rc = sim_line_parse(text, length, record, err);

	if (rc <= 0)
		return rc;
	rc = 0;
	if ((value = sim_get(record, "machine"))) {
		rc = read_machine(check, record, value, err);
	} else {
		bool kept = sim_has(record, "kept");
		struct rspb_booking *booking = NULL;

		value = sim_need(record, kept ? "kept" : "decided", err);
		if (value)
			booking = read_booking(check, record, value, err);
		rc = booking ? note_booking(check, booking, kept, err) : -1;
	}
	json_object_put(record->object);
	return rc;
}

static int read_file(struct check *check, const char *file,
		     struct rspb_err *err)
{
	struct sim_record record = { .file = file, .within = "" };
	FILE *in = fopen(file, "r");
	char *text = NULL;
	size_t room = 0;
	ssize_t length;
	int rc = 0;

	if (!in)
		return rspb_fail(err, "%s: %s", file, strerror(errno));
	while (!rc && (length = getline(&text, &room, in)) > 0) {
		record.line++;
		rc = read_line(check, text, (size_t) length, &record, err);
	}
	if (!rc && !check->width)
		rc = rspb_fail(err, "%s: there is no machine in it", file);
	free(text);
	fclose(in);
	return rc;
}

/* --- judging --- */

static int by_start(const void *left, const void *right)
{
	const struct rspb_booking *a = *(struct rspb_booking *const *) left;
	const struct rspb_booking *b = *(struct rspb_booking *const *) right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->request->id < b->request->id
		       ? -1
		       : a->request->id > b->request->id;
}

static void check_window(struct check *check, const struct rspb_booking *b)
{
	const struct rspb_request *request = b->request;

	if (b->start < request->ready || b->start < request->arrival ||
	    b->start < b->decided_at)
		complain(check, request->id,
			 "it starts at %" PRId64 ", before it can", b->start);
	if (b->end > request->deadline)
		complain(check, request->id,
			 "it ends at %" PRId64 ", behind its deadline", b->end);
	if (b->end - b->start != request->duration)
		complain(check, request->id, "its window has another length");
	if (b->n_grants != request->n_parts)
		complain(check, request->id, "not all of its parts are there");
}

static void check_amount(struct check *check, const struct rspb_booking *b,
			 uint32_t i)
{
	const struct rspb_part *part = &b->request->parts[i];
	const struct rspb_grant *grant = &b->grants[i];
	int64_t units = rspb_grant_units(grant);

	if (units < rspb_part_least(b->request, i) ||
	    units > rspb_part_asked(part))
		complain(check, b->request->id,
			 "part %" PRIu32 " got %" PRId64 " units", i, units);
	if (part->share && rspb_nodeset_count(grant->nodes) != part->nodes)
		complain(check, b->request->id,
			 "part %" PRIu32 " has another number of nodes", i);
	RSPB_NODESET_EACH (n, grant->nodes)
		if (!(part->fixed && rspb_nodeset_has(part->fixed, n)) &&
		    ((part->fixed && rspb_part_all_fixed(part)) ||
		     (part->eligible && !rspb_nodeset_has(part->eligible, n))))
			complain(check, b->request->id,
				 "part %" PRIu32 " may not have node %" PRIu32,
				 i, n);
}

/* RET the share of a node that is held at a time; what is over is forgotten. */
static int64_t held(struct node *node, int64_t time)
{
	int64_t sum = 0;
	size_t left = 0;

	for (size_t i = 0; i < node->n; i++)
		if (node->guests[i].end > time) {
			sum += node->guests[i].share;
			node->guests[left++] = node->guests[i];
		}
	node->n = left;
	return sum;
}

/* Put one on a node. RET 0 or -1 with err. */
static int occupy(struct check *check, const struct rspb_booking *b,
		  const struct rspb_grant *grant, uint32_t n,
		  struct rspb_err *err)
{
	struct node *node = &check->nodes[n];
	int64_t there = held(node, b->start);

	if (node->busy > b->start)
		complain(check, b->request->id,
			 "node %" PRIu32 " is request %" PRIu64
			 "'s until %" PRId64,
			 n, node->by, node->busy);
	if (grant->share ? there + grant->share > node->capacity : there > 0)
		complain(check, b->request->id,
			 "node %" PRIu32 " has no room for it beside %" PRId64,
			 n, there);
	if (!grant->share) {
		node->busy = b->end;
		node->by = b->request->id;
		return 0;
	}
	if (rspb_array_grow(&node->guests, &node->room, node->n + 1,
			    sizeof(*node->guests)))
		return rspb_fail(err, "out of memory");
	node->guests[node->n++] = (struct guest){ b->end, grant->share };
	return 0;
}

static int judge(struct check *check, struct rspb_err *err)
{
	if (check->n_kept)
		qsort(check->kept, check->n_kept, sizeof(*check->kept),
		      by_start);
	for (size_t k = 0; k < check->n_kept; k++) {
		const struct rspb_booking *b = check->kept[k];

		check_window(check, b);
		for (uint32_t i = 0; i < b->n_grants; i++) {
			check_amount(check, b, i);
			RSPB_NODESET_EACH (n, b->grants[i].nodes)
				if (occupy(check, b, &b->grants[i], n, err))
					return -1;
		}
	}
	for (size_t id = 0; id < check->promised_room; id++)
		if (check->promised[id] == 'b')
			complain(check, id, "it was booked and is not kept");
	return 0;
}

static void check_fini(struct check *check)
{
	for (size_t i = 0; i < check->n_kept; i++)
		rspb_booking_destroy(check->kept[i]);
	for (uint32_t n = 0; n < check->width; n++)
		free(check->nodes[n].guests);
	free(check->kept);
	free(check->nodes);
	free(check->promised);
}

int sim_check_main(int argc, char **argv)
{
	struct check check = { .width = 0 };
	struct rspb_err err = { "" };
	int rc;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		puts("usage: rspb-sim check FILE\n"
		     "Looks through what model or trace wrote with --schedule: "
		     "no node twice, no window\nleft, nothing that was booked "
		     "not kept. Exit status 1: there is a fault.");
		return SIM_OK;
	}
	rc = argc == 2 ? read_file(&check, argv[1], &err)
		       : rspb_fail(&err, "check: one file, please");
	if (!rc)
		rc = judge(&check, &err);
	if (rc)
		fprintf(stderr, "rspb-sim: %s\n", err.text);
	else
		printf("%zu requests, %zu booked and kept, %zu faults\n",
		       check.requests, check.n_kept, check.faults);
	check_fini(&check);
	return rc ? SIM_BAD_INPUT : check.faults ? SIM_TROUBLE : SIM_OK;
}
