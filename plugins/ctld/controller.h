/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that the controller remembers: one structure, which the agent owns. A room knows its own
 * member only, by the pointer that its state.h declares. Apart from it are the threads (struct
 * rspb_worker, struct rspb_errands), which have a function and a name before they run. */
#ifndef RSPB_CTLD_CONTROLLER_H
#define RSPB_CTLD_CONTROLLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugins/ctld/base/state.h"
#include "plugins/ctld/book/state.h"
#include "plugins/ctld/decide/state.h"
#include "plugins/ctld/kinds/state.h"
#include "plugins/ctld/mirror/state.h"
#include "plugins/ctld/observe/state.h"
#include "plugins/ctld/post/state.h"
#include "plugins/ctld/record/state.h"
#include "plugins/ctld/request/state.h"
#include "plugins/ctld/serve/state.h"
#include "plugins/ctld/start/launch.h"
#include "plugins/ctld/start/state.h"
#include "plugins/ctld/watch/state.h"

struct rspb_agent_rounds;

/* The agent's own (agent.c). */
struct rspb_agent_state {
	/* The cancellations seen at its last look, and when to look next. Jobs that were
	 * compared just before are not compared again, so that it looks once more. */
	uint64_t seen;
	int64_t not_before;
	bool once_more, looking;
	/* The urgent work that is done between any two other pieces of work
	 * (base/section.h). No lock of Slurm is held then. */
	const struct rspb_agent_rounds *rounds;
	int64_t next;		   /* ms: when a start or the end of a window is due */
	int64_t end;		   /* s: when one ends, or cannot start any more */
	bool ended;		   /* one has since the last look at jobs */
	bool starting;		   /* bookings are being started */
	uint64_t version;	   /* of the book of which that was said */
	struct rspb_failed failed; /* could not start, and may elsewhere */
};

/* The server's thread's own (answer.c). */
struct rspb_answer_state {
	struct rspb_queue parked;     /* questions */
	struct rspb_picture *picture; /* owned; NULL: none yet */
	bool asked_for;		      /* another one */
	int64_t not_before_us;	      /* no picture is asked for */
};

struct rspb_controller {
	atomic_bool running; /* the plugins are served (broker.c) */
	struct rspb_agent_state agent;
	struct rspb_answer_state answer;
	/* The rooms, in their order. */
	struct rspb_base_state base;
	struct rspb_record_state record;
	struct rspb_book_state book;
	struct rspb_post_state post;
	struct rspb_request_state request;
	struct rspb_decide_state decide;
	struct rspb_mirror_state mirror;
	struct rspb_observe_state observe;
	struct rspb_start_state start;
	struct rspb_kinds_state kinds;
	struct rspb_watch_state watch;
	struct rspb_serve_state serve;
};

extern struct rspb_controller rspb_controller;

#endif
