/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every invariant of the table of shares, checked without trusting any. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/shares/internal.h"
#include "tests/validate/validate.h"

static int validate_machine(const struct rspb_share_machine *machine, uint32_t m, int64_t now,
			    struct rspb_err *err)
{
	for (size_t i = 0; i < machine->count; i++) {
		const struct rspb_share_step *step = &machine->steps[i];

		if (i ? step->time <= step[-1].time : step->time < now)
			return rspb_fail(err, "step %zu of machine %" PRIu32 " is out of order", i,
					 m);
		if (step->used < 0 || step->used > machine->capacity)
			return rspb_fail(err,
					 "machine %" PRIu32 " has %" PRId64 " of %" PRId64
					 " reserved at %" PRId64,
					 m, step->used, machine->capacity, step->time);
		if (step->used == (i ? step[-1].used : 0))
			return rspb_fail(err,
					 "nothing changes at step %zu of "
					 "machine %" PRIu32,
					 i, m);
	}
	if (machine->count && machine->steps[machine->count - 1].used)
		return rspb_fail(err,
				 "machine %" PRIu32 " is reserved without "
				 "an end",
				 m);
	return 0;
}

static int validate_index(const struct rspb_shares *shares, int32_t *row, struct rspb_err *err)
{
	const struct rspb_share_index *index = &shares->index;

	for (size_t i = 0; i < index->count; i++) {
		const struct rspb_share_slot *slot = &index->slots[i];
		const struct rspb_share_chunk *chunk = slot->chunk;
		int64_t begin = slot->begin > shares->now ? slot->begin : shares->now;

		/* What has passed may be told apart late; nobody asks it. */
		if (rspb_share_chunk_end(index, i) <= shares->now)
			continue;
		rspb_share_index_peaks(index, begin, rspb_share_chunk_end(index, i), row);
		if (rspb_share_chunk_end(index, i) <= slot->begin || !atomic_load(&chunk->users) ||
		    chunk->count > chunk->room)
			return rspb_fail(err, "share chunk %zu at %" PRId64 " is out of order", i,
					 begin);
		for (uint32_t m = 0; m < shares->machines; m++) {
			int64_t peak = rspb_share_machine_peak(rspb_share_machine_at(shares, m),
							       begin,
							       rspb_share_chunk_end(index, i));

			if (row[m] != peak ||
			    (slot->begin >= shares->now && chunk->peak[m] != peak))
				return rspb_fail(err,
						 "share chunk %zu has a "
						 "peak of %" PRId32 ", not %" PRId64
						 ", for machine %" PRIu32,
						 i, row[m], peak, m);
		}
	}
	return 0;
}

int validate_shares(const struct rspb_shares *shares, struct rspb_err *err)
{
	int32_t *row;
	int rc;

	for (uint32_t m = 0; m < shares->machines; m++)
		if (validate_machine(rspb_share_machine_at(shares, m), m, shares->now, err))
			return -1;
	row = rspb_share_index_rows(&shares->index);
	rc = row ? validate_index(shares, row, err) : rspb_fail(err, "out of memory");
	free(row);
	return rc;
}

static size_t index_bytes(const struct rspb_share_index *index)
{
	size_t bytes = index->room * sizeof(*index->slots);

	for (size_t i = 0; i < index->count; i++)
		bytes += sizeof(*index->slots[i].chunk) + 2 * index->lanes * sizeof(int32_t) +
			 index->slots[i].chunk->room * sizeof(struct rspb_share_event);
	return bytes;
}

size_t validate_shares_bytes(const struct rspb_shares *shares)
{
	uint32_t pages = (shares->machines + RSPB_SHARE_PAGE - 1) / RSPB_SHARE_PAGE;
	size_t bytes = sizeof(*shares) +
		       pages * (sizeof(shares->pages[0]) + sizeof(*shares->pages[0]));

	for (uint32_t m = 0; m < shares->machines; m++)
		bytes += rspb_share_machine_at(shares, m)->room * sizeof(struct rspb_share_step);
	return bytes + index_bytes(&shares->index);
}
