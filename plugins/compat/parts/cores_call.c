/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the cores and devices that the nodes of a question have left. It knows no booking. */
#include "plugins/compat/parts/cores_call.h"

#include <stdlib.h>
#include <time.h>

#include "common/wire/flags.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_pick.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/placed.h"
#include "plugins/compat/parts/spared.h"
#include "plugins/compat/release/job_test.h"
#include "plugins/compat/resv.h"
#include "plugins/compat/resv_internal.h"

bool rspb_cores_call_beside(const struct rspb_select_call *call)
{
	const job_record_t *job = call->job;

	/* A job with the whole node would take the cores of the parts as well, or keep their
	 * jobs from starting. */
	return !(job->details && job->details->whole_node) &&
	       !(job->part_ptr &&
		 (!job->part_ptr->max_share || job->part_ptr->flags & PART_FLAG_EXCLUSIVE_USER));
}

void rspb_cores_call_takes(const struct rspb_select_call *call, struct rspb_quotas *out)
{
	struct rspb_job job;

	rspb_job_view(call->job, &job);
	rspb_cores_takes(&job, out);
}

/* Reservations of others are counted if they begin within this time after the start that is
 * asked about. Later ones are not looked at, also not for longer jobs. */
enum { LASTS_S = 86400 };

/* While jobs are looked at that have nodes. */
struct look {
	const job_record_t *job; /* it is asked about */
	uint32_t cpus;		 /* that it takes of one node, at most */
	const struct rspb_parts *parts;
	int64_t start;
	bitstr_t *nodes; /* parts->nodes */
	bitstr_t *ours;	 /* cores that jobs of bookings have */
	bitstr_t *laid;	 /* that such jobs are to start with */
	/* Cores that count against MaxCPUsPerNode, if that is set: of its partition's
	 * bookings that are to start, and of its jobs that last. */
	bitstr_t *laid_alike, *alike;
	bitstr_t *soon, *long_used; /* others: given back before it matters */
	int64_t **used;		    /* of each room of the parts: by those that last */
};

/* Count what is in use on a node, in each room that the parts keep something of. */
static void note_used(const struct look *look, const struct rspb_quotas *has, uint32_t n)
{
	for (size_t i = 0; i < has->n; i++)
		for (size_t r = 0; r < look->parts->n; r++)
			if (look->parts->rooms[r].key == has->items[i].key)
				look->used[r][n] += has->items[i].per_node;
}

/* Count what a job uses beyond what its reservation has of the node. The holdings of the
 * reservation are counted by note_devices(), and must not be counted twice. */
static void note_rest(const struct look *look, job_record_t *job, uint32_t n)
{
	struct rspb_quotas has = { .n = 0 }, kept = { .n = 0 };
	struct rspb_job view = { .handle = job };

	rspb_cores_used(&view, n, &has);
	if (job->resv_name && job->resv_ptr)
		rspb_devices_reserved(job->resv_ptr, n, &kept);
	rspb_quotas_less(&has, &kept);
	note_used(look, &has, n);
	free(has.items);
	free(kept.items);
}

/* RET the seconds that a job may last beyond its limit (OverTimeLimit, KillWait). If
 * OverTimeLimit is UNLIMITED, no end is relied on. */
static int64_t overtime(void)
{
	return slurm_conf.over_time_limit == INFINITE16
		       ? INT32_MAX
		       : slurm_conf.over_time_limit * INT64_C(60) + slurm_conf.kill_wait;
}

/* Whether a reservation of others is a booking: what it has is counted already. */
static bool booked(const slurmctld_resv_t *resv)
{
	return resv->burst_buffer && rspb_tag_answered(resv->burst_buffer);
}

/* Sort the cores of a job by their meaning for the parts: cores of bookings, cores that are free
 * again before they matter, and cores that are in use then. */
