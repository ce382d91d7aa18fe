/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program each for a file whose header says "any thread": its functions by
 * several threads at once, under ThreadSanitizer (tests/races/run), which sees
 * what two of them touch without a lock, and what one uses that another has
 * freed. Each ends by itself, within a few seconds.
 */
#ifndef RSPB_TESTS_RACES_H
#define RSPB_TESTS_RACES_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(what)                                                                                 \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                 \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* A stand-in for a function that the file calls elsewhere, and not in this race. */
#define NEVER(function)                                                                            \
	void never_##function(void) __asm__(#function);                                            \
	void never_##function(void)                                                                \
	{                                                                                          \
		abort();                                                                           \
	}

/* One part; its number from 0 on. */
typedef void (*race_fn)(unsigned int part);

struct race_runner {
	race_fn run;
	unsigned int part;
	pthread_barrier_t *line;
};

static void *race_thread(void *arg)
{
	const struct race_runner *runner = arg;

	pthread_barrier_wait(runner->line);
	runner->run(runner->part);
	return NULL;
}

/* Run each by a thread of its own, all at once, and wait for them. */
static inline void race(const race_fn *parts, unsigned int n)
{
	struct race_runner runners[16];
	pthread_barrier_t line;
	pthread_t threads[16];

	MUST(n <= 16 && !pthread_barrier_init(&line, NULL, n));
	for (unsigned int i = 0; i < n; i++) {
		runners[i] = (struct race_runner){ parts[i], i, &line };
		MUST(!pthread_create(&threads[i], NULL, race_thread, &runners[i]));
	}
	for (unsigned int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&line);
}

#define RACE(...)                                                                                  \
	race((const race_fn[]){ __VA_ARGS__ },                                                     \
	     sizeof((const race_fn[]){ __VA_ARGS__ }) / sizeof(race_fn))

#endif
