/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines for the journal, handed over and waited for by several threads while they
 * are written, now and then in vain, and while the file is changed for another. */
#include "plugins/ctld/record/writer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/record/store.h"
#include "tests/races/races.h"

enum { ROUNDS = 1000, FAILS = 50, FILES = 20, PATIENCE_US = 10000000 };

/* Of the writer's thread: calls of the store. */
static unsigned int calls;
static atomic_int wakes;

static void sleep_us(long us)
{
	const struct timespec pause = { .tv_nsec = us * 1000 };

	nanosleep(&pause, NULL);
}

void rspb_tally_time(enum rspb_tally_times what, int64_t us)
{
	(void) what;
	(void) us;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) level;
	(void) fmt;
}

int64_t rspb_section_clock_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

void rspb_wake_up(enum rspb_wake why)
{
	(void) why;
	wakes++;
}

void rspb_store_name(struct rspb_store *store, const char *path, const char *cluster)
{
	strcpy(store->path, path);
	strcpy(store->cluster, cluster);
	store->size = 0;
}

void rspb_store_close(struct rspb_store *store)
{
	store->fd = -1;
}

/* A disk that fails now and then. */
static int put(struct rspb_store *store, const char *lines, size_t length, struct rspb_err *err)
{
	MUST(store->path[0] && length && lines[length - 1] == '\n');
	sleep_us(100);
	store->size += (int64_t) length;
	return ++calls % FAILS ? 0 : rspb_fail(err, "%s: full", store->path);
}

int rspb_store_replace(struct rspb_store *store, const char *lines, size_t length, int64_t now,
		       struct rspb_err *err)
{
	(void) now;
	store->fd = 0;
	store->size = 0;
	return put(store, lines, length, err);
}

int rspb_store_append(struct rspb_store *store, const char *lines, size_t length,
		      struct rspb_err *err)
{
	return put(store, lines, length, err);
}

/* What a replay needs: notes, each a line. */
static atomic_int notes, freed;

int rspb_note_print(const struct rspb_note *note, int (*print)(void *arg, char *line), void *arg)
{
	MUST(note->bytes);
	return print(arg, strdup("{}\n"));
}

void rspb_note_free(struct rspb_note *note)
{
	freed += !!note;
	free(note);
}

/* RET whether it is for the file that is there. */
static bool add_note(int i)
{
	struct rspb_note *one = calloc(1, sizeof(*one));
	struct rspb_writer_state state;

	MUST(one);
	one->bytes = 1 << 20;
	one->kind = i % 8 ? RSPB_NOTE_PURGE : RSPB_NOTE_MACHINE;
	notes++;
	rspb_writer_look(&state);
	MUST(state.notes <= RSPB_WRITER_NOTES);
	return rspb_writer_note(one, state.file);
}

static void note(unsigned int part)
{
	(void) part;
	for (int i = 0; i < ROUNDS; i++) {
		add_note(i);
		rspb_writer_keep(i);
		rspb_writer_write();
	}
}

static uint64_t hand(bool whole)
{
	char *lines = strdup("{}\n");

	MUST(lines);
	return rspb_writer_hand(lines, strlen(lines), whole);
}

/* What the thread reads first; lines are handed over meanwhile. */
static atomic_bool has_read;
static unsigned int called; /* before it */

static void read_first(void)
{
	sleep_us(20000);
	MUST(calls == called);
	has_read = true;
}

static void user(unsigned int part)
{
	struct rspb_writer_state state;
	uint64_t before = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct rspb_err err;
		uint64_t number;

		rspb_writer_look(&state);
		MUST(state.number >= before);
		number = hand(state.whole);
		MUST(number > before);
		before = number;
		rspb_writer_wake_at(number);
		if ((i + (int) part) % 8)
			continue;
		rspb_writer_wait(number, PATIENCE_US, &err);
		MUST(rspb_writer_wait(number, 0, NULL) != RSPB_WRITTEN_NOT_YET);
	}
}

static void change(unsigned int part)
{
	(void) part;
	for (int i = 0; i < FILES; i++) {
		rspb_writer_use(i % 2 ? "one" : "other", "cluster");
		sleep_us(5000);
	}
}

int main(void)
{
	struct rspb_writer_state state;
	struct rspb_err err;
	uint64_t last;

	rspb_writer_use("first", "cluster");
	MUST(!rspb_writer_start(read_first, &err));
	last = hand(true);
	rspb_writer_await_first();
	MUST(has_read);
	MUST(rspb_writer_wait(last, PATIENCE_US, &err) == RSPB_WRITTEN);
	RACE(user, user, user, note, change);
	do
		last = hand(true);
	while (rspb_writer_wait(last, PATIENCE_US, NULL) != RSPB_WRITTEN);
	MUST(add_note(1));
	rspb_writer_look(&state);
	MUST(state.number == last && !state.whole && !state.failing);
	rspb_writer_stop();
	MUST(notes == freed);
	/* It ends where it is to stop at once, and has read before. */
	has_read = false;
	called = calls;
	MUST(!rspb_writer_start(read_first, &err));
	rspb_writer_stop();
	MUST(has_read);
	/* Some in vain, and fewer than lines: what had come meanwhile went at once. */
	MUST(wakes && calls > FAILS && calls < 3 * ROUNDS);
	return 0;
}
