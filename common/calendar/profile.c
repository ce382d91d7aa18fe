/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile's life. */
#include "common/calendar/profile.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "common/calendar/internal.h"

/* Allocate the scratch memory that depends on the number of nodes alone. The arrays that depend on
 * gaps grow with the first call that needs them. */
static struct rspb_scratch *scratch_create(uint32_t nodes)
{
	struct rspb_scratch *scratch = calloc(1, sizeof(*scratch));

	if (!scratch)
		return NULL;
	scratch->rest = rspb_nodeset_create(nodes);
	scratch->none = rspb_nodeset_create(nodes);
	scratch->labels = calloc((size_t) nodes + 1, sizeof(*scratch->labels));
	if (scratch->rest)
		scratch->spread = calloc(8 * (size_t) scratch->rest->words + 1,
					 sizeof(*scratch->spread));
	/* A word has bits for 64 patches of 16 nodes. */
	scratch->none_words = calloc((size_t) nodes / 1024 + 1, sizeof(*scratch->none_words));
	if (scratch->rest && scratch->none && scratch->none_words && scratch->labels &&
	    scratch->spread)
		return scratch;
	rspb_nodeset_destroy(scratch->rest);
	rspb_nodeset_destroy(scratch->none);
	free(scratch->none_words);
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
	free(scratch->none_words);
	free(scratch->labels);
	free(scratch->spread);
	free(scratch->patches);
	free(scratch->touched);
	free(scratch->pieces);
	free(scratch->found);
	free(scratch->stack);
	free(scratch->ups.at);
	free(scratch->downs.at);
	free(scratch->far);
	free(scratch);
}

/* A profile without an index. */
static struct rspb_profile *blank(uint32_t nodes, int64_t now)
{
	struct rspb_profile *profile = calloc(1, sizeof(*profile));
	struct rspb_scratch *scratch = scratch_create(nodes);

	if (!profile || !scratch) {
		free(profile);
		scratch_destroy(scratch);
		return NULL;
	}
	profile->nodes = nodes;
	/* Now has to be inside the range of times, whose ends mean that a gap has no begin or no
	 * end. */
	profile->now = now <= RSPB_TIME_MIN   ? RSPB_TIME_MIN + 1
		       : now >= RSPB_TIME_MAX ? RSPB_TIME_MAX - 1
					      : now;
	profile->scratch = scratch;
	return profile;
}

/* Every node has the one gap that begins and ends nowhere. */
static int free_all(struct rspb_profile *profile)
{
	struct rspb_scratch *scratch = profile->scratch;
	struct rspb_patches all;

	if (!profile->nodes)
		return 0;
	if (rspb_array_grow(&scratch->patches, &scratch->patch_room,
			    (size_t) 4 * scratch->rest->words, sizeof(*scratch->patches)) ||
	    rspb_index_reserve(profile, 0, 0, 1))
		return -1;
	rspb_nodeset_fill(scratch->rest);
	all.at = scratch->patches;
	all.count = rspb_patches_from(scratch->rest, scratch->patches);
	rspb_index_give(profile, RSPB_TIME_MIN, RSPB_TIME_MAX, all, profile->nodes);
	return 0;
}

struct rspb_profile *rspb_profile_create(uint32_t nodes, int64_t now)
{
	struct rspb_profile *profile = nodes > RSPB_PROFILE_NODES ? NULL : blank(nodes, now);

	if (!profile)
		return NULL;
	profile->index = rspb_index_create(nodes);
	if (profile->index && !free_all(profile))
		return profile;
	rspb_profile_destroy(profile);
	return NULL;
}

struct rspb_profile *rspb_profile_clone(const struct rspb_profile *profile)
{
	/* Questions write to scratch memory, too, so each copy has its own. The index is common
	 * until one of them changes. */
	struct rspb_profile *copy = blank(profile->nodes, profile->now);

	if (!copy)
		return NULL;
	copy->index = profile->index;
	atomic_fetch_add_explicit(&copy->index->users, 1, memory_order_relaxed);
	return copy;
}

void rspb_profile_destroy(struct rspb_profile *profile)
{
	if (!profile)
		return;
	if (profile->index)
		rspb_index_drop(profile->index);
	scratch_destroy(profile->scratch);
	free(profile);
}

int64_t rspb_profile_now(const struct rspb_profile *profile)
{
	return profile->now;
}
