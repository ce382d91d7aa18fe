/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile's life, and changes: checked here, made by the form it is in. */
#include "common/calendar/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/calendar/internal.h"

static struct rspb_scratch *scratch_create(uint32_t nodes)
{
	struct rspb_scratch *scratch = calloc(1, sizeof(*scratch));

	if (!scratch)
		return NULL;
	scratch->rest = rspb_nodeset_create(nodes);
	scratch->none = rspb_nodeset_create(nodes);
	scratch->labels = calloc((size_t) nodes + 1, sizeof(*scratch->labels));
	if (scratch->rest)
		scratch->spread = calloc(2 * (size_t) scratch->rest->words + 1,
					 sizeof(*scratch->spread));
	if (scratch->rest && scratch->none && scratch->labels &&
	    scratch->spread)
		return scratch;
	rspb_nodeset_destroy(scratch->rest);
	rspb_nodeset_destroy(scratch->none);
	free(scratch->labels);
	free(scratch->spread);
	free(scratch);
	return NULL;
}

static void scratch_destroy(struct rspb_scratch *scratch)
{
	if (!scratch)
		return;
	rspb_nodeset_destroy(scratch->rest);
	rspb_nodeset_destroy(scratch->none);
	free(scratch->labels);
	free(scratch->spread);
	free(scratch->patches);
	free(scratch->touched);
	free(scratch->candidates);
	free(scratch->stack);
	free(scratch->weights);
	free(scratch->ups.at);
	free(scratch->downs.at);
	free(scratch->far);
	free(scratch);
}

size_t rspb_scratch_bytes(const struct rspb_profile *profile)
{
	const struct rspb_scratch *scratch = profile->scratch;

	return sizeof(*scratch) +
	       (profile->nodes + (size_t) 1) * sizeof(uint32_t) +
	       scratch->rest->words * 2 * sizeof(*scratch->spread) +
	       scratch->patch_room * sizeof(*scratch->patches) +
	       scratch->touched_room * sizeof(*scratch->touched) +
	       scratch->candidate_room * sizeof(*scratch->candidates) +
	       scratch->stack_room * sizeof(*scratch->stack) +
	       (scratch->ups.room + scratch->downs.room) * RSPB_SPAN_BYTES +
	       scratch->far_room * sizeof(*scratch->far) +
	       scratch->weight_room * sizeof(*scratch->weights);
}

/* A profile with nothing in it, in no form yet. */
static struct rspb_profile *blank(uint32_t nodes, int64_t now)
{
	struct rspb_profile *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return NULL;
	profile->nodes = nodes;
	profile->now = now <= RSPB_TIME_MIN   ? RSPB_TIME_MIN + 1
		       : now >= RSPB_TIME_MAX ? RSPB_TIME_MAX - 1
					      : now;
	profile->scratch = scratch_create(nodes);
	if (!profile->scratch) {
		free(profile);
		return NULL;
	}
	rspb_groups_blank(profile);
	return profile;
}

struct rspb_profile *rspb_profile_create(uint32_t nodes, int64_t now)
{
	struct rspb_profile *profile = blank(nodes, now);

	if (!profile)
		return NULL;
	profile->form = &rspb_profile_groups;
	if (!profile->form->init(profile))
		return profile;
	rspb_profile_destroy(profile);
	return NULL;
}

struct rspb_profile *rspb_profile_clone(const struct rspb_profile *profile)
{
	struct rspb_profile *copy = blank(profile->nodes, profile->now);

	if (!copy)
		return NULL;
	copy->form = profile->form;
	if (!copy->form->clone(copy, profile))
		return copy;
	rspb_profile_destroy(copy);
	return NULL;
}

void rspb_profile_destroy(struct rspb_profile *profile)
{
	if (!profile)
		return;
	rspb_choice_give_up(profile);
	rspb_choice_shed_all(profile);
	profile->form->fini(profile);
	scratch_destroy(profile->scratch);
	free(profile);
}

uint32_t rspb_profile_nodes(const struct rspb_profile *profile)
{
	return profile->nodes;
}

int64_t rspb_profile_now(const struct rspb_profile *profile)
{
	return profile->now;
}

int rspb_profile_no_memory(struct rspb_err *err)
{
	return rspb_fail(err, "out of memory for the availability profile");
}

int rspb_profile_check_window(int64_t start, int64_t end, struct rspb_err *err)
{
	if (start <= RSPB_TIME_MIN || end >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " is out of range; times lie within 2^61 "
				 "seconds of the epoch",
				 start, end);
	if (end <= start)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " is empty; its end must lie after its start",
				 start, end);
	return 0;
}

RSPB_SEARCH
int rspb_profile_check_width(const struct rspb_profile *profile,
			     const struct rspb_nodeset *set,
			     struct rspb_err *err)
{
	if (set->width != profile->nodes)
		return rspb_fail(err,
				 "a set of %" PRIu32 " nodes was given "
				 "for a profile of %" PRIu32 "; the widths "
				 "must be equal",
				 set->width, profile->nodes);
	return 0;
}

/* What has passed is not kept: begin the window at now at the earliest. */
static int check_change(const struct rspb_profile *profile, int64_t *start,
			int64_t end, const struct rspb_nodeset *nodes,
			struct rspb_err *err)
{
	if (rspb_profile_check_window(*start, end, err) ||
	    rspb_profile_check_width(profile, nodes, err))
		return -1;
	if (*start < profile->now)
		*start = profile->now;
	return 0;
}

int rspb_profile_not_free(int64_t start, int64_t end, struct rspb_err *err)
{
	return rspb_fail(err,
			 "a node is already booked within %" PRId64
			 " to %" PRId64 "; only free nodes can be booked",
			 start, end);
}

int rspb_profile_not_booked(int64_t start, int64_t end, struct rspb_err *err)
{
	return rspb_fail(err,
			 "a node is not booked all of %" PRId64 " to %" PRId64
			 "; only what was booked can be freed",
			 start, end);
}

int rspb_profile_add(struct rspb_profile *profile, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (rspb_nodeset_empty(nodes))
		return rspb_fail(err, "no nodes were given to book; name at "
				      "least one");
	if (end <= start)
		return 0;
	if (profile->form->add(profile, start, end, nodes, err))
		return -1;
	rspb_choice_changed(profile, start, end, nodes, true);
	return 0;
}

int rspb_profile_remove(struct rspb_profile *profile, int64_t start,
			int64_t end, const struct rspb_nodeset *nodes,
			struct rspb_err *err)
{
	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	if (profile->form->remove(profile, start, end, nodes, err))
		return -1;
	rspb_choice_changed(profile, start, end, nodes, false);
	return 0;
}

int rspb_profile_cover(struct rspb_profile *profile, int64_t start, int64_t end,
		       const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	if (profile->form->cover(profile, start, end, nodes, err))
		return -1;
	rspb_choice_changed(profile, start, end, nodes, true);
	return 0;
}

int rspb_profile_advance(struct rspb_profile *profile, int64_t now,
			 struct rspb_err *err)
{
	if (now < profile->now)
		return rspb_fail(err,
				 "now cannot go back from %" PRId64
				 " to %" PRId64,
				 profile->now, now);
	if (now >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "now %" PRId64 " is out of range; times "
				 "lie within 2^61 seconds of the epoch",
				 now);
	if (profile->form->advance(profile, now, err))
		return -1;
	rspb_choice_advanced(profile, now);
	profile->now = now;
	return 0;
}
