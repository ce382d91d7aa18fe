/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps: its member of struct rspb_controller (controller.h). All zeros:
 * nothing yet, but for files, which are not open. */
#ifndef RSPB_CTLD_RECORD_STATE_H
#define RSPB_CTLD_RECORD_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/record/durable.h"
#include "plugins/ctld/record/left.h"
#include "plugins/ctld/record/promise.h"
#include "plugins/ctld/record/store.h"

/* The lines and notes that wait for the writer. */
struct rspb_writer_waiting {
	char *lines; /* owned */
	size_t length, room;
	bool whole;		 /* they are a file */
	struct rspb_queue notes; /* go after them */
	size_t bytes;		 /* of these */
};

/* The writer's: its thread's while `busy`; else with its mutex, as all that follows. */
struct rspb_writer_file {
	struct rspb_store store;
	bool busy;		    /* with the file */
	void (*first_of_all)(void); /* until that is done */
	struct rspb_writer_waiting waiting;
	struct {
		bool open;   /* what was written last is whole: more can be added */
		bool coming; /* or will be, when what was handed over is written */
		bool failing;
		int64_t again_us, size, shortest, keep;
		uint64_t given, done, vain; /* numbers: the highest of each */
		uint64_t files;		    /* begun, that which is coming, too */
		uint64_t lost;		    /* notes, since a machine was written */
		uint64_t wake_at;	    /* 0: nobody waits in his sleep */
		struct rspb_err why;
	} now;
};

/* The agent's side of the journal. */
struct rspb_journal_state {
	bool on, begun;
	const struct rspb_left *left;
	const struct rspb_durable_kind *const *others; /* NULL: none */
	char *lines;				       /* noted and not handed over */
	size_t length, room;
	bool short_of_memory; /* some could not be noted */
	bool grown;	      /* the file is to be written anew */
	bool compared;	      /* jobs are, with what was read: what is over goes */
	/* The last time at which this plugin had looked; the times at which the last
	 * slurmctld wrote Slurm's files of jobs and of reservations. */
	int64_t left_at, state_at, resvs_at;
	bool whole; /* these files are read as a whole */
	int64_t told_at;
};

/* The findings of reading the journal, and the table of promises. They belong to one thread
 * at a time: the writer's while it reads the file, and then the agent's. */
struct rspb_left_state {
	struct rspb_left is;
	int64_t read_at;
	const struct rspb_durable_kind *const *kinds; /* NULL: none */
	char path[PATH_MAX], cluster[RSPB_STORE_CLUSTER];
	char *theirs; /* lines of the kinds, which they are given by found() */
	size_t length, room;
	bool replays;  /* it has lines that only these need */
	size_t broken; /* damaged lines before the last good one */
};

struct rspb_promises_state {
	struct rspb_promise *items; /* by key */
	size_t n, room;
};

struct rspb_record_state {
	struct rspb_journal_state journal;
	/* Notes for replays, of the agent: whether the site wants them; the file that has the whole
	 * state, 0: none. */
	bool replay_on;
	uint64_t replay_file;

	struct rspb_left_state left;
	struct rspb_promises_state promises;

	struct rspb_writer_file writer;
};

extern struct rspb_record_state *const rspb_record;
extern struct rspb_writer_file *const rspb_writer;
extern struct rspb_journal_state *const rspb_journal;
extern struct rspb_left_state *const rspb_left;
extern struct rspb_promises_state *const rspb_promises;

#endif
