/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes what a part of a request asks for, in its own units, and what less of it is worth. It
 * decides nothing. */
#include "common/request/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/text.h"

const struct rspb_quota *rspb_part_quota(const struct rspb_part *part, uint64_t key)
{
	for (uint32_t q = 0; q < part->n_quotas; q++)
		if (part->quotas[q].key == key)
			return &part->quotas[q];
	return NULL;
}

bool rspb_request_counted(const struct rspb_request *request)
{
	for (uint32_t i = 0; i < request->n_parts; i++)
		if (request->parts[i].n_quotas)
			return true;
	return false;
}

int64_t rspb_part_memory(const struct rspb_part *part)
{
	const struct rspb_quota *memory = rspb_part_quota(part, rspb_room_key(RSPB_ROOM_MEMORY));

	return memory && memory->per_node < UINT32_MAX ? memory->per_node : 0;
}

bool rspb_part_same_quotas(const struct rspb_part *a, const struct rspb_part *b)
{
	/* Quotas are made as zeroed values, so their bytes can be compared. The same ones in
	 * another order count as others, which costs a caller only some work. */
	return a->n_quotas == b->n_quotas &&
	       (!a->n_quotas || !memcmp(a->quotas, b->quotas, a->n_quotas * sizeof(*a->quotas)));
}

void rspb_part_even(struct rspb_part *part)
{
	free(part->odd);
	part->odd = NULL;
	part->n_odd = 0;
}

int rspb_part_add_odd(struct rspb_part *part, struct rspb_odd odd, int64_t usual)
{
	struct rspb_odd *more;

	/* The list has the exceptions alone, because callers walk it for each node. */
	if (odd.amount == usual)
		return 0;
	more = realloc(part->odd, (part->n_odd + 1) * sizeof(*more));
	if (!more)
		return -1;
	part->odd = more;
	more[part->n_odd++] = odd;
	return 0;
}

int rspb_part_add_kind(struct rspb_part *part, const char *kind)
{
	/* No limit and no usual amount: only nodes in the list of odd amounts give some of the
	 * kind. */
	struct rspb_quota quota = { .key = rspb_room_key(kind), .most = -1 }, *more;

	if (rspb_part_quota(part, quota.key))
		return 0;
	snprintf(quota.name, sizeof(quota.name), "%s", kind);
	more = realloc(part->quotas, (part->n_quotas + 1) * sizeof(*more));
	if (!more)
		return -1;
	part->quotas = more;
	more[part->n_quotas++] = quota;
	return 0;
}

void rspb_part_weigh_odd(struct rspb_part *part)
{
	/* The sum over all nodes, with the difference of each that takes another amount. */
	int64_t units = part->share * part->nodes;

	for (uint32_t i = 0; i < part->n_odd; i++)
		if (part->odd[i].key == RSPB_ROOM_CORES)
			units += part->odd[i].amount - part->share;
	/* Rounded up, so that the part never counts as less than it takes. */
	units = (units + part->nodes - 1) / part->nodes;
	if (units > rspb_part_weighs(part, part->share))
		part->weight = units;
}

bool rspb_part_same_odd(const struct rspb_part *a, const struct rspb_part *b)
{
	bool same = a->n_odd == b->n_odd;

	for (uint32_t i = 0; same && i < a->n_odd; i++)
		same = a->odd[i].node == b->odd[i].node && a->odd[i].key == b->odd[i].key &&
		       a->odd[i].amount == b->odd[i].amount;
	return same;
}

int64_t rspb_part_asked(const struct rspb_part *part)
{
	return part->share ? part->share : part->nodes;
}

int64_t rspb_part_units(const struct rspb_part *part)
{
	int64_t units = part->share_one + part->share_each * ((int64_t) part->fewer - 1);

	/* With all of its tasks a part has just what was asked for. */
	if (!part->fewer || part->fewer >= part->tasks)
		return rspb_part_asked(part);
	/* A core that is needed in part is needed as a whole. */
	units = (units + RSPB_SHARE_CORE - 1) / RSPB_SHARE_CORE * RSPB_SHARE_CORE;
	return units < part->share ? units : part->share;
}

