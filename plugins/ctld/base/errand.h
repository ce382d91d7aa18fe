/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs errands: work that has to wait for something outside, so that nobody else waits. Each sort
 * of errand has threads of its own, as many as it may have under way. They begin when there is work
 * and end when there is none, so an errand that hangs holds up no other sort. Any thread, any
 * locks, but for begin() and end(); a sort's mutex may guard what its errands are about, too. */
#ifndef RSPB_CTLD_BASE_ERRAND_H
#define RSPB_CTLD_BASE_ERRAND_H

#include "plugins/ctld/base/queue.h"
#include "plugins/ctld/base/worker.h"

enum { RSPB_ERRANDS_MOST = 8 };

/* The first member of a caller's structure; drop() gives it back to its owner. */
struct rspb_errand {
	struct rspb_link link;
	const char *key; /* of one key one at a time, in order; NULL: none */
	int64_t at;	 /* not before, us by CLOCK_MONOTONIC */
	/* For errand.c: it was put back; it waits or is under way; it was posted meanwhile. */
	bool again, posted, once_more;
};

enum rspb_errand_end {
	RSPB_ERRAND_OVER,
	RSPB_ERRAND_AGAIN, /* put back, before all others; `at` may be set */
	RSPB_ERRAND_KEPT   /* over, and kept() is to tell of it */
};

struct rspb_errands {
	struct rspb_worker guard; /* its name; its mutex guards what is errand.c's */
	/* How many may be under way at a time, and how many of these that were put back. */
	int most, most_again;
	/* Do the work, without locks. */
	enum rspb_errand_end (*run)(struct rspb_errand *errand);
	/* Likewise, when it is over or will never be run; NULL: there is nothing to do then. */
	void (*drop)(struct rspb_errand *errand);

	/* For errand.c alone: */
	bool open;
	int threads, again; /* of errands under way, those that were put back */
	struct rspb_queue waiting, kept;
	struct rspb_errand *under_way[RSPB_ERRANDS_MOST];
};

/* Allow errands of this sort to be posted. RET 0; -1 with err: a thread that end() has left alone
 * still runs. */
int rspb_errands_begin(struct rspb_errands *sort, struct rspb_err *err);
/* Drop the waiting errands, and wait so many microseconds for those under way (INT64_MAX: for
 * ever). RET false: some still run and are left alone. */
bool rspb_errands_end(struct rspb_errands *sort, int64_t us);
/* With the sort's mutex: have an errand done. If it waits already, it is done once; if it is under
 * way, it is done once more. RET false: the sort was not begun, or has ended. */
bool rspb_errand_post(struct rspb_errands *sort, struct rspb_errand *errand);
/* RET the next errand that was kept, which belongs to the caller now; NULL: none. */
struct rspb_errand *rspb_errand_kept(struct rspb_errands *sort);

#endif
