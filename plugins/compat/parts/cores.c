/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes what a job takes of a node that it uses in part, and which nodes are lent in parts.
 * cores_call.c finds the free cores. */
#include "plugins/compat/parts/cores.h"

#include <string.h>

#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/placed.h"
#include "plugins/compat/parts/spared.h"
#include "plugins/compat/slurm.h"

/* --- which nodes ----------------------------------------------------------- */

void rspb_cores_lent(bool unshared, struct rspb_nodeset *out)
{
	list_itr_t *iter;
	part_record_t *part;

	/* With CR_Socket each job gets whole sockets, so that no node can be lent by cores. */
	if (!(slurm_conf.select_type_param & RSPB_RELEASE_CORES))
		return;
	for (uint32_t n = 0; n < out->width; n++)
		if (rspb_placed_node(n))
			rspb_nodeset_add(out, n);
	iter = list_iterator_create(part_list);
	while (!unshared && (part = list_next(iter)))
		for (uint32_t n = 0; rspb_placed_beside(part) && n < out->width; n++)
			if (part->node_bitmap && bit_test(part->node_bitmap, n))
				rspb_nodeset_remove(out, n);
	list_iterator_destroy(iter);
}

/* --- what a job asks for ---------------------------------------------------- */

/* RET a number that the user gave; 0: none. Slurm has two values for that. */
static uint32_t given(uint16_t value)
{
	return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

static uint32_t sockets_of(const job_record_t *job)
{
	return job->details->mc_ptr ? given(job->details->mc_ptr->sockets_per_node) : 0;
}

/* RET the devices of each node that a job says; 0: it says another number. */
static uint64_t per_node(const job_record_t *job, const gres_job_state_t *at)
{
	return at->gres_per_node ? at->gres_per_node : at->gres_per_socket * sockets_of(job);
}

/* Whether tasks that come with devices are as many with each of all devices, or on each of a fixed
 * number of nodes. */
static bool even_tasks(const struct rspb_job *view, const gres_job_state_t *at)
{
	uint64_t devices = at->gres_per_job;

	/* With devices on each node, their total is known only for a fixed number of nodes. */
	if (at->gres_per_node && view->nodes_max == view->nodes_min)
		devices = view->nodes_min * at->gres_per_node;
	return devices && !at->gres_per_socket && view->tasks == devices * at->ntasks_per_gres;
}

/* Whether it is known beforehand what the job takes of each node. Slurm decides only at the
 * start how it spreads parts of GPUs over several GPUs, or an uneven number of tasks over
 * devices. */
static bool spread_evenly(const struct rspb_job *view)
{
	const job_record_t *job = view->handle;
	list_itr_t *iter;
	gres_state_t *asked;
	bool even = true;

	if (!job->gres_list_req)
		return true;
	iter = list_iterator_create(job->gres_list_req);
	while (even && (asked = list_next(iter))) {
		const gres_job_state_t *at = asked->gres_data;

		even = (!(asked->config_flags & GRES_CONF_SHARED) || rspb_devices_sharing(asked)) &&
		       (!given(at->ntasks_per_gres) || even_tasks(view, at));
	}
	list_iterator_destroy(iter);
	return even;
}

const char *rspb_cores_why(const struct rspb_job *view)
{
	const job_record_t *job = view->handle;

	return job->gres_list_req ? rspb_devices_why(job) : NULL;
}

/* Divide, rounded up; by 0 the amount stays as it is. */
static uint32_t over(uint32_t amount, uint32_t by)
{
	return by ? (amount + by - 1) / by : amount;
}

static uint32_t more(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* RET the tasks of the fullest node if they are spread evenly; at least one, also if the job
 * gives no number. */
static uint32_t tasks_each(const struct rspb_job *view, uint32_t nodes)
{
	uint32_t tasks = over(view->tasks, nodes);

	return more(more(tasks, view->tasks_node), 1);
}

enum { TASKS_MOST = 128 };

static uint32_t fewer_tasks(const struct rspb_job *view, uint32_t nodes)
{
	const job_record_t *job = view->handle;
	uint32_t parts = nodes ? nodes : 1, tasks = view->tasks / parts;

	return tasks < 2 || tasks > TASKS_MOST || view->tasks % parts || view->tasks_node ||
			       job->het_job_id || view->overcommit
		       ? 0
		       : tasks;
}

/* RET the devices of one kind on each of so many nodes: the largest number that follows from
 * those per task, per node, per socket or in total. */
static uint64_t each(const struct rspb_job *view, uint32_t nodes, const gres_job_state_t *at)
{
	uint64_t tasks = at->gres_per_task * tasks_each(view, nodes);
	uint64_t all = rspb_spared_each(at, nodes);
	const job_record_t *job = view->handle;
	uint64_t said = per_node(job, at), most = said > all ? said : all;

	/* The amount that Slurm has computed from the tasks is less with fewer of them. */
	if (at->gres_per_task && most <= at->gres_per_task * over(job->details->num_tasks, nodes))
		most = 0;
	return tasks > most ? tasks : most;
}

/* RET the default of a type (JOB_DEF_...) in the list of a partition or of slurm.conf; 0: there
 * is none. */
static uint64_t default_in(void *defaults, uint16_t type)
{
	uint64_t value = 0;
	list_itr_t *iter;
	job_defaults_t *at;

	if (!defaults)
		return 0;
	iter = list_iterator_create(defaults);
	while ((at = list_next(iter)))
		if (at->type == type)
			value = at->value;
	list_iterator_destroy(iter);
	return value;
}

/* RET what comes with a device (JOB_DEF_...) unless the job says it: the partition's value, or that
 * of slurm.conf. Slurm notes it when it first tries the job. */
static uint64_t by_default(const job_record_t *job, const gres_state_t *asked, uint16_t type)
{
	uint64_t value;

	if (strcmp(asked->gres_name, "gpu") != 0 || !job->part_ptr)
		return 0;
	value = default_in(job->part_ptr->job_defaults_list, type);
	/* A DefMemPerCPU of the partition goes before a DefMemPerGPU of slurm.conf. */
	if (!value && (type != JOB_DEF_MEM_PER_GPU || !job->part_ptr->def_mem_per_cpu))
		value = default_in(slurm_conf.job_defaults_list, type);
	return value;
}

static uint64_t cpus_with(const job_record_t *job, const gres_state_t *asked)
{
	const gres_job_state_t *at = asked->gres_data;

	/* With --cpus-per-task the job has said how many CPUs it wants: no default counts. */
	if (given(at->cpus_per_gres) || job->details->orig_cpus_per_task != NO_VAL16)
		return given(at->cpus_per_gres);
	return by_default(job, asked, JOB_DEF_CPU_PER_GPU);
}

static uint64_t memory_with(const job_record_t *job, const gres_state_t *asked)
{
	const gres_job_state_t *at = asked->gres_data;

	return at->mem_per_gres ? at->mem_per_gres : by_default(job, asked, JOB_DEF_MEM_PER_GPU);
}

/* Threads of a core that its tasks may use. */
static uint32_t threads_of(const job_record_t *job, const node_record_t *node)
{
	const multi_core_data_t *mc = job->details->mc_ptr;
	uint32_t threads = rspb_placed_threads(node);

	if (mc && given(mc->threads_per_core) && mc->threads_per_core < threads)
		threads = mc->threads_per_core;
	return threads;
}

/* Tasks that may be on one core. */
static uint32_t tasks_of_core(const job_record_t *job, uint32_t threads)
{
	const multi_core_data_t *mc = job->details->mc_ptr;
	uint32_t most = threads;

	if (mc && given(mc->ntasks_per_core) && mc->ntasks_per_core < most)
		most = mc->ntasks_per_core;
	if (slurm_conf.select_type_param & RSPB_RELEASE_ONE_TASK_PER_CORE)
		most = 1;
	return most;
}

/* Cores for that many tasks. Tasks with several CPUs each share a core, but for those that
 * are to be alone on theirs. */
static uint32_t cores_for(const job_record_t *job, uint32_t tasks, uint32_t cpus_task,
			  uint32_t threads)
{
	uint32_t most = tasks_of_core(job, threads);

	if (cpus_task < 2)
		return over(tasks, most);
	if (most < 2)
		return tasks * over(cpus_task, threads);
	return over(tasks * cpus_task, threads);
}

static uint32_t task_cpus(const struct rspb_job *view, uint32_t nodes)
{
	const job_record_t *job = view->handle;

	if (job->gres_list_req || view->overcommit || rspb_release_crowds(job))
		return 0;
	return more(more(tasks_each(view, nodes) * more(view->cpus_task, 1),
			 over(view->cpus, nodes)),
		    job->details->pn_min_cpus);
}

struct rspb_cores_tasks rspb_cores_tasks(const struct rspb_job *view, uint32_t nodes)
{
	return (struct rspb_cores_tasks){ fewer_tasks(view, nodes), task_cpus(view, nodes) };
}

uint64_t rspb_cores_charged(const struct rspb_job *view, uint32_t n, uint32_t cores, uint32_t asked,
			    bool memory)
{
	const node_record_t *node = rspb_placed_node(n);
	bool by_cpu = slurm_conf.select_type_param & RSPB_RELEASE_CPUS;
	uint32_t threads = memory && !by_cpu ? threads_of(view->handle, node)
					     : rspb_placed_threads(node);
	uint64_t cpus = (uint64_t) cores * threads;

	/* An operator may reserve more cores than the job that is tried there needs. */
	return by_cpu && asked >= cores && asked < cpus ? asked : cpus;
}

/* Whether a load comes with more memory than the node has. */
static bool too_large(const struct rspb_job *view, uint32_t n, uint32_t cores, uint32_t asked)
{
	const node_record_t *node = rspb_placed_node(n);
	uint64_t memory = ((job_record_t *) view->handle)->details->pn_min_memory;

	return slurm_conf.select_type_param & RSPB_RELEASE_MEMORY && memory & MEM_PER_CPU &&
	       (memory & ~MEM_PER_CPU) * rspb_cores_charged(view, n, cores, asked, true) >
		       node->real_memory - node->mem_spec_limit;
}

/* Whether MaxCPUsPerNode of its partition never allows a job so many of a node. */
static bool is_above_cap(const job_record_t *job, uint32_t cpus)
{
	return job->part_ptr && job->part_ptr->max_cpus_per_node != INFINITE &&
	       cpus > job->part_ptr->max_cpus_per_node;
}

/* RET the tasks for which Slurm wants room on each node, where tasks come with devices; else 0. */
static uint32_t tasks_wanted(const struct rspb_job *view)
{
	const job_details_t *details = ((job_record_t *) view->handle)->details;

	return given(details->ntasks_per_tres) && !view->tasks_node
		       ? view->tasks / more(details->min_nodes, 1)
		       : 0;
}

/* A load of one node: tasks, CPUs at least, and, of each kind, devices (-1: as on each of so
 * many nodes). */
struct load {
	uint32_t tasks, cpus, nodes;
	int64_t devices;
	bool typed;	/* the types of its devices are known */
	uint32_t asked; /* CPUs of its tasks; 0: not known */
};

/* RET the cores of a node for tasks with devices of their own, which Slurm puts beside these. Which
 * devices are free at the start is not known, so that each set of cores may have one that is used
 * in part. 0: it does not matter where the tasks are; UINT32_MAX: Slurm finds too few CPUs for
 * tasks that use cores in part where each set has devices for one of them. */
static uint32_t cores_beside(const struct rspb_job *view, const gres_state_t *asked, uint32_t n,
			     uint32_t tasks)
{
	const job_record_t *job = view->handle;
	const gres_job_state_t *at = asked->gres_data;
	uint32_t threads = threads_of(job, rspb_placed_node(n)),
		 all = rspb_placed_usable(rspb_placed_node(n));
	uint32_t cpus_task = more(view->cpus_task, 1);
	uint32_t cores = cores_for(job, tasks, cpus_task, threads);
	uint64_t fewest;
	uint32_t sets = rspb_devices_sets(asked, n, &fewest);

	if (!at->gres_per_task || sets < 2 || tasks < 2 || cores > all)
		return 0;
	if (cpus_task > 1 && cpus_task % threads && fewest < 2 * at->gres_per_task)
		return UINT32_MAX;
	if (sets > tasks)
		sets = tasks;
	return cores + sets - 1 < all ? cores + sets - 1 : all;
}

/* RET how many sockets of a node Slurm looks at for devices that have to be beside the cores of a
 * job (--gres-flags=enforce-binding). With devices in total, a job of one CPU on each node gets
 * those of one socket. */
static uint32_t sockets_seen(const struct rspb_job *view, const gres_job_state_t *at,
			     const struct load *load)
{
	const job_record_t *job = view->handle;
	const multi_core_data_t *mc = job->details->mc_ptr;
	bool one = more(load->tasks, load->cpus) < 2 && view->cpus_task < 2;

	if (!at->gres_per_job || at->gres_per_socket)
		return UINT32_MAX;
	if (one || more(view->tasks, view->cpus) < 2 * more(view->nodes_min, 1))
		return 1;
	return mc && given(mc->ntasks_per_socket) ? over(load->tasks, mc->ntasks_per_socket)
						  : UINT32_MAX;
}

/* RET the cores of a node for devices that have to be beside them: one in each socket that has some
 * of them. Which devices are free at the start is not known, so that each may be in another socket.
 * UINT32_MAX: Slurm finds fewer devices there. */
static uint32_t cores_bound(const struct rspb_job *view, const gres_state_t *asked, uint32_t n,
			    const struct load *load, uint64_t devices)
{
	const job_record_t *job = view->handle;
	uint32_t seen = sockets_seen(view, asked->gres_data, load), sockets;
	uint64_t most;

	if (!(job->bit_flags & GRES_ENFORCE_BIND))
		return 0;
	sockets = rspb_devices_sockets(asked, n, seen, &most);
	if (devices > most)
		return UINT32_MAX;
	return devices < sockets ? (uint32_t) devices : sockets;
}

/* RET how many tasks Slurm counts at most on a node with devices that have to be beside the cores
 * of a job. */
static uint32_t tasks_counted(const job_details_t *details)
{
	bool fixed = details->num_tasks == details->min_nodes &&
		     details->num_tasks == details->max_nodes;

	return details->num_tasks == 1 || fixed ? 1 : UINT32_MAX;
}

/* RET the least number of cores, from so many on, that Slurm accepts for tasks with devices beside
 * them. It counts the tasks that the CPUs of these cores hold, and the CPUs of these tasks, and
 * refuses if the latter have room in full cores only with a thread that is not among them. */
static uint32_t cores_full(const job_record_t *job, uint32_t cores, uint32_t cpus_task,
			   uint32_t threads)
{
	uint32_t most = tasks_counted(job->details);

	if (!(job->bit_flags & GRES_ENFORCE_BIND) || cpus_task < 2 || !(cpus_task % threads))
		return cores;
	/* The next number of cores to look at holds another task. As many tasks as a core has
	 * threads leave no rest, so that few numbers are looked at. */
	for (uint32_t end = cores + cpus_task; cores < end;) {
		uint32_t fit = cores * threads / cpus_task;
		uint32_t tasks = fit < most ? fit : most;

		if (tasks && over(tasks * cpus_task, threads) * threads <= fit * cpus_task)
			break;
		cores = over((fit + 1) * cpus_task, threads);
	}
	return cores;
}

/* RET the cores of a node that a load takes: as many as the greatest of its needs (tasks, CPUs,
 * sockets, devices). UINT32_MAX: the load cannot be on this node. */
static uint32_t cores_with(const struct rspb_job *view, const struct load *load, uint32_t n)
{
	const job_record_t *job = view->handle;
	const node_record_t *node = rspb_placed_node(n);
	uint32_t cpus_task = view->cpus_task ? view->cpus_task : 1, threads, cores;
	list_itr_t *iter;
	gres_state_t *asked;

	/* If the job takes devices of any type, it is not known which types are left to others. */
	if (!node || (!load->typed && rspb_devices_vague(job, n)))
		return UINT32_MAX;
	threads = threads_of(job, node);
	cores = cores_for(job, more(load->tasks, tasks_wanted(view)), cpus_task, threads);
	cores = more(cores, over(load->cpus, threads));
	cores = more(cores, over(job->details->pn_min_cpus, threads));
	/* A job that names a number of sockets gets a core of each, at least. */
	cores = more(cores, sockets_of(job));
	if (too_large(view, n, cores, load->asked))
		return UINT32_MAX;
	if (!job->gres_list_req)
		return is_above_cap(job, cores * rspb_placed_threads(node)) ? UINT32_MAX : cores;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter))) {
		const gres_job_state_t *at = asked->gres_data;
		uint64_t devices = load->devices < 0 ? each(view, load->nodes, at)
						     : (uint64_t) load->devices;
		uint64_t cpus = devices * cpus_with(job, asked);
		uint32_t tasks = (uint32_t) devices * given(at->ntasks_per_gres);

		cores = more(cores, cores_for(job, tasks, cpus_task, threads));
		cores = more(cores, cores_beside(view, asked, n, load->tasks));
		cores = more(cores, cores_bound(view, asked, n, load, devices));
		/* Parts of a GPU are all on one GPU, which must be large enough. */
		cores = rspb_devices_too_many(asked, n)
				? UINT32_MAX
				: more(cores, over((uint32_t) cpus, threads));
	}
	list_iterator_destroy(iter);
	if (cores < UINT32_MAX)
		cores = cores_full(job, cores, cpus_task, threads);
	return cores < UINT32_MAX && is_above_cap(job, cores * rspb_placed_threads(node))
		       ? UINT32_MAX
		       : cores;
}

