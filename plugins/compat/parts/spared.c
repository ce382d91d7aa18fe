/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks devices in Slurm's records of nodes, and takes the marks off. */
#include "plugins/compat/parts/spared.h"

#include "common/wire/amounts.h"
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

static int is_kind(void *kind, void *id)
{
	return ((gres_state_t *) kind)->plugin_id == *(uint32_t *) id;
}

static gres_node_state_t *at_node(uint32_t n, uint32_t kind)
{
	const node_record_t *node = rspb_placed_node(n);
	gres_state_t *found = node && node->gres_list
				      ? list_find_first(node->gres_list, is_kind, &kind)
				      : NULL;

	return found ? found->gres_data : NULL;
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

/* Whether a device is beside one of the cores that a reservation has of its node. */
static bool is_near(const gres_node_state_t *at, int64_t device, const slurmctld_resv_t *resv,
		    uint32_t n)
{
	for (int t = 0; t < at->topo_cnt; t++) {
		const bitstr_t *cores = at->topo_core_bitmap ? at->topo_core_bitmap[t] : NULL;

		if (!at->topo_gres_bitmap || !at->topo_gres_bitmap[t] ||
		    !bit_test(at->topo_gres_bitmap[t], device))
			continue;
		for (int64_t c = 0; cores && c < bit_size((bitstr_t *) cores); c++)
			if (bit_test((bitstr_t *) cores, c) &&
			    bit_test(resv->core_bitmap, rspb_placed_first(n) + c))
				return true;
		/* A device without a set of cores is beside all of them. */
		return !cores;
	}
	return true;
}

/* Leave so many of these in the set, the last ones and those far from its cores first. */
static void keep_far(const gres_node_state_t *at, const slurmctld_resv_t *resv, uint32_t n,
		     int64_t count, bitstr_t *devices)
{
	bitstr_t *out = bit_alloc(bit_size(devices));

	for (int near = 0; near < 2; near++)
		for (int64_t d = bit_size(devices) - 1; d >= 0 && count > 0; d--)
			if (bit_test(devices, d) && !bit_test(out, d) &&
			    (near || !is_near(at, d, resv, n))) {
				bit_set(out, d);
				count--;
			}
	bit_copybits(devices, out);
	bit_free(out);
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

/* Leave so many of the free devices of a type (NULL: of any) on a node. */
static struct rspb_spared *mark(struct rspb_spared *next, const gres_state_t *asked,
				const char *type, uint64_t each, const slurmctld_resv_t *resv,
				uint32_t n)
{
	gres_node_state_t *at = at_node(n, asked->plugin_id);
	struct rspb_spared *marks;
	bitstr_t *bits = at ? free_devices(at, type) : NULL;
	uint64_t free = 0;

	if (bits)
		free = (uint64_t) bit_set_count(bits);
	else if (at && at->gres_cnt_avail > at->gres_cnt_alloc)
		free = at->gres_cnt_avail - at->gres_cnt_alloc;
	/* The job cannot be given more than it is to have. */
	if (free <= each) {
		FREE_NULL_BITMAP(bits);
		return next;
	}
	marks = xmalloc(sizeof(*marks));
	*marks = (struct rspb_spared){
		next, n, asked->plugin_id, free - each, bits, xstrdup(type)
	};
	if (bits) {
		keep_far(at, resv, n, (int64_t) marks->count, bits);
		/* Slurm takes a device with this bit for one of a running job. */
		bit_or(at->gres_bit_alloc, bits);
	}
	count_marks(at, marks, 1);
	return marks;
}

/* RET how many of a type (NULL: of the kind) the booking of a reservation has of a node, where it
 * is `usual` on most. */
static uint64_t on_node(const gres_state_t *asked, const char *type, uint64_t usual,
			const slurmctld_resv_t *resv, uint32_t n)
{
	const node_record_t *node = rspb_placed_node(n);
	char kind[RSPB_DEVICE_NAME];

	if (type)
		rspb_device_name(asked->gres_name, type, kind);
	else
		snprintf(kind, sizeof(kind), "%s", asked->gres_name);
	return node ? (uint64_t) rspb_odd_amount(resv->burst_buffer, node->name, kind,
						 (int64_t) usual)
		    : usual;
}

/* Whether a booking says of which types it takes devices of a node, for a job that would take
 * any. */
static bool says_types(const gres_state_t *asked, const slurmctld_resv_t *resv, uint32_t n)
{
	const gres_job_state_t *job = asked->gres_data;
	const gres_node_state_t *at = job->type_name ? NULL : at_node(n, asked->plugin_id);

	for (int i = 0; at && at->type_cnt > 1 && i < at->type_cnt; i++)
		if (on_node(asked, at->type_name[i], 0, resv, n))
			return true;
	return false;
}

/* Mark each type by itself. Types that the booking does not name are marked as a whole. */
static struct rspb_spared *mark_types(struct rspb_spared *marks, const gres_state_t *asked,
				      const slurmctld_resv_t *resv, uint32_t n)
{
	const gres_node_state_t *at = at_node(n, asked->plugin_id);

	for (int i = 0; i < at->type_cnt; i++)
		marks = mark(marks, asked, at->type_name[i],
			     on_node(asked, at->type_name[i], 0, resv, n), resv, n);
	return marks;
}

/* RET how many are on most nodes of a reservation; 0: the job itself says how many. Slurm adds up
 * those of all tasks, but a node with more tasks than others has more than an even part of that. */
static uint64_t usual_of(const job_record_t *job, const gres_job_state_t *asked,
			 const slurmctld_resv_t *resv)
{
	uint64_t each = rspb_spared_each(asked, resv->node_cnt), tasks;

	if (!asked->gres_per_task || (!each && !rspb_odd_any(resv->burst_buffer)))
		return each;
	tasks = asked->gres_per_task *
		((job->details->num_tasks + resv->node_cnt - 1) / resv->node_cnt);
	return tasks > each ? tasks : each;
}

struct rspb_spared *rspb_spared_mark(const job_record_t *job, const slurmctld_resv_t *resv)
{
	struct rspb_spared *marks = NULL;
	list_itr_t *iter;
	gres_state_t *asked;

	/* On a single node the job asks for as many as it is to have, unless the booking names
	 * types. */
	if (!job->gres_list_req || (resv->node_cnt < 2 && !rspb_odd_any(resv->burst_buffer)))
		return NULL;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter))) {
		const gres_job_state_t *at = asked->gres_data;
		uint64_t each = usual_of(job, at, resv);
		bool odd = rspb_odd_any(resv->burst_buffer);

		if ((!each && !odd) || asked->config_flags & GRES_CONF_SHARED)
			continue;
		for (uint32_t n = 0; n < (uint32_t) node_record_count; n++)
			if (!bit_test(resv->node_bitmap, n))
				continue;
			else if (odd && says_types(asked, resv, n))
				marks = mark_types(marks, asked, resv, n);
			else if (each)
				marks = mark(marks, asked, at->type_name,
					     on_node(asked, at->type_name, each, resv, n), resv, n);
	}
	list_iterator_destroy(iter);
	return marks;
}

void rspb_spared_unmark(struct rspb_spared *marks)
{
	while (marks) {
		struct rspb_spared *next = marks->next;
		gres_node_state_t *at = at_node(marks->node, marks->kind);

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
