/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many of some like nodes are free when: a calendar of counts.
 *
 * Where nodes are alike, whoever asks for some needs to know only how many are
 * free; which of them it gets can wait until it starts. So there is one figure a
 * step instead of sets, and a search is one pass over steps.
 *
 * Source: this project, after the late binding of Wu and Luo; common/plan/outline.h
 * plans with it before nodes are chosen.
 */
#ifndef RSPB_CALENDAR_LADDER_H
#define RSPB_CALENDAR_LADDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rspb_rung {
	int64_t time; /* from then on ... */
	int64_t free; /* ... so many are free; below 0: too many are promised */
};

/* The steps by rising time; the last step goes on for ever. */
struct rspb_ladder {
	struct rspb_rung *at; /* owned */
	size_t n, room;
};

/* `free` nodes from `now` on. RET 0, -1: out of memory. A zeroed struct may be
 * begun, copied to and ended; so may one that is in use. */
int rspb_ladder_begin(struct rspb_ladder *ladder, int64_t now, int64_t free);
int rspb_ladder_copy(struct rspb_ladder *to, const struct rspb_ladder *from);
void rspb_ladder_fini(struct rspb_ladder *ladder);

/* Let `count` fewer be free over [start, end), INT64_MAX: for ever, more with a
 * count below 0; what lies before the first step is left out. RET 0, -1: out of
 * memory, and nothing changed that can be seen. */
int rspb_ladder_take(struct rspb_ladder *ladder, int64_t start, int64_t end, int64_t count);
/* From `time` on, behind the last step, so many are free. RET as above. */
int rspb_ladder_append(struct rspb_ladder *ladder, int64_t time, int64_t free);
/* Forget what was before now. */
void rspb_ladder_advance(struct rspb_ladder *ladder, int64_t now);

/* RET the step that holds `time`; the first when that is earlier. */
size_t rspb_ladder_find(const struct rspb_ladder *ladder, int64_t time);
/*
 * RET whether `count` are free over some [t, t + duration) with t from `ready` to
 * `last`; *start: the least t. It is `ready` or the time of a step. One pass.
 */
bool rspb_ladder_search(const struct rspb_ladder *ladder, int64_t count, int64_t ready,
			int64_t last, int64_t duration, int64_t *start);
/* The same; *start: the least t at which most are free over it all. */
bool rspb_ladder_roomiest(const struct rspb_ladder *ladder, int64_t count, int64_t ready,
			  int64_t last, int64_t duration, int64_t *start);
/* RET the least that is free over [start, end). */
int64_t rspb_ladder_least(const struct rspb_ladder *ladder, int64_t start, int64_t end);

#endif