uint32_t rspb_cores_needs(const struct rspb_job *view, uint32_t nodes, uint32_t n)
{
	const struct load load = {
		.tasks = rspb_release_crowds(view->handle) ? 1 : tasks_each(view, nodes),
		.cpus = over(view->cpus, nodes),
		.nodes = nodes,
		.devices = -1,
		.asked = task_cpus(view, nodes),
	};

	return cores_with(view, &load, n);
}

uint32_t rspb_cores_load(const struct rspb_job *view, uint32_t n, uint32_t tasks, uint64_t devices)
{
	const struct load load = {
		.tasks = tasks,
		.nodes = 1,
		.devices = (int64_t) devices,
		.typed = true,
		.asked = devices ? 0 : tasks * more(view->cpus_task, 1),
	};

	return cores_with(view, &load, n);
}

/* RET the one kind of devices that a job asks for, where the number on each node follows from its
 * load or is fixed, with its name in kind; NULL: it asks otherwise. */
static const gres_job_state_t *only_devices(const job_record_t *job, char kind[RSPB_QUOTA_NAME])
{
	const gres_state_t *asked = list_peek(job->gres_list_req);
	const gres_job_state_t *at = asked ? asked->gres_data : NULL;
	char name[RSPB_DEVICE_NAME];

	if (!at || list_count(job->gres_list_req) != 1 || asked->config_flags & GRES_CONF_SHARED ||
	    (!at->gres_per_task && !per_node(job, at) && !rspb_spared_each(at, 1)) ||
	    rspb_devices_vague(job, UINT32_MAX))
		return NULL;
	snprintf(kind, RSPB_QUOTA_NAME, "%s", asked->gres_name);
	if (at->type_name) {
		rspb_device_name(asked->gres_name, at->type_name, name);
		snprintf(kind, RSPB_QUOTA_NAME, "%s", name);
	}
	return at;
}

