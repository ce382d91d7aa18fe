/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/post/journal_writer.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/worker.h"
#include "plugins/ctld/post/journal_file.h"

enum {
	TEXT_MAX = 1 << 20, /* bytes that are written at once */
	RETRY_S = 5,	    /* a file that can't be written is tried again */
	STOP_S = 2
};

static void run(void);

static struct rspb_worker worker = RSPB_WORKER("rspb-journal", run);
/* With its mutex. */
static struct rspb_note *first, **last = &first;
static size_t waiting; /* bytes of notes that are not written */
/* When the writer needs the whole state, seconds; INT64_MAX: not. */
static atomic_int_fast64_t wanted = INT64_MAX;
/* It could not be stopped, and may still be there. */
static bool abandoned;

struct writer {
	struct rspb_journal_file file;
	bool failing;  /* and it has been said */
	uint64_t lost; /* notes since then */
	time_t looked; /* for whether the file was moved */
	char *text;    /* TEXT_MAX, filled up to length */
	size_t length;
};

static void give_up(struct writer *writer, const struct rspb_err *err)
{
	if (!writer->failing)
		rspb_log_error("%s; what is decided is not recorded until it "
			       "can be written again",
			       err->text);
	writer->failing = true;
	writer->length = 0;
	atomic_store(&wanted, time(NULL) + RETRY_S);
}

static int flush(struct writer *writer)
{
	struct rspb_err err;
	size_t length = writer->length;

	writer->length = 0;
	if (!length)
		return 0;
	if (!rspb_journal_file_write(&writer->file, writer->text, length, &err))
		return 0;
	give_up(writer, &err);
	return -1;
}

static int put_line(void *arg, char *line)
{
	struct writer *writer = arg;
	size_t length = strlen(line);
	struct rspb_err err;
	int rc = 0;

	if (writer->length + length > TEXT_MAX)
		rc = flush(writer);
	if (!rc && length > TEXT_MAX) {
		rc = rspb_journal_file_write(&writer->file, line, length, &err);
		if (rc)
			give_up(writer, &err);
	} else if (!rc) {
		memcpy(writer->text + writer->length, line, length);
		writer->length += length;
	}
	free(line);
	return rc;
}

/* The whole state follows: the time to open the file, or another one. */
static int begin(struct writer *writer, struct rspb_note *note)
{
	const char *path = note->config->journal_file;
	bool other = strcmp(path, writer->file.path);
	bool fresh = other || writer->file.fd < 0;
	struct rspb_err err;

	atomic_store(&wanted, INT64_MAX);
	if (flush(writer))
		return -1;
	if (other) {
		/* What the last file misses is no gap of this one. */
		writer->failing = false;
		writer->lost = 0;
	}
	if ((fresh || rspb_journal_file_moved(&writer->file)) &&
	    rspb_journal_file_open(&writer->file, path, &err)) {
		give_up(writer, &err);
		return -1;
	}
	note->lost += writer->lost;
	if (writer->failing)
		rspb_log_info("JournalFile=%s: it can be written again", path);
	else if (fresh)
		rspb_log_info("JournalFile=%s: recording", path);
	if (note->lost)
		rspb_log_error("JournalFile=%s: %" PRIu64 " entries are "
			       "missing",
			       path, note->lost);
	writer->failing = false;
	writer->lost = 0;
	return 0;
}

static void write_note(struct writer *writer, struct rspb_note *note)
{
	if (note->kind == RSPB_NOTE_CLOSE) {
		flush(writer);
		rspb_journal_file_close(&writer->file);
		writer->failing = false;
		writer->lost = 0;
		atomic_store(&wanted, INT64_MAX);
		return;
	}
	if (note->kind == RSPB_NOTE_MACHINE && begin(writer, note)) {
		writer->lost++;
	} else if (writer->failing || writer->file.fd < 0) {
		writer->lost++;
	} else if (rspb_note_print(note, put_line, writer)) {
		struct rspb_err err = { "JournalFile: out of memory" };

		if (!writer->failing)
			give_up(writer, &err);
		writer->lost = note->lost + 1;
	}
}

