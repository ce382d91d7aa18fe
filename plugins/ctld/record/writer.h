/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes for rspb.journal, and the thread that writes them. */
#ifndef RSPB_CTLD_RECORD_WRITER_H
#define RSPB_CTLD_RECORD_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/schedule.h"
#include "plugins/ctld/base/errand.h"

/* --- note.c --- */

/* Keeps what waits to be written into the journal: copies, made in microseconds where Slurm's locks
 * may be held, and turned into text by another thread. */

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

/* --- writer.c --- */

/*
 * The thread that reads and writes rspb.journal. What is handed over gets a number, which is
 * settled when it is on the disk, or could not be written: all that has come
 * while the last was written goes with one write and one fdatasync().
 */

/* Bytes of notes that may wait. */
enum { RSPB_WRITER_NOTES = 32 << 20 };

/* Start the thread, which calls `first` before it writes anything. RET 0, or -1 with err. */
int rspb_writer_start(void (*first)(void), struct rspb_err *err);
/* Wait until `first` has returned. */
void rspb_writer_await_first(void);
/* Write everything that waits, and end the thread. */
void rspb_writer_stop(void);
/* Write everything that follows into this file of that cluster, at first the whole state. It waits
 * for a write that is under way, and drops what waits. */
void rspb_writer_use(const char *path, const char *cluster);

struct rspb_writer_state {
	bool whole;	 /* the next that is handed over has to be a whole file */
	bool failing;	 /* the last write has failed, */
	int64_t again;	 /* and may be tried again then: rspb_section_clock_us() */
	bool grown;	 /* a whole file would be much shorter, and none waits */
	uint64_t number; /* the last one given */
	uint64_t file;	 /* which is written, or about to be; 0: none is */
	size_t notes;	 /* bytes of those that wait */
};

/* Any thread, all of these but wait() in microseconds. */
void rspb_writer_look(struct rspb_writer_state *out);
/* Hand over whole lines, malloc'ed, or a whole file of them, which replaces what
 * is there and what waits. RET its number. */
uint64_t rspb_writer_hand(char *lines, size_t length, bool whole);
/* How long a file that is replaced stays beside the new one, seconds; 0: it goes. */
void rspb_writer_keep(int64_t seconds);
/* Add what a replay needs (above; NULL: there was no memory for it) to that file,
 * with what is handed over next, or by write(): no thread is woken where Slurm's locks
 * may be held. Takes the note. RET false: that file is written no more, or too much
 * waits, and the note is gone; a machine begins anew, and tells how many are missing. */
bool rspb_writer_note(struct rspb_note *note, uint64_t file);
void rspb_writer_write(void);

enum rspb_written { RSPB_WRITTEN_NOT_YET, RSPB_WRITTEN, RSPB_WRITTEN_IN_VAIN };
/* Wait until that number is settled, for so many microseconds (0: not at all). err:
 * why it was in vain; may be NULL. */
enum rspb_written rspb_writer_wait(uint64_t number, int64_t us, struct rspb_err *err);
/* Wake the agent when that number is on the disk. */
void rspb_writer_wake_at(uint64_t number);

#endif