/* A job that says what each of its nodes has is spread over that many nodes. Slurm divides the
 * tasks of one with devices on each node in its own way: there is room for as many on each. */
static void spread_nodes(const struct rspb_job *view, struct rspb_cores_total *out)
{
	uint32_t nodes = view->nodes_min;

	if (!nodes || (view->nodes_max && view->nodes_max != nodes))
		return;
	out->each = tasks_each(view, nodes);
	/* A job that wants more CPUs than its tasks take (--mincpus) is not spread. */
	if (view->cpus <= nodes * out->each * (view->cpus_task ? view->cpus_task : 1))
		out->load = nodes;
}

/* counted: as in struct rspb_cores_asked. */
static void total_of(const struct rspb_job *view, bool counted, struct rspb_cores_total *out)
{
	const job_record_t *job = view->handle;
	bool has_devices = job->gres_list_req && list_count(job->gres_list_req);
	uint32_t cpus_task = view->cpus_task ? view->cpus_task : 1;
	const gres_job_state_t *devices = NULL;

	*out = (struct rspb_cores_total){ .load = 0 };
	/* Tasks that share CPUs (--overcommit) take no cores by which they could be spread. */
	if (!job->details || view->overcommit || rspb_release_crowds(job))
		return;
	if (has_devices)
		devices = only_devices(job, out->kind);
	if (has_devices && !devices)
		return;
	/* If the job names its memory, none comes with its devices. */
	if (devices && !(job->bit_flags & JOB_MEM_SET))
		out->memory = memory_with(job, list_peek(job->gres_list_req));
	/* Only a total of devices is given (--gpus): the devices themselves are spread. */
	if (devices && !devices->gres_per_task && !per_node(job, devices)) {
		out->load = (uint32_t) rspb_spared_each(devices, 1);
		out->has_tasks = given(devices->ntasks_per_gres);
		return;
	}
	if (devices && devices->gres_per_task)
		out->per_task = (uint32_t) devices->gres_per_task;
	else if (devices)
		out->per_node = (uint32_t) per_node(job, devices);
	/* Each node gets the same then, and the number of nodes is the load. If the job leaves
	 * their number to Slurm, its tasks are spread, with devices on each node that gets some. */
	if ((out->per_node && view->nodes_max) || !counted)
		spread_nodes(view, out);
	else if (view->cpus <= view->tasks * cpus_task)
		out->load = view->tasks;
}

