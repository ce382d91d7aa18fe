/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has Slurm's selection accept the cores with which a part of a node is to start. How many
 * these are is not decided here. */
#include "plugins/compat/parts/cores.h"

#include <stdlib.h>

#include "plugins/compat/bits.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_pick.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/placed.h"
#include "plugins/compat/parts/spared.h"
#include "plugins/compat/resv_internal.h"

enum {
	SHRINK_MOST = 48, /* questions to Slurm for one layout */
	PICKS_MOST = 3,	  /* sets of nodes that are tried for it */
	KEPT_MOST = 1000  /* reservations with which none is made long before its start */
};

/* A start: the job, its layout, and the cores that others have then. */
struct look {
	job_record_t *job;
	const struct rspb_job *view;
	const struct rspb_layout *layout;
	bitstr_t *nodes;
	bitstr_t *taken;  /* cores that others have then, of all nodes */
	bitstr_t *alike;  /* those of them that count against MaxCPUsPerNode, too */
	uint64_t *memory; /* MiB that jobs have then, of each node */
	bool changes;	  /* jobs are over by then, so that nodes have less now */
	bool now;	  /* on the nodes that are looked at it starts as it would now */
	int asked;
};

static uint32_t cores_on(const struct look *look, uint32_t n)
{
	return rspb_part_cores_on(look->layout->part, look->layout->cores, n);
}