static void note_job(struct look *look, job_record_t *job)
{
	const job_resources_t *has = job->job_resrcs;
	bool ours = rspb_resv_ours(job->resv_name) ||
		    (job->resv_name && job->resv_ptr && booked(job->resv_ptr));
	uint32_t place = 0;

	for (int64_t n = bit_ffs(has->node_bitmap);
	     n >= 0 && n < bit_size(has->node_bitmap) && place < has->nhosts; n++) {
		int64_t matters;

		if (!bit_test(has->node_bitmap, n))
			continue;
		if (!bit_test(look->nodes, n)) {
			place++;
			continue;
		}
		/* A core has to be free again when the next part begins on its node. */
		matters = look->parts->next[n] > look->start ? look->parts->next[n] : look->start;
		if (look->alike && job->part_ptr == look->job->part_ptr &&
		    job->end_time + overtime() > matters)
			rspb_placed_note(job, place, (uint32_t) n, look->alike);
		if (ours) {
			rspb_placed_note(job, place, (uint32_t) n, look->ours);
		} else if (job->end_time + overtime() <= matters) {
			rspb_placed_note(job, place, (uint32_t) n, look->soon);
		} else {
			rspb_placed_note(job, place, (uint32_t) n, look->long_used);
			note_rest(look, job, (uint32_t) n);
		}
		place++;
	}
}

/* Whether a job has cores on some of these nodes, also while it is completing. */
static bool placed(job_record_t *job, const bitstr_t *nodes)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) || IS_JOB_COMPLETING(job)) &&
	       job->job_resrcs && job->job_resrcs->node_bitmap && job->job_resrcs->core_bitmap &&
	       bit_overlap_any(job->job_resrcs->node_bitmap, (bitstr_t *) nodes);
}

static int note_placed(const struct rspb_job *view, void *arg)
{
	struct look *look = arg;

	if (placed(view->handle, look->nodes))
		note_job(look, view->handle);
	return 0;
}

/* Whether the job may take any device of a kind of which parts have some there, perhaps just
 * those. */
static bool may_take(const struct look *look, uint32_t n)
{
	const char *kind = rspb_devices_vague(look->job, n);
	uint64_t key = kind ? rspb_room_key(kind) : 0;

	for (size_t r = 0; kind && r < look->parts->n; r++)
		if (look->parts->rooms[r].key == key)
			return look->parts->rooms[r].left[n] < rspb_room_at(key, n);
	return false;
}

/* Whether it would leave bookings of its partition too little of MaxCPUsPerNode. */
static bool exceeds_cap(const struct look *look, uint32_t n)
{
	int64_t threads = rspb_placed_threads(rspb_placed_node(n)), laid;

	if (!look->alike)
		return false;
	/* Only bookings of this partition whose cores are known (their reservation exists)
	 * count. */
	laid = rspb_placed_count(look->laid_alike, n);
	return laid && (laid + rspb_placed_count(look->alike, n)) * threads + look->cpus >
			       look->job->part_ptr->max_cpus_per_node;
}

/* Whether a node has too little for the job beside the parts: devices, memory, or CPUs below
 * MaxCPUsPerNode. */
static bool lacks(const struct look *look, const struct rspb_quotas *takes, uint32_t n)
{
	if (may_take(look, n) || exceeds_cap(look, n))
		return true;
	for (size_t r = 0; r < look->parts->n; r++)
		if (look->used[r][n] + rspb_quotas_of(takes, look->parts->rooms[r].key) >
		    look->parts->rooms[r].left[n])
			return true;
	return false;
}

/* Cores of a node: those with which bookings that have not begun are to start, then, where
 * that is not known of some, what will be free anyway, and what is. */
static void keep(const struct look *look, uint32_t n, bitstr_t *out)
{
	int64_t first = cr_get_coremap_offset((int) n);
	int64_t end = cr_get_coremap_offset((int) n + 1);
	int64_t want = look->parts->cores[n];

	/* The running jobs of bookings, and the known layouts, are a part of the cores to be
	 * kept. */
	for (int64_t c = first; c < end; c++) {
		bool laid = bit_test(look->laid, c) && !bit_test(look->long_used, c);

		if (laid)
			bit_set(out, c);
		want -= laid || bit_test(look->ours, c) ? 1 : 0;
	}
	/* Cores that are given back in time come first: they are in use now, so that the job
	 * loses nothing by leaving them. */
	for (int pass = 0; pass < 2; pass++)
		for (int64_t c = first; c < end && want > 0; c++) {
			bool soon = bit_test(look->soon, c);

			if (bit_test(look->ours, c) || bit_test(look->long_used, c) ||
			    bit_test(out, c) || soon != !pass)
				continue;
			bit_set(out, c);
			want--;
		}
}