struct rspb_cores_asked rspb_cores_asked(const struct rspb_job *view)
{
	const job_record_t *job = view->handle;
	const job_details_t *details = job->details;
	struct rspb_cores_asked asked = {
		.counted = job->bit_flags & JOB_NTASKS_SET && !view->tasks_node,
		.said = job->bit_flags & (JOB_NTASKS_SET | JOB_CPUS_SET | JOB_MEM_SET) ||
			(details && given(details->ntasks_per_node)) || job->gres_list_req,
		.shares = rspb_devices_shares(job),
	};

	/* In a range of nodes, only -n fixes how many tasks there are in all. */
	asked.parts = details && !details->whole_node && details->core_spec == NO_VAL16 &&
		      rspb_placed_own(job) &&
		      (!view->nodes_max || view->nodes_max == view->nodes_min || asked.counted) &&
		      spread_evenly(view);
	total_of(view, asked.counted, &asked.total);
	return asked;
}

uint32_t rspb_cores_types(const struct rspb_job *view, uint32_t node,
			  char types[RSPB_TYPES_MOST][RSPB_QUOTA_NAME])
{
	const job_record_t *job = view->handle;
	list_itr_t *iter;
	gres_state_t *asked;
	uint32_t n = 0;

	if (!rspb_devices_vague(job, node))
		return 0;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter)))
		n += rspb_devices_types(asked, node, types + n, RSPB_TYPES_MOST - n);
	list_iterator_destroy(iter);
	return n;
}

