/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads and time. Of the controller's threads one runs at a time; which, the seed
 * says, wherever one waits or takes a mutex. Time passes when all of them wait, by as
 * much as the first of them waits for. The functions of libc that ctld calls for this
 * are replaced at link time (--wrap, tests/simulated.mk).
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/simulated/world.h"

enum { THREADS = 64, CALLER = 0, YIELDS = 8 /* one of so many mutexes lets others run */ };

static struct thread {
	bool used, done, waiting, timed_out;
	int64_t until;
	const void *on;
	sem_t turn;
	void *(*run)(void *);
	void *arg;
} threads[THREADS];
static int n_threads;
static __thread int self;
static uint64_t state;
uint64_t sim_switches;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg);
int __wrap_pthread_join(pthread_t thread, void **out);
int __wrap_pthread_detach(pthread_t thread);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr);
int __wrap_pthread_cond_broadcast(pthread_cond_t *cond);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *at);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
time_t __wrap_time(time_t *out);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_usleep(unsigned int us);

uint64_t sim_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

uint64_t sim_below(uint64_t n)
{
	return (sim_random() >> 11) % n;
}

void sim_seed(uint64_t seed)
{
	state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
	for (int i = 0; i < 8; i++)
		sim_random();
}

void sim_threads_begin(void)
{
	memset(threads, 0, sizeof(threads));
	threads[CALLER].used = true;
	sem_init(&threads[CALLER].turn, 0, 0);
	n_threads = 1;
	self = CALLER;
}

static bool can_run(const struct thread *t)
{
	return t->used && !t->done && (!t->waiting || t->until <= sim_world->us);
}

/* Let time pass until a thread can run. RET which is next. */
static int choose_thread(void)
{
	for (;;) {
		int64_t next = INT64_MAX;
		int list[THREADS], n = 0;

		for (int i = 0; i < n_threads; i++)
			if (can_run(&threads[i]))
				list[n++] = i;
			else if (threads[i].used && !threads[i].done && threads[i].until < next)
				next = threads[i].until;
		if (n)
			return list[n > 1 ? sim_below(n) : 0];
		if (next == INT64_MAX) {
			sim_fault("deadlock: all threads wait for each other");
			sim_log_close();
			abort();
		}
		sim_world->us = next;
	}
}

static void resume_thread(int i)
{
	if (threads[i].waiting) {
		threads[i].timed_out = true;
		threads[i].waiting = false;
	}
	sim_switches++;
	if (i != self)
		sem_post(&threads[i].turn);
}

static void wait_for_turn(struct thread *t)
{
	while (sem_wait(&t->turn))
		if (errno != EINTR)
			abort();
}

static void switch_thread(void)
{
	int next = choose_thread();

	resume_thread(next);
	if (next != self)
		wait_for_turn(&threads[self]);
}

void sim_wait(const void *on, int64_t until)
{
	struct thread *t = &threads[self];

	t->waiting = true;
	t->on = on;
	t->until = until;
	t->timed_out = false;
	switch_thread();
}

void sim_wake(const void *on)
{
	for (int i = 0; i < n_threads; i++)
		if (threads[i].waiting && threads[i].on == on)
			threads[i].waiting = false;
}

void sim_sleep(int64_t us)
{
	struct thread *t = &threads[self];

	sim_wait(t, sim_world->us + us);
}

static void *run_thread(void *arg)
{
	struct thread *t = arg;

	self = (int) (t - threads);
	wait_for_turn(t);
	t->run(t->arg);
	t->done = true;
	sim_wake(t);
	/* Whoever is next may use this slot anew, so it is not read any more. */
	resume_thread(choose_thread());
	return NULL;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg)
{
	pthread_attr_t detached;
	pthread_t real;
	int i = 1, rc;

	(void) attr;
	while (i < n_threads && !(threads[i].used && threads[i].done))
		i++;
	if (i == THREADS)
		return EAGAIN;
	if (i == n_threads)
		n_threads++;
	threads[i] = (struct thread){ .used = true, .run = run, .arg = arg };
	sem_init(&threads[i].turn, 0, 0);
	*thread = (pthread_t) (uintptr_t) (i + 1);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	rc = __real_pthread_create(&real, &detached, run_thread, &threads[i]);
	pthread_attr_destroy(&detached);
	if (rc)
		threads[i].done = true;
	return rc;
}

int __wrap_pthread_join(pthread_t thread, void **out)
{
	struct thread *t = &threads[(uintptr_t) thread - 1];

	if (out)
		*out = NULL;
	while (!t->done)
		sim_wait(t, INT64_MAX);
	return 0;
}

int __wrap_pthread_detach(pthread_t thread)
{
	(void) thread;
	return 0;
}

/* The first word of a mutex says whether it is taken: 0 is PTHREAD_MUTEX_INITIALIZER. */
static int *word_of(pthread_mutex_t *mutex)
{
	return (int *) (void *) mutex;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int *taken = word_of(mutex);

	if (!sim_below(YIELDS))
		switch_thread();
	while (*taken)
		sim_wait(mutex, INT64_MAX);
	*taken = 1;
	return 0;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	int *taken = word_of(mutex);

	if (*taken)
		return EBUSY;
	*taken = 1;
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	*word_of(mutex) = 0;
	sim_wake(mutex);
	return 0;
}

int __wrap_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr)
{
	(void) cond;
	(void) attr;
	return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *cond)
{
	sim_wake(cond);
	return 0;
}

int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	__wrap_pthread_mutex_unlock(mutex);
	sim_wait(cond, INT64_MAX);
	return __wrap_pthread_mutex_lock(mutex);
}

/* ctld waits by CLOCK_MONOTONIC alone. */
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *at)
{
	bool late;

	__wrap_pthread_mutex_unlock(mutex);
	sim_wait(cond, at->tv_sec * SIM_S + at->tv_nsec / 1000);
	late = threads[self].timed_out;
	__wrap_pthread_mutex_lock(mutex);
	return late ? ETIMEDOUT : 0;
}

/* Each look at a clock takes a microsecond, so that a loop that waits for a time ends. */
static int64_t read_clock(bool seen)
{
	sim_world->us++;
	return sim_world->us + (seen ? sim_world->offset : 0);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	int64_t us = read_clock(clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE);

	out->tv_sec = us / SIM_S;
	out->tv_nsec = us % SIM_S * 1000;
	return 0;
}

time_t __wrap_time(time_t *out)
{
	time_t now = read_clock(true) / SIM_S;

	if (out)
		*out = now;
	return now;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	(void) left;
	sim_sleep(time->tv_sec * SIM_S + time->tv_nsec / 1000);
	return 0;
}

int __wrap_usleep(unsigned int us)
{
	sim_sleep(us);
	return 0;
}
