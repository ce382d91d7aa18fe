/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/check_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "contrib/sim/jsonl/lines.h"
#include "contrib/sim/jsonl/read.h"

enum { SHOWN = 10, MOST_NODES = 1 << 24, MOST_BOOKINGS = 1 << 26 };

void check_complain(struct check *check, uint64_t id, const char *fmt, ...)
{
	va_list args;

	if (check->faults++ >= SHOWN)
		return;
	fprintf(check->told, "request %" PRIu64 ": ", id);
	va_start(args, fmt);
	vfprintf(check->told, fmt, args);
	va_end(args);
	fputc('\n', check->told);
}

/* RET a figure for each node, to be freed; NULL with err. */
static int64_t *read_figures(const struct check *check, const struct sim_record *record,
			     const char *key, struct rspb_err *err)
{
	struct json_object *list = sim_array(record, key, err);
	int64_t *figures = NULL;

	if (list && json_object_array_length(list) != check->width)
		sim_bad(record, key, err, "must have one number for each node");
	else if (list && !(figures = calloc(check->width, sizeof(*figures))))
		rspb_fail(err, "out of memory");
	for (uint32_t n = 0; figures && n < check->width; n++)
		if (sim_value_int(record, key, json_object_array_get_idx(list, n), 0, INT64_MAX / 2,
				  &figures[n], err)) {
			free(figures);
			return NULL;
		}
	return figures;
}

static int read_rooms(struct check *check, const struct sim_record *machine, struct rspb_err *err)
{
	struct json_object *list = sim_array(machine, "rooms", err);
	size_t n = list ? json_object_array_length(list) : 0;
	struct sim_record one = *machine;
	int64_t key;

	one.within = "machine.rooms[].";
	check->kinds = list ? calloc(n + 1, sizeof(*check->kinds)) : NULL;
	if (!check->kinds)
		return list ? rspb_fail(err, "out of memory") : -1;
	for (; check->n_kinds < n; check->n_kinds++) {
		struct check_kind *kind = &check->kinds[check->n_kinds];

		one.object = json_object_array_get_idx(list, check->n_kinds);
		if (!json_object_is_type(one.object, json_type_object))
			return sim_bad(machine, "rooms", err, "%.60s is not an object",
				       sim_text(one.object));
		if (sim_int(&one, "key", 1, INT64_MAX - 1, &key, err))
			return -1;
		kind->key = (uint64_t) key;
		kind->of = read_figures(check, &one, "of", err);
		if (!kind->of)
			return -1;
	}
	return 0;
}

static int read_machine(struct check *check, const struct sim_record *record,
			struct json_object *value, struct rspb_err *err)
{
	struct sim_record machine = *record;
	int64_t nodes, links = 0, *capacity;

	machine.object = value;
	machine.within = "machine.";
	if (check->width)
		return sim_bad(record, "machine", err, "is given twice");
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
	if (sim_int_or(&machine, "links", 1, nodes - 1, &links, err))
		return -1;
	check->sums.links_from = links ? (uint32_t) (nodes - links) : 0;
	capacity = read_figures(check, &machine, "capacity", err);
	for (uint32_t n = 0; capacity && n < check->width; n++)
		check->nodes[n].capacity = capacity[n];
	free(capacity);
	if (!capacity)
		return -1;
	return sim_has(&machine, "rooms") ? read_rooms(check, &machine, err) : 0;
}

static bool lacks(struct json_object *of, const char *key)
{
	return json_object_is_type(of, json_type_object) &&
	       !json_object_object_get_ex(of, key, NULL);
}

static struct json_object *member(struct json_object *of, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(of, key, &value);
	return value;
}

static void fill_int(struct json_object *of, const char *key, int64_t value)
{
	if (lacks(of, key))
		json_object_object_add(of, key, json_object_new_int64(value));
}

static void fill_text(struct json_object *of, const char *key, const char *value)
{
	if (lacks(of, key))
		json_object_object_add(of, key, json_object_new_string(value));
}

/* Add what another program leaves out of a booking: what it usually is. */
static void fill_booking(struct json_object *booking)
{
	struct json_object *request = member(booking, "request"), *parts, *grants;

	fill_int(request, "user", 0);
	fill_int(request, "priority", 0);
	fill_text(request, "benefit", "hard");
	if (lacks(request, "asap"))
		json_object_object_add(request, "asap", json_object_new_boolean(false));
	fill_int(booking, "start", 0);
	fill_int(booking, "end", json_object_get_int64(member(booking, "start")));
	fill_int(booking, "decided_at", json_object_get_int64(member(request, "arrival")));
	fill_text(booking, "benefit", "0");
	fill_text(booking, "reason", "");
	if (lacks(booking, "grants"))
		json_object_object_add(booking, "grants", json_object_new_array());
	parts = member(request, "parts");
	grants = member(booking, "grants");
	for (size_t i = 0;
	     json_object_is_type(parts, json_type_array) && i < json_object_array_length(parts);
	     i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		if (!lacks(part, "nodes"))
			fill_int(part, "nodes_min", json_object_get_int64(member(part, "nodes")));
	}
	for (size_t i = 0;
	     json_object_is_type(grants, json_type_array) && i < json_object_array_length(grants);
	     i++)
		fill_text(json_object_array_get_idx(grants, i), "benefit", "0");
}

