/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks devices in Slurm's records of nodes, and takes the marks off. */
#include "plugins/compat/parts/spared.h"

#include "common/request/request.h"
#include "common/wire/texts.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/placed.h"

/* The marks on one kind of devices of one node. */
struct rspb_spared {
	struct rspb_spared *next;
	uint32_t node, kind;
	uint64_t count;
	bitstr_t *bits; /* owned; NULL: the devices have no numbers */
	char *type;	/* owned; of which they are, NULL: of any */
};

uint64_t rspb_spared_each(const gres_job_state_t *asked, uint32_t nodes)
{
	if (!asked->gres_per_job || asked->gres_per_node || asked->gres_per_socket || !nodes)
		return 0;
	return (asked->gres_per_job + nodes - 1) / nodes;
}

static bool is_type(const char *has, const char *asked)
{
	return !asked || !xstrcmp(has, asked);
}

/* RET the devices of the asked type that nobody has, owned; NULL: they have no numbers. */
static bitstr_t *free_devices(const gres_node_state_t *at, const char *type)
{
	bitstr_t *free;

	if (!at->gres_bit_alloc)
		return NULL;
	free = bit_alloc(bit_size(at->gres_bit_alloc));
	for (int t = 0; t < at->topo_cnt; t++)
		if (at->topo_gres_bitmap && at->topo_gres_bitmap[t] &&
		    bit_size(at->topo_gres_bitmap[t]) == bit_size(free) &&
		    is_type(at->topo_type_name[t], type))
			bit_or(free, at->topo_gres_bitmap[t]);
	/* Without such records the devices have no types, and each is as good as another. */
	if (!at->topo_cnt)
		bit_not(free);
	bit_and_not(free, at->gres_bit_alloc);
	return free;
}

/* RET the cores beside a device, by their numbers on the node; NULL: all of them. */
static const bitstr_t *cores_beside(const gres_node_state_t *at, int64_t device)
{
	for (int t = 0; t < at->topo_cnt; t++)
		if (at->topo_gres_bitmap && at->topo_gres_bitmap[t] &&
		    bit_test(at->topo_gres_bitmap[t], device))
			return at->topo_core_bitmap ? at->topo_core_bitmap[t] : NULL;
	return NULL;
}

/* RET how many cores of a start are beside a device. */
static int64_t count_near(const gres_node_state_t *at, int64_t device,
			  const struct rspb_spared_start *start, uint32_t n)
{
	const bitstr_t *cores = cores_beside(at, device);
	int64_t count = 0;

	if (!cores)
		return rspb_placed_count(start->cores, n);
	for (int64_t c = 0; c < bit_size((bitstr_t *) cores); c++)
		count += bit_test((bitstr_t *) cores, c) &&
			 bit_test((bitstr_t *) start->cores, rspb_placed_first(n) + c);
	return count;
}

/* RET how many of these devices are beside the same cores as one. */
static int64_t count_beside(const gres_node_state_t *at, int64_t device, const bitstr_t *devices)
{
	const bitstr_t *cores = cores_beside(at, device), *its;
	int64_t count = 0;

	for (int64_t d = 0; d < bit_size((bitstr_t *) devices); d++) {
		if (!bit_test((bitstr_t *) devices, d))
			continue;
		its = cores_beside(at, d);
		count += its == cores ||
			 (its && cores && bit_equal((bitstr_t *) its, (bitstr_t *) cores));
	}
	return count;
}

/* RET how well a device suits a start that has these others already, among all that are free: by
 * whether it is beside its cores, by these for each device beside them, or by the devices there. */
static int64_t score(const gres_node_state_t *at, const struct rspb_spared_start *start, uint32_t n,
		     enum rspb_spared_order order, int64_t device, const bitstr_t *has,
		     const bitstr_t *all)
{
	int64_t cores = count_near(at, device, start, n);

	if (order == RSPB_SPARED_ROOMY)
		return cores / (1 + count_beside(at, device, has));
	if (order == RSPB_SPARED_NEAR)
		return cores > 0;
	return cores ? count_beside(at, device, all) : 0;
}

