/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads for work that waits for something outside, begun and ended as they are needed. Only the
 * sort of an errand knows its content. */
#include "plugins/ctld/base/errand.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/prctl.h>

#include "plugins/compat/clock.h"

/* --- with the mutex -------------------------------------------------------- */

static bool same_key(const struct rspb_errand *one, const struct rspb_errand *b)
{
	return one && one->key && !strcmp(one->key, b->key);
}

/* RET whether an errand may run now. Errands of one key keep their order: one that waits before
 * it, or is under way, must end first. Errands that were put back have few places, because they
 * probably wait for something that does not answer. */
static bool may_go(const struct rspb_errands *sort, const struct rspb_errand *errand)
{
	const struct rspb_link *at = sort->waiting.first;

	if (errand->again && sort->again == sort->most_again)
		return false;
	for (; errand->key && at != &errand->link; at = at->next)
		if (same_key((const struct rspb_errand *) at, errand))
			return false;
	for (int i = 0; i < sort->most && errand->key; i++)
		if (same_key(sort->under_way[i], errand))
			return false;
	return true;
}

/* RET the first that may go, taken out of the queue; NULL: none. `at` is then the time at which
 * the next becomes due. An errand that only waits for another one sets no time: the end of that
 * other errand wakes the threads. */
static struct rspb_errand *next_of(struct rspb_errands *sort, int64_t *at)
{
	int64_t now = rspb_clock_us(CLOCK_MONOTONIC);
	struct rspb_link **link = &sort->waiting.first;
	struct rspb_errand *errand;

	*at = INT64_MAX;
	for (; (errand = (struct rspb_errand *) *link); link = &(*link)->next)
		if (errand->at > now) {
			*at = errand->at < *at ? errand->at : *at;
		} else if (may_go(sort, errand)) {
			rspb_queue_take_at(&sort->waiting, link);
			return errand;
		}
	return NULL;
}

/* Decide what happens to an errand that ended. A request that came while it ran makes it run
 * once more. The mutex is released around drop(), which may take other locks. After the end of
 * the sort nothing is put back. */
static void put_away(struct rspb_errands *sort, struct rspb_errand *errand,
		     enum rspb_errand_end end)
{
	if (end == RSPB_ERRAND_OVER && errand->once_more)
		end = RSPB_ERRAND_AGAIN;
	errand->posted = errand->again = end == RSPB_ERRAND_AGAIN && sort->open;
	if (errand->posted)
		rspb_queue_put_first(&sort->waiting, &errand->link);
	else if (end == RSPB_ERRAND_KEPT)
		rspb_queue_put(&sort->kept, &errand->link);
	else if (sort->drop) {
		rspb_worker_unlock(&sort->guard);
		sort->drop(errand);
		rspb_worker_lock(&sort->guard);
	}
}

/* Run an errand without the mutex. Its place in under_way keeps others of its key back
 * meanwhile. A free place always exists, because there are no more threads than places in use. */
static void carry_out(struct rspb_errands *sort, struct rspb_errand *errand)
{
	const bool again = errand->again;
	enum rspb_errand_end end;
	int i = 0;

	while (sort->under_way[i])
		i++;
	sort->under_way[i] = errand;
	sort->again += again;
	errand->once_more = false;
	rspb_worker_unlock(&sort->guard);
	end = sort->run(errand);
	rspb_worker_lock(&sort->guard);
	sort->under_way[i] = NULL;
	sort->again -= again;
	put_away(sort, errand, end);
	/* Errands of the same key, and those that were put back, may be able to go now. */
	rspb_worker_wake(&sort->guard);
}

/* --- the threads ----------------------------------------------------------- */

/* A thread ends as soon as nothing waits, so that idle sorts cost no threads. The thread is
 * detached: end() waits for the count instead of joining it. */
static void *thread_main(void *arg)
{
	struct rspb_errands *sort = arg;
	struct rspb_errand *errand;
	int64_t at;

	prctl(PR_SET_NAME, sort->guard.name, 0, 0, 0);
	rspb_worker_lock(&sort->guard);
	while (sort->open && sort->waiting.first) {
		errand = next_of(sort, &at);
		if (errand)
			carry_out(sort, errand);
		else
			rspb_worker_wait(&sort->guard, at);
	}
	sort->threads--;
	rspb_worker_wake(&sort->guard);
	rspb_worker_unlock(&sort->guard);
	return NULL;
}

/* With the mutex: have a thread for an errand that was posted just now. If no thread can be
 * created, the errand stays in the queue until the next one is posted. */
static void begin_thread(struct rspb_errands *sort)
{
	pthread_t thread;

	rspb_worker_wake(&sort->guard);
	if (sort->threads == sort->most || pthread_create(&thread, NULL, thread_main, sort))
		return;
	pthread_detach(thread);
	sort->threads++;
}

/* --- for others ------------------------------------------------------------ */

int rspb_errands_begin(struct rspb_errands *sort, struct rspb_err *err)
{
	Dl_info self;

	/* The code of threads that nobody waits for stays, whatever becomes of this
	 * plugin. */
	if (dladdr(sort, &self))
		dlopen(self.dli_fname, RTLD_LAZY | RTLD_NODELETE | RTLD_NOLOAD);
	rspb_worker_lock(&sort->guard);
	/* A thread that end() has left alone still waits by the condition variable, which must
	 * not be made anew then. The caller gets an error and does without this sort. */
	sort->open = !sort->threads;
	if (sort->open)
		rspb_worker_prepare(&sort->guard);
	rspb_worker_unlock(&sort->guard);
	return sort->open ? 0
			  : rspb_fail(err, "%s: an earlier one is still running", sort->guard.name);
}

bool rspb_errands_end(struct rspb_errands *sort, int64_t us)
{
	int64_t now = rspb_clock_us(CLOCK_MONOTONIC);
	int64_t until = us < INT64_MAX - now ? now + us : INT64_MAX;
	struct rspb_errand *errand;
	bool over;

	rspb_worker_lock(&sort->guard);
	sort->open = false;
	rspb_worker_wake(&sort->guard);
	/* The sort is closed already, so that put_away() drops these and puts none of them
	 * back. */
	while ((errand = rspb_queue_take(&sort->waiting)))
		put_away(sort, errand, RSPB_ERRAND_OVER);
	while (sort->threads && rspb_worker_wait(&sort->guard, until))
		;
	over = !sort->threads;
	rspb_worker_unlock(&sort->guard);
	return over;
}

bool rspb_errand_post(struct rspb_errands *sort, struct rspb_errand *errand)
{
	if (!sort->open)
		return false;
	/* An errand that waits is done once, whatever number of requests came. carry_out()
	 * clears this before it runs, so that only later requests cause another run. */
	errand->once_more = true;
	if (!errand->posted) {
		errand->posted = true;
		errand->again = false;
		rspb_queue_put(&sort->waiting, &errand->link);
		begin_thread(sort);
	}
	return true;
}

struct rspb_errand *rspb_errand_kept(struct rspb_errands *sort)
{
	struct rspb_errand *errand;

	rspb_worker_lock(&sort->guard);
	errand = rspb_queue_take(&sort->kept);
	rspb_worker_unlock(&sort->guard);
	return errand;
}
