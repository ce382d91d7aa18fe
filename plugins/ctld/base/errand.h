/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs errands: work that has to wait for something outside, so that nobody else waits. Each sort
 * of errand has threads of its own, as many as it may have under way. They begin when there is work
 * and end when there is none, so an errand that hangs holds up no other sort. Any thread, any
 * locks, but for begin() and end(); a sort's mutex may guard what its errands are about, too. */
#ifndef RSPB_CTLD_BASE_ERRAND_H
#define RSPB_CTLD_BASE_ERRAND_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* --- worker.c --- */

/* A thread of ours in slurmctld, with the mutex and the condition by which
 * others speak to it. */

struct rspb_worker {
	const char *name; /* of the thread, 15 characters at most */
	void (*run)(void);
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	pthread_t thread;
	bool running;  /* for whoever starts and stops it */
	bool stopping; /* with the mutex */
};

#define RSPB_WORKER(its_name, its_run)                                                             \
	{                                                                                          \
		.name = its_name, .run = its_run, .mutex = PTHREAD_MUTEX_INITIALIZER,              \
		.cond = PTHREAD_COND_INITIALIZER                                                   \
	}

/* With the mutex: prepare the condition if the caller starts its threads itself, before any of them
 * waits. */
void rspb_worker_prepare(struct rspb_worker *worker);
/* RET 0, or -1 with err. */
int rspb_worker_start(struct rspb_worker *worker, struct rspb_err *err);
void rspb_worker_lock(struct rspb_worker *worker);
void rspb_worker_unlock(struct rspb_worker *worker);
/* With the mutex: wake all threads that wait, so that they look again. */
void rspb_worker_wake(struct rspb_worker *worker);
/* With the mutex, which is free meanwhile, any thread: until woken, or until `at`
 * (CLOCK_MONOTONIC, INT64_MAX: for ever). RET false: that moment has come. */
bool rspb_worker_wait(struct rspb_worker *worker, int64_t at);
/* Ask the thread to stop. RET false: there is none. */
bool rspb_worker_ask_to_stop(struct rspb_worker *worker);
/* Wait for the end of the thread. */
void rspb_worker_join(struct rspb_worker *worker);

/* Microseconds of processor time that the calling thread has used. */
int64_t rspb_worker_cpu_us(void);

/* A queue, first in, first out, of structures that begin with a struct rspb_link and belong to its
 * owner. The owner guards the queue with a lock of its own. All zeros are an empty queue. */

struct rspb_link {
	struct rspb_link *next;
};

struct rspb_queue {
	struct rspb_link *first, **last; /* last: where there is a first */
};

static inline void rspb_queue_put(struct rspb_queue *queue, struct rspb_link *link)
{
	link->next = NULL;
	*(queue->first ? queue->last : &queue->first) = link;
	queue->last = &link->next;
}

/* Put a link before all others. */
static inline void rspb_queue_put_first(struct rspb_queue *queue, struct rspb_link *link)
{
	if (!queue->first)
		queue->last = &link->next;
	link->next = queue->first;
	queue->first = link;
}

/* Remove a link from anywhere in the queue; at: the pointer that points to it. */
static inline void rspb_queue_take_at(struct rspb_queue *queue, struct rspb_link **at)
{
	if (!(*at)->next)
		queue->last = at;
	*at = (*at)->next;
}

/* RET the first link, which is removed; NULL: the queue is empty. */
static inline void *rspb_queue_take(struct rspb_queue *queue)
{
	struct rspb_link *link = queue->first;

	if (link)
		queue->first = link->next;
	return link;
}

/* --- errand.c --- */

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
