/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads for what waits for something outside, begun and ended as they are needed. What
 * an errand is about its sort alone knows. */
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

/* Whether nothing hinders it. */
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

/* RET the first that may go, taken out; NULL: none, the next one `at` maybe. */
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

/* The mutex is free where it is dropped; nothing is put back behind the end. */
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

/* The mutex is free meanwhile. */
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
	/* Others that it was in the way of may go now. */
	rspb_worker_wake(&sort->guard);
}

/* --- the threads ----------------------------------------------------------- */

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

/* With the mutex: for one that was posted now. Without a thread it waits for the next. */
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
