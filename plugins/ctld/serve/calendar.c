/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers with the whole calendar, for programs that draw it. */
#include "plugins/ctld/serve/reads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/text.h"
#include "common/wire/json.h"
#include "plugins/ctld/book/occupancy.h"

/* Bytes of one answer, which may have 1 MiB. Uses from outside take up to a half, and bookings are
 * added until PAGE. An entry takes up to ENTRY bytes and the numbers of its nodes. */
enum { OUTSIDE_MOST = 512 * 1024, PAGE = 640 * 1024, ENTRY = 900 };

/* An answer as it grows. */
struct sheet {
	const struct rspb_caller_view *who;
	const struct rspb_picture *picture;
	json_object *bookings, *others;
	uint32_t *row;		   /* owned: of each node; NO_ROW: no node is in that place */
	struct rspb_nodeset *rows; /* owned: scratch */
	size_t bytes;
};
enum { NO_ROW = UINT32_MAX };

static bool sees_booking(const struct sheet *sheet, const struct rspb_booking *b)
{
	return sheet->who->sees_all || b->request->user == sheet->who->uid;
}

/* Find the nodes to show. If nodes are private (PrivateData=nodes), only those of the caller's own
 * bookings are shown. */
static void find_nodes(const struct sheet *sheet, struct rspb_nodeset *nodes)
{
	const struct rspb_ledger *ledger = sheet->picture->ledger;

	if (sheet->who->sees_nodes) {
		rspb_nodeset_fill(nodes);
		return;
	}
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++)
		if (rspb_ledger_at(ledger, i)->request->user == sheet->who->uid)
			rspb_booking_cover(rspb_ledger_at(ledger, i), nodes);
}

/* Number the rows of the calendar. Places in Slurm's table without a node, and nodes that are not
 * shown, get no row. */
static bool number_rows(struct sheet *sheet)
{
	uint32_t n = rspb_ledger_nodes(sheet->picture->ledger), rows = 0;

	sheet->rows = rspb_nodeset_create(n);
	sheet->row = malloc((n + 1) * sizeof(*sheet->row));
	if (!sheet->rows || !sheet->row)
		return false;
	find_nodes(sheet, sheet->rows);
	for (uint32_t i = 0; i < n; i++) {
		const char *name = sheet->picture->names[i];

		sheet->row[i] = name && *name && rspb_nodeset_has(sheet->rows, i) ? rows++ : NO_ROW;
	}
	return true;
}

/* Add the rows of the nodes, "0-3,7", to the object as "on", and the object to the list. An object
 * none of whose nodes has a row is dropped. The object is taken over. RET 0, -1: out of memory. */
static int add_placed(struct sheet *sheet, json_object *list, json_object *object,
		      const struct rspb_nodeset *nodes)
{
	size_t length;
	char *text;

	rspb_nodeset_clear(sheet->rows);
	RSPB_NODESET_EACH (n, nodes)
		if (n < sheet->rows->width && sheet->row[n] != NO_ROW)
			rspb_nodeset_add(sheet->rows, sheet->row[n]);
	length = rspb_nodeset_print(sheet->rows, NULL, 0);
	text = malloc(length + 1);
	if (!text || !length) {
		json_object_put(object);
		free(text);
		return text ? 0 : -1;
	}
	rspb_nodeset_print(sheet->rows, text, length + 1);
	rspb_json_put_text(object, "on", text);
	free(text);
	sheet->bytes += length + ENTRY;
	return json_object_array_add(list, object);
}

static json_object *write_taken(const char *kind, int64_t start, int64_t end)
{
	json_object *to = json_object_new_object();

	rspb_json_put_text(to, "kind", kind);
	rspb_json_put_int(to, "start", start);
	rspb_json_put_int(to, "end", end);
	return to;
}

/* Check whether a booking has, or had, a time slot. A booking that never began leaves nothing in
 * the calendar. */
static bool has_window(const struct rspb_booking *b)
{
	return b->n_grants && b->state != RSPB_DECLINED && b->state != RSPB_CANCELLED;
}

