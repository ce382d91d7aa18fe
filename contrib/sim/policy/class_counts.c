/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/policy/class_counts.h"

#include <stdlib.h>

#include "common/base/array.h"

/* --- classes ------------------------------------------------------------------- */

int rspb_classes_init(struct rspb_classes *classes, uint32_t width)
{
	*classes = (struct rspb_classes){ .width = width };
	classes->nodes[0] = rspb_nodeset_create(width);
	if (!classes->nodes[0])
		return -1;
	rspb_nodeset_fill(classes->nodes[0]);
	classes->size[0] = width;
	classes->n = 1;
	return 0;
}

void rspb_classes_fini(struct rspb_classes *classes)
{
	for (uint32_t c = 0; c < classes->n; c++)
		rspb_nodeset_destroy(classes->nodes[c]);
	classes->n = 0;
}

/* Let a class be in two, the second with the nodes that are not eligible. RET 0,
 * -1: out of memory. */
static int split_class(struct rspb_classes *classes, uint32_t c,
		       const struct rspb_nodeset *eligible)
{
	struct rspb_nodeset *rest = rspb_nodeset_clone(classes->nodes[c]);

	if (!rest)
		return -1;
	rspb_nodeset_minus(rest, eligible);
	rspb_nodeset_and(classes->nodes[c], eligible);
	classes->nodes[classes->n] = rest;
	classes->size[classes->n] = rspb_nodeset_count(rest);
	classes->size[c] -= classes->size[classes->n];
	classes->wanted[classes->n] = classes->wanted[c];
	classes->from[classes->n] = c;
	classes->n++;
	return 0;
}

/* RET the classes that lie within a set; *across: one that does in part, n when
 * there is none. */
static uint32_t within(const struct rspb_classes *classes, const struct rspb_nodeset *eligible,
		       uint32_t *across)
{
	uint32_t mask = 0;

	*across = classes->n;
	for (uint32_t c = 0; c < classes->n; c++)
		if (rspb_nodeset_within(classes->nodes[c], eligible))
			mask |= (uint32_t) 1 << c;
		else if (!rspb_nodeset_disjoint(classes->nodes[c], eligible))
			*across = c;
	return mask;
}

int rspb_classes_of(struct rspb_classes *classes, const struct rspb_nodeset *eligible,
		    uint32_t *mask, bool *split)
{
	bool may_split = *split;
	uint32_t across;

	*split = false;
	if (!eligible) {
		*mask = UINT32_MAX >> (RSPB_CLASSES - classes->n);
		return 1;
	}
	*mask = within(classes, eligible, &across);
	while (across < classes->n) {
		if (!may_split || classes->n == RSPB_CLASSES)
			return 0;
		if (split_class(classes, across, eligible))
			return -1;
		*split = true;
		*mask = within(classes, eligible, &across);
	}
	for (uint32_t c = 0; *split && c < classes->n; c++)
		classes->wanted[c] += *mask >> c & 1;
	return 1;
}

/* --- what is free of each ------------------------------------------------------ */

#define EACH_CLASS(c, mask, classes)                                                               \
	for (uint32_t c = 0; c < (classes)->n; c++)                                                \
		if ((mask) & (uint32_t) 1 << c)

int rspb_heads_begin(struct rspb_heads *heads, const struct rspb_classes *classes, int64_t now)
{
	heads->classes = classes;
	for (uint32_t c = 0; c < classes->n; c++)
		if (rspb_ladder_begin(&heads->of[c], now, classes->size[c]))
			return -1;
	return 0;
}

int rspb_heads_copy(struct rspb_heads *to, const struct rspb_heads *from)
{
	to->classes = from->classes;
	for (uint32_t c = 0; c < from->classes->n; c++)
		if (rspb_ladder_copy(&to->of[c], &from->of[c]))
			return -1;
	return 0;
}

void rspb_heads_fini(struct rspb_heads *heads)
{
	for (uint32_t c = 0; c < RSPB_CLASSES; c++)
		rspb_ladder_fini(&heads->of[c]);
}

