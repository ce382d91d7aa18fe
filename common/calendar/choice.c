/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which form a profile is in, and how it gets from one to the other.
 *
 * Groups suit sets of nodes that keep together, rows sets that are scattered:
 * there every booking meets many gaps. What decides is the number of groups a
 * record; in rows it is estimated by a sweep that looks at some records with
 * every change, at more than a change can add. Between the two limits nothing happens, so a profile does not
 * go to and fro.
 *
 * A profile of some size takes tens of milliseconds to convert, and others
 * may wait for the change at hand. So the new form is made a few records with
 * every change, from now on into the future: up to `made` it holds the same
 * as the old one, which answers until all is made. Changes are made in both,
 * in the new one up to there. Without memory for the new form it is given up;
 * what was asked for is done all the same.
 */
#include <stdlib.h>

#include "common/calendar/rows.h"

/* Tests make these small. */
#ifndef RSPB_CHOICE_RECORDS
#define RSPB_CHOICE_RECORDS 64
#endif
#ifndef RSPB_CHOICE_STEP
#define RSPB_CHOICE_STEP 16
#endif

enum {
	LEAST_RECORDS = RSPB_CHOICE_RECORDS, /* fewer stay as they are */
	STEP = RSPB_CHOICE_STEP,	     /* records made with a change */
	SWEEP = 3,			     /* records looked at with one */
	ROWS_FROM = 3,			     /* groups a record: to rows */
	GROUPS_FROM = 2,		     /* fewer: to groups */
	LOOK_EVERY = 32,		     /* changes between two looks */
	GROUP_BYTES = 72,		     /* of a group beside its set */
	SHED_CHUNKS = 4,		     /* given back with a change */
	SHED_BYTES = 1 << 18
};

static const struct rspb_profile_form *other_form(
	const struct rspb_profile *profile)
{
	return profile->form == &rspb_profile_rows ? &rspb_profile_groups
						   : &rspb_profile_rows;
}

void rspb_choice_give_up(struct rspb_profile *profile)
{
	if (profile->making)
		profile->making->fini(profile);
	profile->making = NULL;
}

/* Let the arrays that can be large wait for shed(); free all else. */
static void leave_groups(struct rspb_profile *profile)
{
	struct rspb_order *begins = &profile->begins, *ends = &profile->ends;
	size_t chunk = RSPB_CHUNK * sizeof(*begins->pool);

	profile->gone[0] = (struct rspb_remnant){
		profile->sets.pool,
		profile->sets.pool_room * sizeof(*profile->sets.pool),
	};
	profile->gone[1] = (struct rspb_remnant){ begins->pool,
						  begins->room * chunk };
	profile->gone[2] = (struct rspb_remnant){ ends->pool,
						  ends->room * chunk };
	profile->sets.pool = NULL;
	begins->pool = ends->pool = NULL;
	rspb_profile_groups.fini(profile);
}

/* Give back some of what is left of the last form. RET whether that was all. */
static bool shed(struct rspb_profile *profile)
{
	if (profile->gone_rows) {
		if (rspb_rows_shed(profile->gone_rows, SHED_CHUNKS))
			profile->gone_rows = NULL;
		return !profile->gone_rows;
	}
	for (int i = 0; i < RSPB_REMNANTS; i++) {
		struct rspb_remnant *remnant = &profile->gone[i];
		void *less = NULL;

		if (!remnant->at)
			continue;
		remnant->bytes -= remnant->bytes < SHED_BYTES ? remnant->bytes
							      : SHED_BYTES;
		if (remnant->bytes)
			less = realloc(remnant->at, remnant->bytes);
		if (!less) {
			free(remnant->at);
			remnant->bytes = 0;
		}
		remnant->at = less;
		return false;
	}
	return true;
}

void rspb_choice_shed_all(struct rspb_profile *profile)
{
	while (!shed(profile))
		;
}

/* Begin to make the other form. */
static void begin(struct rspb_profile *profile)
{
	profile->making = other_form(profile);
	profile->made = profile->now;
	if (profile->making->init(profile))
		rspb_choice_give_up(profile);
}

/* What a walk over records does to the form in the making. */
struct copying {
	struct rspb_profile *profile;
	size_t left; /* records to go */
	bool failed;
};

static int copy_to_rows(int64_t time, const struct rspb_nodeset *booked,
			void *arg)
{
	struct copying *copying = arg;
	struct rspb_profile *profile = copying->profile;
	struct rspb_nodeset *none = profile->scratch->none;

	if (!copying->left--) {
		/* Up to here: nothing is booked behind. */
		copying->failed = rspb_rows_append(profile->rows, time, none);
		profile->made = time;
		return 1;
	}
	copying->failed = rspb_rows_append(profile->rows, time, booked);
	return copying->failed;
}

/* RET 1 when all is made, 0 when there is more, -1 without memory. */
static int make_rows(struct rspb_profile *profile, size_t records)
{
	struct copying copying = { profile, records, false };
	bool more = rspb_groups_records_from(profile, profile->made,
					     copy_to_rows, &copying);

	return copying.failed ? -1 : !more;
}

static int make_groups(struct rspb_profile *profile, size_t records)
{
	const struct rspb_rows *rows = profile->rows;
	struct rspb_nodeset *booked = profile->scratch->none;
	int rc = 0;

	while (!rc && records--) {
		struct rspb_place at = rspb_rows_find(rows, profile->made);
		int64_t end = rspb_rows_time(rows, rspb_rows_next(rows, at));

		if (end == INT64_MAX) {
			rc = 1;
			break;
		}
		memcpy(booked->bits, rspb_rows_at(rows, at),
		       booked->words * sizeof(booked->bits[0]));
		if (!rspb_nodeset_empty(booked))
			rc = profile->making->cover(profile, profile->made, end,
						    booked, NULL);
		profile->made = end;
	}
	rspb_nodeset_clear(booked);
	return rc;
}

