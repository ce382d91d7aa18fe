/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread of ours in slurmctld, with the mutex and the condition by which
 * others speak to it. */
#ifndef RSPB_CTLD_BASE_WORKER_H
#define RSPB_CTLD_BASE_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

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

#endif
