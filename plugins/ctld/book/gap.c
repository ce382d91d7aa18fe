/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learns how long nodes take between two jobs, for the gaps around windows. It waits
 * for nothing and moves no window. */
#include "plugins/ctld/book/book.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/wire/json.h"
#include "plugins/ctld/book/state.h"

enum {
	FEWEST = 3,	    /* of one alone nothing can be said */
	LEAST_S = 6,	    /* a start late by less is better than windows
			     * that may not touch */
	MOST_S = 600,	    /* who takes longer hangs */
	FORGET_S = 6 * 3600 /* epilogs may be others by then */
};

/* The names of the gaps in the journal. */
static const char *const names[RSPB_GAPS] = {
	[RSPB_GAP_CLEAN_UP] = "clean_up",
	[RSPB_GAP_PREPARE] = "prepare",
};

/* RET the 75th percentile of the durations of the last six hours, 0: too few. A few nodes that
 * are slow must not push all bookings apart. */
static int64_t learned(const struct rspb_gap_learner *of, int64_t now)
{
	int64_t took[RSPB_GAP_LAST];
	size_t n = 0;

	for (size_t i = 0; i < RSPB_GAP_LAST && i < of->n; i++)
		if (of->last[i].at > now - FORGET_S)
			took[n++] = of->last[i].took;
	if (n < FEWEST)
		return 0;
	qsort(took, n, sizeof(*took), rspb_array_by_i64);
	return took[n * 3 / 4];
}

/* A value in the settings counts instead of the learned one, which is learned all the same. */
static void use_learned(struct rspb_gap_learner *of, int64_t now)
{
	if (of->setting == RSPB_GAP_AUTO)
		atomic_store(&of->in_force, learned(of, now));
}

/* RET whether a duration is remembered. Short ones need no gap, and very long ones belong to
 * nodes that hang. */
static bool note(struct rspb_gap_learner *of, int64_t took, int64_t at)
{
	if (took < LEAST_S || took > MOST_S)
		return false;
	of->last[of->n % RSPB_GAP_LAST].at = at;
	of->last[of->n++ % RSPB_GAP_LAST].took = took;
	return true;
}

/* --- in the journal ---------------------------------------------------------- */

static void put(const struct rspb_gap_learner *of, int64_t took, int64_t at, int64_t now)
{
	struct json_object *o = rspb_json_with(json_object_new_object(), "of",
					       json_object_new_string(names[of - rspb_book->gaps]));

	o = rspb_json_with_int(o, "at", at);
	o = rspb_json_with_int(o, "took", took);
	rspb_durable_note("node_gap", o, now);
}

/* Write what still counts into a new file of the journal, oldest first, as take_line() reads
 * it. */
static void tell_all(int64_t now)
{
	for (size_t i = 0; i < RSPB_GAPS; i++) {
		const struct rspb_gap_learner *of = &rspb_book->gaps[i];

		for (size_t k = of->n > RSPB_GAP_LAST ? of->n - RSPB_GAP_LAST : 0; k < of->n; k++)
			if (of->last[k % RSPB_GAP_LAST].at > now - FORGET_S)
				put(of, of->last[k % RSPB_GAP_LAST].took,
				    of->last[k % RSPB_GAP_LAST].at, now);
	}
}

/* The journal is about to be read, maybe again: its lines are taken as if for the first time. */
static void forget_all(void)
{
	for (size_t i = 0; i < RSPB_GAPS; i++) {
		rspb_book->gaps[i].n = 0;
		use_learned(&rspb_book->gaps[i], 0);
	}
}

static void take_line(struct json_object *o, int64_t now)
{
	struct json_object *name, *at, *took;

	/* Lines with times in the future come from a clock that was wrong, and would count for
	 * too long. */
	if (!json_object_object_get_ex(o, "of", &name) ||
	    !json_object_object_get_ex(o, "at", &at) ||
	    !json_object_object_get_ex(o, "took", &took) ||
	    !json_object_is_type(name, json_type_string) || json_object_get_int64(at) > now)
		return;
	for (size_t i = 0; i < RSPB_GAPS; i++) {
		struct rspb_gap_learner *of = &rspb_book->gaps[i];

		if (!strcmp(names[of - rspb_book->gaps], json_object_get_string(name)) &&
		    note(of, json_object_get_int64(took), json_object_get_int64(at)))
			use_learned(of, now);
	}
}

const struct rspb_durable_kind rspb_gap_durable = {
	.name = "node_gap",
	.reset = forget_all,
	.take = take_line,
	.tell = tell_all,
};

/* --- for others -------------------------------------------------------------- */

void rspb_gap_see(enum rspb_gap gap, const struct rspb_nodeset *busy, int64_t now)
{
	struct rspb_gap_learner *of = &rspb_book->gaps[gap];
	size_t before = of->room;

	if (rspb_array_grow(&of->since, &of->room, busy->width, sizeof(*of->since)))
		return;
	/* New places of a larger array count as not busy. */
	for (size_t i = before; i < of->room; i++)
		of->since[i] = 0;
	/* A duration is known when a node that was busy is not busy any more. */
	for (uint32_t i = 0; i < busy->width; i++) {
		bool is = rspb_nodeset_has(busy, i);

		if (is && !of->since[i])
			of->since[i] = now;
		/* The phase may have begun in the second before it was seen. */
		if (!is && of->since[i]) {
			int64_t took = now - of->since[i] + 1;

			if (note(of, took, now))
				put(of, took, now, now);
			of->since[i] = 0;
		}
	}
	use_learned(of, now);
}

void rspb_gap_use(enum rspb_gap gap, int64_t seconds)
{
	rspb_book->gaps[gap].setting = seconds;
	if (seconds != RSPB_GAP_AUTO)
		atomic_store(&rspb_book->gaps[gap].in_force, seconds);
}

int64_t rspb_gap(enum rspb_gap gap)
{
	return atomic_load(&rspb_book->gaps[gap].in_force);
}

int64_t rspb_gap_whole(void)
{
	return rspb_gap(RSPB_GAP_CLEAN_UP) + rspb_gap(RSPB_GAP_PREPARE);
}

void rspb_gap_reset(void)
{
	for (size_t i = 0; i < RSPB_GAPS; i++) {
		free(rspb_book->gaps[i].since);
		rspb_book->gaps[i].since = NULL;
		rspb_book->gaps[i].room = 0;
	}
}
