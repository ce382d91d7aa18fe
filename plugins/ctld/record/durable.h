/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The durable journal, rspb.journal in StateSaveLocation: what has been said to
 * people and to Slurm and must outlive a crash (doc/journal.md). What is noted is in
 * memory; flush() has it written by a thread of its own (writer.h), and whoever may
 * not go on before that waits for it by sync().
 *
 * For the agent's thread alone, but for open() and close(), which come before
 * and after it. Notes and flush() take microseconds, and notes may be made with
 * any locks.
 */
#ifndef RSPB_CTLD_RECORD_DURABLE_H
#define RSPB_CTLD_RECORD_DURABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "plugins/ctld/record/left.h"
#include "plugins/ctld/record/promise.h"

/* Start the thread, which reads what the last slurmctld has left (left.h). Problems with
 * that are in the log; where the file must not be touched, sync() fails. kinds: of others,
 * with a NULL behind the last, or NULL. last_job: the highest number of a job in it, 0:
 * none. RET 0, or -1 with err: there is no thread. */
int rspb_durable_open(const struct rspb_durable_kind *const *kinds, int64_t now, uint32_t *last_job,
		      struct rspb_err *err);
/* The agent begins, and waits until it is read, or reads it once more, the first time. A
 * backup controller has opened it long before it takes over. */
void rspb_durable_begin(int64_t now);
void rspb_durable_close(void);
/* on: Journal of rspb.conf. Without it nothing is written, and sync() always
 * succeeds. */
void rspb_durable_configure(bool on);

/* Note what is promised from now on, unless it is noted already. */
void rspb_durable_promise(const struct rspb_promise *promise);
/* Note any other record; takes the value. */
void rspb_durable_note(const char *kind, struct json_object *value, int64_t now);
/* Have all notes written, without waiting. RET the number with which they are on the disk; 0: not
 * now, because the disk fails; this is tried again now and then. */
uint64_t rspb_durable_flush(int64_t now);
/* Whether the notes with that number are on the disk, or need not be; 0: they are not. If they are
 * not yet, the agent is woken when they are. */
bool rspb_durable_done(uint64_t number);
/* Wait until all notes are on the disk, with yield points meanwhile (base/section.h); without
 * locks. RET 0: they are, or need not be; -1 with err: nobody must be told of them, and they are
 * written with the next. err NULL: the caller goes on in any case, and a disk that fails is tried
 * no more often than by flush(). */
int rspb_durable_sync(int64_t now, struct rspb_err *err);
/* Whether the disk fails, and something noted is not on it. */
bool rspb_durable_behind(void);
/* Call every minute: note a heartbeat, and write a shorter file if it has grown. */
void rspb_durable_keep_house(int64_t now);

/* Whether what Slurm's files do not have was lost by them: they were written
 * sooner than `within` seconds after we had looked last, so that it cannot have
 * ended unseen. */
bool rspb_durable_lost(int64_t within);
/* Within which that goes for what somebody has changed: the heartbeats are a
 * minute apart. */
enum { RSPB_DURABLE_UNSEEN_S = 70 };
/* Whether something was promised in the last `within` seconds of the former slurmctld. */
bool rspb_durable_recent(const struct rspb_promise *promise, int64_t within);
/* States that Slurm has of a booking where the journal has another. */
enum rspb_durable_other {
	RSPB_DURABLE_BOOKED,	/* another booking, or its end */
	RSPB_DURABLE_REQUESTED, /* its request, as before the decision */
	RSPB_DURABLE_NOTHING
};
/* Whether that is later than the promise: Slurm's file was written after it, with more in
 * between than a slow disk takes, or a damaged line follows it, which may have replaced it. text:
 * the contract that Slurm has, or NULL. */
bool rspb_durable_outdated(const struct rspb_promise *promise, enum rspb_durable_other has,
			   const char *text);
/* After a restart: give each promise to redo(), in short sections under the write
 * lock. It may put that promise anew; RET whether the promise goes. */
void rspb_durable_redo(bool (*redo)(const struct rspb_promise *promise, int64_t now), int64_t now);

#endif