void rspb_heads_swap(struct rspb_heads *a, struct rspb_heads *b)
{
	uint32_t n = a->classes->n;

	for (uint32_t c = 0; c < n; c++) {
		struct rspb_ladder ladder = a->of[c];

		a->of[c] = b->of[c];
		b->of[c] = ladder;
	}
}

void rspb_heads_advance(struct rspb_heads *heads, int64_t now)
{
	for (uint32_t c = 0; c < heads->classes->n; c++)
		rspb_ladder_advance(&heads->of[c], now);
}

/* Times at which what is free by the profile may change. */
struct reading {
	int64_t now, ahead;
	int64_t *times;
	size_t n, room;
};

static int note_record(int64_t time, const struct rspb_nodeset *booked, void *arg)
{
	struct reading *reading = arg;
	int64_t early = time - reading->ahead + 1;

	(void) booked;
	if (rspb_array_grow(&reading->times, &reading->room, reading->n + 2,
			    sizeof(*reading->times)))
		return 1;
	if (early > reading->now)
		reading->times[reading->n++] = early;
	if (time > reading->now)
		reading->times[reading->n++] = time;
	return 0;
}

/* Append what is free from a time on. */
static int read_at(struct rspb_heads *heads, const struct rspb_profile *profile, int64_t time,
		   int64_t ahead, struct rspb_nodeset *set, struct rspb_nodeset *scratch,
		   struct rspb_err *err)
{
	if (rspb_profile_free_over(profile, time, time + ahead, set, err))
		return -1;
	for (uint32_t c = 0; c < heads->classes->n; c++) {
		rspb_nodeset_copy(scratch, set);
		rspb_nodeset_and(scratch, heads->classes->nodes[c]);
		if (rspb_ladder_append(&heads->of[c], time, rspb_nodeset_count(scratch)))
			return rspb_fail(err, "out of memory");
	}
	return 0;
}

int rspb_heads_read(struct rspb_heads *heads, const struct rspb_classes *classes,
		    const struct rspb_profile *profile, int64_t ahead, struct rspb_err *err)
{
	struct reading reading = { rspb_profile_now(profile), ahead, NULL, 0, 0 };
	struct rspb_nodeset *set = rspb_nodeset_create(classes->width);
	struct rspb_nodeset *scratch = rspb_nodeset_create(classes->width);
	int rc = set && scratch ? 0 : -1;

	/* The first step of a ladder is what is free now; nothing comes before it. */
	heads->classes = classes;
	for (uint32_t c = 0; !rc && c < classes->n; c++)
		rc = rspb_ladder_begin(&heads->of[c], INT64_MIN, -1);
	if (!rc)
		rc = rspb_profile_records(profile, note_record, &reading);
	if (rc) {
		rc = rspb_fail(err, "out of memory");
	} else {
		if (reading.n)
			qsort(reading.times, reading.n, sizeof(*reading.times), rspb_array_by_i64);
		rc = read_at(heads, profile, reading.now, ahead, set, scratch, err);
	}
	for (size_t i = 0; !rc && i < reading.n; i++)
		if (!i || reading.times[i] > reading.times[i - 1])
			rc = read_at(heads, profile, reading.times[i], ahead, set, scratch, err);
	if (!rc)
		rspb_heads_advance(heads, reading.now);
	free(reading.times);
	rspb_nodeset_destroy(set);
	rspb_nodeset_destroy(scratch);
	return rc;
}

/* RET the nodes of a class that are free over [start, end), 0 when it is below;
 * *next: where more may be. */
static int64_t look(const struct rspb_ladder *ladder, size_t *at, int64_t start, int64_t end,
		    int64_t *next)
{
	size_t i = *at;
	int64_t least;

	while (i + 1 < ladder->n && ladder->at[i + 1].time <= start)
		i++;
	*at = i;
	if (i + 1 < ladder->n && ladder->at[i + 1].time < *next)
		*next = ladder->at[i + 1].time;
	least = ladder->at[i].free;
	while (++i < ladder->n && ladder->at[i].time < end)
		if (ladder->at[i].free < least)
			least = ladder->at[i].free;
	return least > 0 ? least : 0;
}

/* RET whether `count` nodes of several classes together are free from some time
 * of [ready, last] on; *start: the earliest. */
