/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/post/journal.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/decide.h"
#include "plugins/ctld/post/journal_file.h"
#include "plugins/ctld/post/notes.h"

enum {
	WAITING_MAX = 32 << 20, /* bytes of notes that may wait */
	TEXT_MAX = 1 << 20,	/* bytes that are written at once */
	RETRY_S = 5, /* a file that can't be written is tried again */
	STOP_S = 2
};

/* Between the two threads. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static struct rspb_note *first, **last = &first;
static size_t waiting; /* bytes of notes that are not written */
static bool stopping;
/* When the writer needs the whole state, seconds; INT64_MAX: not. */
static atomic_int_fast64_t wanted = INT64_MAX;

/* The agent's. */
static pthread_t thread;
static bool running, abandoned;
static bool on;		  /* there is a JournalFile */
static bool whole;	  /* the state is in the queue: changes count */
static bool full;	  /* there was no room, and it has been said */
static uint64_t left_out; /* since then */

/* --- the writer's thread ------------------------------------------------- */

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

/* With the mutex: until woken, or for a second. */
static void wait_for_note(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_cond_timedwait(&cond, &mutex, &until);
}

/* RET the next note; NULL: there is none any more. What has been collected is
 * written before there is a wait. */
static struct rspb_note *next_note(struct writer *writer)
{
	struct rspb_note *note;
	bool wait;

	do {
		pthread_mutex_lock(&mutex);
		wait = !first;
		pthread_mutex_unlock(&mutex);
		if (wait && flush(writer))
			writer->lost++;
		pthread_mutex_lock(&mutex);
		while (wait && !first && !stopping)
			wait_for_note();
		note = first;
		if (note) {
			first = note->next;
			if (!first)
				last = &first;
		}
		wait = !note && !stopping;
		pthread_mutex_unlock(&mutex);
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

static void *writer_main(void *arg)
{
	struct writer writer = { .file = RSPB_JOURNAL_FILE_NONE };
	struct rspb_note *note;

	prctl(PR_SET_NAME, "rspb-journal", 0, 0, 0);
	writer.text = malloc(TEXT_MAX);
	while (writer.text && (note = next_note(&writer))) {
		write_note(&writer, note);
		look_for_file(&writer);
		pthread_mutex_lock(&mutex);
		waiting -= note->bytes;
		pthread_mutex_unlock(&mutex);
		rspb_note_free(note);
	}
	if (writer.text)
		flush(&writer);
	rspb_journal_file_close(&writer.file);
	free(writer.text);
	return arg;
}

/* --- the agent's thread -------------------------------------------------- */

static bool start(void)
{
	int rc;

	if (running || abandoned)
		return running;
	stopping = false;
	atomic_store(&wanted, INT64_MAX);
	rc = pthread_create(&thread, NULL, writer_main, NULL);
	if (rc)
		rspb_log_error("JournalFile: no thread to write it: %s",
			       strerror(rc));
	running = !rc;
	return running;
}

/* RET false: there is no room for the note, which is gone. The writer is not
 * woken: it had better not run while Slurm's locks are held. */
static bool post(struct rspb_note *note)
{
	bool room;

	if (!note)
		return false;
	pthread_mutex_lock(&mutex);
	room = !waiting || waiting + note->bytes <= WAITING_MAX;
	if (room) {
		waiting += note->bytes;
		*last = note;
		last = &note->next;
	}
	pthread_mutex_unlock(&mutex);
	if (!room)
		rspb_note_free(note);
	return room;
}

/* Take a change down, or from now on none until the state is whole again. */
static void take_down(struct rspb_note *note)
{
	if (post(note))
		return;
	if (!full)
		rspb_log_error("JournalFile: %d MiB wait for the disk; entries "
			       "are left out until it has caught up",
			       WAITING_MAX >> 20);
	full = true;
	whole = false;
	left_out++;
}

static bool recording(void)
{
	if (on && !whole && full)
		left_out++;
	return on && whole;
}

void rspb_journal_configure(const struct rspb_config *config)
{
	bool wish = config->journal_file[0];

	whole = false;
	if (wish && !start()) {
		on = false;
		return;
	}
	if (on && !wish)
		post(rspb_note_close());
	on = wish;
}

void rspb_journal_reset(void)
{
	whole = false;
}

/* RET the names of all nodes; NULL: not now, the table has changed. */
static char *node_names(void)
{
	struct rspb_section section;
	char *names = NULL;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "journal"))
		return NULL;
	if (rspb_node_fingerprint() == rspb_book_table())
		names = rspb_node_all_names();
	rspb_section_leave(&section);
	return names;
}

/* The whole state, from which on changes count. */
static void begin_anew(const struct rspb_config *config)
{
	struct rspb_policy policy;
	struct rspb_note *note;

	rspb_decide_policy(config, &policy);
	note = rspb_note_machine(rspb_book_ledger(), config, &policy,
				 node_names());
	if (!note)
		return;
	note->lost = left_out;
	whole = post(note);
	if (!whole)
		return;
	full = false;
	left_out = 0;
}

void rspb_journal_look(const struct rspb_config *config)
{
	size_t bytes;

	if (!on)
		return;
	pthread_mutex_lock(&mutex);
	bytes = waiting;
	if (first)
		pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	if (rspb_book_ledger() && bytes <= WAITING_MAX / 2 &&
	    (!whole || time(NULL) >= atomic_load(&wanted)))
		begin_anew(config);
}

void rspb_journal_record(const struct rspb_record *record)
{
	if (record->kind != RSPB_REC_ADVANCE && recording())
		take_down(rspb_note_record(record));
}

void rspb_journal_purge(int64_t before)
{
	if (recording())
		take_down(rspb_note_purge(before));
}

void rspb_journal_batch(const struct rspb_ledger *basis, uint64_t without,
			int64_t now, struct rspb_booking *const *decisions,
			size_t n)
{
	if (recording())
		take_down(rspb_note_batch(basis, without, now, decisions, n));
}

/* rescue: NULL for growth. */
static void take_plan(const struct rspb_ledger *plan,
		      const struct rspb_rescue *rescue, int64_t before,
		      int64_t now)
{
	const struct rspb_booking **list = NULL;
	int64_t n;

	if (!recording())
		return;
	n = rspb_ledger_changes(rspb_book_ledger(), plan, &list);
	take_down(n < 0 ? NULL
			: rspb_note_plan(plan, rescue, before, now, list,
					 (size_t) n));
	free(list);
}

void rspb_journal_rescue(const struct rspb_ledger *plan,
			 const struct rspb_rescue *rescue, int64_t now)
{
	take_plan(plan, rescue, 0, now);
}

void rspb_journal_growth(const struct rspb_ledger *plan, int64_t before,
			 int64_t now)
{
	take_plan(plan, NULL, before, now);
}

void rspb_journal_refuse(uint64_t id, const char *reason)
{
	if (recording())
		take_down(rspb_note_refuse(id, reason));
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
	pthread_detach(thread);
	abandoned = true;
}

void rspb_journal_stop(void)
{
	struct timespec until;
	struct rspb_note *note;

	if (!running)
		return;
	pthread_mutex_lock(&mutex);
	stopping = true;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += STOP_S;
	running = on = whole = full = false;
	left_out = 0;
	if (pthread_timedjoin_np(thread, NULL, &until)) {
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
