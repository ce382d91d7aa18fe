/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent's side of the journal: lines that were noted and wait for the disk, and the promises
 * that a crash has left. writer.c has the file and its thread. */
#include "plugins/ctld/record/durable.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/wire/flags.h"
#include "common/wire/json.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/save.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/record/state.h"
#include "plugins/ctld/record/store.h"
#include "plugins/ctld/record/writer.h"

enum {
	FINAL_KEPT_S = 86400, /* what is over may come back in an old file */
	BREATH_US = 2000,     /* how often who waits lets others go first */
	SLOW_SYNC_S = 10,     /* from a promise to Slurm's record of it, at most */
	DECIDED_S = 2	      /* likewise, unless the disk is slow */
};

/* --- notes ------------------------------------------------------------------ */

/* Takes the line. If a line is lost for lack of memory, the next write is a whole file. That is
 * made from the tables, and so contains the line again. */
static void add_line(char *line)
{
	size_t length = line ? strlen(line) : 0;

	if (!line || rspb_array_grow(&rspb_journal->lines, &rspb_journal->room,
				     rspb_journal->length + length, 1)) {
		rspb_journal->short_of_memory = true;
	} else {
		memcpy(rspb_journal->lines + rspb_journal->length, line, length);
		rspb_journal->length += length;
	}
	free(line);
}

/* Notes are only copied to memory here, because callers may hold Slurm's locks. The disk is the
 * writer's. */
void rspb_durable_note(const char *kind, struct json_object *value, int64_t now)
{
	if (!rspb_journal->on) {
		json_object_put(value);
		return;
	}
	add_line(rspb_json_sealed(now, kind, value));
}

/* The table is kept up to date even with Journal=no. A whole file can then be written as soon
 * as the journal is switched on. */
void rspb_durable_promise(const struct rspb_promise *promise)
{
	if (rspb_promise_stands(promise))
		return;
	if (rspb_promise_put(promise))
		rspb_journal->short_of_memory = true;
	else
		/* Its texts may have been those of the one before. */
		rspb_durable_note("promise", rspb_promise_write(rspb_promise_find(promise->key)),
				  promise->at);
}

/* --- what the last one left --------------------------------------------------- */

/* Log what was damaged, and keep a copy. Users may have been told of a booking that is lost
 * with it; an administrator can look for that in the copy. */
static void tell_found(void)
{
	const struct rspb_store_found *found = &rspb_journal->left->found;
	const char *path = rspb_journal->left->store.path;
	char name[PATH_MAX + 16];
	struct rspb_err err;

	if (found->torn_bytes || found->broken) {
		bool kept = !rspb_store_keep_aside(&rspb_journal->left->store, name, sizeof(name),
						   &err);

		rspb_log_error("%s: from byte %" PRId64 " on %zu lines and its last %" PRId64 " "
			       "bytes cannot be read: slurmctld was killed while it wrote them, "
			       "or they were damaged; Slurm's record counts for the bookings "
			       "concerned; a copy of the file was %skept: %s",
			       path, found->broken_at, found->broken, found->torn_bytes,
			       kept ? "" : "not ", kept ? name : err.text);
	}
	rspb_log_info("%s: %zu lines, %zu promises", path, found->lines, rspb_promises_count());
}

int rspb_durable_open(const struct rspb_durable_kind *const *others, int64_t now,
		      uint32_t *last_job, struct rspb_err *err)
{
	struct rspb_save_left left;

	/* A former start in this process may have left something, which is forgotten first. */
	rspb_durable_close();
	rspb_journal->others = others;
	/* The times of Slurm's files must be read before this slurmctld writes its own. They
	 * later decide whether Slurm's record or a promise is newer. */
	left = rspb_save_begin();
	rspb_journal->state_at = left.jobs_at;
	rspb_journal->resvs_at = left.resvs_at;
	rspb_journal->whole = left.whole;
	/* The highest job number is needed before Slurm reads its jobs. The rest is read by the
	 * writer's thread at the same time as Slurm reads its own files. */
	*last_job = rspb_left_begin(others, now);
	return rspb_writer_start(rspb_left_read, err);
}

/* Start a new file with what was read. If the old one holds little else, its lines are copied
 * as they are; otherwise they are made from the tables. The write itself is not waited for. */
static void write_anew(int64_t now)
{
	size_t length;
	char *lines = rspb_journal->on ? rspb_left_lines(&length) : NULL;

	if (lines)
		rspb_writer_hand(lines, length, true);
	else
		rspb_durable_flush(now);
}

