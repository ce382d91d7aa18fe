/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that is given back all at once. Arithmetic on numbers of any length
 * makes many short-lived values; a pool keeps such code readable, because no
 * intermediate result has to be freed on its own.
 *
 * Running out of memory is remembered instead of being reported by each call:
 * look at rspb_pool_failed() once, before a result is used.
 */
#ifndef RSPB_PAPERS_POOL_H
#define RSPB_PAPERS_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct rspb_pool;

/* RET an empty pool (NULL: out of memory); caller destroys. */
struct rspb_pool *rspb_pool_create(void);
void rspb_pool_destroy(struct rspb_pool *pool);

/*
 * RET size bytes, zeroed, aligned for any type, valid until the pool is reset
 * or destroyed; NULL when memory runs out or did so earlier.
 */
void *rspb_pool_alloc(struct rspb_pool *pool, size_t size);
/* Give back everything; the failure is remembered on. */
void rspb_pool_reset(struct rspb_pool *pool);
/* Was there ever too little memory since the pool was made? */
bool rspb_pool_failed(const struct rspb_pool *pool);

#endif