static struct rspb_booking *read_booking(const struct check *check, const struct sim_record *record,
					 struct json_object *value, struct rspb_err *err)
{
	struct rspb_booking *booking;
	const char *text;

	if (json_object_is_type(value, json_type_object))
		fill_booking(value);
	text = sim_text(value);
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

/* Return the decision about a request, after making room for it. NULL: out of memory. */
static char *promise_of(struct check *check, uint64_t id)
{
	size_t before = check->promised_room;

	if (id >= MOST_BOOKINGS ||
	    rspb_array_grow(&check->promised, &check->promised_room, id + 1, 1))
		return NULL;
	if (check->promised_room > before)
		memset(check->promised + before, 0, check->promised_room - before);
	return &check->promised[id];
}

/* Append to the declined ones, and add it up. RET 0 or -1 with err. */
static int note_declined(struct check *check, struct rspb_booking *booking, struct rspb_err *err)
{
	if (rspb_array_grow(&check->declined, &check->declined_room, check->n_declined + 1,
			    sizeof(*check->declined))) {
		rspb_booking_destroy(booking);
		return rspb_fail(err, "out of memory");
	}
	check->declined[check->n_declined++] = booking;
	sim_sums_add(booking, &check->sums);
	return 0;
}

/* Append to those that have had nodes, and add it up if it booked. RET 0 or -1 with err. */
static int note_kept(struct check *check, struct rspb_booking *booking, int64_t ended, bool regular,
		     struct rspb_err *err)
{
	if (rspb_array_grow(&check->kept, &check->kept_room, check->n_kept + 1,
			    sizeof(*check->kept))) {
		rspb_booking_destroy(booking);
		return rspb_fail(err, "out of memory");
	}
	check->kept[check->n_kept++] = (struct check_kept){ booking, ended, regular };
	check->n_regular += regular;
	rspb_booking_value(booking);
	if (!regular)
		sim_sums_add(booking, &check->sums);
	return 0;
}

/* The kinds of lines about a booking. */
enum check_line { CHECK_DECIDED, CHECK_KEPT, CHECK_LOST, CHECK_REGULAR };
static const char *const line_names[] = { "decided", "kept", "lost", "regular" };

/* RET 0 or -1 with err; takes the booking. */
static int note_booking(struct check *check, struct rspb_booking *booking, enum check_line kind,
			int64_t ended, struct rspb_err *err)
{
	uint64_t id = booking->request->id;
	bool booked = booking->state == RSPB_BOOKED;
	char *promise = promise_of(check, id);

	if (!promise) {
		rspb_booking_destroy(booking);
		return rspb_fail(err, "out of memory");
	}
	if (kind == CHECK_REGULAR)
		return note_kept(check, booking, ended, true, err);
	if (kind != CHECK_DECIDED) {
		if (*promise != 'b')
			check_complain(check, id, "it is kept and was %s",
				       *promise == 'k' ? "so already" : "not promised");
		*promise = 'k';
		check->n_lost += kind == CHECK_LOST;
		return note_kept(check, booking, ended, false, err);
	}
	if (*promise)
		check_complain(check, id, "it is decided twice");
	*promise = booked ? 'b' : 'd';
	check->requests++;
	if (!booked)
		return note_declined(check, booking, err);
	rspb_booking_destroy(booking);
	return 0;
}

static double cores_of(const void *arg, uint64_t id)
{
	const struct check *check = arg;

	(void) id;
	return (double) check->cores;
}

/* All bookings have cores, in which their work counts, or none has. RET 0 or -1 with err. */
static int read_cores(struct check *check, const struct sim_record *record, struct rspb_err *err)
{
	int64_t cores = 0;

	if (sim_int_or(record, "cores", 1, INT32_MAX, &cores, err))
		return -1;
	if (check->requests && (cores > 0) != (check->cores > 0))
		return sim_bad(record, "cores", err, "must be in all bookings or in none");
	check->cores = cores;
	check->sums.shares = check->shares && !cores && !check->sums.links_from;
	check->sums.cores = cores ? cores_of : NULL;
	check->sums.cores_arg = check;
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
		struct rspb_booking *booking = NULL;
		int kind = CHECK_REGULAR;
		int64_t ended;

		while (kind > CHECK_DECIDED && !sim_has(record, line_names[kind]))
			kind--;
		value = sim_need(record, line_names[kind], err);
		if (value && !read_cores(check, record, err))
			booking = read_booking(check, record, value, err);
		ended = booking ? booking->end : 0;
		rc = booking && !sim_int_or(record, "ended", INT64_MIN, INT64_MAX, &ended, err)
			     ? note_booking(check, booking, (enum check_line) kind, ended, err)
			     : -1;
	}
	json_object_put(record->object);
	return rc;
}

int check_read(struct check *check, const char *file, struct rspb_err *err)
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
