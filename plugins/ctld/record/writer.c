/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that has the journal. First it has the file read, then it writes all that has come
 * with one write. Threads that wait for a number wait here. */
#include "plugins/ctld/record/writer.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/record/state.h"
#include "plugins/ctld/record/store.h"

enum {
	/* Bytes behind which a file is written anew; likewise where the old
	 * one is kept for replays. */
	GROWN = 1 << 20,
	GROWN_KEPT = 16 << 20,
	/* Where the disk fails and nobody waits for it, it is tried again behind
	 * so many times of what it took to fail. */
	AGAIN_TIMES = 9,
	AGAIN_LEAST_US = 50000,
	AGAIN_MOST_US = 5000000
};

static void run(void);

static struct rspb_worker worker = RSPB_WORKER("rspb-record", run);

/* RET the time, in us, before which a failing disk is not tried again without somebody waiting.
 * A slow failure causes a longer pause, so that tries take up about a tenth of the time. */
static int64_t again_at(int64_t began, int64_t ended)
{
	int64_t pause = (ended - began) * AGAIN_TIMES;

	if (pause < AGAIN_LEAST_US)
		pause = AGAIN_LEAST_US;
	return ended + (pause < AGAIN_MOST_US ? pause : AGAIN_MOST_US);
}

/* With the mutex: settle all numbers up to this one as written. Numbers that failed before
 * count as written now, since a whole file contains what they were about. */
static void settle_well(uint64_t number, bool whole, int64_t took_us)
{
	if (rspb_writer->now.failing)
		rspb_log_info("%s: it can be written again", rspb_writer->store.path);
	rspb_writer->now.failing = false;
	rspb_writer->now.open = true;
	rspb_writer->now.done = number;
	rspb_writer->now.size = rspb_writer->store.size;
	if (whole)
		rspb_writer->now.shortest = rspb_writer->store.size;
	rspb_tally_time(RSPB_TALLY_SYNCS, took_us);
	rspb_log_debug("journal: synced in %" PRId64 " us", took_us);
	/* The agent is woken once, and asks again for whatever it still waits for. */
	if (rspb_writer->now.wake_at && rspb_writer->now.wake_at <= number) {
		rspb_writer->now.wake_at = 0;
		rspb_wake_up(RSPB_WAKE_ENDED);
	}
}

/* With the mutex: settle all numbers up to this one as failed. Nothing can be added to the file
 * from now on; the next that is handed over must be a whole file. */
static void settle_in_vain(uint64_t number, bool whole, const struct rspb_err *err)
{
	/* Later appends only fail because the file is not open. The first cause is the one to
	 * report. */
	if (rspb_writer->now.open || whole)
		rspb_writer->now.why = *err;
	if (!rspb_writer->now.failing)
		rspb_log_error("%s; nothing new is booked until the journal "
			       "can be written",
			       rspb_writer->now.why.text);
	rspb_writer->now.failing = true;
	rspb_writer->now.open = false;
	rspb_writer->now.coming = rspb_writer->waiting.whole;
	rspb_writer->now.vain = number;
}

/* RET how many entries are lost with these notes. A machine stands for those before it, too. */
static uint64_t free_notes(struct rspb_queue *notes)
{
	struct rspb_note *note;
	uint64_t n = 0;

	while ((note = rspb_queue_take(notes))) {
		n += 1 + note->lost;
		rspb_note_free(note);
	}
	return n;
}

/* With the mutex: drop what waits, because a whole file replaces it or another file begins. */
static void drop_waiting(void)
{
	rspb_writer->now.lost += free_notes(&rspb_writer->waiting.notes);
	free(rspb_writer->waiting.lines);
	memset(&rspb_writer->waiting, 0, sizeof(rspb_writer->waiting));
}

static int add_line(void *arg, char *line)
{
	struct rspb_writer_waiting *to = arg;
	size_t length = strlen(line);
	int rc = rspb_array_grow(&to->lines, &to->room, to->length + length, 1);

	if (!rc) {
		memcpy(to->lines + to->length, line, length);
		to->length += length;
	}
	free(line);
	return rc;
}

/* Print the notes after the lines, so that promises are complete even if memory runs out here.
 * RET 0, -1: out of memory. */
static int print_notes(struct rspb_writer_waiting *to)
{
	for (struct rspb_link *at = to->notes.first; at; at = at->next)
		if (rspb_note_print((struct rspb_note *) at, add_line, to))
			return -1;
	return 0;
}

/* Write all that waits with one write and one sync, however many callers handed it over. With
 * the mutex, which is released meanwhile, so that more can be handed over during the write. */
