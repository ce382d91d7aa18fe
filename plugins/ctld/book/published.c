/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands the last basis and book to any thread that wants to plan on them. The agent makes both. */
#include "plugins/ctld/book/occupancy.h"

#include "plugins/ctld/book/state.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct rspb_published {
	atomic_int users;
	int64_t at;
	struct rspb_ledger *basis, *book;
};

/* The last user frees it. The latest one counts as used by this module. */
static void drop(struct rspb_published *published)
{
	if (!published || atomic_fetch_sub(&published->users, 1) > 1)
		return;
	rspb_ledger_destroy(published->basis);
	rspb_ledger_destroy(published->book);
	free(published);
}

void rspb_published_set(struct rspb_ledger *basis, struct rspb_ledger *book, int64_t at)
{
	struct rspb_published *new = NULL, *old;

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
	pthread_mutex_lock(&rspb_book->published.mutex);
	old = rspb_book->published.latest;
	rspb_book->published.latest = new;
	pthread_mutex_unlock(&rspb_book->published.mutex);
	atomic_fetch_add(&rspb_book->published.count, 1);
	drop(old);
}

uint64_t rspb_published_count(void)
{
	return atomic_load(&rspb_book->published.count);
}

struct rspb_ledger *rspb_published_get(int64_t *at, struct rspb_ledger **book)
{
	struct rspb_ledger *copy = NULL;
	struct rspb_published *published;

	pthread_mutex_lock(&rspb_book->published.mutex);
	published = rspb_book->published.latest;
	if (published)
		atomic_fetch_add(&published->users, 1);
	pthread_mutex_unlock(&rspb_book->published.mutex);
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