/* Whether a reservation overlaps [start, end). */
static bool during(const slurmctld_resv_t *resv, int64_t start, int64_t end)
{
	return resv->start_time < end && resv->end_time > start;
}

/* Add the cores with which bookings of ours start that have these nodes at some time within
 * [start, end), but for one; those of a partition also to `alike` (NULL: to nothing). A job
 * has its own once it runs. */
static void note_laid(const bitstr_t *nodes, int64_t start, int64_t end,
		      const slurmctld_resv_t *except, bitstr_t *into, const part_record_t *of,
		      bitstr_t *alike)
{
	list_itr_t *iter = list_iterator_create(resv_list);
	slurmctld_resv_t *resv;

	while ((resv = list_next(iter))) {
		const job_record_t *job = rspb_placed_waits(resv);

		if (!job || resv == except || !during(resv, start, end) ||
		    !bit_overlap_any(resv->node_bitmap, (bitstr_t *) nodes) ||
		    bit_size(resv->core_bitmap) != bit_size(into))
			continue;
		bit_or(into, resv->core_bitmap);
		if (alike && job->part_ptr == of)
			bit_or(alike, resv->core_bitmap);
	}
	list_iterator_destroy(iter);
}

/* Cores that others have reserved of nodes, at some time within [start, end); where one
 * is reserved it is nobody else's. counted: those of bookings (NULL: as the others);
 * except: not of this one. */
static void note_reserved(const bitstr_t *nodes, int64_t start, int64_t end,
			  const slurmctld_resv_t *except, bitstr_t *counted, bitstr_t *into)
{
	list_itr_t *iter;
	slurmctld_resv_t *resv;

	/* Few sites reserve cores. The walk over all reservations is saved at the others. */
	if (!rspb_cores_reserved_any())
		return;
	iter = list_iterator_create(resv_list);
	while ((resv = list_next(iter)))
		if (resv->core_bitmap && resv->node_bitmap &&
		    !(resv->ctld_flags & RESV_CTLD_FULL_NODE) && during(resv, start, end) &&
		    resv != except && !rspb_resv_ours(resv->name) &&
		    bit_overlap_any(resv->node_bitmap, (bitstr_t *) nodes) &&
		    bit_size(resv->core_bitmap) == bit_size(into))
			bit_or(counted && booked(resv) ? counted : into, resv->core_bitmap);
	list_iterator_destroy(iter);
}

/* Count the generic resources that reservations of others have of the nodes. Bookings are left
 * out, because the parts already contain them. */
static void note_devices(const struct look *look)
{
	list_itr_t *iter;
	slurmctld_resv_t *resv;

	if (!rspb_cores_reserved_any())
		return;
	iter = list_iterator_create(resv_list);
	while ((resv = list_next(iter))) {
		if (!during(resv, look->start, look->start + LASTS_S) || booked(resv))
			continue;
		RSPB_NODESET_EACH (n, look->parts->nodes) {
			struct rspb_quotas has = { .n = 0 };

			rspb_devices_reserved(resv, n, &has);
			note_used(look, &has, n);
			free(has.items);
		}
	}
	list_iterator_destroy(iter);
}

static void look_fini(struct look *look)
{
	FREE_NULL_BITMAP(look->nodes);
	FREE_NULL_BITMAP(look->ours);
	FREE_NULL_BITMAP(look->laid);
	FREE_NULL_BITMAP(look->laid_alike);
	FREE_NULL_BITMAP(look->alike);
	FREE_NULL_BITMAP(look->soon);
	FREE_NULL_BITMAP(look->long_used);
	for (size_t r = 0; r < look->parts->n; r++)
		xfree(look->used[r]);
	xfree(look->used);
}