static uint32_t given(uint16_t value)
{
	return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

/* Whether it matters to a job which cores of a node it has. */
static bool names_cores(const job_record_t *job)
{
	const multi_core_data_t *mc = job->details->mc_ptr;
	const part_record_t *part = job->part_ptr;

	/* With CR_Socket in its partition a job gets whole sockets. */
	return rspb_job_binds(job) ||
	       (part && part->cr_type && !(part->cr_type & RSPB_RELEASE_CORES)) ||
	       (mc && (given(mc->sockets_per_node) || given(mc->cores_per_socket) ||
		       given(mc->ntasks_per_socket)));
}

/* The same, or how many of each. */
static bool is_choosy(const struct look *look)
{
	return names_cores(look->job) || (look->layout->part && look->layout->part->n_odd);
}

bool rspb_layout_needed(const struct rspb_job *view)
{
	const job_record_t *job = view->handle;

	return (names_cores(job) ||
		(job->part_ptr && job->part_ptr->max_cpus_per_node != INFINITE)) &&
	       list_count(resv_list) < KEPT_MOST;
}

/* --- what others have ------------------------------------------------------------- */

/* RET when a job that runs has left its cores at the latest. */
static int64_t over_at(const job_record_t *job)
{
	return slurm_conf.over_time_limit == INFINITE16
		       ? INT64_MAX
		       : job->end_time + rspb_slurm_conf().over_time;
}

/* Note the cores of a job that may still run when the part starts. */
static int note_job(const struct rspb_job *view, void *arg)
{
	struct look *look = arg;
	const job_record_t *job = view->handle;

	if (job == look->job || !job->job_resrcs || !job->job_resrcs->node_bitmap ||
	    !job->job_resrcs->core_bitmap ||
	    !bit_overlap_any(job->job_resrcs->node_bitmap, look->nodes))
		return 0;
	if (over_at(job) <= look->layout->start) {
		look->changes = true;
		return 0;
	}
	for (uint32_t n = 0, place = 0; n < (uint32_t) node_record_count; n++) {
		if (!bit_test(job->job_resrcs->node_bitmap, n))
			continue;
		if (bit_test(look->nodes, n)) {
			rspb_placed_note(job, place, n, look->taken);
			if (job->job_resrcs->memory_allocated)
				look->memory[n] += job->job_resrcs->memory_allocated[place];
			if (job->part_ptr == look->job->part_ptr)
				rspb_placed_note(job, place, n, look->alike);
		}
		place++;
	}
	return 0;
}

/* Note the cores of reservations that have these nodes at the same time. The cores of a booking
 * whose job runs are noted with its job. A booking that has no reservation yet is not noted: the
 * ledger leaves it as many cores, and it starts with any, unless Slurm has too many reservations
 * (rspb_layout_needed()). */
static void note_resvs(struct look *look)
{
	const struct rspb_layout *layout = look->layout;
	list_itr_t *iter = list_iterator_create(resv_list);
	slurmctld_resv_t *resv;

	while ((resv = list_next(iter))) {
		const job_record_t *job = rspb_placed_waits(resv);

		if ((!job && rspb_resv_ours(resv->name)) || job == look->job ||
		    !resv->core_bitmap || !resv->node_bitmap ||
		    resv->ctld_flags & RESV_CTLD_FULL_NODE || resv->start_time >= layout->end ||
		    resv->end_time <= layout->start ||
		    !bit_overlap_any(resv->node_bitmap, look->nodes) ||
		    bit_size(resv->core_bitmap) != bit_size(look->taken))
			continue;
		bit_or(look->taken, resv->core_bitmap);
		if (job && job->part_ptr == look->job->part_ptr)
			bit_or(look->alike, resv->core_bitmap);
	}
	list_iterator_destroy(iter);
}

static void look_init(struct look *look, const struct rspb_job *view,
		      const struct rspb_nodeset *nodes, const struct rspb_layout *layout)
{
	int64_t all = cr_get_coremap_offset(node_record_count);

	*look = (struct look){
		.job = view->handle,
		.view = view,
		.layout = layout,
		.nodes = rspb_bits_make(nodes),
		.taken = bit_alloc(all),
		.alike = bit_alloc(all),
		.memory = xcalloc((size_t) node_record_count + 1, sizeof(*look->memory)),
	};
	if (layout->each)
		layout->each(note_job, look);
	note_resvs(look);
}

static void look_fini(struct look *look)
{
	FREE_NULL_BITMAP(look->nodes);
	FREE_NULL_BITMAP(look->taken);
	FREE_NULL_BITMAP(look->alike);
	xfree(look->memory);
}

/* --- one node ---------------------------------------------------------------------- */

/* Whether jobs may have a core, by its number among those of all nodes, which nobody has. */
static bool is_free(const struct look *look, const node_record_t *node, int64_t core)
{
	const bitstr_t *spec = node->node_spec_bitmap;
	int64_t own = core - rspb_placed_first(node->index);

	return !bit_test(look->taken, core) &&
	       (!spec || own >= bit_size((bitstr_t *) spec) || bit_test((bitstr_t *) spec, own));
}

/* RET how many cores of a node nobody has then; `into` (NULL: not wanted) gets them. */
static uint32_t free_cores(const struct look *look, uint32_t n, bitstr_t *into)
{
	const node_record_t *node = rspb_placed_node(n);
	uint32_t count = 0;

	for (int64_t c = rspb_placed_first(n); node && c < rspb_placed_first(n + 1); c++)
		if (is_free(look, node, c)) {
			count++;
			if (into)
				bit_set(into, c);
		}
	return count;
}

/* Whether MaxCPUsPerNode of the partition leaves the job as many CPUs of a node. */
static bool is_within_cap(const struct look *look, uint32_t n)
{
	const part_record_t *part = look->job->part_ptr;
	const node_record_t *node = rspb_placed_node(n);
	uint64_t cores;

	if (!part || part->max_cpus_per_node == INFINITE || !node)
		return true;
	cores = cores_on(look, n) + (uint64_t) rspb_placed_count(look->alike, n);
	return cores * rspb_placed_threads(node) <= part->max_cpus_per_node;
}

/* In which order free cores of a node are taken. */
enum order {
	LOWEST, /* the lowest ones */
	SPREAD, /* the lowest of each socket in turn */
	BESIDE, /* from the socket with the most free devices on */
	ORDERS
};

/* Add free cores of a node in that order. */
static void add_cores(const struct look *look, uint32_t n, enum order order, bitstr_t *out)
{
	const node_record_t *node = rspb_placed_node(n);
	uint32_t sockets = order == SPREAD && node && node->tot_sockets ? node->tot_sockets : 1;
	uint32_t want = cores_on(look, n), each, from = 0;

	/* Cores are numbered socket by socket, and each socket has as many. */
	if (!node || node->tot_cores % sockets)
		return;
	each = node->tot_cores / sockets;
	if (order == BESIDE)
		from = (uint32_t) rspb_devices_free_socket(look->job, n) * node->cores;
	for (uint32_t turn = 0; turn < each && want; turn++)
		for (uint32_t s = 0; s < sockets && want; s++) {
			uint32_t skip = turn;

			for (uint32_t c = 0; c < each; c++) {
				int64_t core = rspb_placed_first(n) + s * each + (c + from) % each;

				if (!is_free(look, node, core) || skip--)
					continue;
				bit_set(out, core);
				want--;
				break;
			}
		}
}

/* --- all nodes of the part ------------------------------------------------------------ */

/* Whether a partition lets several jobs have a core. Slurm starts parts beside such jobs, but says
 * that it would not. */
static bool shares_cores(void)
{
	list_itr_t *iter = list_iterator_create(part_list);
	const part_record_t *part;
	bool shares = false;

	while (!shares && (part = list_next(iter)))
		shares = (part->max_share & ~SHARED_FORCE) > 1;
	list_iterator_destroy(iter);
	return shares;
}

/* Whether a node has as many cores and as much memory for the part as it takes. Less may be free
 * while jobs run that are to make way for it. */
static bool has_room(const struct look *look, uint32_t n)
{
	const struct rspb_part *part = look->layout->part;
	uint64_t key = rspb_room_key(RSPB_ROOM_MEMORY);
	const struct rspb_quota *memory = part ? rspb_part_quota(part, key) : NULL;
	const node_record_t *node = rspb_placed_node(n);

	return node && free_cores(look, n, NULL) >= cores_on(look, n) &&
	       (!memory ||
		(uint64_t) rspb_part_takes(part, key, memory->per_node, n) + look->memory[n] <=
			node->real_memory - node->mem_spec_limit);
}

/* Whether the nodes have enough for the job now and will have no more at its start. A choosy job,
 * and one that is to leave some of their devices, must start there now then, as it sees the nodes
 * at its start: with its own cores, and without the devices of others. */
static bool starts_as_now(const struct look *look, const struct rspb_nodeset *nodes)
{
	bitstr_t *bits = rspb_bits_make(nodes);
	/* Any cores do, because it does not matter here which devices are marked. */
	const struct rspb_spared_start start = { bits, look->taken, look->layout->part, NULL };
	struct rspb_spared *spared = NULL;
	bool lacks = look->changes || shares_cores();

	RSPB_NODESET_EACH (n, nodes)
		lacks = lacks || !has_room(look, n);
	if (!lacks)
		spared = rspb_spared_mark(look->job, &start, RSPB_SPARED_NEAR, &lacks);
	lacks |= !spared && !is_choosy(look) && !look->job->gres_list_req;
	rspb_spared_unmark(spared);
	bit_free(bits);
	return !lacks;
}

/* Whether the job starts with these cores on all of these nodes. If its devices must be beside
 * its cores, Slurm must also expect it to start no later than booked. look->now: Slurm must start
 * it at once. */
static bool suits_once(struct look *look, const struct rspb_nodeset *nodes, const bitstr_t *cores)
{
	uint32_t count = rspb_nodeset_count(nodes);
	struct rspb_pick pick = { nodes, count, count, 0, look->now };
	struct rspb_nodeset *picked = rspb_nodeset_create(nodes->width);
	bitstr_t *others = bit_copy((bitstr_t *) cores);
	int64_t start = 0;
	bool good;

	/* Slurm is told which cores the job must not have. */
	bit_not(others);
	look->asked++;
	good = picked && rspb_job_pick_without(look->view, &pick, others, &start, picked) &&
	       (look->now || (rspb_nodeset_equal(picked, nodes) &&
			      (!rspb_job_binds(look->job) || start <= look->layout->start)));
	bit_free(others);
	rspb_nodeset_destroy(picked);
	return good;
}

/* Whether it does so with any of the orders in which devices are left to it. */
static bool suits(struct look *look, const struct rspb_nodeset *nodes, const bitstr_t *cores)
{
	bitstr_t *bits = rspb_bits_make(nodes);
	const struct rspb_spared_start start = { bits, cores, look->layout->part, NULL };
	bool good = false, more = true, lacks;

	for (int order = 0; more && !good && order < RSPB_SPARED_ORDERS; order++) {
		struct rspb_spared *spared = NULL;

		if (look->now)
			spared = rspb_spared_mark(look->job, &start, order, &lacks);
		good = suits_once(look, nodes, cores);
		more = spared;
		rspb_spared_unmark(spared);
	}
	bit_free(bits);
	return good;
}

/* Take up to so many of the highest cores of a node, but for the highest `skip`, out of
 * those that are left. */
static void take_out(uint32_t n, int64_t many, int64_t skip, bitstr_t *cores)
{
	for (int64_t c = rspb_placed_first(n + 1) - 1; c >= rspb_placed_first(n) && many > 0; c--)
		if (bit_test(cores, c) && skip-- <= 0) {
			bit_clear(cores, c);
			many--;
		}
}

/* Take cores of a node out until the part has as many as it takes, in steps after which the job
 * still starts. A step is halved when no cores can be taken out by it. RET false: too many are
 * left, or Slurm has been asked too often. */
static bool shrink_node(struct look *look, const struct rspb_nodeset *nodes, uint32_t n,
			bitstr_t *cores)
{
	int64_t has = rspb_placed_count(cores, n);
	int64_t over = has - cores_on(look, n), step = over, skip = 0;

	while (over > 0 && step > 0 && look->asked < SHRINK_MOST) {
		bitstr_t *fewer = bit_copy(cores);

		step = step > over ? over : step;
		take_out(n, step, skip, fewer);
		if (rspb_placed_count(fewer, n) == has - step && suits(look, nodes, fewer)) {
			bit_copybits(cores, fewer);
			has -= step;
			over -= step;
		} else {
			skip += step;
		}
		bit_free(fewer);
		if (skip >= has) {
			skip = 0;
			step /= 2;
		}
	}
	return !over;
}

/* RET cores with which it starts on these nodes, owned; NULL: there are none. */
static bitstr_t *find_cores(struct look *look, const struct rspb_nodeset *nodes)
{
	bitstr_t *cores = bit_alloc(bit_size(look->taken));
	bool good = true, asks, spares;

	look->asked = 0;
	look->now = starts_as_now(look, nodes);
	asks = look->now || is_choosy(look);
	RSPB_NODESET_EACH (n, nodes)
		good &= is_within_cap(look, n) && free_cores(look, n, NULL) >= cores_on(look, n);
	for (enum order order = LOWEST; good && order < ORDERS; order++) {
		if (order == BESIDE && !rspb_job_binds(look->job))
			continue;
		bit_clear_all(cores);
		RSPB_NODESET_EACH (n, nodes)
			add_cores(look, n, order, cores);
		if (!asks || suits(look, nodes, cores))
			return cores;
	}
	/* None suits: begin with all free cores, and take out what the job can spare. */
	if (good) {
		bit_clear_all(cores);
		RSPB_NODESET_EACH (n, nodes)
			free_cores(look, n, cores);
		good = suits(look, nodes, cores);
	}
	/* At its start Slurm gets all free cores, too, and the job does not mind which it has. */
	spares = good && look->now && !names_cores(look->job);
	RSPB_NODESET_EACH (n, nodes)
		good = good && shrink_node(look, nodes, n, cores);
	if (!good && spares) {
		good = true;
		bit_clear_all(cores);
		RSPB_NODESET_EACH (n, nodes)
			add_cores(look, n, LOWEST, cores);
	}
	if (good)
		return cores;
	bit_free(cores);
	return NULL;
}

/* Whether it may be had on these nodes, for which no cores were found, though none are free
 * throughout: those that it has may change while it waits. */
static bool does_anyway(const struct look *look, const struct rspb_nodeset *nodes)
{
	bool good = !is_choosy(look) && !look->now;

	RSPB_NODESET_EACH (n, nodes)
		good = good && is_within_cap(look, n);
	return good;
}

static bool is_on(struct look *look, const struct rspb_nodeset *nodes)
{
	bitstr_t *cores = find_cores(look, nodes);
	bool good = cores || does_anyway(look, nodes);

	FREE_NULL_BITMAP(cores);
	return good;
}

/* Take the nodes out on which it cannot be, whatever the others are. */
static void keep_possible(const struct look *look, struct rspb_nodeset *among)
{
	bool choosy = is_choosy(look);

	RSPB_NODESET_EACH (n, among)
		if (!is_within_cap(look, n) ||
		    (choosy && free_cores(look, n, NULL) < cores_on(look, n)))
			rspb_nodeset_remove(among, n);
}

/* RET false: fewer nodes are left than the job needs, or Slurm picks none of them. A choosy job
 * is asked about without the cores that others have then. */
static bool pick_once(struct look *look, const struct rspb_pick *pick, struct rspb_nodeset *out)
{
	int64_t start;

	if (rspb_nodeset_count(pick->among) < pick->least)
		return false;
	return is_choosy(look) ? rspb_job_pick_without(look->view, pick, look->taken, &start, out)
			       : rspb_job_pick(look->view, pick, out);
}

/* Whether Slurm would start a choosy job on these nodes if they were idle. A device that is taken
 * now may hide that it would use another socket then. A job that counts as one task is not asked
 * about, as Slurm may refuse it all cores of a node and accept fewer. */
static bool is_ever(const struct look *look, const struct rspb_nodeset *nodes)
{
	return !is_choosy(look) || rspb_job_one_task(look->job) ||
	       rspb_job_takes_all(look->view, nodes) > 0;
}

/* Pick nodes that have such a layout together. Nodes that have none together are left out of the
 * next try. */
static bool pick_laid(const struct rspb_job *view, const struct rspb_pick *pick,
		      const struct rspb_layout *layout, struct rspb_nodeset *out)
{
	struct rspb_nodeset *among = rspb_nodeset_clone(pick->among);
	struct rspb_nodeset *picked = rspb_nodeset_create(pick->among->width);
	struct rspb_pick own = *pick;
	struct look look;
	bool found = false, more = among && picked;

	/* The cores that others have are found once, for all nodes that may be picked. */
	look_init(&look, view, pick->among, layout);
	if (more)
		keep_possible(&look, among);
	own.among = among;
	for (int i = 0; more && !found && i < PICKS_MOST; i++) {
		more = pick_once(&look, &own, picked);
		found = more && is_on(&look, picked) && is_ever(&look, picked);
		if (!found && more)
			rspb_nodeset_minus(among, picked);
	}
	if (found)
		rspb_nodeset_copy(out, picked);
	look_fini(&look);
	rspb_nodeset_destroy(among);
	rspb_nodeset_destroy(picked);
	return found;
}

bool rspb_layout_pick(const struct rspb_job *view, const struct rspb_pick *pick,
		      const struct rspb_layout *layout, struct rspb_nodeset *out)
{
	return layout ? pick_laid(view, pick, layout, out) : rspb_job_pick(view, pick, out);
}

/* A listener to what a job is given. */
struct listener {
	rspb_layout_given_fn fn;
	void *arg;
};

static int tell_given(const job_record_t *job, const bitstr_t *nodes, void *arg)
{
	const struct listener *to = arg;
	struct rspb_job view = { .handle = (job_record_t *) job };
	int rc = 0;

	for (uint32_t n = 0; !rc && n < (uint32_t) node_record_count; n++) {
		struct rspb_quotas has = { .n = 0 };
		uint32_t cores;

		if (!bit_test((bitstr_t *) nodes, n))
			continue;
		cores = rspb_cores_used(&view, n, &has);
		rspb_devices_given(job, n, &has);
		rc = has.short_of_memory ? -1 : to->fn(n, cores, &has, to->arg);
		free(has.items);
	}
	return rc;
}

bool rspb_layout_give(const struct rspb_job *view, const struct rspb_nodeset *among,
		      const struct rspb_layout *layout, rspb_layout_given_fn fn, void *arg)
{
	const struct rspb_job_bounds may = rspb_job_bounds(view);
	uint32_t most = rspb_job_most_nodes(view, may.most);
	struct rspb_pick pick = { .among = among,
				  .least = view->nodes_min,
				  .most = view->nodes_max };
	struct listener to = { fn, arg };
	struct look look;
	bool found;

	if (pick.least < may.least)
		pick.least = may.least;
	if (pick.least < 1)
		pick.least = 1;
	if (!pick.most || pick.most > most)
		pick.most = most;
	/* Slurm gives a range as many nodes as there are, unless it is to use few. */
	pick.asked = view->nodes_max && !view->fewest ? pick.most : pick.least;
	if (pick.least > pick.most)
		return false;
	look_init(&look, view, among, layout);
	found = rspb_job_give(view, &pick, look.taken, tell_given, &to);
	look_fini(&look);
	return found;
}

/* RET -1 with err: it names MaxCPUsPerNode if that is passed on one of the nodes, else the
 * cores. */
static int refuse(const struct look *look, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	char *names = bitmap2node_name(look->nodes);
	bool capped = false;

	RSPB_NODESET_EACH (n, nodes)
		capped |= !is_within_cap(look, n);
	if (capped)
		rspb_fail(err,
			  "partition %s allows %u CPUs of a node, and too many of them are in "
			  "use on %.200s then",
			  look->job->part_ptr->name, look->job->part_ptr->max_cpus_per_node,
			  names ? names : "these nodes");
	else
		rspb_fail(err,
			  "Slurm would not start the job on %.200s: the cores that are free "
			  "there then do not suit its sockets or generic resources",
			  names ? names : "these nodes");
	xfree(names);
	return -1;
}

int rspb_layout_keep(const struct rspb_job *view, const struct rspb_nodeset *nodes,
		     const struct rspb_layout *layout, const char *reservation,
		     struct rspb_err *err)
{
	slurmctld_resv_t *resv = reservation ? rspb_resv_named(reservation) : NULL;
	struct look look;
	bitstr_t *cores;
	int rc = 0;

	look_init(&look, view, nodes, layout);
	cores = find_cores(&look, nodes);
	if (!cores && !does_anyway(&look, nodes))
		rc = refuse(&look, nodes, err);
	look_fini(&look);
	/* A booking whose start is far off has no reservation yet (ReserveAhead). The layout was
	 * only looked for, and is not kept. */
	if (cores && resv && resv->node_bitmap && resv->core_bitmap &&
	    !(resv->ctld_flags & RESV_CTLD_FULL_NODE) && !bit_equal(cores, resv->core_bitmap)) {
		rspb_release_resv_cores(resv, cores);
		rspb_ctld_touched(RSPB_CHANGED_RESVS);
		cores = NULL;
	}
	FREE_NULL_BITMAP(cores);
	return rc;
}