/* Cut the time slot of a booking that has ended early: its nodes are free from now on. */
static void cut(json_object *booking, const struct rspb_booking *b, int64_t now)
{
	if (rspb_state_final(b->state) && b->end > now)
		rspb_json_put_int(booking, "end", now);
}

/* Write a booking of another user. The caller sees that something is booked and how much, but not
 * whose it is. */
static json_object *write_booking(const struct rspb_picture *picture, const struct rspb_booking *b)
{
	json_object *to = write_taken("booking", b->start, b->end);

	rspb_listing_taken(to, picture, b);
	return to;
}

/* Add a booking to the list of those that the caller may see, or else to the others. Bookings that
 * were over before they began took nothing and are left out. */
static int add_booking(struct sheet *sheet, const struct rspb_booking *b)
{
	bool seen = sees_booking(sheet, b);
	struct rspb_nodeset *nodes;
	json_object *object;
	int rc = -1;

	if (!sheet->who->sees_nodes && b->request->user != sheet->who->uid)
		return 0;
	if (!has_window(b) || (rspb_state_final(b->state) && b->start >= sheet->picture->at))
		return 0;
	nodes = rspb_nodeset_create(rspb_ledger_nodes(sheet->picture->ledger));
	object = seen ? rspb_listing_booking(sheet->picture, b, 0)
		      : write_booking(sheet->picture, b);
	if (!nodes || !object)
		goto out;
	cut(object, b, sheet->picture->at);
	rspb_booking_cover(b, nodes);
	rc = add_placed(sheet, seen ? sheet->bookings : sheet->others, json_object_get(object),
			nodes);
out:
	json_object_put(object);
	rspb_nodeset_destroy(nodes);
	return rc;
}

/* Return how much of a kind comes with the CPUs of a use. The ledger has the entries of one use
 * together, the CPUs last, so the search goes back to the CPUs of the use before. */
static int64_t used_of(const struct rspb_hold *uses, size_t at, uint64_t key)
{
	for (size_t i = at; i-- > 0 && uses[i].key != RSPB_ROOM_CPUS;)
		if (uses[i].key == key && uses[i].on == uses[at].on && uses[i].end == uses[at].end)
			return uses[i].amount;
	return 0;
}

/* Add what one job has of nodes that are lent. The entries that follow belong to it as long as end,
 * CPUs, memory and GPUs are the same. RET how many entries were taken, 0: out of memory. */
static size_t add_use(struct sheet *sheet, const struct rspb_ledger *basis,
		      const struct rspb_hold *all_uses, size_t first, size_t n,
		      struct rspb_nodeset *nodes)
{
	const struct rspb_hold *uses = all_uses + first;
	const struct rspb_shares *shares = rspb_ledger_shares(basis);
	int64_t all = rspb_shares_capacity(shares, uses[0].on - 1);
	uint64_t gpu = rspb_room_key("gpu"), memory = rspb_room_key(RSPB_ROOM_MEMORY);
	int64_t gpus = used_of(all_uses, first, gpu), mem = used_of(all_uses, first, memory);
	json_object *object;
	char gres[32];
	size_t i;

	rspb_nodeset_clear(nodes);
	for (i = 0; i < n - first; i++) {
		if (uses[i].key != RSPB_ROOM_CPUS)
			continue;
		if (uses[i].end != uses[0].end || uses[i].amount != uses[0].amount ||
		    used_of(all_uses, first + i, gpu) != gpus ||
		    used_of(all_uses, first + i, memory) != mem ||
		    rspb_shares_capacity(shares, uses[i].on - 1) != all)
			break;
		rspb_nodeset_add(nodes, uses[i].on - 1);
	}
	object = write_taken("job", uses[0].start, uses[0].end);
	if (all > 0)
		rspb_json_put_real(object, "node_part",
				   100. * (double) uses[0].amount / (double) all, 6);
	if (mem > 0)
		rspb_json_put_int(object, "mem", mem);
	snprintf(gres, sizeof(gres), "gpu:%" PRId64, gpus);
	if (gpus)
		rspb_json_put_text(object, "gres", gres);
	return add_placed(sheet, sheet->others, object, nodes) ? 0 : i;
}

