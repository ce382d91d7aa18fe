/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands the last basis and book to any thread that wants to plan on them. The agent makes both. */
#include "plugins/ctld/book/published.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct published {
	atomic_int users;
	int64_t at;
	struct rspb_ledger *basis, *book;
};

/* Guards which one is the latest: the agent makes them, others look into one while they
 * are counted as its users. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct published *latest;
static atomic_uint_least64_t count;

/* The last user frees it. The latest one counts as used by this module. */
static void drop(struct published *published)
{
	if (!published || atomic_fetch_sub(&published->users, 1) > 1)
		return;
	rspb_ledger_destroy(published->basis);
	rspb_ledger_destroy(published->book);
	free(published);
}

void rspb_published_set(struct rspb_ledger *basis, struct rspb_ledger *book, int64_t at)
{
	struct published *new = NULL, *old;

	if (basis && book)
		new = calloc(1, sizeof(*new));
	/* Without memory, or with one of the two missing, nothing is published. */
	if (new) {
		atomic_init(&new->users, 1);
		new->at = at;
		new->basis = basis;
		new->book = book;
	} else {
		rspb_ledger_destroy(basis);
		rspb_ledger_destroy(book);
	}
	pthread_mutex_lock(&mutex);
	old = latest;
	latest = new;
	pthread_mutex_unlock(&mutex);
	atomic_fetch_add(&count, 1);
	drop(old);
}

uint64_t rspb_published_count(void)
{
	return atomic_load(&count);
}

struct rspb_ledger *rspb_published_get(int64_t *at, struct rspb_ledger **book)
{
	struct rspb_ledger *copy = NULL;
	struct published *published;

	pthread_mutex_lock(&mutex);
	published = latest;
	if (published)
		atomic_fetch_add(&published->users, 1);
	pthread_mutex_unlock(&mutex);
	if (!published)
		return NULL;
	*at = published->at;
	/* Cloned without the mutex: the agent may set the next one meanwhile, and this one
	 * stays while it has a user. */
	copy = rspb_ledger_clone(published->basis);
	if (copy && book) {
		*book = rspb_ledger_clone(published->book);
		if (!*book) {
			rspb_ledger_destroy(copy);
			copy = NULL;
		}
	}
	drop(published);
	return copy;
}
