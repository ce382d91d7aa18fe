/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies what a replay needs, where locks may be held. The writer's thread prints the copies. */
#include "plugins/ctld/record/writer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/ctld/record/line.h"

/* RET an empty note of this second; NULL: out of memory. */
static struct rspb_note *note_new(enum rspb_note_kind kind)
{
	struct rspb_note *note = calloc(1, sizeof(*note));

	if (!note)
		return NULL;
	note->kind = kind;
	note->at = time(NULL);
	note->bytes = sizeof(*note);
	return note;
}

void rspb_note_free(struct rspb_note *note)
{
	size_t i;

	if (!note)
		return;
	for (i = 0; i < note->n_blocks; i++)
		rspb_nodeset_destroy(note->blocks[i].nodes);
	for (i = 0; i < note->n_bookings; i++)
		rspb_booking_destroy(note->bookings[i]);
	rspb_ledger_destroy(note->ledger);
	free(note->blocks);
	free(note->holds);
	free(note->bookings);
	free(note->config);
	free(note->names);
	free(note->reason);
	free(note);
}

/* RET about what a set takes. The bound of the queue needs no exact figure. */
static size_t set_bytes(const struct rspb_nodeset *set)
{
	return set ? sizeof(*set) + set->width / 8 : 0;
}

/* RET about what a copy of a booking takes, in memory and as text. */
static size_t booking_bytes(const struct rspb_booking *b)
{
	size_t bytes = sizeof(*b) + sizeof(*b->request);
	uint32_t i;

	for (i = 0; i < b->request->n_parts; i++)
		bytes += sizeof(b->request->parts[i]) + set_bytes(b->request->parts[i].fixed) +
			 set_bytes(b->request->parts[i].eligible);
	for (i = 0; i < b->n_grants; i++)
		bytes += sizeof(b->grants[i]) + set_bytes(b->grants[i].nodes);
	return bytes;
}

/* Copy bookings, because the ledger changes before they are written. RET false: out of memory;
 * the copies so far belong to the note and go with it. */
static bool take_bookings(struct rspb_note *note, const struct rspb_booking *const *bookings,
			  size_t n)
{
	note->bookings = calloc(n + 1, sizeof(struct rspb_booking *));
	while (note->bookings && note->n_bookings < n) {
		struct rspb_booking *copy = rspb_booking_clone(bookings[note->n_bookings]);

		if (!copy)
			return false;
		note->bookings[note->n_bookings++] = copy;
		note->bytes += booking_bytes(copy);
	}
	return note->bookings;
}

/* Copy what is used outside of bookings: of the whole machine first, then of single nodes. */
static bool take_holds(struct rspb_note *note, const struct rspb_ledger *basis)
{
	size_t n, m;
	const struct rspb_hold *holds = rspb_ledger_holds(basis, &n);
	const struct rspb_hold *uses = rspb_ledger_uses(basis, &m);

	if (!(n + m))
		return true;
	note->holds = malloc((n + m) * sizeof(*holds));
	if (!note->holds)
		return false;
	if (n)
		memcpy(note->holds, holds, n * sizeof(*holds));
	if (m)
		memcpy(note->holds + n, uses, m * sizeof(*uses));
	note->n_holds = n + m;
	note->bytes += (n + m) * sizeof(*holds);
	return true;
}

/* Copy what was in the way from outside. The next plan gets other blocks, so each note has its
 * own. */
static bool take_blocks(struct rspb_note *note, const struct rspb_ledger *basis)
{
	size_t n = rspb_ledger_blocks(basis);

	note->blocks = calloc(n + 1, sizeof(*note->blocks));
	while (note->blocks && note->n_blocks < n) {
		struct rspb_note_block *block = &note->blocks[note->n_blocks];
		const struct rspb_nodeset *nodes = rspb_ledger_block_at(basis, note->n_blocks,
									&block->start, &block->end,
									&block->beside);

		block->nodes = rspb_nodeset_clone(nodes);
		if (!block->nodes)
			return false;
		note->n_blocks++;
		note->bytes += sizeof(*block) + set_bytes(nodes);
	}
	return note->blocks && take_holds(note, basis);
}

/* RET the note if it is complete. An incomplete note would make the replay decide otherwise, so
 * it is freed. */
static struct rspb_note *whole(struct rspb_note *note, bool good)
{
	if (good)
		return note;
	rspb_note_free(note);
	return NULL;
}

struct rspb_note *rspb_note_machine(const struct rspb_ledger *ledger,
				    const struct rspb_config *config,
				    const struct rspb_policy *policy, char *names)
{
	struct rspb_note *note = note_new(RSPB_NOTE_MACHINE);
	size_t i;

	if (!note) {
		free(names);
		return NULL;
	}
	note->names = names;
	note->policy = *policy;
	note->ledger = rspb_ledger_clone(ledger);
	note->config = malloc(sizeof(*config));
	if (note->config)
		*note->config = *config;
	for (i = 0; i < rspb_ledger_count(ledger); i++)
		note->bytes += booking_bytes(rspb_ledger_at(ledger, i));
	return whole(note, note->ledger && note->config && names);
}

struct rspb_note *rspb_note_batch(const struct rspb_ledger *basis, uint64_t without, int64_t now,
				  struct rspb_booking *const *bookings, size_t n)
{
	struct rspb_note *note = note_new(RSPB_NOTE_BATCH);

	if (!note)
		return NULL;
	note->now = now;
	note->without = without;
	return whole(note,
		     take_blocks(note, basis) &&
			     take_bookings(note, (const struct rspb_booking *const *) bookings, n));
}