void rspb_part_set_tasks(struct rspb_part *part, uint32_t tasks, const struct rspb_part *was)
{
	/* Without the part as it was, the weight with all tasks is reckoned back from the
	 * present number. */
	int64_t weight = was	       ? was->weight
			 : part->fewer ? part->weight * part->tasks / part->fewer
				       : part->weight;

	part->fewer = tasks < part->tasks ? tasks : 0;
	part->weight = part->fewer ? (weight * tasks + part->tasks - 1) / part->tasks : weight;
	for (uint32_t q = 0; was && q < part->n_quotas; q++) {
		struct rspb_quota *quota = &part->quotas[q];
		const struct rspb_quota *all = &was->quotas[q];
		int64_t less = all->one + all->each * ((int64_t) tasks - 1);

		/* Each change begins with the amounts for all tasks, so that errors of rounding
		 * do not add up. */
		*quota = *all;
		/* A quota without amounts for single tasks stays as with all of them. */
		if (part->fewer && all->one && less < quota->per_node)
			quota->per_node = less;
	}
}

bool rspb_request_forms_tasks(const struct rspb_request *request)
{
	return request->n_forms && request->forms[0].tasks;
}

void rspb_request_take_form(struct rspb_request *request, const struct rspb_form *form,
			    const struct rspb_part *was)
{
	struct rspb_part *part = &request->parts[0];

	part->nodes = part->nodes_min = form->nodes;
	request->duration = form->duration;
	if (form->tasks)
		rspb_part_set_tasks(part, form->tasks, was);
}

struct rspb_ratio rspb_part_value(const struct rspb_request *request, uint32_t part, int64_t units)
{
	const struct rspb_part *p = &request->parts[part];
	const struct rspb_benefit *benefit = rspb_request_benefit(request, part);

	/* All of the work is done, whatever the form, so each form is worth all. */
	if (p->tasks && rspb_request_forms_tasks(request))
		return rspb_ratio_make(1, 1);
	return p->tasks ? rspb_benefit_value(benefit, rspb_part_tasks(p), p->tasks)
			: rspb_benefit_value(benefit, units, rspb_part_asked(p));
}

int64_t rspb_part_least(const struct rspb_request *request, uint32_t part)
{
	const struct rspb_part *p = &request->parts[part];
	/* A user may set a minimum besides the benefit function; the higher one counts. */
	int64_t bound = p->share ? p->share_min : p->nodes_min < p->nodes ? p->nodes_min : 0;
	int64_t least;

	/* The number of tasks is chosen elsewhere (rspb_tasks_settle()); here the part is all or
	 * nothing. */
	if (p->tasks)
		return rspb_part_units(p);
	least = rspb_benefit_min_units(rspb_request_benefit(request, part), rspb_part_asked(p));
	return least > bound ? least : bound;
}

int64_t rspb_part_full(const struct rspb_request *request, uint32_t part)
{
	int64_t least = rspb_part_least(request, part);
	int64_t full = rspb_benefit_max_units(rspb_request_benefit(request, part),
					      rspb_part_asked(&request->parts[part]));

	/* The minimum of the user may be above what has the full benefit. */
	return full > least && !request->parts[part].tasks ? full : least;
}

uint32_t rspb_part_cores(const struct rspb_part *part, int64_t units)
{
	return part->whole ? (uint32_t) (units / RSPB_SHARE_CORE) : 0;
}

bool rspb_request_has_cores(const struct rspb_request *request)
{
	for (uint32_t i = 0; i < request->n_parts; i++)
		if (request->parts[i].whole)
			return true;
	return false;
}

