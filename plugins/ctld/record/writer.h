/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that reads and writes rspb.journal. What is handed over gets a number, which is
 * settled when it is on the disk, or could not be written: all that has come
 * while the last was written goes with one write and one fdatasync().
 */
#ifndef RSPB_CTLD_RECORD_WRITER_H
#define RSPB_CTLD_RECORD_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "plugins/ctld/record/note.h"

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
/* Add what a replay needs (note.h; NULL: there was no memory for it) to that file,
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