static void write_waiting(void)
{
	struct rspb_writer_waiting work = rspb_writer->waiting;
	/* Lines that are handed over from here on have higher numbers, and go with the next
	 * write. */
	uint64_t number = rspb_writer->now.given, file = rspb_writer->now.files, lost;
	int64_t began = rspb_section_clock_us(), ended;
	struct rspb_err err;
	bool unprinted;
	int rc;

	memset(&rspb_writer->waiting, 0, sizeof(rspb_writer->waiting));
	rspb_writer->store.keep = rspb_writer->now.keep;
	rspb_writer->busy = true;
	rspb_worker_unlock(&worker);
	unprinted = print_notes(&work);
	rc = work.whole ? rspb_store_replace(&rspb_writer->store, work.lines, work.length,
					     time(NULL), &err)
			: rspb_store_append(&rspb_writer->store, work.lines, work.length, &err);
	free(work.lines);
	lost = free_notes(&work.notes);
	ended = rspb_section_clock_us();
	rspb_worker_lock(&worker);
	rspb_writer->busy = false;
	rspb_writer->now.again_us = again_at(began, ended);
	if (rc)
		settle_in_vain(number, work.whole, &err);
	else
		settle_well(number, work.whole, ended - began);
	if (rc || unprinted) {
		rspb_writer->now.lost += lost;
		/* Entries for a replay are missing, so these begin anew with a machine. A file
		 * that was begun meanwhile is not affected. */
		rspb_writer->now.files += rspb_writer->now.files == file;
	}
	rspb_worker_wake(&worker);
}

static void run(void)
{
	/* The journal is read here, while slurmctld reads its own state. Nothing is written
	 * before that. */
	rspb_writer->first_of_all();
	rspb_worker_lock(&worker);
	rspb_writer->first_of_all = NULL;
	rspb_worker_wake(&worker);
	/* At the end everything that was handed over is still tried once. A failing disk does
	 * not keep the thread: what failed is dropped. */
	while (!worker.stopping || rspb_writer->waiting.length ||
	       rspb_writer->waiting.notes.first) {
		if (rspb_writer->waiting.length || rspb_writer->waiting.notes.first)
			write_waiting();
		else
			rspb_worker_wait(&worker, INT64_MAX);
	}
	rspb_worker_unlock(&worker);
}

int rspb_writer_start(void (*first)(void), struct rspb_err *err)
{
	rspb_writer->first_of_all = first;
	return rspb_worker_start(&worker, err);
}

void rspb_writer_await_first(void)
{
	rspb_worker_lock(&worker);
	while (rspb_writer->first_of_all)
		rspb_worker_wait(&worker, INT64_MAX);
	rspb_worker_unlock(&worker);
}

void rspb_writer_stop(void)
{
	if (!rspb_worker_ask_to_stop(&worker))
		return;
	rspb_worker_join(&worker);
	drop_waiting();
	rspb_store_close(&rspb_writer->store);
	memset(&rspb_writer->now, 0, sizeof(rspb_writer->now));
}

void rspb_writer_use(const char *path, const char *cluster)
{
	rspb_worker_lock(&worker);
	drop_waiting();
	/* The thread uses the store without the mutex while it writes. */
	while (rspb_writer->busy)
		rspb_worker_wait(&worker, INT64_MAX);
	rspb_store_name(&rspb_writer->store, path, cluster);
	rspb_writer->now.open = rspb_writer->now.coming = rspb_writer->now.failing = false;
	/* Numbers that were dropped are settled, so that nobody waits for them. */
	rspb_writer->now.vain = rspb_writer->now.given;
	rspb_worker_unlock(&worker);
}

void rspb_writer_look(struct rspb_writer_state *out)
{
	rspb_worker_lock(&worker);
	*out = (struct rspb_writer_state){
		.whole = !rspb_writer->now.open && !rspb_writer->now.coming,
		.failing = rspb_writer->now.failing,
		.again = rspb_writer->now.again_us,
		.grown = rspb_writer->now.open && !rspb_writer->busy &&
			 !rspb_writer->waiting.length && !rspb_writer->waiting.notes.first &&
			 rspb_writer->now.size >
				 2 * rspb_writer->now.shortest +
					 (rspb_writer->now.keep ? GROWN_KEPT : GROWN),
		.number = rspb_writer->now.given,
		.file = rspb_writer->now.open || rspb_writer->now.coming ? rspb_writer->now.files
									 : 0,
		.notes = rspb_writer->waiting.bytes,
	};
	rspb_worker_unlock(&worker);
}