/* RET the next note; NULL: there is none any more. What has been collected is
 * written before there is a wait. */
static struct rspb_note *next_note(struct writer *writer)
{
	struct rspb_note *note;
	bool wait;

	do {
		rspb_worker_lock(&worker);
		wait = !first;
		rspb_worker_unlock(&worker);
		if (wait && flush(writer))
			writer->lost++;
		rspb_worker_lock(&worker);
		while (wait && !first && !worker.stopping)
			rspb_worker_wait(&worker,
					 rspb_worker_now_us() + 1000000);
		note = first;
		if (note) {
			first = note->next;
			if (!first)
				last = &first;
		}
		wait = !note && !worker.stopping;
		rspb_worker_unlock(&worker);
	} while (wait);
	return note;
}

/* Somebody (logrotate) has put another file there, or none: go on in that. */
static void look_for_file(struct writer *writer)
{
	time_t now = time(NULL);

	if (writer->looked == now || writer->failing)
		return;
	writer->looked = now;
	if (rspb_journal_file_moved(&writer->file))
		atomic_store(&wanted, now);
}

static void run(void)
{
	struct writer writer = { .file = RSPB_JOURNAL_FILE_NONE };
	struct rspb_note *note;

	writer.text = malloc(TEXT_MAX);
	while (writer.text && (note = next_note(&writer))) {
		write_note(&writer, note);
		look_for_file(&writer);
		rspb_worker_lock(&worker);
		waiting -= note->bytes;
		rspb_worker_unlock(&worker);
		rspb_note_free(note);
	}
	if (writer.text)
		flush(&writer);
	rspb_journal_file_close(&writer.file);
	free(writer.text);
}

/* --- for others ----------------------------------------------------------- */

bool rspb_journal_writer_start(void)
{
	struct rspb_err err;

	if (worker.running || abandoned)
		return worker.running;
	atomic_store(&wanted, INT64_MAX);
	if (rspb_worker_start(&worker, &err))
		rspb_log_error("JournalFile: %s", err.text);
	return worker.running;
}

bool rspb_journal_writer_put(struct rspb_note *note)
{
	bool room;

	if (!note)
		return false;
	rspb_worker_lock(&worker);
	room = !waiting || waiting + note->bytes <= RSPB_JOURNAL_WAITING_MAX;
	if (room) {
		waiting += note->bytes;
		*last = note;
		last = &note->next;
	}
	rspb_worker_unlock(&worker);
	if (!room)
		rspb_note_free(note);
	return room;
}

size_t rspb_journal_writer_wake(void)
{
	size_t bytes;

	rspb_worker_lock(&worker);
	bytes = waiting;
	if (first)
		rspb_worker_wake(&worker);
	rspb_worker_unlock(&worker);
	return bytes;
}

int64_t rspb_journal_writer_wants(void)
{
	return atomic_load(&wanted);
}

/* A thread that waits for a disk cannot be ended: our code has to stay where
 * it is. */
static void abandon(void)
{
	Dl_info self;

	rspb_log_error("JournalFile: the disk does not answer, what waits for "
		       "it is lost");
	if (!dladdr((void *) &first, &self) ||
	    !dlopen(self.dli_fname, RTLD_LAZY | RTLD_NODELETE | RTLD_NOLOAD))
		rspb_log_error("JournalFile: %s", dlerror());
	abandoned = true;
}

void rspb_journal_writer_stop(void)
{
	struct rspb_note *note;

	if (!rspb_worker_ask_to_stop(&worker))
		return;
	if (!rspb_worker_join_within(&worker, STOP_S)) {
		abandon();
		return;
	}
	while ((note = first)) {
		first = note->next;
		rspb_note_free(note);
	}
	last = &first;
	waiting = 0;
}
