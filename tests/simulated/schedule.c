/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads and time. Each of the controller's threads is a context with a stack of its own, so
 * that the kernel has no part in a switch. One runs at a time; the seed says which, wherever
 * one waits or takes a mutex. Time passes when all of them wait, by as much as the first of
 * them waits for. The functions of libc that ctld calls for this are replaced at link time
 * (--wrap, tests/simulated.mk). Variables of a thread (_Thread_local) are those of the
 * program, which are copied at each switch.
 */
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include "tests/simulated/world.h"

enum {
	THREADS = 64,
	CALLER = 0,
	YIELDS = 8, /* one of so many mutexes lets others run */
	STACK = 1 << 20,
	LOCALS = 256 /* bytes of _Thread_local variables */
};

static struct thread {
	bool used, done, waiting, timed_out;
	int64_t until;
	const void *on;
	ucontext_t context;
	void *stack; /* stays with the slot */
	size_t stack_size;
	void *frames; /* AddressSanitizer's, of a thread that does not run */
	char locals[LOCALS];
	void *(*run)(void *);
	void *arg;
} threads[THREADS];
static int n_threads;
static int self, before;
/* The _Thread_local variables of the program, and as they are in a new thread. */
static char *locals;
static size_t locals_size;
static char fresh[LOCALS];
static uint64_t state;
uint64_t sim_switches;

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

/* The first module is the program. */
static int find_locals(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void) size;
	(void) arg;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
			locals = info->dlpi_tls_data;
			locals_size = info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

void sim_threads_begin(void)
{
	memset(threads, 0, sizeof(threads));
	threads[CALLER].used = true;
	n_threads = 1;
	self = CALLER;
	dl_iterate_phdr(find_locals, NULL);
	if (locals_size > LOCALS) {
		fprintf(stderr, "%zu bytes of variables of threads: raise LOCALS\n", locals_size);
		_exit(2);
	}
	memcpy(fresh, locals, locals_size);
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

/* AddressSanitizer has to know the bounds of the stack that is used next. */
static void leave_stack(struct thread *from, const struct thread *to)
{
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(&from->frames, to->stack, to->stack_size);
#else
	(void) from;
	(void) to;
#endif
}

static void enter_stack(struct thread *t)
{
#ifdef __SANITIZE_ADDRESS__
	const void *stack;
	size_t size;

	__sanitizer_finish_switch_fiber(t->frames, &stack, &size);
	if (before == CALLER) {
		threads[CALLER].stack = (void *) (uintptr_t) stack;
		threads[CALLER].stack_size = size;
	}
#else
	(void) t;
#endif
}

/* Run that thread from now on. */
static void switch_to(int next)
{
	struct thread *from = &threads[self], *to = &threads[next];

	if (to->waiting) {
		to->timed_out = true;
		to->waiting = false;
	}
	sim_switches++;
	if (next == self)
		return;
	memcpy(from->locals, locals, locals_size);
	memcpy(locals, to->locals, locals_size);
	before = self;
	self = next;
	leave_stack(from, to);
	if (swapcontext(&from->context, &to->context))
		abort();
	enter_stack(from);
}

static void switch_thread(void)
{
	switch_to(choose_thread());
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

static void run_thread(void)
{
	struct thread *t = &threads[self];

	enter_stack(t);
	t->run(t->arg);
	t->done = true;
	sim_wake(t);
	/* Nothing runs on this stack any more, which the next thread of the slot gets. */
	for (;;)
		switch_thread();
}

/* A slot that is free, with its stack. RET false: there is no memory. */
static bool renew(struct thread *t)
{
	void *stack = t->stack;

	if (!stack)
		stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	*t = (struct thread){ .used = true, .done = true };
	if (stack == MAP_FAILED)
		return false;
	t->stack = stack;
	t->stack_size = STACK;
#ifdef __SANITIZE_ADDRESS__
	__asan_unpoison_memory_region(stack, STACK);
#endif
	return true;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg)
{
	struct thread *t;
	int i = 1;

	(void) attr;
	while (i < n_threads && !(threads[i].used && threads[i].done))
		i++;
	if (i == THREADS)
		return EAGAIN;
	if (i == n_threads)
		n_threads++;
	t = &threads[i];
	if (!renew(t) || getcontext(&t->context))
		return EAGAIN;
	t->run = run;
	t->arg = arg;
	t->context.uc_stack.ss_sp = t->stack;
	t->context.uc_stack.ss_size = STACK;
	t->context.uc_link = NULL;
	memcpy(t->locals, fresh, locals_size);
	makecontext(&t->context, run_thread, 0);
	t->done = false;
	*thread = (pthread_t) (uintptr_t) (i + 1);
	return 0;
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