void rspb_durable_begin(int64_t now)
{
	if (rspb_journal->begun)
		return;
	rspb_journal->begun = true;
	rspb_writer_await_first();
	/* A backup controller may have read the file long ago, while the primary went on
	 * writing it. The file is then read again. */
	rspb_journal->left = rspb_left_now(now);
	rspb_journal->left_at = rspb_journal->left->at;
	rspb_journal->short_of_memory |= rspb_journal->left->short_of_memory;
	/* A file of another cluster or version is never overwritten. hand_over() fails from
	 * here on, so that no new booking is promised. */
	if (rspb_journal->left->refused[0])
		rspb_log_error("%s; nothing new is booked", rspb_journal->left->refused);
	else if (rspb_journal->left->found.any)
		tell_found();
	rspb_writer_use(rspb_journal->left->store.path, rspb_journal->left->store.cluster);
	write_anew(now);
}

/* The setting survives here. The agent sets it anew in its first round. */
void rspb_durable_close(void)
{
	bool on = rspb_journal->on;

	rspb_writer_stop();
	rspb_left_forget();
	free(rspb_journal->lines);
	memset(rspb_journal, 0, sizeof(*rspb_journal));
	rspb_journal->on = on;
}

/* Called by the agent for each change of the settings, the first time before it begins. */
void rspb_durable_configure(bool on)
{
	const struct rspb_left *left;
	const struct rspb_store *store;
	char old[PATH_MAX + 8];

	rspb_writer_await_first();
	left = rspb_left_found();
	store = &left->store;

	/* Without the journal the file is soon out of date, and must not be believed by a later
	 * slurmctld that has Journal=yes. The file is renamed rather than removed. */
	if (!on && store->path[0] && !left->refused[0]) {
		rspb_writer_use(store->path, store->cluster);
		snprintf(old, sizeof(old), "%s.old", store->path);
		if (!rename(store->path, old))
			rspb_log_info("Journal=no: the journal is %s now", old);
		rspb_journal->length = 0;
	}
	rspb_journal->on = on;
}

/* The last heartbeat is the last time at which this plugin is known to have seen Slurm's jobs.
 * A file that Slurm wrote much later may lack a job because it ended unseen. */
bool rspb_durable_lost(int64_t within)
{
	return rspb_journal->state_at < rspb_journal->left_at + within;
}

bool rspb_durable_recent(const struct rspb_promise *promise, int64_t within)
{
	return promise->at + within >= rspb_journal->left_at;
}

/* Only the seconds of the writes are known. Each case therefore has the time that may pass
 * between a promise and Slurm's own record of it. */
bool rspb_durable_outdated(const struct rspb_promise *promise, enum rspb_durable_other has,
			   const char *text)
{
	int64_t written = rspb_promise_number(promise) ? rspb_journal->resvs_at
						       : rspb_journal->state_at;
	int64_t after = written - promise->at;

	/* With slurmctld -i Slurm skips damaged records, so that a missing one proves nothing. */
	if (has == RSPB_DURABLE_NOTHING && !rspb_journal->whole)
		return false;
	/* Slurm may save its record of the former contract in the second of the promise. A damaged
	 * line does not make that record later. Otherwise, the request is saved in the second of
	 * the decision. */
	if (promise->doubted && !rspb_promise_replaced(promise, text))
		return after >= (has == RSPB_DURABLE_BOOKED ? 0 : DECIDED_S);
	return after > (has == RSPB_DURABLE_REQUESTED ? RSPB_DURABLE_UNSEEN_S : SLOW_SYNC_S);
}

void rspb_durable_redo(bool (*redo)(const struct rspb_promise *promise, int64_t now), int64_t now)
{
	struct rspb_section section = { .what = NULL };
	size_t i = 0;

	/* The locks may be released between two promises. Only this thread changes the table,
	 * and redo() at most puts this promise anew. */
	while (i < rspb_promises_count() && rspb_section_next(&section, RSPB_LOCK_WRITE, "redo")) {
		uint64_t key = rspb_promise_at(i)->key;

		if (!redo(rspb_promise_at(i), now)) {
			i++;
			continue;
		}
		rspb_promise_drop(key);
		/* The dropped line is still in the file, and the next slurmctld would follow
		 * it. A whole file leaves it out. */
		rspb_journal->grown = true;
	}
	rspb_section_end(&section);
}

/* --- to the disk --------------------------------------------------------------- */

/* Note all that counts, for a whole file. Promises that were over a day ago are dropped,
 * because no older file of Slurm is expected to come back. RET false: out of memory, and the
 * next write tries again. */