/* Add devices by their type, if the job names one. */
static void add_typed(const gres_state_t *asked, int64_t amount, struct rspb_quotas *quotas)
{
	const gres_job_state_t *at = asked->gres_data;
	char name[RSPB_DEVICE_NAME];

	if (!at->type_name)
		return;
	rspb_device_name(asked->gres_name, at->type_name, name);
	rspb_devices_add(quotas, name, amount);
}

/* Add the devices of one kind that each node gives: by kind, and by type too if the job names
 * one. */
static void add_asked(const struct rspb_job *view, uint32_t nodes, const gres_state_t *asked,
		      struct rspb_quotas *quotas)
{
	int64_t amount = (int64_t) each(view, nodes, asked->gres_data);
	const char *vague = rspb_devices_vague(view->handle, UINT32_MAX);

	rspb_devices_add(quotas, asked->gres_name, amount);
	if (asked->config_flags & GRES_CONF_SHARED && !vague)
		rspb_devices_add(quotas, "gpu", rspb_devices_sharing(asked));
	/* Nobody knows of how many GPUs its parts are. */
	if (vague)
		rspb_devices_add(quotas, vague, 0);
	add_typed(asked, amount, quotas);
}

/* Memory that comes with devices, of a job that says no other. 0: none does. */
static uint64_t memory_of_devices(const struct rspb_job *view, uint32_t nodes)
{
	const job_record_t *job = view->handle;
	uint64_t sum = 0;
	list_itr_t *iter;
	gres_state_t *asked;

	if (job->bit_flags & JOB_MEM_SET || !job->gres_list_req)
		return 0;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter))) {
		const gres_job_state_t *at = asked->gres_data;

		sum += each(view, nodes, at) * memory_with(job, asked);
	}
	list_iterator_destroy(iter);
	return sum;
}

