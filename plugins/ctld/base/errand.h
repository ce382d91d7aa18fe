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

/* The first member of what is to be done; its owner's again by drop(). */
struct rspb_errand {
	struct rspb_link link;
	const char *key; /* of one key one at a time, in order; NULL: none */
	int64_t at;	 /* not before, us by CLOCK_MONOTONIC */
	/* errand.c's: it was put back; it waits or is under way; was posted then. */
	bool again, posted, once_more;
};

enum rspb_errand_end {
	RSPB_ERRAND_OVER,
	RSPB_ERRAND_AGAIN, /* put back, before all others; `at` may be set */
	RSPB_ERRAND_KEPT   /* over, and kept() is to tell of it */
};

struct rspb_errands {
	struct rspb_worker guard; /* its name; its mutex guards what is errand.c's */
	/* Under way at one time, and of them such as were put back. */
	int most, most_again;
	/* Without locks. */
	enum rspb_errand_end (*run)(struct rspb_errand *errand);
	/* Likewise: it is over, or will never be run; NULL: nothing is to be done. */
	void (*drop)(struct rspb_errand *errand);

	/* errand.c's: */
	bool open;
	int threads, again; /* of errands under way, those that were put back */
	struct rspb_queue waiting, kept;
	struct rspb_errand *under_way[RSPB_ERRANDS_MOST];
};

/* From now on there may be some. RET 0; -1 with err: what end() has left alone is still
 * under way. */
int rspb_errands_begin(struct rspb_errands *sort, struct rspb_err *err);
/* Drop the waiting errands, and wait so many microseconds for those under way (INT64_MAX: for
 * ever). RET false: some still run and are left alone. */
bool rspb_errands_end(struct rspb_errands *sort, int64_t us);
/* With its mutex: have it done; one that waits already is done once, one that is under way
 * once more. RET
 * false: it is not between begin() and end(). */
bool rspb_errand_post(struct rspb_errands *sort, struct rspb_errand *errand);
/* The next that was kept, the caller's now. RET NULL: there is none. */
struct rspb_errand *rspb_errand_kept(struct rspb_errands *sort);

#endif