static bool note_all(int64_t now)
{
	const struct rspb_durable_kind *const *kind;
	size_t i = 0;

	rspb_journal->length = 0;
	rspb_journal->short_of_memory = false;
	while (i < rspb_promises_count()) {
		const struct rspb_promise *promise = rspb_promise_at(i);

		/* Before all jobs have been compared, an old promise may still be needed to end
		 * a job again. */
		if (rspb_journal->compared && promise->at < now - FINAL_KEPT_S &&
		    rspb_promise_over(promise)) {
			rspb_promise_drop(promise->key);
			continue;
		}
		rspb_durable_note("promise", rspb_promise_write(promise), promise->at);
		i++;
	}
	for (kind = rspb_journal->others; kind && *kind; kind++)
		(*kind)->tell(now);
	/* The time of the last slurmctld is repeated. A slurmctld that is killed before it has
	 * looked at everything has seen nothing. */
	rspb_durable_note("alive", json_object_new_object(), rspb_journal->left_at);
	return !rspb_journal->short_of_memory;
}

/* Give what was noted to the writer, and all that counts where it has to be written
 * anew, which a disk that fails is not asked for all the time unless at_once.
 * RET the number by which all of it is on the disk; 0 with err: not now. */
static uint64_t hand_over(int64_t now, bool at_once, struct rspb_err *err)
{
	struct rspb_writer_state writer;
	uint64_t number;
	bool whole;

	if (!rspb_journal->begun || rspb_journal->left->refused[0]) {
		rspb_fail(err, "%s",
			  rspb_journal->begun ? rspb_journal->left->refused
					      : "rspb.journal: it is not read yet");
		return 0;
	}
	rspb_writer_look(&writer);
	whole = writer.whole || rspb_journal->short_of_memory || rspb_journal->grown;
	/* Earlier lines may still wait for the disk, so the caller gets the last number and not
	 * "done". */
	if (!whole && !rspb_journal->length)
		return writer.number;
	/* Each try writes the whole file. A full disk would otherwise keep the agent busy in
	 * every round. */
	if (whole && writer.failing && !at_once && rspb_section_clock_us() < writer.again)
		return 0;
	if (whole && !note_all(now)) {
		rspb_fail(err, "rspb.journal: out of memory");
		return 0;
	}
	number = rspb_writer_hand(rspb_journal->lines, rspb_journal->length, whole);
	/* The writer owns the lines now, also if they cannot be written. A later whole file has
	 * their content. */
	rspb_journal->lines = NULL;
	rspb_journal->length = rspb_journal->room = 0;
	rspb_journal->grown = false;
	return number;
}

bool rspb_durable_behind(void)
{
	struct rspb_writer_state writer;

	rspb_writer_look(&writer);
	return rspb_journal->on && writer.failing;
}

uint64_t rspb_durable_flush(int64_t now)
{
	return rspb_journal->on ? hand_over(now, false, NULL) : 0;
}

bool rspb_durable_done(uint64_t number)
{
	if (!rspb_journal->on || (number && rspb_writer_wait(number, 0, NULL) == RSPB_WRITTEN))
		return true;
	if (number)
		rspb_writer_wake_at(number);
	return false;
}

int rspb_durable_sync(int64_t now, struct rspb_err *err)
{
	enum rspb_written written = RSPB_WRITTEN_NOT_YET;
	uint64_t number;

	if (!rspb_journal->on)
		return 0;
	/* A caller that asks for the reason waits for the answer, so the disk is tried at once. */
	number = hand_over(now, err, err);
	if (!number)
		return -1;
	for (;;) {
		/* Bookings start on time even if the disk is slow: the wait is cut into pieces
		 * with yield points. */
		written = rspb_writer_wait(number, BREATH_US, err);
		if (written != RSPB_WRITTEN_NOT_YET)
			return written == RSPB_WRITTEN ? 0 : -1;
		rspb_breathe();
	}
}

void rspb_durable_keep_house(int64_t now)
{
	struct rspb_writer_state writer;
	struct rspb_lengths_sum syncs;

	rspb_writer_look(&writer);
	/* The agent has compared all jobs with their promises before its first call. */
	rspb_journal->compared = true;
	rspb_journal->grown |= writer.grown;
	/* The heartbeat lets the next slurmctld tell a job that was lost with Slurm's file from
	 * one that ended while this plugin was not loaded. */
	rspb_journal->left_at = now;
	rspb_durable_note("alive", json_object_new_object(), now);
	rspb_durable_flush(now);
	if (now < rspb_journal->told_at + 3600)
		return;
	rspb_tally_times(RSPB_TALLY_SYNCS, &syncs);
	if (rspb_journal->told_at && syncs.n)
		rspb_log_info("journal: %" PRIu64 " times synced since the "
			      "start, in %" PRId64 " us on average, at most "
			      "%" PRId64 " us",
			      syncs.n, syncs.sum_us / (int64_t) syncs.n, syncs.longest_us);
	rspb_journal->told_at = now;
}
