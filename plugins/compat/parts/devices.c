/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/parts/devices.h"

#include "plugins/compat/limit/room.h"

/* That of which others are parts. */
static const char sharing[] = "gpu";

void rspb_devices_add(struct rspb_quotas *quotas, const char *name,
		      int64_t amount)
{
	const struct rspb_quota use = { .per_node = amount };
	uint64_t key = rspb_room_key(name);

	for (size_t i = 0; i < quotas->n; i++)
		if (quotas->items[i].key == key) {
			quotas->items[i].per_node += amount;
			return;
		}
	rspb_room_add(quotas, name, &use);
}

static int is_kind(void *kind, void *id)
{
	return ((gres_state_t *) kind)->plugin_id == *(uint32_t *) id;
}

/* RET what a node has of a kind, NULL: nothing. */
static const gres_node_state_t *at_node(uint32_t n, uint32_t kind)
{
	const node_record_t *node = n < (uint32_t) node_record_count
					    ? node_record_table_ptr[n]
					    : NULL;
	const gres_state_t *found = node && node->gres_list
					    ? list_find_first(node->gres_list,
							      is_kind, &kind)
					    : NULL;

	return found ? found->gres_data : NULL;
}

static void add_type(struct rspb_quotas *quotas, const char *kind,
		     const char *type, int64_t amount)
{
	char name[RSPB_DEVICE_NAME];

	if (!type || !amount)
		return;
	rspb_device_name(kind, type, name);
	rspb_devices_add(quotas, name, amount);
}

/* Of any type, which these bits tell; without them it may be of each. */
static void add_types(struct rspb_quotas *quotas, const char *kind,
		      const gres_node_state_t *at, bitstr_t *bits,
		      int64_t amount)
{
	if (!bits) {
		for (int i = 0; i < at->type_cnt; i++)
			add_type(quotas, kind, at->type_name[i], amount);
		return;
	}
	for (int i = 0; i < at->topo_cnt; i++)
		if (at->topo_gres_bitmap && at->topo_gres_bitmap[i] &&
		    bit_size(at->topo_gres_bitmap[i]) == bit_size(bits))
			add_type(quotas, kind, at->topo_type_name[i],
				 bit_overlap(at->topo_gres_bitmap[i], bits));
}

static void add_had(const gres_state_t *kind, int place, uint32_t node,
		    struct rspb_quotas *quotas)
{
	const gres_job_state_t *has = kind->gres_data;
	const gres_node_state_t *at = at_node(node, kind->plugin_id);
	bitstr_t *bits = has->gres_bit_alloc ? has->gres_bit_alloc[place]
					     : NULL;
	int64_t amount = (int64_t) has->gres_cnt_node_alloc[place];

	rspb_devices_add(quotas, kind->gres_name, amount);
	if (kind->config_flags & GRES_CONF_SHARED)
		rspb_devices_add(quotas, sharing,
				 bits ? bit_set_count(bits) : amount);
	else if (at && at->type_cnt > 1 && has->type_name)
		add_type(quotas, kind->gres_name, has->type_name, amount);
	else if (at && at->type_cnt > 1)
		add_types(quotas, kind->gres_name, at, bits, amount);
}

void rspb_devices_had(const job_record_t *job, int place, uint32_t node,
		      struct rspb_quotas *quotas)
{
	list_itr_t *iter;
	gres_state_t *kind;

	if (!job->gres_list_alloc)
		return;
	iter = list_iterator_create(job->gres_list_alloc);
	while ((kind = list_next(iter))) {
		const gres_job_state_t *has = kind->gres_data;

		if (has->gres_cnt_node_alloc && place < (int) has->node_cnt)
			add_had(kind, place, node, quotas);
	}
	list_iterator_destroy(iter);
}

/* RET how many types a node has of what is asked for, where any will do. */
static int types_of(const gres_state_t *asked, uint32_t node)
{
	const gres_job_state_t *job = asked->gres_data;
	const gres_node_state_t *at = job->type_name
					      ? NULL
					      : at_node(node, asked->plugin_id);

	return at ? at->type_cnt : 0;
}

const char *rspb_devices_vague(const job_record_t *job, uint32_t node)
{
	const char *kind = NULL;
	list_itr_t *iter;
	gres_state_t *asked;

	if (!job->gres_list_req)
		return NULL;
	iter = list_iterator_create(job->gres_list_req);
	while (!kind && (asked = list_next(iter))) {
		if (asked->config_flags & GRES_CONF_SHARED)
			kind = sharing;
		else if (types_of(asked, node) > 1)
			kind = asked->gres_name;
	}
	list_iterator_destroy(iter);
	return kind;
}

const char *rspb_devices_why(const job_record_t *job)
{
	for (uint32_t n = 0; n < (uint32_t) node_record_count; n++) {
		const char *kind = rspb_devices_vague(job, n);

		if (!kind)
			continue;
		return kind == sharing
			       ? "parts of GPUs are booked with their nodes"
			       : "for a part of a node with several types of a "
				 "resource one has to be named, as by "
				 "--gpus=TYPE:N";
	}
	return NULL;
}