/* With the mutex. Takes the lines. RET false: out of memory, and the lines are gone. */
static bool add(char *lines, size_t length)
{
	if (!rspb_writer->waiting.length) {
		free(rspb_writer->waiting.lines);
		rspb_writer->waiting.lines = lines;
		rspb_writer->waiting.length = rspb_writer->waiting.room = length;
		return true;
	}
	if (!rspb_array_grow(&rspb_writer->waiting.lines, &rspb_writer->waiting.room,
			     rspb_writer->waiting.length + length, 1)) {
		memcpy(rspb_writer->waiting.lines + rspb_writer->waiting.length, lines, length);
		rspb_writer->waiting.length += length;
		free(lines);
		return true;
	}
	free(lines);
	return false;
}

uint64_t rspb_writer_hand(char *lines, size_t length, bool whole)
{
	struct rspb_err err = { "rspb.journal: out of memory" };
	uint64_t number;

	rspb_worker_lock(&worker);
	number = ++rspb_writer->now.given;
	/* Whatever waits is older than the whole file and contained in it. */
	if (whole) {
		drop_waiting();
		rspb_writer->now.files++;
	}
	if (add(lines, length)) {
		rspb_writer->waiting.whole |= whole;
		rspb_writer->now.coming |= whole;
	} else {
		/* Some lines are missing now, so those that waited are of no use without a
		 * whole file. */
		rspb_writer->waiting.length = 0;
		rspb_writer->waiting.whole = false;
		settle_in_vain(number, true, &err);
	}
	rspb_worker_wake(&worker);
	rspb_worker_unlock(&worker);
	return number;
}

void rspb_writer_keep(int64_t seconds)
{
	rspb_worker_lock(&worker);
	rspb_writer->now.keep = seconds;
	rspb_worker_unlock(&worker);
}

/* With the mutex. RET whether a note is for the present file, and has room. The first note
 * always has, or a large machine could never be written. */
static bool takes(const struct rspb_note *note, uint64_t file)
{
	bool ours = note && file == rspb_writer->now.files &&
		    (rspb_writer->now.open || rspb_writer->now.coming);
	bool room = !ours || !rspb_writer->waiting.notes.first ||
		    rspb_writer->waiting.bytes + note->bytes <= RSPB_WRITER_NOTES;

	rspb_writer->now.lost += !ours || !room;
	if (ours && !room)
		/* The number changes, so that further notes for that file are refused at once. */
		rspb_writer->now.files++;
	return ours && room;
}

bool rspb_writer_note(struct rspb_note *note, uint64_t file)
{
	uint64_t lost = 0;
	bool taken;

	rspb_worker_lock(&worker);
	taken = takes(note, file);
	if (taken) {
		if (note->kind == RSPB_NOTE_MACHINE) {
			lost = note->lost = rspb_writer->now.lost;
			rspb_writer->now.lost = 0;
		}
		rspb_queue_put(&rspb_writer->waiting.notes, &note->link);
		rspb_writer->waiting.bytes += note->bytes;
	}
	rspb_worker_unlock(&worker);
	if (!taken)
		rspb_note_free(note);
	if (lost)
		rspb_log_error("rspb.journal: %" PRIu64 " entries that a "
			       "replay needs are missing",
			       lost);
	return taken;
}

void rspb_writer_write(void)
{
	rspb_worker_lock(&worker);
	if (rspb_writer->waiting.notes.first)
		rspb_worker_wake(&worker);
	rspb_worker_unlock(&worker);
}

/* With the mutex. A number that failed first and is below `done` by now is contained in a whole
 * file that was written later. */
static enum rspb_written written(uint64_t number)
{
	if (number <= rspb_writer->now.done)
		return RSPB_WRITTEN;
	return number <= rspb_writer->now.vain ? RSPB_WRITTEN_IN_VAIN : RSPB_WRITTEN_NOT_YET;
}

enum rspb_written rspb_writer_wait(uint64_t number, int64_t us, struct rspb_err *err)
{
	/* A wait of 0 us returns at once, and only looks. */
	int64_t until = rspb_section_clock_us() + us;
	enum rspb_written is;

	rspb_worker_lock(&worker);
	while ((is = written(number)) == RSPB_WRITTEN_NOT_YET && rspb_worker_wait(&worker, until))
		;
	if (is == RSPB_WRITTEN_IN_VAIN && err)
		*err = rspb_writer->now.why;
	rspb_worker_unlock(&worker);
	return is;
}

void rspb_writer_wake_at(uint64_t number)
{
	rspb_worker_lock(&worker);
	/* The write may have ended since the caller looked. */
	if (written(number) == RSPB_WRITTEN)
		rspb_wake_up(RSPB_WAKE_ENDED);
	else
		rspb_writer->now.wake_at = number;
	rspb_worker_unlock(&worker);
}