bool rspb_request_has_shares(const struct rspb_request *request)
{
	for (uint32_t i = 0; i < request->n_parts; i++)
		if (request->parts[i].share && !request->parts[i].whole)
			return true;
	return false;
}

void rspb_part_add_units(const struct rspb_part *part, int64_t units, struct rspb_text *out)
{
	uint32_t cores = rspb_part_cores(part, units);

	if (cores)
		rspb_text_add(out, "%" PRIu32 " core%s", cores, cores == 1 ? "" : "s");
	else if (part->share)
		rspb_text_add_percent(out, units);
}

int64_t rspb_part_add_cpu(const struct rspb_part *part, int64_t units, int64_t sum)
{
	/* The units of whole nodes are nodes; those of a share are taken on each node. */
	int64_t weight = part->share ? part->nodes : RSPB_SHARE_WHOLE;

	if (part->whole)
		/* Cores count as the part of a node that they are. */
		units = units * RSPB_SHARE_WHOLE / part->whole;
	if (__builtin_mul_overflow(units, weight, &weight) ||
	    __builtin_add_overflow(sum, weight, &sum))
		return INT64_MAX;
	return sum;
}

int64_t rspb_quota_use(const struct rspb_quota *quota, const struct rspb_nodeset *nodes,
		       const uint32_t *cpus)
{
	int64_t sum = quota->use + quota->per_node * rspb_nodeset_count(nodes);

	/* Only CPUs differ by node, so other limits need no look at each. */
	if (!quota->per_cpu)
		return sum;
	RSPB_NODESET_EACH (n, nodes)
		sum += quota->per_cpu * (cpus ? cpus[n] : 1);
	return sum;
}

/* --- the names of what is counted on each node --- */

uint64_t rspb_room_key(const char *kind)
{
	/* A number that JSON can hold, and not that of the CPUs. */
	return (rspb_hash(RSPB_HASH_START, kind, strlen(kind)) >> 2) | 1;
}

static bool is_device(const struct rspb_quota *quota)
{
	/* Limits of users and licenses have keys that are not made from their names. */
	return quota->key == rspb_room_key(quota->name) &&
	       strcmp(quota->name, RSPB_ROOM_MEMORY) != 0;
}

/* A kind counts its types, too, so types are not added. */
int64_t rspb_part_devices(const struct rspb_part *part, const struct rspb_nodeset *nodes)
{
	int64_t sum = 0;

	for (uint32_t q = 0; q < part->n_quotas; q++) {
		const struct rspb_quota *quota = &part->quotas[q];

		if (!is_device(quota) || strchr(quota->name, ':'))
			continue;
		RSPB_NODESET_EACH (n, nodes)
			sum += rspb_part_takes(part, quota->key, quota->per_node, n);
	}
	return sum;
}

/* RET how much of a kind is left when those types of it are subtracted that are counted by
 * themselves: "gpu" counts "gpu:a100", too. */
static int64_t of_any_type(const struct rspb_quota *kind, const struct rspb_quota *quotas, size_t n)
{
	size_t len = strlen(kind->name);
	int64_t left = kind->per_node;

	for (size_t i = 0; i < n; i++)
		if (!strncmp(quotas[i].name, kind->name, len) && quotas[i].name[len] == ':' &&
		    is_device(&quotas[i]))
			left -= quotas[i].per_node;
	return left;
}

void rspb_devices_print(const struct rspb_quota *quotas, size_t n, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		int64_t amount = is_device(&quotas[i]) ? of_any_type(&quotas[i], quotas, n) : 0;
		int len;

		if (amount <= 0)
			continue;
		len = snprintf(text + used, size - used, "%s%s:%" PRId64, used ? "," : "",
			       quotas[i].name, amount);
		/* Half a word would be another resource, so the text ends before it. */
		if (len < 0 || (size_t) len >= size - used) {
			text[used] = '\0';
			return;
		}
		used += (size_t) len;
	}
}
