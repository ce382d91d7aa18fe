/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generic resources (GPUs and the like): compares the request of a job with what nodes are
 * configured with. Devices in use are not looked at. */
#include "plugins/compat/job.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/job_pick.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/slurm.h"

/* RET the most parts that a single GPU of the node has, because Slurm takes all that a job asks for
 * from one GPU; or all of them, where the node has not yet said how they lie. */
static uint64_t one_has(const gres_node_state_t *at)
{
	uint64_t most = 0;

	for (uint16_t i = 0; at->topo_gres_cnt_avail && i < at->topo_cnt; i++)
		if (at->topo_gres_cnt_avail[i] > most)
			most = at->topo_gres_cnt_avail[i];
	return most ? most : at->gres_cnt_avail;
}

/* RET how much of one kind that a job asks for is configured on a node, whoever uses it now. */
static uint64_t node_has(const node_record_t *node, gres_state_t *asked)
{
	const gres_job_state_t *job = asked->gres_data;
	gres_state_t *found = node && node->gres_list
				      ? list_find_first(node->gres_list, gres_find_id,
							&asked->plugin_id)
				      : NULL;
	const gres_node_state_t *at;

	if (!found)
		return 0;
	at = found->gres_data;
	/* Parts of GPUs have to come from a single one. */
	if (rspb_devices_one(asked) && !job->type_name)
		return one_has(at);
	/* Without a type, devices of all types count. */
	if (!job->type_name)
		return at->gres_cnt_avail;
	for (uint16_t i = 0; i < at->type_cnt; i++)
		if (at->type_name[i] && at->type_id[i] == job->type_id)
			return at->type_cnt_avail[i];
	return 0;
}

static uint64_t more(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* RET how much each node has to have. Slurm divides a count for the whole job (--gpus) as it likes:
 * a node with a single device may be of use beside others. */
static uint64_t each_needs(const job_record_t *job, gres_state_t *asked)
{
	const gres_job_state_t *at = asked->gres_data;
	/* A job has at least one socket and one task on each node, so these counts are lower
	 * bounds. */
	uint64_t each = more(at->gres_per_node, more(at->gres_per_socket, at->gres_per_task));

	if (at->gres_per_job)
		each = more(each, job->details->max_nodes == 1 ? at->gres_per_job : 1);
	return each;
}

bool rspb_job_gres_fit(const struct rspb_job *view, uint32_t node)
{
	job_record_t *job = view->handle;
	gres_state_t *asked;
	list_itr_t *iter;
	bool fit = true;

	if (!job->gres_list_req)
		return true;
	iter = list_iterator_create(job->gres_list_req);
	while (fit && (asked = list_next(iter)))
		fit = node_has(node_record_table_ptr[node], asked) >= each_needs(job, asked);
	list_iterator_destroy(iter);
	return fit;
}

/* RET how much of one kind the job has in all with so many tasks. The total that Slurm has computed
 * from the tasks is less with fewer of them. */
static uint64_t total_with(const gres_job_state_t *asked, uint32_t tasks)
{
	uint64_t total = asked->gres_per_task * tasks;

	return total && total < asked->gres_per_job ? total : asked->gres_per_job;
}

bool rspb_gres_on_one(const job_record_t *job, uint32_t tasks, uint32_t node)
{
	gres_state_t *asked;
	list_itr_t *iter;
	bool has = true;

	iter = list_iterator_create(job->gres_list_req);
	while (has && (asked = list_next(iter)))
		has = node_has(node_record_table_ptr[node], asked) >=
		      total_with(asked->gres_data, tasks);
	list_iterator_destroy(iter);
	return has;
}

/* RET how many nodes are enough for what a job requests of a kind in all. The poorest are counted
 * first, so that any choice of so many nodes will do. UINT32_MAX: all are not enough. */
static uint32_t nodes_for(gres_state_t *asked, const struct rspb_nodeset *nodes, uint64_t *counts)
{
	uint64_t wanted = ((gres_job_state_t *) asked->gres_data)->gres_per_job;
	uint64_t sum = 0;
	uint32_t count = 0, i = 0;

	for (uint32_t n = rspb_nodeset_next(nodes, 0); n < nodes->width;
	     n = rspb_nodeset_next(nodes, n + 1))
		counts[count++] = node_has(node_record_table_ptr[n], asked);
	qsort(counts, count, sizeof(*counts), rspb_array_by_u64);
	while (i < count && sum < wanted)
		sum += counts[i++];
	return sum < wanted ? UINT32_MAX : i;
}

uint32_t rspb_job_gres_nodes(const struct rspb_job *view, const struct rspb_nodeset *nodes)
{
	job_record_t *job = view->handle;
	uint64_t *counts;
	gres_state_t *asked;
	list_itr_t *iter;
	uint32_t most = 0;

	if (!job->gres_list_req)
		return 0;
	counts = calloc(rspb_nodeset_count(nodes) + 1, sizeof(*counts));
	if (!counts)
		return UINT32_MAX;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter))) {
		/* Each kind is counted for itself; the kind that needs most nodes decides. */
		uint32_t here = nodes_for(asked, nodes, counts);

		most = here > most ? here : most;
	}
	list_iterator_destroy(iter);
	free(counts);
	return most;
}

uint32_t rspb_gres_devices(const job_record_t *job)
{
	uint64_t most = 0;
	gres_state_t *asked;
	list_itr_t *iter;

	if (!job->gres_list_req)
		return 0;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter)))
		most = more(most, ((gres_job_state_t *) asked->gres_data)->gres_per_job);
	list_iterator_destroy(iter);
	return most < UINT32_MAX ? (uint32_t) most : UINT32_MAX;
}

void rspb_job_gres_again(void *record)
{
	job_record_t *job = record;
	const job_details_t *details = job->details;
	job_desc_msg_t desc;
	list_t *list = NULL;

	if (!job->tres_per_task || !job->gres_list_req)
		return;
	/* Slurm computes the list from the options and the size, as at submission. The description
	 * borrows the texts of the job and is not freed. */
	slurm_init_job_desc_msg(&desc);
	desc.cpus_per_tres = job->cpus_per_tres;
	desc.mem_per_tres = job->mem_per_tres;
	desc.tres_freq = job->tres_freq;
	desc.tres_per_job = job->tres_per_job;
	desc.tres_per_node = job->tres_per_node;
	desc.tres_per_socket = job->tres_per_socket;
	desc.tres_per_task = job->tres_per_task;
	desc.num_tasks = details->num_tasks;
	desc.min_nodes = details->min_nodes;
	if (details->max_nodes)
		desc.max_nodes = details->max_nodes;
	desc.cpus_per_task = (uint16_t) details->cpus_per_task;
	/* If Slurm refuses the new size, the job keeps its old list. */
	if (rspb_release_gres(&desc, &list) != SLURM_SUCCESS || !list)
		return;
	FREE_NULL_LIST(job->gres_list_req);
	job->gres_list_req = list;
}