/* The numbers are compared, as the cores that nobody has may be others at another time. */
void rspb_cores_call_untold(const bitstr_t *kept, const bitstr_t *told,
			    const struct rspb_nodeset *among, struct rspb_nodeset *out)
{
	RSPB_NODESET_EACH (n, among)
		if (kept && rspb_placed_count(kept, n) > (told ? rspb_placed_count(told, n) : 0))
			rspb_nodeset_add(out, n);
}

bitstr_t *rspb_cores_call_keep(const struct rspb_select_call *call, rspb_job_placed_fn each,
			       const struct rspb_parts *parts, const struct rspb_quotas *takes,
			       int64_t start, int64_t end, struct rspb_nodeset *full)
{
	int64_t all = cr_get_coremap_offset(node_record_count);
	struct rspb_job view;
	struct look look = {
		.job = call->job,
		.parts = parts,
		.start = start,
		.nodes = rspb_bits_make(parts->nodes),
		.ours = bit_alloc(all),
		.laid = bit_alloc(all),
		.soon = bit_alloc(all),
		.long_used = bit_alloc(all),
	};
	bitstr_t *out = bit_alloc(all);

	/* MaxCPUsPerNode counts the jobs of one partition, so that their cores are told apart
	 * only if it is set. */
	if (call->job->part_ptr && call->job->part_ptr->max_cpus_per_node != INFINITE) {
		rspb_job_view(call->job, &view);
		look.cpus = rspb_cores_cpus(&view);
		look.alike = bit_alloc(all);
		look.laid_alike = bit_alloc(all);
	}
	look.used = xcalloc(parts->n + 1, sizeof(*look.used));
	for (size_t r = 0; r < parts->n; r++)
		look.used[r] = xcalloc(parts->nodes->width + 1, sizeof(**look.used));
	/* The work is one walk over the jobs that have nodes, and up to three over the
	 * reservations. */
	each(note_placed, &look);
	note_laid(look.nodes, start, end, NULL, look.laid, call->job->part_ptr, look.laid_alike);
	note_reserved(look.nodes, start, start + LASTS_S, NULL, look.ours, look.long_used);
	note_devices(&look);
	RSPB_NODESET_EACH (n, parts->nodes) {
		if (lacks(&look, takes, n))
			rspb_nodeset_add(full, n);
		else
			keep(&look, n, out);
	}
	look_fini(&look);
	return out;
}

struct beside {
	const slurmctld_resv_t *resv;
	const part_record_t *part; /* whose jobs count as MaxCPUsPerNode does; NULL: all jobs */
	bitstr_t *used;
};

static int note_beside(const struct rspb_job *view, void *arg)
{
	const struct beside *beside = arg;
	job_record_t *job = view->handle;
	uint32_t place = 0;

	if (!placed(job, beside->resv->node_bitmap))
		return 0;
	if (beside->part && (job->part_ptr != beside->part || IS_JOB_COMPLETING(job)))
		return 0;
	for (int n = 0; n < node_record_count; n++)
		if (bit_test(job->job_resrcs->node_bitmap, n))
			rspb_placed_note(job, place++, (uint32_t) n, beside->used);
	return 0;
}

/* RET the cores that jobs have where a reservation of cores is, and other reservations; laid:
 * also those with which bookings are to start there. */
static bitstr_t *used_beside(const slurmctld_resv_t *resv, rspb_job_placed_fn each, bool laid)
{
	struct beside beside = {
		.resv = resv,
		.used = bit_alloc(cr_get_coremap_offset(node_record_count)),
	};
	int64_t now = time(NULL);

	each(note_beside, &beside);
	note_reserved(resv->node_bitmap, now, resv->end_time, resv, NULL, beside.used);
	if (laid)
		note_laid(resv->node_bitmap, now, resv->end_time, resv, beside.used, NULL, NULL);
	return beside.used;
}

/* Leave as many of each node's free cores as a reservation of cores has there. RET all other cores,
 * which are to be avoided. */