void rspb_cores_besides(const struct rspb_job *view, uint32_t nodes, uint64_t cpus,
			struct rspb_quotas *quotas)
{
	const job_record_t *job = view->handle;
	uint64_t memory = job->details->pn_min_memory;
	uint64_t devices = memory_of_devices(view, nodes);
	list_itr_t *iter;
	gres_state_t *asked;

	/* Slurm applies the memory per GPU instead of all other defaults. */
	if (devices)
		memory = devices;
	else if (!memory)
		memory = UINT32_MAX; /* all there is */
	else if (memory & MEM_PER_CPU)
		memory = (memory & ~MEM_PER_CPU) * cpus;
	if (slurm_conf.select_type_param & RSPB_RELEASE_MEMORY)
		rspb_devices_add(quotas, RSPB_ROOM_MEMORY,
				 memory < UINT32_MAX ? (int64_t) memory : UINT32_MAX);
	if (!job->gres_list_req)
		return;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter)))
		add_asked(view, nodes, asked, quotas);
	list_iterator_destroy(iter);
}

uint32_t rspb_cores_cpus(const struct rspb_job *job)
{
	/* Each of the other nodes has at least one. */
	uint32_t others = job->nodes_min - 1;

	return job->cpus > others ? job->cpus - others : 1;
}

void rspb_cores_takes(const struct rspb_job *view, struct rspb_quotas *quotas)
{
	const job_record_t *job = view->handle;
	int64_t others = (int64_t) view->nodes_min - 1;
	list_itr_t *iter;
	gres_state_t *asked;

	/* All devices of a total may be of one node, but for one of each other node. */
	rspb_cores_besides(view, 1, rspb_cores_cpus(view), quotas);
	if (!job->gres_list_req || others < 1)
		return;
	iter = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(iter))) {
		const gres_job_state_t *at = asked->gres_data;

		if (at->gres_per_task || asked->config_flags & GRES_CONF_SHARED ||
		    (int64_t) rspb_spared_each(at, 1) <= others)
			continue;
		rspb_devices_add(quotas, asked->gres_name, -others);
		add_typed(asked, -others, quotas);
	}
	list_iterator_destroy(iter);
}
