/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory, and GMP's numbers, that are given back all at once: arithmetic makes
 * many short-lived values, and a pool keeps such code readable, because no
 * intermediate result has to be freed on its own.
 *
 * Memory that can't be had ends the program, as it does in GMP itself: these
 * are for a simulator, not for a daemon.
 */
#ifndef RSPB_PAPERS_POOL_H
#define RSPB_PAPERS_POOL_H

#include <gmp.h>
#include <stddef.h>

struct rspb_pool;

/* RET an empty pool (NULL: out of memory); caller destroys. */
struct rspb_pool *rspb_pool_create(void);
void rspb_pool_destroy(struct rspb_pool *pool);

/* RET size bytes, zeroed, aligned for any type; a whole number or a fraction,
 * 0: all are valid until the pool is reset or destroyed. */
void *rspb_pool_alloc(struct rspb_pool *pool, size_t size);
mpz_ptr rspb_pool_whole(struct rspb_pool *pool);
mpq_ptr rspb_pool_fraction(struct rspb_pool *pool);
/* Give back everything. */
void rspb_pool_reset(struct rspb_pool *pool);

#endif