/* Leave so many of these in the set, after the best ones in that order, and of like ones the first,
 * were taken out for the start. */
static void keep_worst(const gres_node_state_t *at, const struct rspb_spared_start *start,
		       uint32_t n, enum rspb_spared_order order, int64_t count, bitstr_t *devices)
{
	bitstr_t *has = bit_alloc(bit_size(devices)), *all = bit_copy(devices);

	for (int64_t left = bit_set_count(devices) - count; left > 0; left--) {
		int64_t best = -1, most = -1;

		for (int64_t d = 0; d < bit_size(devices); d++) {
			int64_t value;

			if (!bit_test(devices, d))
				continue;
			value = score(at, start, n, order, d, has, all);
			if (value > most) {
				most = value;
				best = d;
			}
		}
		bit_set(has, best);
		bit_clear(devices, best);
	}
	bit_free(has);
	bit_free(all);
}

/* Let what the records of a node count as taken be more, or less again. */
static void count_marks(gres_node_state_t *at, const struct rspb_spared *marks, int sign)
{
	at->gres_cnt_alloc += (uint64_t) sign * marks->count;
	for (int t = 0; marks->bits && t < at->topo_cnt; t++) {
		uint64_t here = (uint64_t) bit_overlap(at->topo_gres_bitmap[t], marks->bits);

		at->topo_gres_cnt_alloc[t] += (uint64_t) sign * here;
		for (int i = 0; i < at->type_cnt; i++)
			if (!xstrcmp(at->type_name[i], at->topo_type_name[t]))
				at->type_cnt_alloc[i] += (uint64_t) sign * here;
	}
	for (int i = 0; !marks->bits && marks->type && i < at->type_cnt; i++)
		if (!xstrcmp(at->type_name[i], marks->type))
			at->type_cnt_alloc[i] += (uint64_t) sign * marks->count;
}

/* The marks for one start, while they are made. */
struct marking {
	const job_record_t *job;
	const struct rspb_spared_start *start;
	enum rspb_spared_order order;
	uint32_t count; /* how many nodes the start has */
	bool odd;	/* some of them have other amounts */
	bool lacks;	/* less is free on one of them */
	struct rspb_spared *marks;
};

/* Leave so many of the free devices of a type (NULL: of any) on a node. */
static void mark(struct marking *m, const gres_state_t *asked, const char *type, uint64_t each,
		 uint32_t n)
{
	gres_node_state_t *at = rspb_devices_at(n, asked->plugin_id);
	struct rspb_spared *marks;
	bitstr_t *bits = at ? free_devices(at, type) : NULL;
	uint64_t free = 0;

	if (bits)
		free = (uint64_t) bit_set_count(bits);
	else if (at && at->gres_cnt_avail > at->gres_cnt_alloc)
		free = at->gres_cnt_avail - at->gres_cnt_alloc;
	m->lacks |= free < each;
	/* The job cannot be given more than it is to have. */
	if (free <= each) {
		FREE_NULL_BITMAP(bits);
		return;
	}
	marks = xmalloc(sizeof(*marks));
	*marks = (struct rspb_spared){ m->marks,    n,	  asked->plugin_id,
				       free - each, bits, xstrdup(type) };
	if (bits) {
		keep_worst(at, m->start, n, m->order, (int64_t) marks->count, bits);
		/* Slurm takes a device with this bit for one of a running job. */
		bit_or(at->gres_bit_alloc, bits);
	}
	count_marks(at, marks, 1);
	m->marks = marks;
}

/* RET how many of a type (NULL: of the kind) a start has of a node, where it is `usual` on
 * most. */