static bitstr_t *others(const slurmctld_resv_t *resv, rspb_job_placed_fn each, bool laid)
{
	bitstr_t *out = bit_alloc(cr_get_coremap_offset(node_record_count));
	bitstr_t *used = used_beside(resv, each, laid);

	for (int n = 0; n < node_record_count; n++) {
		int64_t first = cr_get_coremap_offset(n);
		int64_t end = cr_get_coremap_offset(n + 1);
		int64_t want = rspb_placed_count(resv->core_bitmap, (uint32_t) n);

		for (int64_t c = first; c < end; c++)
			if (bit_test(used, c) || want-- <= 0)
				bit_set(out, c);
	}
	bit_free(used);
	return out;
}

/* Whether the answer takes no more cores of any node than the reservation has there. */
static bool keeps_to(const job_resources_t *has, const slurmctld_resv_t *resv)
{
	uint32_t place = 0;

	for (int n = 0; n < node_record_count; n++) {
		bitstr_t *own;
		int taken;

		if (!bit_test(has->node_bitmap, n))
			continue;
		own = copy_job_resources_node((job_resources_t *) has, place++);
		taken = own ? bit_set_count(own) : 0;
		FREE_NULL_BITMAP(own);
		if (taken > rspb_placed_count(resv->core_bitmap, (uint32_t) n))
			return false;
	}
	return true;
}

/* The start of a booking's job in its reservation of cores. */
struct start {
	const struct rspb_select_ops *stock;
	const struct rspb_select_call *call;
	const slurmctld_resv_t *resv;
	rspb_job_placed_fn each;
	bitstr_t *offered; /* nodes */
	bool all;	   /* it has to be on all nodes of its booking */
};

/* Ask without these cores of all nodes, whose memory goes over. The devices that the booking does
 * not have are marked until the question has been answered. */
static int ask_without(const struct start *start, bitstr_t *cores)
{
	bitstr_t *own_cores = bit_copy(cores);
	const struct rspb_spared_start at = {
		.nodes = start->resv->node_bitmap,
		.cores = own_cores,
		.odd = start->resv->burst_buffer,
	};
	struct rspb_select_call own = *start->call;
	int rc = ESLURM_NODES_BUSY;
	bool lacks, more = true;

	if (start->all)
		own.min_nodes = own.req_nodes = start->resv->node_cnt;
	bit_not(own_cores);
	own.exclusion = rspb_release_exclude(own.exclusion, cores);
	for (int order = 0; more && order < RSPB_SPARED_ORDERS; order++) {
		struct rspb_spared *spared = rspb_spared_mark(start->call->job, &at, order, &lacks);

		/* A question that was refused has changed the set: each begins with the nodes that
		 * Slurm offered. */
		bit_copybits(own.nodes, start->offered);
		rc = rspb_select_ask(start->stock, &own);
		more = spared && rc != SLURM_SUCCESS;
		rspb_spared_unmark(spared);
	}
	rspb_release_exclusion_free(own.exclusion);
	bit_free(own_cores);
	return rc;
}

/* The cores that it was promised, and no others: of all of its nodes, though Slurm might do with
 * fewer of them, else of those that Slurm wants. */
static int ask_promised(struct start *start)
{
	uint32_t count = start->resv->node_cnt;
	int rc = ESLURM_NODES_BUSY;

	start->all = count > start->call->min_nodes && count <= start->call->max_nodes;
	for (bool more = true; more && rc != SLURM_SUCCESS; start->all = false) {
		bitstr_t *cores = bit_copy(start->resv->core_bitmap);

		more = start->all;
		bit_not(cores);
		rc = ask_without(start, cores);
	}
	return rc;
}

/* Ask for another layout: as many cores of each node, but of all that are free there, for
 * jobs to which it matters in which sockets these lie. */
static int ask_any_free(const struct start *start, bool laid)
{
	job_record_t *job = start->call->job;
	int rc = ask_without(start, used_beside(start->resv, start->each, laid));

	if (rc != SLURM_SUCCESS || !job->job_resrcs || keeps_to(job->job_resrcs, start->resv))
		return rc;
	/* Slurm took more cores of a node than were booked there. */
	free_job_resources(&job->job_resrcs);
	return ESLURM_NODES_BUSY;
}

