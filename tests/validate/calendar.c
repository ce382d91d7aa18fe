/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every invariant of the groups, checked without trusting any. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/calendar/internal.h"
#include "tests/validate/validate.h"

static int check_chunk(const struct rspb_sorted *order, size_t i, struct rspb_err *err)
{
	const struct rspb_slot *slot = &order->slots[i];
	const struct rspb_entry *at = rspb_sorted_chunk(order, i);
	const struct rspb_entry *before = NULL;
	int64_t reach = INT64_MIN, longest = 0;

	if (!slot->count || slot->count > RSPB_CHUNK || !slot->chunk)
		return rspb_fail(err, "chunk %zu holds %u entries", i, slot->count);
	if (slot->key != at->key || slot->other != at->other)
		return rspb_fail(err, "chunk %zu does not begin as said", i);
	if (i)
		before = rspb_sorted_chunk(order, i - 1) + order->slots[i - 1].count - 1;
	for (uint32_t n = 0; n < slot->count; before = at++, n++) {
		int64_t length = at->other > at->key ? at->other - at->key : at->key - at->other;

		if (before && (before->key > at->key ||
			       (before->key == at->key && before->other >= at->other)))
			return rspb_fail(err,
					 "entry %" PRIu32 " of chunk %zu "
					 "at %" PRId64 " is out of order",
					 n, i, at->key);
		reach = at->other > reach ? at->other : reach;
		longest = length > longest ? length : longest;
	}
	if (reach != slot->reach || longest != slot->longest)
		return rspb_fail(err, "chunk %zu does not reach as far as said", i);
	return 0;
}

/* What is said of RSPB_TOP slots from this one on. */
static int check_top(const struct rspb_sorted *order, size_t first, struct rspb_err *err)
{
	const struct rspb_top *top = &order->tops[first / RSPB_TOP];
	const struct rspb_slot *slot = &order->slots[first];
	int64_t reach = INT64_MIN;

	if (top->key != slot->key || top->other != slot->other)
		return rspb_fail(err,
				 "the top of chunk %zu does not begin as "
				 "said",
				 first);
	for (size_t i = first; i < order->chunks && i < first + RSPB_TOP; i++)
		reach = order->slots[i].reach > reach ? order->slots[i].reach : reach;
	if (reach != top->reach)
		return rspb_fail(err,
				 "the top of chunk %zu does not reach as "
				 "far as said",
				 first);
	return 0;
}

static int check_order(const struct rspb_sorted *order, const char *name, struct rspb_err *err)
{
	size_t tight = 0;

	for (size_t i = 0; i < order->chunks; i++) {
		if (check_chunk(order, i, err) || (i % RSPB_TOP == 0 && check_top(order, i, err)))
			return rspb_fail_at(err, "order by %s", name);
		tight += rspb_slot_is_tight(&order->slots[i]);
	}
	if (tight != order->tight)
		return rspb_fail(err, "order by %s: %zu tight chunks, said are %zu", name, tight,
				 order->tight);
	return 0;
}

/* RET whether so many nodes are a run. */
static bool nodes_in_a_row(struct rspb_patches nodes, uint32_t size)
{
	const struct rspb_patch *last = nodes.at + nodes.count - 1;
	uint32_t first = (uint32_t) __builtin_ctz(nodes.at->bits);

	return (uint32_t) (last->word - nodes.at->word) * RSPB_PATCH + 32 - first -
		       (uint32_t) __builtin_clz(last->bits) ==
	       size;
}

/* The group at an entry: its set, its twin, its marks. */
static int check_group(const struct rspb_profile *profile, const struct rspb_cursor *cursor,
		       struct rspb_err *err)
{
	const struct rspb_entry *at = cursor->at, *twin;
	struct rspb_patches nodes = rspb_gapsets_of(&profile->index->sets, at,
						    profile->scratch->spread);
	const uint64_t *marks = rspb_chunk_marks(profile->index->begins.slots[cursor->slot].chunk);

	if (at->other <= at->key || at->other <= profile->now)
		return rspb_fail(err,
				 "gap %" PRId64 " to %" PRId64 " is empty "
				 "or has passed",
				 at->key, at->other);
	if (rspb_patches_size(nodes) != at->size || !at->size)
		return rspb_fail(err,
				 "gap %" PRId64 " to %" PRId64 " has not "
				 "%" PRIu32 " nodes",
				 at->key, at->other, at->size);
	if (!rspb_entry_is_run(at) && nodes_in_a_row(nodes, at->size))
		return rspb_fail(err,
				 "gap %" PRId64 " to %" PRId64 " does not "
				 "name its run",
				 at->key, at->other);
	for (uint32_t i = 0; i < nodes.count; i++) {
		uint32_t word = nodes.at[i].word;

		if (!nodes.at[i].bits || (i && word <= nodes.at[i - 1].word) ||
		    (uint64_t) word * RSPB_PATCH >= profile->nodes)
			return rspb_fail(err,
					 "patch %" PRIu32 " of a set is "
					 "not in order",
					 i);
		if (rspb_patch_wide(nodes.at[i]) & ~marks[word / 4])
			return rspb_fail(err,
					 "chunk %zu has nodes its marks "
					 "lack",
					 cursor->slot);
	}
	twin = rspb_sorted_at(&profile->index->ends,
			      rspb_sorted_find(&profile->index->ends, at->other, at->key));
	if (!twin || twin->key != at->other || twin->other != at->key || twin->size != at->size ||
	    twin->group != at->group)
		return rspb_fail(err,
				 "gap %" PRId64 " to %" PRId64 " is not "
				 "the same by its end",
				 at->key, at->other);
	return 0;
}

