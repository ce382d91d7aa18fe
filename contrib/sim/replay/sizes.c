/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/sizes.h"

#include <stdlib.h>
#include <string.h>

void sim_sizes_fini(struct sim_sizes *sizes)
{
	free(sizes->of);
	*sizes = (struct sim_sizes){ .nodes = 0 };
}

int sim_sizes_kind(struct sim_sizes *sizes, const char *name, struct rspb_err *err)
{
	for (uint32_t k = 0; k < sizes->kinds; k++)
		if (!strcmp(sizes->names[k], name))
			return (int) k;
	if (!*name || strlen(name) >= SIM_KIND_NAME)
		return rspb_fail(err,
				 "\"%.60s\" is not allowed, a name has 1 to %d "
				 "characters",
				 name, SIM_KIND_NAME - 1);
	if (sizes->kinds == SIM_KINDS)
		return rspb_fail(err, "\"%s\" is one kind too many, %d are allowed", name,
				 SIM_KINDS);
	strcpy(sizes->names[sizes->kinds], name);
	return (int) sizes->kinds++;
}

int sim_sizes_add(struct sim_sizes *sizes, uint32_t nodes, const struct sim_size *size,
		  struct rspb_err *err)
{
	struct sim_size *of = reallocarray(sizes->of, (size_t) sizes->nodes + nodes, sizeof(*of));

	if (!of)
		return rspb_fail(err, "out of memory");
	sizes->of = of;
	for (uint32_t i = 0; i < nodes; i++)
		of[sizes->nodes++] = *size;
	return 0;
}

static bool has(const struct sim_sizes *sizes, uint32_t n, const struct sim_size *each)
{
	const struct sim_size *node = &sizes->of[n];

	for (uint32_t k = 0; k < sizes->kinds; k++)
		if (node->has[k] < each->has[k])
			return false;
	return node->cores >= each->cores;
}

static uint32_t less(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

uint32_t sim_sizes_fit(const struct sim_sizes *sizes, const struct sim_need *need,
		       struct sim_size *least)
{
	struct sim_size fewest;
	uint32_t n = 0;

	memset(&fewest, 0xff, sizeof(fewest));
	for (uint32_t i = 0; i < sizes->nodes; i++) {
		if (!has(sizes, i, &need->each))
			continue;
		n++;
		fewest.cores = less(fewest.cores, sizes->of[i].cores);
		for (uint32_t k = 0; k < sizes->kinds; k++)
			fewest.has[k] = less(fewest.has[k], sizes->of[i].has[k]);
	}
	if (least)
		*least = fewest;
	return n;
}

int64_t *sim_sizes_capacity(const struct sim_sizes *sizes)
{
	int64_t *capacity = calloc((size_t) sizes->nodes + 1, sizeof(*capacity));

	for (uint32_t i = 0; capacity && i < sizes->nodes; i++)
		capacity[i] = (int64_t) RSPB_SHARE_CORE * sizes->of[i].cores;
	return capacity;
}

uint64_t sim_sizes_key(uint32_t kind)
{
	/* The ledger's own kinds come before (RSPB_ROOM_CORES). */
	return kind + 16;
}

int sim_sizes_equip(const struct sim_sizes *sizes, struct rspb_ledger *ledger)
{
	uint32_t *of = calloc((size_t) sizes->nodes + 1, sizeof(*of));
	int rc = of ? 0 : -1;

	for (uint32_t k = 0; !rc && k < sizes->kinds; k++) {
		for (uint32_t i = 0; i < sizes->nodes; i++)
			of[i] = sizes->of[i].has[k];
		rc = rspb_ledger_add_room(ledger, sim_sizes_key(k), of);
	}
	free(of);
	return rc;
}

/* Only nodes that have it all, where some do not. RET 0, -1: out of memory. */
static int exclude(const struct sim_sizes *sizes, const struct sim_need *need,
		   struct rspb_part *part)
{
	part->eligible = rspb_nodeset_create(sizes->nodes);
	if (!part->eligible)
		return -1;
	for (uint32_t i = 0; i < sizes->nodes; i++)
		if (has(sizes, i, &need->each))
			rspb_nodeset_add(part->eligible, i);
	return 0;
}

/* RET 0, -1: out of memory. */
static int count(const struct sim_sizes *sizes, const struct sim_need *need, struct rspb_part *part)
{
	part->quotas = calloc(SIM_KINDS, sizeof(*part->quotas));
	if (!part->quotas)
		return -1;
	for (uint32_t k = 0; k < sizes->kinds; k++) {
		struct rspb_quota *quota = &part->quotas[part->n_quotas];

		if (!need->each.has[k])
			continue;
		*quota = (struct rspb_quota){ .key = sim_sizes_key(k),
					      .most = -1,
					      .per_node = need->each.has[k] };
		strcpy(quota->name, sizes->names[k]);
		part->n_quotas++;
	}
	return 0;
}

int sim_sizes_ask(const struct sim_sizes *sizes, const struct sim_need *need, bool divided,
		  struct rspb_part *part)
{
	struct sim_size least;
	uint32_t n = sim_sizes_fit(sizes, need, &least);

	if (n < sizes->nodes && exclude(sizes, need, part))
		return -1;
	if (!divided || !need->each.cores)
		return 0;
	part->whole = (int64_t) RSPB_SHARE_CORE * least.cores;
	part->share = (int64_t) RSPB_SHARE_CORE * need->each.cores;
	return sizes->kinds ? count(sizes, need, part) : 0;
}
