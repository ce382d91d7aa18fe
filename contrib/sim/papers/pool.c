/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/pool.h"

#include <obstack.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free  free

/* A fraction, or a whole number with the denominator 1: both are cleared as
 * fractions. */
struct number {
	struct number *next;
	mpq_t value;
};

struct rspb_pool {
	struct obstack memory;
	void *first; /* all that is allocated lies behind it */
	struct number *numbers;
};

struct rspb_pool *rspb_pool_create(void)
{
	struct rspb_pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return NULL;
	obstack_init(&pool->memory);
	pool->first = obstack_alloc(&pool->memory, 0);
	return pool;
}

void rspb_pool_reset(struct rspb_pool *pool)
{
	for (struct number *at = pool->numbers; at; at = at->next)
		mpq_clear(at->value);
	pool->numbers = NULL;
	obstack_free(&pool->memory, pool->first);
	pool->first = obstack_alloc(&pool->memory, 0);
}

void rspb_pool_destroy(struct rspb_pool *pool)
{
	if (!pool)
		return;
	rspb_pool_reset(pool);
	obstack_free(&pool->memory, NULL);
	free(pool);
}

void *rspb_pool_alloc(struct rspb_pool *pool, size_t size)
{
	return memset(obstack_alloc(&pool->memory, size), 0, size);
}

mpq_ptr rspb_pool_fraction(struct rspb_pool *pool)
{
	struct number *number = obstack_alloc(&pool->memory, sizeof(*number));

	mpq_init(number->value);
	number->next = pool->numbers;
	pool->numbers = number;
	return number->value;
}

mpz_ptr rspb_pool_whole(struct rspb_pool *pool)
{
	return mpq_numref(rspb_pool_fraction(pool));
}
