/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what waits to be written into the journal: copies, made in microseconds where Slurm's locks
 * may be held, and turned into text by another thread. */
#ifndef RSPB_CTLD_RECORD_NOTE_H
#define RSPB_CTLD_RECORD_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/schedule.h"
#include "plugins/ctld/base/errand.h"

struct rspb_note_block {
	int64_t start, end;
	bool beside;		    /* shares may be booked there */
	struct rspb_nodeset *nodes; /* owned */
};

enum rspb_note_kind {
	RSPB_NOTE_MACHINE, /* ledger, config, policy, names */
	RSPB_NOTE_BATCH,   /* blocks, now, without, bookings */
	RSPB_NOTE_RESCUE,  /* blocks, now, rescue, bookings */
	RSPB_NOTE_GROW,	   /* blocks, now, before, bookings */
	RSPB_NOTE_RECORD,  /* record, whose bookings are `bookings` */
	RSPB_NOTE_PURGE,   /* now */
	RSPB_NOTE_REFUSE   /* without (an id), reason */
};

struct rspb_note {
	struct rspb_link link;
	size_t bytes; /* about what it takes */
	int64_t at;   /* seconds since 1970 */
	enum rspb_note_kind kind;
	uint64_t lost; /* MACHINE: notes that are missing before it */
	int64_t now, before;
	uint64_t without;
	struct rspb_rescue rescue;
	struct rspb_record record;
	/* Owned, all of them; NULL where the kind has none. */
	size_t n_blocks, n_bookings;
	struct rspb_note_block *blocks;
	size_t n_holds;
	struct rspb_hold *holds; /* with the blocks */
	struct rspb_booking **bookings;
	struct rspb_ledger *ledger;
	struct rspb_config *config;
	struct rspb_policy policy;
	char *names, *reason;
};

/* All return NULL for lack of memory. names: taken over. */
struct rspb_note *rspb_note_machine(const struct rspb_ledger *ledger,
				    const struct rspb_config *config,
				    const struct rspb_policy *policy, char *names);
/* basis: what the bookings, of which each holds its request, were decided
 * on. */
struct rspb_note *rspb_note_batch(const struct rspb_ledger *basis, uint64_t without, int64_t now,
				  struct rspb_booking *const *bookings, size_t n);
/* plan: a basis that was changed without a request, by a rescue or, rescue
 * NULL, by growth; bookings: what is otherwise in it. */
struct rspb_note *rspb_note_plan(const struct rspb_ledger *plan, const struct rspb_rescue *rescue,
				 int64_t before, int64_t now,
				 const struct rspb_booking *const *bookings, size_t n);
struct rspb_note *rspb_note_record(const struct rspb_record *record);
struct rspb_note *rspb_note_purge(int64_t before);
struct rspb_note *rspb_note_refuse(uint64_t id, const char *reason);
void rspb_note_free(struct rspb_note *note);

/* Give each line of a note to put(), which frees it. RET 0, -1: out of memory,
 * or as put() did. */
int rspb_note_print(const struct rspb_note *note, int (*put)(void *arg, char *line), void *arg);

#endif
