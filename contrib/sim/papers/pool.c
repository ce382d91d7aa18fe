/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/pool.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 * 1024 };

struct chunk {
	struct chunk *next;
	size_t size, used;
	alignas(max_align_t) unsigned char data[];
};

struct rspb_pool {
	struct chunk *chunks; /* the newest first */
	bool failed;
};

struct rspb_pool *rspb_pool_create(void)
{
	return calloc(1, sizeof(struct rspb_pool));
}

void rspb_pool_destroy(struct rspb_pool *pool)
{
	struct chunk *next;

	if (!pool)
		return;
	for (struct chunk *chunk = pool->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(pool);
}

static struct chunk *chunk_add(struct rspb_pool *pool, size_t size)
{
	size_t room = size > CHUNK ? size : CHUNK;
	struct chunk *chunk = malloc(sizeof(*chunk) + room);

	if (!chunk)
		return NULL;
	chunk->next = pool->chunks;
	chunk->size = room;
	chunk->used = 0;
	pool->chunks = chunk;
	return chunk;
}

void *rspb_pool_alloc(struct rspb_pool *pool, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct chunk *chunk = pool->chunks;
	void *found;

	size = (size + align - 1) / align * align;
	if (!chunk || chunk->size - chunk->used < size)
		chunk = chunk_add(pool, size);
	if (!chunk || pool->failed) {
		pool->failed = true;
		return NULL;
	}
	found = chunk->data + chunk->used;
	chunk->used += size;
	return memset(found, 0, size);
}

void rspb_pool_reset(struct rspb_pool *pool)
{
	struct chunk *next;

	/* One chunk stays, so that a loop which resets does not go to the
	 * system for memory on every turn. */
	while (pool->chunks && pool->chunks->next) {
		next = pool->chunks->next;
		free(pool->chunks);
		pool->chunks = next;
	}
	if (pool->chunks)
		pool->chunks->used = 0;
}

bool rspb_pool_failed(const struct rspb_pool *pool)
{
	return pool->failed;
}