struct rspb_note *rspb_note_plan(const struct rspb_ledger *plan, const struct rspb_rescue *rescue,
				 int64_t before, int64_t now,
				 const struct rspb_booking *const *bookings, size_t n)
{
	struct rspb_note *note = note_new(rescue ? RSPB_NOTE_RESCUE : RSPB_NOTE_GROW);

	if (!note)
		return NULL;
	note->now = now;
	note->before = before;
	if (rescue)
		note->rescue = *rescue;
	return whole(note, take_blocks(note, plan) && take_bookings(note, bookings, n));
}

struct rspb_note *rspb_note_record(const struct rspb_record *record)
{
	struct rspb_note *note = note_new(RSPB_NOTE_RECORD);
	bool good = note;

	if (!note)
		return NULL;
	note->record = *record;
	if (record->kind == RSPB_REC_MOVE)
		good = take_bookings(note, record->bookings, record->n_bookings);
	else if (record->booking)
		good = take_bookings(note, &record->booking, 1);
	if (good && record->reason)
		good = (note->reason = strdup(record->reason));
	/* The record still points to the caller's texts and bookings, and is made to point to
	 * the copies. */
	note->record.reason = note->reason;
	note->record.booking = note->n_bookings ? note->bookings[0] : NULL;
	note->record.bookings = (const struct rspb_booking *const *) note->bookings;
	return whole(note, good);
}

struct rspb_note *rspb_note_purge(int64_t before)
{
	struct rspb_note *note = note_new(RSPB_NOTE_PURGE);

	if (note)
		note->now = before;
	return note;
}

struct rspb_note *rspb_note_refuse(uint64_t id, const char *reason)
{
	struct rspb_note *note = note_new(RSPB_NOTE_REFUSE);

	if (!note)
		return NULL;
	note->without = id;
	note->reason = strdup(reason);
	return whole(note, note->reason);
}

/* Printing, in the writer's thread. */

struct printer {
	int (*put)(void *arg, char *line);
	void *arg;
	int rc;
};

/* Takes the line; NULL: there was no memory for it. After a failure further lines are only
 * freed. */
static void print(struct printer *printer, char *line)
{
	if (!line)
		printer->rc = -1;
	else if (printer->rc)
		free(line);
	else
		printer->rc = printer->put(printer->arg, line);
}

/* Print the bookings that are over first, because those that hold their nodes now came later. */
static void print_standing(const struct rspb_note *note, bool over, struct printer *printer)
{
	size_t i;

	for (i = 0; i < rspb_ledger_count(note->ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(note->ledger, i);

		if (rspb_state_final(b->state) == over && !printer->rc)
			print(printer, rspb_line_booking(note->at, "standing", b));
	}
}

static void print_machine(const struct rspb_note *note, struct printer *printer)
{
	/* Changes are missing before this point. The machine line below lets the reader start
	 * anew. */
	if (note->lost)
		print(printer, rspb_line_gap(note->at, note->lost, "they could not be written"));
	print(printer,
	      rspb_line_machine(note->at, note->ledger, note->config, &note->policy, note->names));
	print_standing(note, true, printer);
	print_standing(note, false, printer);
}

static void print_blocks(const struct rspb_note *note, struct printer *printer)
{
	size_t i;

	for (i = 0; i < note->n_blocks; i++)
		print(printer, rspb_line_block(note->at, note->blocks[i].start, note->blocks[i].end,
					       note->blocks[i].beside, note->blocks[i].nodes));
	for (i = 0; i < note->n_holds; i++)
		print(printer, rspb_line_hold(note->at, &note->holds[i]));
}

/* A plan without a request: what was in the way comes first, then the result. */
static void print_plan(const struct rspb_note *note, struct printer *printer)
{
	const struct rspb_booking *const *bookings = (const struct rspb_booking *const *)
							     note->bookings;

	print_blocks(note, printer);
	if (note->kind == RSPB_NOTE_RESCUE)
		print(printer, rspb_line_rescue(note->at, note->now, &note->rescue, bookings,
						note->n_bookings));
	else
		print(printer, rspb_line_grow(note->at, note->now, note->before, bookings,
					      note->n_bookings));
}

/* Blocks and requests precede the line that decides them. The decisions follow, so that a
 * reader can compare its own with them. */
static void print_batch(const struct rspb_note *note, struct printer *printer)
{
	size_t i;

	print_blocks(note, printer);
	for (i = 0; i < note->n_bookings; i++)
		print(printer, rspb_line_request(note->at, note->bookings[i]->request));
	print(printer, rspb_line_decide(note->at, note->now, note->without));
	for (i = 0; i < note->n_bookings; i++)
		print(printer, rspb_line_booking(note->at, "booking", note->bookings[i]));
}

int rspb_note_print(const struct rspb_note *note, int (*put)(void *arg, char *line), void *arg)
{
	struct printer printer = { .put = put, .arg = arg };

	switch (note->kind) {
	case RSPB_NOTE_MACHINE:
		print_machine(note, &printer);
		break;
	case RSPB_NOTE_BATCH:
		print_batch(note, &printer);
		break;
	case RSPB_NOTE_RESCUE:
	case RSPB_NOTE_GROW:
		print_plan(note, &printer);
		break;
	case RSPB_NOTE_RECORD:
		print(&printer, rspb_line_record(note->at, &note->record));
		break;
	case RSPB_NOTE_PURGE:
		print(&printer, rspb_line_purge(note->at, note->now));
		break;
	case RSPB_NOTE_REFUSE:
		print(&printer, rspb_line_refuse(note->at, note->without, note->reason));
		break;
	}
	return printer.rc;
}
