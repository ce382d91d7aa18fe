/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The representation behind common/shares/shares.h, for its own files only: every
 * machine's own break points, which decide, and over them time chunks with
 * rows for all machines side by side, so that a window over all machines is a
 * few passes over rows. Copies of a table share pages of machines and chunks of
 * time; who changes one that others have makes one of his own first. Users are
 * counted atomically, as each copy may belong to a thread of its own.
 */
#ifndef RSPB_SHARES_INTERNAL_H
#define RSPB_SHARES_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/shares/shares.h"

/* `used` is reserved from time until the next step. */
struct rspb_share_step {
	int64_t time;
	int64_t used;
};

struct rspb_share_machine {
	int64_t capacity;
	struct rspb_share_step *steps; /* rising; the last one uses 0 */
	uint32_t count;
	size_t room;
};

enum { RSPB_SHARE_PAGE = 64 };

/* Machines that follow each other. */
struct rspb_share_page {
	atomic_uint users;
	struct rspb_share_machine machine[RSPB_SHARE_PAGE];
};

/* At time a machine's reserved share changes by delta. */
struct rspb_share_event {
	int64_t time;
	uint32_t machine;
	int32_t delta;
};

/* Events in a chunk of 1,024 machines before it splits; tests make it small. */
#ifndef RSPB_SHARE_EVENTS
#define RSPB_SHARE_EVENTS 384
#endif

/* The events of a stretch of time. */
struct rspb_share_chunk {
	atomic_uint users;
	uint32_t count;
	size_t room;
	struct rspb_share_event *events; /* by time, machine */
	int32_t *level;			 /* just before it begins; `lanes` machines */
	int32_t *peak;			 /* highest within the stretch */
};

/* Where a chunk begins; it ends where the next begins. */
struct rspb_share_slot {
	int64_t begin; /* of the first: -inf */
	struct rspb_share_chunk *chunk;
};

struct rspb_share_index {
	uint32_t machines;
	uint32_t lanes; /* machines, rounded up to whole vectors */
	struct rspb_share_slot *slots;
	size_t count, room;
};

struct rspb_shares {
	uint32_t machines;
	int64_t granularity;
	int64_t now;
	struct rspb_share_index index;
	struct rspb_share_page *pages[];
};

static inline const struct rspb_share_machine *rspb_share_machine_at(
	const struct rspb_shares *shares, uint32_t machine)
{
	return &shares->pages[machine / RSPB_SHARE_PAGE]->machine[machine % RSPB_SHARE_PAGE];
}

/* --- pages of machines (index.c) --- */

/* RET NULL: out of memory. */
struct rspb_share_page *rspb_share_page_create(void);
/* Have it for oneself alone, in place of *page. RET -1 without memory. */
int rspb_share_page_own(struct rspb_share_page **page);
/* Add a user of the page, or take one away; NULL is no page. */
struct rspb_share_page *rspb_share_page_use(struct rspb_share_page *page);
void rspb_share_page_drop(struct rspb_share_page *page);

/* --- one machine (machine.c) --- */

/* The reserved amount of a machine over [start, end), and the steps that say so. */
struct rspb_share_span {
	int64_t start, end;
	int64_t most, least; /* within it */
	int64_t before;	     /* just before start */
	uint32_t from, to;   /* steps that lie in it: from .. to - 1 */
	bool begins;	     /* one of them at start */
};

struct rspb_share_span rspb_share_machine_span(const struct rspb_share_machine *machine,
					       int64_t start, int64_t end);
/* RET the highest share a machine has reserved within [start, end). */
int64_t rspb_share_machine_peak(const struct rspb_share_machine *machine, int64_t start,
				int64_t end);
/* As rspb_shares_above; level >= 0. */
bool rspb_share_machine_above(const struct rspb_share_machine *machine, int64_t level,
			      int64_t *from, int64_t *until);
/* RET share x time reserved within it, INT64_MAX at most. */
int64_t rspb_share_machine_load(const struct rspb_share_machine *machine, int64_t start,
				int64_t end);
/* Room for the steps of one change. RET -1 without memory. */
int rspb_share_machine_reserve(struct rspb_share_machine *machine);
/* Add share, which is not 0, to a span of the machine as it is now; room was
 * reserved. */
void rspb_share_machine_change(struct rspb_share_machine *machine,
			       const struct rspb_share_span *span, int64_t share);
/* Whether there are steps before now; forget them. */
bool rspb_share_machine_due(const struct rspb_share_machine *machine, int64_t now);
void rspb_share_machine_advance(struct rspb_share_machine *machine, int64_t now);

/* --- time chunks of all machines (index.c) --- */

int rspb_share_index_init(struct rspb_share_index *index, uint32_t machines);
int rspb_share_index_clone(struct rspb_share_index *to, const struct rspb_share_index *from);
void rspb_share_index_fini(struct rspb_share_index *index);
/* Room for the events of one change at two times, in chunks of our own; *first:
 * the one that start lies in. RET -1 without memory. */
int rspb_share_index_reserve(struct rspb_share_index *index, int64_t start, int64_t end,
			     size_t *first);
/* A machine has `share` more (or less) over [start, end), its steps already
 * say so; room was reserved, which told first. */
void rspb_share_index_change(struct rspb_share_index *index, size_t first,
			     const struct rspb_share_machine *machine, uint32_t at, int64_t start,
			     int64_t end, int64_t share);
/* Drop chunks that end at or before now. */
void rspb_share_index_advance(struct rspb_share_index *index, int64_t now);
/* RET memory for the next, which the caller frees; NULL: there is none. */
int32_t *rspb_share_index_rows(const struct rspb_share_index *index);
/* Every machine's peak over the window into rows[machines]. */
void rspb_share_index_peaks(const struct rspb_share_index *index, int64_t start, int64_t end,
			    int32_t *rows);

/* RET where chunk i ends and the next begins. */
static inline int64_t rspb_share_chunk_end(const struct rspb_share_index *index, size_t i)
{
	return i + 1 < index->count ? index->slots[i + 1].begin : INT64_MAX;
}

#endif
