/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errands of three sorts: one hangs, and holds up no other; what has a key goes one at a
 * time and in order, put back or not; threads go when there is nothing to do. */
#include "plugins/ctld/base/errand.h"

#include <stdatomic.h>
#include <time.h>

#include "tests/races/races.h"

enum { POSTERS = 4, EACH = 200, MOST = 3, AGAIN_MOST = 1, PATIENCE_US = 20000000 };

struct one {
	struct rspb_errand errand;
	int poster, number;
};

static atomic_bool released;
static atomic_int hung, under_way, again, most, most_again, over, dropped, wrong;
static atomic_int last[POSTERS];

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

static void sleep_us(long us)
{
	const struct timespec pause = { .tv_nsec = us * 1000 };

	nanosleep(&pause, NULL);
}

static void await(const atomic_int *what, int n)
{
	int64_t until = now_us() + PATIENCE_US;

	while (*what != n) {
		MUST(now_us() < until);
		sleep_us(1000);
	}
}

static void note_most(atomic_int *highest, int n)
{
	int before = *highest;

	while (before < n && !atomic_compare_exchange_weak(highest, &before, n))
		;
}

static enum rspb_errand_end hang(struct rspb_errand *errand)
{
	(void) errand;
	hung++;
	while (!released)
		sleep_us(1000);
	hung--;
	return RSPB_ERRAND_OVER;
}

/* Each third fails once. */
static enum rspb_errand_end run(struct rspb_errand *errand)
{
	struct one *one = (struct one *) errand;
	bool again_now = errand->again;
	enum rspb_errand_end end = RSPB_ERRAND_OVER;

	note_most(&most, ++under_way);
	if (again_now)
		note_most(&most_again, ++again);
	sleep_us(50);
	if (one->number % 3 == 0 && !again_now) {
		errand->at = now_us() + 100;
		end = RSPB_ERRAND_AGAIN;
	} else {
		wrong += atomic_exchange(&last[one->poster], one->number) != one->number - 1;
		over++;
	}
	if (again_now)
		again--;
	under_way--;
	return end;
}

static void drop(struct rspb_errand *errand)
{
	dropped++;
	free(errand);
}

static atomic_int steps;

/* As long as it was posted since. */
static enum rspb_errand_end step(struct rspb_errand *errand)
{
	(void) errand;
	steps++;
	return RSPB_ERRAND_OVER;
}

static enum rspb_errand_end keep(struct rspb_errand *errand)
{
	(void) errand;
	return RSPB_ERRAND_KEPT;
}

static struct rspb_errands hanging = { .guard = RSPB_WORKER("hanging", NULL),
				       .most = 2,
				       .run = hang };
static struct rspb_errands usual = { .guard = RSPB_WORKER("usual", NULL),
				     .most = MOST,
				     .most_again = AGAIN_MOST,
				     .run = run,
				     .drop = drop };
static struct rspb_errands lone = {
	.guard = RSPB_WORKER("lone", NULL), .most = 1, .most_again = 1, .run = step
};
static struct rspb_errands kept = { .guard = RSPB_WORKER("kept", NULL), .most = 1, .run = keep };
static struct rspb_errand stuck[3], single, never;

static bool hand(struct rspb_errands *sort, struct rspb_errand *errand)
{
	bool posted;

	rspb_worker_lock(&sort->guard);
	posted = rspb_errand_post(sort, errand);
	rspb_worker_unlock(&sort->guard);
	return posted;
}

static void post(unsigned int part)
{
	static const char *const keys[POSTERS] = { "a", "b", "c", "d" };

	for (int i = 1; i <= EACH; i++) {
		struct one *one = calloc(1, sizeof(*one));

		MUST(one);
		one->errand.key = keys[part];
		one->poster = (int) part;
		one->number = i;
		MUST(hand(&usual, &one->errand));
		MUST(hand(&lone, &single));
	}
}

static int threads_of(struct rspb_errands *sort)
{
	int n;

	rspb_worker_lock(&sort->guard);
	n = sort->threads;
	rspb_worker_unlock(&sort->guard);
	return n;
}

static void await_no_thread(struct rspb_errands *sort)
{
	int64_t until = now_us() + PATIENCE_US;

	while (threads_of(sort)) {
		MUST(now_us() < until);
		sleep_us(1000);
	}
}

static void begin_all(void)
{
	struct rspb_err err;

	MUST(!rspb_errands_begin(&usual, &err));
	MUST(!rspb_errands_begin(&lone, &err));
	MUST(!rspb_errands_begin(&kept, &err));
}

/* Which waits, and is dropped. */
static void ends_at_once(void)
{
	struct one *one = calloc(1, sizeof(*one));

	MUST(one);
	one->errand.at = now_us() + 10 * PATIENCE_US;
	MUST(hand(&usual, &one->errand));
	MUST(rspb_errands_end(&usual, INT64_MAX));
	MUST(dropped == POSTERS * EACH + 1);
	MUST(!hand(&usual, &never));
}

int main(void)
{
	struct rspb_errand two[2] = { { .at = 0 } };
	struct rspb_err err;
	int before;

	MUST(!hand(&lone, &single));
	MUST(!rspb_errands_begin(&hanging, &err));
	begin_all();
	for (int i = 0; i < 3; i++)
		MUST(hand(&hanging, &stuck[i]));
	await(&hung, 2);
	RACE(post, post, post, post);
	await(&over, POSTERS * EACH);
	MUST(!wrong && most <= MOST && most_again <= AGAIN_MOST && hung == 2);
	await_no_thread(&usual);
	await_no_thread(&lone);
	MUST(dropped == POSTERS * EACH);
	MUST(steps && steps <= POSTERS * EACH);
	before = steps;
	MUST(hand(&lone, &single));
	await(&steps, before + 1);
	for (int i = 0; i < 2; i++)
		MUST(hand(&kept, &two[i]));
	await_no_thread(&kept);
	MUST(rspb_errand_kept(&kept) == &two[0]);
	MUST(rspb_errand_kept(&kept) == &two[1] && !rspb_errand_kept(&kept));
	ends_at_once();
	/* What hangs is left alone, and that sort does not begin again before. */
	MUST(!rspb_errands_end(&hanging, 10000) && hung == 2);
	MUST(rspb_errands_begin(&hanging, &err));
	released = true;
	await_no_thread(&hanging);
	MUST(!hung && !rspb_errands_begin(&hanging, &err));
	MUST(hand(&hanging, &stuck[0]));
	MUST(rspb_errands_end(&hanging, INT64_MAX));
	MUST(rspb_errands_end(&lone, INT64_MAX));
	MUST(rspb_errands_end(&kept, INT64_MAX));
	return 0;
}