/* Make some records more; change over when all is made. */
static void make(struct rspb_profile *profile, size_t records)
{
	const struct rspb_profile_form *old = profile->form;
	int rc = old == &rspb_profile_rows ? make_groups(profile, records)
					   : make_rows(profile, records);

	if (rc < 0) {
		rspb_choice_give_up(profile);
	} else if (rc) {
		profile->form = profile->making;
		profile->making = NULL;
		if (old == &rspb_profile_groups) {
			leave_groups(profile);
		} else {
			profile->gone_rows = profile->rows;
			profile->rows = NULL;
		}
	}
}

int rspb_profile_turn(struct rspb_profile *profile,
		      const struct rspb_profile_form *form)
{
	if (profile->form == form) {
		rspb_choice_give_up(profile);
		return 0;
	}
	rspb_choice_shed_all(profile);
	if (!profile->making)
		begin(profile);
	while (profile->making)
		make(profile, SIZE_MAX);
	rspb_choice_shed_all(profile);
	return profile->form == form ? 0 : -1;
}

/* Groups: are there many a record, and would rows take no more memory? */
static bool rows_suit(const struct rspb_profile *profile)
{
	struct rspb_profile_stats stats = { .points = 0 };
	size_t words = profile->nodes / 64 + 1;

	profile->form->stats(profile, &stats);
	return stats.points >= LEAST_RECORDS &&
	       stats.groups > ROWS_FROM * stats.points &&
	       stats.points * words * sizeof(uint64_t) * 3 / 2 <= stats.bytes;
}

/* A group ends where its nodes are booked together; it began where they were
 * free last, which is their label. */
static void sweep_record(struct rspb_profile *profile, const uint64_t *before,
			 const uint64_t *row)
{
	struct rspb_rows_sweep *sweep = &profile->rows->sweep;
	uint32_t *labels = profile->scratch->labels;
	uint32_t seen[128] = { 0 };

	sweep->records++;
	for (uint32_t i = 0; i < profile->scratch->none->words; i++) {
		uint64_t booked = row[i] & ~before[i];
		uint64_t freed = before[i] & ~row[i];
		uint32_t *label = labels + (size_t) i * 64;

		for (; booked; booked &= booked - 1, sweep->nodes++) {
			uint32_t mine = label[__builtin_ctzll(booked)];

			/* Two labels in one place may count twice. */
			sweep->groups += seen[mine % 128] != mine;
			seen[mine % 128] = mine;
		}
		for (; freed; freed &= freed - 1)
			label[__builtin_ctzll(freed)] = sweep->records + 1;
	}
}

/* RET whether few groups were seen, or so small ones that they would take far
 * less memory than the rows do. */
static bool few_groups(const struct rspb_profile *profile,
		       const struct rspb_rows_sweep *all)
{
	size_t row = profile->rows->words * sizeof(uint64_t);

	return all->groups < (uint64_t) GROUPS_FROM * all->records ||
	       (all->records >= LEAST_RECORDS &&
		2 * (all->groups * GROUP_BYTES + 8 * all->nodes) <
			all->records * row);
}

/* Sweep the next record. RET whether it was the last, and groups suit. */
static bool groups_suit(struct rspb_profile *profile)
{
	const struct rspb_rows *rows = profile->rows;
	struct rspb_rows_sweep *sweep = &profile->rows->sweep;
	struct rspb_place at, next;
	struct rspb_rows_sweep all;

	if (!sweep->records) {
		sweep->at = profile->now;
		for (uint32_t n = 0; n < profile->nodes; n++)
			profile->scratch->labels[n] = 1;
	}
	if (sweep->at < profile->now)
		sweep->at = profile->now;
	at = rspb_rows_find(rows, sweep->at);
	next = rspb_rows_next(rows, at);
	if (next.slot < rows->count) {
		sweep->at = rspb_rows_time(rows, next);
		sweep_record(profile, rspb_rows_at(rows, at),
			     rspb_rows_at(rows, next));
		return false;
	}
	all = *sweep;
	*sweep = (struct rspb_rows_sweep){ .at = 0 };
	return few_groups(profile, &all);
}

/* RET whether groups suit better than rows, as far as has been seen. */
static bool sweep_on(struct rspb_profile *profile)
{
	for (int i = 0; i < SWEEP; i++)
		if (groups_suit(profile))
			return true;
	return false;
}

/* A form was changed; make the one in the making the same. */
static void change_made(struct rspb_profile *profile, int64_t start,
			int64_t end, const struct rspb_nodeset *nodes,
			bool book)
{
	const struct rspb_profile_form *form = profile->making;

	end = end < profile->made ? end : profile->made;
	if (end > start &&
	    (book ? form->cover : form->remove)(profile, start, end, nodes,
						NULL))
		rspb_choice_give_up(profile);
}

void rspb_choice_changed(struct rspb_profile *profile, int64_t start,
			 int64_t end, const struct rspb_nodeset *nodes,
			 bool book)
{
	if (profile->making)
		change_made(profile, start, end, nodes, book);
	if (profile->making) {
		make(profile, STEP);
		return;
	}
	if (!shed(profile))
		return;
	if (profile->form == &rspb_profile_rows) {
		if (sweep_on(profile))
			begin(profile);
	} else if (++profile->changes % LOOK_EVERY == 0 && rows_suit(profile)) {
		begin(profile);
	}
}

void rspb_choice_advanced(struct rspb_profile *profile, int64_t now)
{
	if (!profile->making)
		return;
	if (profile->making->advance(profile, now, NULL))
		rspb_choice_give_up(profile);
	else if (profile->made < now)
		profile->made = now;
}