static uint64_t on_node(const struct rspb_spared_start *start, const gres_state_t *asked,
			const char *type, uint64_t usual, uint32_t n)
{
	const node_record_t *node = rspb_placed_node(n);
	char kind[RSPB_DEVICE_NAME];

	if (type)
		rspb_device_name(asked->gres_name, type, kind);
	else
		snprintf(kind, sizeof(kind), "%s", asked->gres_name);
	if (!node)
		return usual;
	return (uint64_t) (start->part ? rspb_part_takes(start->part, rspb_room_key(kind),
							 (int64_t) usual, n)
				       : rspb_odd_amount(start->odd, node->name, kind,
							 (int64_t) usual));
}

/* Whether a start says of which types it takes devices of a node, for a job that would take
 * any. */
static bool says_types(const struct rspb_spared_start *start, const gres_state_t *asked, uint32_t n)
{
	const gres_job_state_t *job = asked->gres_data;
	const gres_node_state_t *at = job->type_name ? NULL : rspb_devices_at(n, asked->plugin_id);

	for (int i = 0; at && at->type_cnt > 1 && i < at->type_cnt; i++)
		if (on_node(start, asked, at->type_name[i], 0, n))
			return true;
	return false;
}

/* Mark each type by itself. Types that the booking does not name are marked as a whole. */
static void mark_types(struct marking *m, const gres_state_t *asked, uint32_t n)
{
	const gres_node_state_t *at = rspb_devices_at(n, asked->plugin_id);

	for (int i = 0; i < at->type_cnt; i++)
		mark(m, asked, at->type_name[i], on_node(m->start, asked, at->type_name[i], 0, n),
		     n);
}

/* RET how many are on most nodes of a start; 0: the job itself says how many. Slurm adds up those
 * of all tasks, but a node with more tasks than others has more than an even part of that. */
static uint64_t usual_of(const struct marking *m, const gres_job_state_t *asked)
{
	uint64_t each = rspb_spared_each(asked, m->count), tasks;

	if (!asked->gres_per_task || (!each && !m->odd))
		return each;
	tasks = asked->gres_per_task * ((m->job->details->num_tasks + m->count - 1) / m->count);
	return tasks > each ? tasks : each;
}

static void mark_kind(struct marking *m, const gres_state_t *asked)
{
	const gres_job_state_t *at = asked->gres_data;
	uint64_t each = usual_of(m, at);

	if ((!each && !m->odd) || asked->config_flags & GRES_CONF_SHARED)
		return;
	for (uint32_t n = 0; n < (uint32_t) node_record_count; n++)
		if (!bit_test((bitstr_t *) m->start->nodes, n))
			continue;
		else if (m->odd && says_types(m->start, asked, n))
			mark_types(m, asked, n);
		else if (each)
			mark(m, asked, at->type_name,
			     on_node(m->start, asked, at->type_name, each, n), n);
}

struct rspb_spared *rspb_spared_mark(const job_record_t *job, const struct rspb_spared_start *start,
				     enum rspb_spared_order order, bool *lacks)
{
	struct marking m = {
		.job = job,
		.start = start,
		.order = order,
		.count = (uint32_t) bit_set_count((bitstr_t *) start->nodes),
		.odd = start->part ? start->part->n_odd : rspb_odd_any(start->odd),
	};
	list_itr_t *iter;
	gres_state_t *asked;

	*lacks = false;
	/* On a single node the job asks for as many as it is to have, unless the booking names
	 * types. */
	if (!job->gres_list_req || !m.count || (m.count < 2 && !m.odd))
		return NULL;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter)))
		mark_kind(&m, asked);
	list_iterator_destroy(iter);
	*lacks = m.lacks;
	return m.marks;
}

void rspb_spared_unmark(struct rspb_spared *marks)
{
	while (marks) {
		struct rspb_spared *next = marks->next;
		gres_node_state_t *at = rspb_devices_at(marks->node, marks->kind);

		/* Only what was marked is taken off, so that what the job was given meanwhile
		 * stays. */
		if (at) {
			count_marks(at, marks, -1);
			if (marks->bits && at->gres_bit_alloc)
				bit_and_not(at->gres_bit_alloc, marks->bits);
		}
		FREE_NULL_BITMAP(marks->bits);
		xfree(marks->type);
		xfree(marks);
		marks = next;
	}
}