static bool search_several(const struct rspb_heads *heads, const struct rspb_heads_ask *ask,
			   int64_t count, int64_t ready, int64_t last, int64_t *start)
{
	size_t at[RSPB_CLASSES];

	EACH_CLASS(c, ask->mask, heads->classes)
	at[c] = rspb_ladder_find(&heads->of[c], ready);
	for (int64_t time = ready, next; time <= last; time = next) {
		int64_t end = time + ask->duration, least = 0;

		next = INT64_MAX;
		EACH_CLASS(c, ask->mask, heads->classes)
		least += look(&heads->of[c], &at[c], time, end, &next);
		*start = time;
		if (least >= count)
			return true;
		if (next == INT64_MAX)
			return false;
	}
	return false;
}

/* RET the class of a mask with one; RSPB_CLASSES: it has another number. */
static uint32_t single(uint32_t mask)
{
	return __builtin_popcount(mask) == 1 ? (uint32_t) __builtin_ctz(mask) : RSPB_CLASSES;
}

static bool search(const struct rspb_heads *heads, const struct rspb_heads_ask *ask, int64_t count,
		   int64_t ready, int64_t last, int64_t *start)
{
	uint32_t class = single(ask->mask);

	if (class == RSPB_CLASSES)
		return search_several(heads, ask, count, ready, last, start);
	return rspb_ladder_search(&heads->of[class], count, ready, last, ask->duration, start);
}

/* RET the first step of any of its classes behind a time, INT64_MAX: none. */
static int64_t next_step(const struct rspb_heads *heads, uint32_t mask, int64_t time)
{
	int64_t next = INT64_MAX;

	EACH_CLASS(c, mask, heads->classes)
	{
		const struct rspb_ladder *ladder = &heads->of[c];
		size_t i = rspb_ladder_find(ladder, time);

		i += ladder->at[i].time <= time;
		if (i < ladder->n && ladder->at[i].time < next)
			next = ladder->at[i].time;
	}
	return next;
}

bool rspb_heads_find(const struct rspb_heads *heads, const struct rspb_heads_ask *ask,
		     int64_t *start)
{
	int64_t roomy = INT64_MAX, time = ask->ready, last = ask->last;

	if (!ask->calm || !ask->keep)
		return search(heads, ask, ask->count + ask->keep, time, last, start);
	while (time <= last && search(heads, ask, ask->count, time, last, start)) {
		if (ask->calm(ask->arg, *start, *start + ask->duration))
			return true;
		/* Where it leaves as many free as it should, once. */
		if (roomy == INT64_MAX &&
		    !search(heads, ask, ask->count + ask->keep, *start, last, &roomy))
			roomy = last + 1;
		if (roomy <= *start)
			return true;
		last = roomy - 1 < last ? roomy - 1 : last;
		time = next_step(heads, ask->mask, *start);
	}
	*start = roomy;
	return roomy <= ask->last;
}

int rspb_heads_take(struct rspb_heads *heads, uint32_t mask, int64_t count, int64_t start,
		    int64_t end, struct rspb_take *take)
{
	const struct rspb_classes *classes = heads->classes;

	while (mask && count > 0) {
		uint32_t best = RSPB_CLASSES;
		int64_t free;

		EACH_CLASS(c, mask, classes)
		if (best == RSPB_CLASSES || classes->wanted[c] < classes->wanted[best])
			best = c;
		if (best == RSPB_CLASSES)
			break;
		mask &= ~((uint32_t) 1 << best);
		free = rspb_ladder_least(&heads->of[best], start, end);
		if (free > count)
			free = count;
		if (free <= 0)
			continue;
		if (rspb_ladder_take(&heads->of[best], start, end, free))
			return -1;
		take->of[best] += (uint32_t) free;
		count -= free;
	}
	return count <= 0;
}

int rspb_heads_add(struct rspb_heads *heads, const struct rspb_take *take, int64_t start,
		   int64_t end)
{
	for (uint32_t c = 0; c < heads->classes->n; c++)
		if (rspb_ladder_take(&heads->of[c], start, end, take->of[c]))
			return -1;
	return 0;
}