/* Ask for what Slurm gives a job that is alone on its node, but for devices of other bookings. */
static int ask_alone(const struct start *start)
{
	const struct rspb_spared_start at = {
		.nodes = start->resv->node_bitmap,
		.cores = start->resv->core_bitmap,
		.odd = start->resv->burst_buffer,
	};
	struct rspb_spared *spared;
	bool lacks;
	int rc;

	spared = rspb_spared_mark(start->call->job, &at, RSPB_SPARED_NEAR, &lacks);
	bit_copybits(start->call->nodes, start->offered);
	rc = rspb_select_ask_wide(start->stock, start->call);
	rspb_spared_unmark(spared);
	return rc;
}

/* Ask for other cores, but for those with which other bookings are to start, where there are
 * enough; a job alone on its node gets what Slurm gives it. */
static int ask_others(const struct start *start)
{
	bool alone = start->resv->node_cnt < 2 && !rspb_cores_reserved_any();
	int rc = ESLURM_NODES_BUSY;

	for (int laid = 1; laid >= 0 && rc != SLURM_SUCCESS; laid--) {
		if (!laid && alone)
			return ask_alone(start);
		rc = ask_without(start, others(start->resv, start->each, laid));
		if (rc != SLURM_SUCCESS)
			rc = ask_any_free(start, laid);
	}
	return rc;
}

/* The beginning of the record that select/cons_tres keeps of each partition, the same in all
 * releases (part_data.h in Slurm's source). */
struct part_rows {
	struct part_rows *next;
	uint16_t rows; /* jobs that may have a core at a time */
	part_record_t *part;
};

static int is_part(void *part, void *other)
{
	return part == other;
}

/* Let the partitions with several rows of jobs count as the one of this job. Slurm does not start
 * a job with cores of its own beside jobs of other such partitions, which may share theirs; but a
 * booking's cores are nobody else's. RET what each of them was before, which the caller gives to
 * disown(), and in *others whether that is a change; NULL: the list is not as expected, and nothing
 * is changed. */
static part_record_t **adopt(struct part_rows *rows, const job_record_t *job, bool *others)
{
	int n = list_count(part_list), i = 0;
	part_record_t **had = xcalloc((size_t) n + 1, sizeof(*had));

	for (struct part_rows *at = rows; at; at = at->next) {
		if (i == n || !list_find_first(part_list, is_part, at->part)) {
			xfree(had);
			return NULL;
		}
		had[i++] = at->part;
	}
	for (struct part_rows *at = rows; at; at = at->next)
		if (at->rows > 1 && at->part != job->part_ptr) {
			at->part = job->part_ptr;
			*others = true;
		}
	return had;
}

static void disown(struct part_rows *rows, part_record_t **had)
{
	int i = 0;

	for (struct part_rows *at = rows; had && at; at = at->next)
		at->part = had[i++];
	xfree(had);
}

/* Whether the answer takes more CPUs of a node than MaxCPUsPerNode leaves beside the other jobs of
 * its partition. */
static bool exceeds(const struct start *start, uint32_t cap)
{
	const job_record_t *job = start->call->job;
	const job_resources_t *has = job->job_resrcs;
	struct beside alike = {
		.resv = start->resv,
		.part = job->part_ptr,
		.used = bit_alloc(cr_get_coremap_offset(node_record_count)),
	};
	uint32_t place = 0;
	bool more = false;

	start->each(note_beside, &alike);
	for (uint32_t n = 0; n < (uint32_t) node_record_count; n++) {
		if (!bit_test(has->node_bitmap, n))
			continue;
		rspb_placed_note(job, place++, n, alike.used);
		more |= rspb_placed_count(alike.used, n) *
				rspb_placed_threads(rspb_placed_node(n)) >
			cap;
	}
	bit_free(alike.used);
	return more;
}

static int ask_all_ways(struct start *start)
{
	int rc = ask_promised(start);

	return rc == SLURM_SUCCESS ? rc : ask_others(start);
}

