/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps: its member of struct rspb_controller (controller.h). All zeros:
 * nothing yet, but for the pipe, which is not open. */
#ifndef RSPB_CTLD_POST_STATE_H
#define RSPB_CTLD_POST_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"

enum rspb_outbox_phase { RSPB_OUTBOX_WRITTEN, RSPB_OUTBOX_POSTED, RSPB_OUTBOX_DELIVERED };
enum { RSPB_OUTBOX_EVENT = 16 };

/* A notice that is on its way (outbox.c). */
struct rspb_outbox_entry {
	uint64_t id;
	uint32_t job, uid;
	enum rspb_outbox_phase phase;
	int64_t keep; /* as of put() */
	char event[RSPB_OUTBOX_EVENT];
	int64_t from;	 /* it is not posted before: others of its series may come */
	int64_t last;	 /* and they are waited for until then */
	bool several;	 /* it tells of several jobs */
	bool mailed;	 /* it has a reader besides the site's program */
	uint64_t kin;	 /* a number of what letters that may be joined have in common */
	char *text;	 /* owned; NULL once it is delivered */
	uint64_t number; /* by which it is in the journal, 0: not yet known */
};

/* Notices that are on their way (outbox.c). The agent's. */
struct rspb_outbox_state {
	struct rspb_outbox_entry *items; /* owned */
	size_t n, room;
	uint64_t last_id;
	uint32_t last_uid; /* whose was posted last */
	bool full;	   /* and that has been said */
};

struct rspb_post_state {
	/* The postman: when it is to stop, 0: it is to go on; how many wait or are under way. */
	atomic_int_fast64_t stop_at;
	atomic_int waiting;
	int stop_pipe[2]; /* readable: the messenger gives up what is under way; -1: not open */

	/* The agent alone uses all that follows. */
	char program[RSPB_CONFIG_PATH]; /* NoticeProgram */
	struct rspb_outbox_state box;
	struct {
		int64_t until;	  /* whose time came up to then; 0: nothing is known */
		int64_t next;	  /* when the next one's comes, in this version */
		uint64_t version; /* of the book */
		int64_t lead;	  /* Remind= of the site */
	} reminded;
};

extern struct rspb_post_state *const rspb_post;
extern struct rspb_outbox_state *const rspb_outbox;

#endif