/* A node's gaps neither meet nor overlap; reach[] is its last end so far. */
static int check_nodes(const struct rspb_profile *profile, const struct rspb_entry *at,
		       int64_t *reach, struct rspb_err *err)
{
	struct rspb_patches nodes = rspb_gapsets_of(&profile->index->sets, at,
						    profile->scratch->spread);

	for (uint32_t i = 0; i < nodes.count; i++) {
		for (uint32_t bits = nodes.at[i].bits; bits; bits &= bits - 1) {
			uint32_t n = nodes.at[i].word * RSPB_PATCH + (uint32_t) __builtin_ctz(bits);

			if (n >= profile->nodes || reach[n] >= at->key)
				return rspb_fail(err,
						 "node %" PRIu32 " has "
						 "two gaps at %" PRId64,
						 n, at->key);
			reach[n] = at->other;
		}
	}
	return 0;
}

static int check_gaps(const struct rspb_profile *profile, struct rspb_err *err)
{
	struct rspb_cursor cursor = { .order = &profile->index->begins };
	int64_t *reach = malloc((profile->nodes + (size_t) 1) * sizeof(*reach));
	size_t count = 0, rows = 0;
	int rc = 0;

	if (!reach)
		return rspb_profile_no_memory(err);
	for (uint32_t n = 0; n < profile->nodes; n++)
		reach[n] = INT64_MIN;
	rspb_cursor_load(&cursor, 0);
	for (; !rc && cursor.stop; rspb_cursor_next(&cursor), count++) {
		rows += !rspb_entry_is_run(cursor.at);
		rc = check_group(profile, &cursor, err) ||
				     check_nodes(profile, cursor.at, reach, err)
			     ? -1
			     : 0;
	}
	for (uint32_t n = 0; !rc && n < profile->nodes; n++)
		if (reach[n] != RSPB_TIME_MAX)
			rc = rspb_fail(err,
				       "node %" PRIu32 " is booked "
				       "without an end",
				       n);
	if (!rc && (count != profile->index->begins.entries || rows != profile->index->sets.rows))
		rc = rspb_fail(err,
			       "%zu gaps are indexed, %zu with a set, but "
			       "there are %zu and %zu sets",
			       count, rows, profile->index->begins.entries,
			       profile->index->sets.rows);
	free(reach);
	return rc;
}

/* Nodes that an order has at time; the cursor steps behind it. */
static uint32_t size_at(struct rspb_cursor *cursor, int64_t time)
{
	uint32_t size = 0;

	for (; cursor->at->key <= time; rspb_cursor_next(cursor))
		if (cursor->at->key == time)
			size += cursor->at->size;
	return size;
}

static int check_records(const struct rspb_profile *profile, struct rspb_err *err)
{
	struct rspb_cursor record = { .order = &profile->index->records };
	struct rspb_cursor begin = rspb_cursor_at(&profile->index->begins,
						  rspb_sorted_find(&profile->index->begins,
								   profile->now + 1,
								   RSPB_TIME_MIN));
	struct rspb_cursor end = { .order = &profile->index->ends };

	rspb_cursor_load(&record, 0);
	rspb_cursor_load(&end, 0);
	for (; record.stop; rspb_cursor_next(&record)) {
		int64_t time = record.at->key;

		if (time <= profile->now || begin.at->key < time || end.at->key < time)
			return rspb_fail(err, "there is no record before %" PRId64, time);
		if (size_at(&begin, time) != record.at->size ||
		    size_at(&end, time) != record.at->group ||
		    (!record.at->size && !record.at->group))
			return rspb_fail(err, "the record at %" PRId64 " miscounts", time);
	}
	if (begin.stop || (end.stop && end.at->key != RSPB_TIME_MAX))
		return rspb_fail(err, "records end too early");
	return 0;
}

int validate_profile(const struct rspb_profile *profile, struct rspb_err *err)
{
	if (check_order(&profile->index->begins, "begin", err) ||
	    check_order(&profile->index->ends, "end", err) ||
	    check_order(&profile->index->records, "record", err) || check_gaps(profile, err))
		return -1;
	return check_records(profile, err);
}

static size_t sorted_bytes(const struct rspb_sorted *order)
{
	return order->room * sizeof(*order->slots) + order->top_room * sizeof(*order->tops) +
	       (order->chunks + order->pages.spares) * order->pages.size;
}

static size_t gapsets_bytes(const struct rspb_gapsets *sets)
{
	return sets->room * sizeof(*sets->at) +
	       (sets->count + sets->pages.spares) * sets->pages.size;
}

static size_t index_bytes(const struct rspb_index *index)
{
	return sizeof(*index) + gapsets_bytes(&index->sets) + sorted_bytes(&index->begins) +
	       sorted_bytes(&index->ends) + sorted_bytes(&index->records);
}

static size_t scratch_bytes(const struct rspb_profile *profile)
{
	const struct rspb_scratch *scratch = profile->scratch;

	return sizeof(*scratch) + (profile->nodes + (size_t) 1) * sizeof(uint32_t) +
	       scratch->rest->words * 4 * sizeof(*scratch->spread) +
	       scratch->patch_room * sizeof(*scratch->patches) +
	       scratch->touched_room * sizeof(*scratch->touched) +
	       scratch->stack_room * sizeof(*scratch->stack) +
	       (scratch->ups.room + scratch->downs.room) * RSPB_SPAN_BYTES +
	       scratch->far_room * sizeof(*scratch->far);
}

struct profile_stats validate_stats(const struct rspb_profile *profile)
{
	return (struct profile_stats){
		.nodes = profile->nodes,
		.points = profile->index->records.entries,
		.groups = profile->index->begins.entries,
		.bytes = sizeof(*profile) + scratch_bytes(profile) + index_bytes(profile->index),
	};
}