/* Put another partition in place of one. */
static void exchange(struct part_rows *rows, job_record_t *job, part_record_t *from,
		     part_record_t *to)
{
	for (struct part_rows *at = rows; at; at = at->next)
		if (at->part == from)
			at->part = to;
	job->part_ptr = to;
}

/* Ask again after a refusal beside adopted partitions. Slurm counts their jobs against
 * MaxCPUsPerNode, too. The question is asked in a copy of the partition without that, because
 * other threads may read the partition, and the answer is compared with it. */
static int ask_uncapped(struct start *start, struct part_rows *rows)
{
	job_record_t *job = start->call->job;
	part_record_t *own = job->part_ptr, copy = *own;
	uint32_t cap = own->max_cpus_per_node;
	int rc;

	copy.max_cpus_per_node = INFINITE;
	exchange(rows, job, own, &copy);
	rc = ask_all_ways(start);
	exchange(rows, job, &copy, own);
	if (rc != SLURM_SUCCESS || !job->job_resrcs || !exceeds(start, cap))
		return rc;
	free_job_resources(&job->job_resrcs);
	return ESLURM_NODES_BUSY;
}

int rspb_select_ask_part(const struct rspb_select_ops *stock, const struct rspb_select_call *call,
			 rspb_job_placed_fn each, void *const *list)
{
	struct start start = { stock, call, call->job->resv_ptr, each, NULL, false };
	struct part_rows *rows = list ? *list : NULL;
	const struct rspb_standing standing = rspb_standing_of(call->job);
	uint32_t tasks = call->job->details->num_tasks;
	bool others = false;
	part_record_t **had;
	int rc;

	/* A job with a share of time has all cores of its nodes. Only cores of a job's own are
	 * chosen here. */
	if (!start.resv || !start.resv->core_bitmap || !rspb_placed_own(call->job))
		return rspb_select_ask_wide(stock, call);
	start.offered = bit_copy(call->nodes);
	had = adopt(rows, call->job, &others);
	if (start.resv->node_cnt == 1 && rspb_job_one_task(call->job))
		call->job->details->num_tasks = 1;
	rc = ask_all_ways(&start);
	if (rc != SLURM_SUCCESS && others && call->job->part_ptr->max_cpus_per_node != INFINITE)
		rc = ask_uncapped(&start, rows);
	call->job->details->num_tasks = tasks;
	rspb_standing_put(call->job, &standing);
	disown(rows, had);
	bit_free(start.offered);
	return rc;
}

/* Cores [first, end) of a node: `want` of those that nobody uses, then of its own. */
static void settle(const slurmctld_resv_t *resv, const bitstr_t *used, int64_t first, int64_t end,
		   bitstr_t *out)
{
	int64_t want = bit_set_count_range(resv->core_bitmap, (int) first, (int) end);

	for (int pass = 0; pass < 2; pass++)
		for (int64_t c = first; c < end && want > 0; c++)
			if (!bit_test(out, c) && (pass ? bit_test(resv->core_bitmap, c)
						       : !bit_test((bitstr_t *) used, c))) {
				bit_set(out, c);
				want--;
			}
}

static void settle_cores(const char *name, rspb_job_placed_fn each)
{
	slurmctld_resv_t *resv = rspb_resv_named(name);
	bitstr_t *used, *cores;

	if (!resv || !resv->node_bitmap || !resv->core_bitmap ||
	    resv->ctld_flags & RESV_CTLD_FULL_NODE)
		return;
	/* Jobs that have started since it was booked may be on its cores. */
	used = used_beside(resv, each, false);
	cores = bit_alloc(cr_get_coremap_offset(node_record_count));
	for (int n = 0; n < node_record_count; n++)
		if (bit_test(resv->node_bitmap, n))
			settle(resv, used, cr_get_coremap_offset(n), cr_get_coremap_offset(n + 1),
			       cores);
	bit_free(used);
	rspb_release_resv_cores(resv, cores);
	rspb_ctld_touched(RSPB_CHANGED_RESVS);
	rspb_resv_edited();
}

void rspb_resv_begins(const char *cores, rspb_job_placed_fn each)
{
	if (cores)
		settle_cores(cores, each);
	queue_job_scheduler();
}