/* Add the jobs that have parts of nodes which are booked in parts. RET 0, -1: out of memory. */
static int add_uses(struct sheet *sheet, const struct rspb_ledger *basis)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_ledger_nodes(basis));
	const struct rspb_hold *uses;
	size_t n, i = 0, step = 1;

	uses = rspb_ledger_uses(basis, &n);
	while (nodes && step && i < n && sheet->bytes < OUTSIDE_MOST) {
		step = uses[i].key == RSPB_ROOM_CPUS && uses[i].end > sheet->picture->at
			       ? add_use(sheet, basis, uses, i, n, nodes)
			       : 1;
		i += step;
	}
	rspb_nodeset_destroy(nodes);
	return nodes && step ? 0 : -1;
}

/* Add what the last plan found in the way of bookings: running jobs up to their limits, nodes that
 * are down, other reservations. */
static int add_outside(struct sheet *sheet)
{
	static const char *const kinds[] = {
		[RSPB_BLOCK_ANY] = "down",
		[RSPB_BLOCK_DOWN] = "down",
		[RSPB_BLOCK_JOB] = "job",
		[RSPB_BLOCK_RESERVATION] = "reservation",
		[RSPB_BLOCK_MAINTENANCE] = "maintenance",
	};
	int64_t at, start, end;
	struct rspb_ledger *basis = rspb_published_get(&at, NULL);
	size_t n = basis ? rspb_ledger_blocks(basis) : 0, n_uses = 0;
	int rc = 0;

	if (basis)
		rspb_ledger_uses(basis, &n_uses);

	for (size_t i = 0; i < n && sheet->bytes < OUTSIDE_MOST && !rc; i++) {
		bool beside;
		const struct rspb_nodeset *nodes = rspb_ledger_block_at(basis, i, &start, &end,
									&beside);

		/* Its parts of lent nodes are added below. */
		if (end <= sheet->picture->at || (beside && n_uses))
			continue;
		rc = add_placed(sheet, sheet->others,
				write_taken(kinds[rspb_ledger_block_kind(basis, i)], start, end),
				nodes);
	}
	if (!rc && n_uses)
		rc = add_uses(sheet, basis);
	rspb_ledger_destroy(basis);
	return rc;
}

/* Write the names of the rows, in the order of their numbers. They count as bytes of the answer,
 * but are never cut: an answer without all names could not be drawn. */
static json_object *write_nodes(struct sheet *sheet)
{
	uint32_t n = rspb_ledger_nodes(sheet->picture->ledger);
	json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < n; i++) {
		const char *name = sheet->picture->names[i];

		if (sheet->row[i] == NO_ROW)
			continue;
		sheet->bytes += strlen(name) + 3;
		json_object_array_add(list, json_object_new_string(name));
	}
	return list;
}

/* RET the names of the partitions that these bits are. */
static json_object *write_partitions(const struct rspb_picture *picture, uint64_t bits)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < picture->n_partitions && i < 64; i++)
		if (bits >> i & 1)
			json_object_array_add(list,
					      json_object_new_string(picture->partitions[i].name));
	return list;
}

static json_object *write_class(const struct rspb_picture *picture,
				const struct rspb_node_class *class)
{
	json_object *to = json_object_new_object();

	rspb_json_put(to, "partitions", write_partitions(picture, class->partitions));
	rspb_json_put_int(to, "cores", class->cores);
	rspb_json_put_int(to, "threads", class->threads);
	rspb_json_put_int(to, "mem", (int64_t) class->memory);
	if (*class->gres)
		rspb_json_put_text(to, "gres", class->gres);
	if (class->gpus)
		rspb_json_put_int(to, "gpus", class->gpus);
	if (*class->features)
		rspb_json_put_text(to, "features", class->features);
	return to;
}

/* Add the classes of nodes, and which nodes are out of service, and why. */
static int add_classes(struct sheet *sheet, json_object *answer)
{
	const struct rspb_node_classes *classes = &sheet->picture->classes;
	struct rspb_nodeset *nodes = rspb_nodeset_create(classes->width);
	json_object *list = json_object_new_array(), *out = json_object_new_array();
	int rc = nodes ? 0 : -1;

	rspb_json_put(answer, "classes", list);
	rspb_json_put(answer, "out_of_service", out);
	for (size_t i = 0; i < classes->n && !rc && sheet->bytes < OUTSIDE_MOST; i++) {
		rspb_nodeset_clear(nodes);
		for (uint32_t n = 0; n < classes->width; n++)
			if (classes->of[n] == i)
				rspb_nodeset_add(nodes, n);
		rc = add_placed(sheet, list, write_class(sheet->picture, &classes->items[i]),
				nodes);
	}
	for (size_t i = 0; i < classes->n_out && !rc; i++) {
		json_object *to = json_object_new_object();
		char reason[RSPB_ERR_TEXT];

		rspb_text_clean(reason, sizeof(reason), classes->out[i].reason);
		rspb_json_put_text(to, "reason", reason);
		rc = add_placed(sheet, out, to, classes->out[i].nodes);
	}
	rspb_nodeset_destroy(nodes);
	return rc;
}

/* The members that are left out if the requester has them. */
static const char *const contents[] = { "bookings", "others",	      "nodes",
					"classes",  "out_of_service", "next" };

/* Give the answer a number that depends on all that is drawn of it. If the requester has this
 * number already, the contents are left out: a page that asks every few seconds mostly gets
 * "same". */
static void number_answer(const struct rspb_inquiry *query, json_object *answer)
{
	uint64_t hash = RSPB_HASH_START;

	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		json_object *list = rspb_json_get(answer, contents[i]);
		const char *text = json_object_to_json_string_ext(list, JSON_C_TO_STRING_PLAIN);

		hash = rspb_hash(hash, text, strlen(text));
	}
	/* Programs in JavaScript hold numbers exactly up to 53 bits. The last bit keeps the number
	 * from being 0, which stands for none. */
	hash = hash >> 11 | 1;
	rspb_json_put_int(answer, "serial", (int64_t) hash);
	if (query->seen != (int64_t) hash)
		return;
	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++)
		json_object_object_del(answer, contents[i]);
	rspb_json_put_bool(answer, "same", true);
}

int rspb_calendar_answer(const struct rspb_inquiry *query, const struct rspb_caller_view *who,
			 const struct rspb_picture *picture, json_object *answer,
			 struct rspb_err *err)
{
	size_t n = rspb_ledger_count(picture->ledger), i = (size_t) query->first;
	struct sheet sheet = {
		.who = who,
		.picture = picture,
		.bookings = json_object_new_array(),
		.others = json_object_new_array(),
	};
	int rc = number_rows(&sheet) ? 0 : -1;

	rspb_json_put(answer, "bookings", sheet.bookings);
	rspb_json_put(answer, "others", sheet.others);
	/* Later pages are about bookings only: rows, classes and uses from outside are the same for
	 * all pages of a drawing. */
	if (!i && !rc) {
		rspb_json_put(answer, "nodes", write_nodes(&sheet));
		if (who->sees_nodes)
			rc = add_classes(&sheet, answer);
		if (!rc && who->sees_nodes)
			rc = add_outside(&sheet);
	}
	/* Later pages go on where the ledger's order was left; a booking that changes in between
	 * can be missed or come twice until the next drawing. */
	for (; i < n && sheet.bytes < PAGE && !rc; i++)
		rc = add_booking(&sheet, rspb_ledger_at(picture->ledger, i));
	if (i < n)
		rspb_json_put_int(answer, "next", i);
	free(sheet.row);
	rspb_nodeset_destroy(sheet.rows);
	if (!rc)
		number_answer(query, answer);
	return rc ? rspb_fail(err, "out of memory") : 0;
}
