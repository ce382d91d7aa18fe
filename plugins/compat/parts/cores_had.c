/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cores that jobs and reservations have. What a job asks for is cores.c's. */
#include "plugins/compat/parts/cores.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/placed.h"
#include "plugins/compat/resv_internal.h"
#include "plugins/compat/slurm.h"

/* --- what a job has ----------------------------------------------------------- */

/* Whether a job that has nodes has cores of its own there, not nodes. */
static bool is_apart(const job_record_t *job)
{
	/* NODE_CR_ONE_ROW is how Slurm marks a job that shares no core with another one. */
	return job->job_resrcs && job->job_resrcs->core_bitmap && job->job_resrcs->node_bitmap &&
	       job->job_resrcs->node_req == NODE_CR_ONE_ROW &&
	       !(job->details && job->details->whole_node) &&
	       !(job->part_ptr && job->part_ptr->flags & PART_FLAG_EXCLUSIVE_USER);
}

uint32_t rspb_cores_used(const struct rspb_job *view, uint32_t node, struct rspb_quotas *quotas)
{
	const job_record_t *job = view->handle;
	int place = rspb_placed_in(job, node);
	bitstr_t *own;
	uint32_t cores;

	if (place < 0)
		return 0;
	/* A job that has whole nodes may have no record of its cores. */
	own = is_apart(job) ? rspb_placed_cores(job, node) : NULL;
	cores = own ? (uint32_t) bit_set_count(own) : 0;
	FREE_NULL_BITMAP(own);
	if (job->job_resrcs->memory_allocated && slurm_conf.select_type_param & RSPB_RELEASE_MEMORY)
		rspb_devices_add(quotas, RSPB_ROOM_MEMORY,
				 (int64_t) job->job_resrcs->memory_allocated[place]);
	rspb_devices_had(job, place, node, quotas);
	return cores;
}

/* --- reservations of others ------------------------------------------------------ */

/* Whether a reservation of others has had cores. Once set it stays set: it only saves walks over
 * all reservations at sites that have none. */
static atomic_bool reserved = false;

static uint32_t cores_on(const slurmctld_resv_t *resv, int n)
{
	return (uint32_t) bit_set_count_range(resv->core_bitmap, cr_get_coremap_offset(n),
					      cr_get_coremap_offset(n + 1));
}

uint32_t rspb_cores_reserved(const struct rspb_resv *view, uint32_t n, struct rspb_quotas *quotas)
{
	const slurmctld_resv_t *resv = view->handle;
	uint32_t cores;

	if (!rspb_placed_node(n) || !resv->core_bitmap || resv->ctld_flags & RESV_CTLD_FULL_NODE)
		return 0;
	cores = cores_on(resv, (int) n);
	/* A reservation of all cores counts as one of the whole node. */
	if (cores >= rspb_placed_usable(rspb_placed_node(n)))
		return 0;
	if (!cores)
		return 0;
	atomic_store_explicit(&reserved, true, memory_order_relaxed);
	if (quotas)
		rspb_devices_reserved(resv, n, quotas);
	return cores;
}

bool rspb_cores_reserved_any(void)
{
	return atomic_load_explicit(&reserved, memory_order_relaxed);
}

/* --- reservations -------------------------------------------------------------- */

/* Change the number of CPUs with which a text begins. */
static void put_cpus(char **text, const char *key, uint64_t cpus)
{
	const char *rest = *text ? strchr(*text, ',') : NULL;
	char *now = NULL;

	xstrfmtcat(now, "%s=%" PRIu64 "%s", key, cpus, rest ? rest : "");
	xfree(*text);
	*text = now;
}

/* RET the CPUs that the cores of a reservation are on a node, by the CPUs that are configured. */
static uint64_t cpus_of(const slurmctld_resv_t *resv, int n)
{
	const node_record_t *node = node_record_table_ptr[n];

	return node->tot_cores ? (uint64_t) cores_on(resv, n) * node->cpus / node->tot_cores : 0;
}

/* Correct a reservation that was counted as all CPUs of its nodes: users see that count, and
 * accounting charges its unused part to the owners. */
static void count_cpus(slurmctld_resv_t *resv)
{
	slurmdb_reservation_rec_t posted = {
		.cluster = slurm_conf.cluster_name,
		.flags = resv->flags,
		.id = resv->resv_id,
		.name = resv->name,
		.time_start = resv->start_time,
		.time_start_prev = resv->start_time,
		.time_end = resv->end_time,
	};
	int last = bit_fls(resv->node_bitmap);
	uint64_t cpus = 0;

	for (int n = last < 0 ? 0 : bit_ffs(resv->node_bitmap); n <= last; n++)
		if (bit_test(resv->node_bitmap, n))
			cpus += cpus_of(resv, n);
	put_cpus(&resv->tres_str, "1", cpus);
	put_cpus(&resv->tres_fmt_str, "cpu", cpus);
	posted.tres_str = resv->tres_str;
	acct_storage_g_modify_reservation(acct_db_conn, &posted);
}

void rspb_cores_resv(const char *name, uint32_t usual, const uint32_t *first,
		     const struct rspb_part *part)
{
	slurmctld_resv_t *resv = rspb_resv_named(name);
	bitstr_t *cores;

	if (!resv || !resv->node_bitmap)
		return;
	cores = bit_alloc(cr_get_coremap_offset(node_record_count));
	for (int64_t n = bit_ffs(resv->node_bitmap); n >= 0 && n <= bit_fls(resv->node_bitmap);
	     n++) {
		uint32_t all = bit_test(resv->node_bitmap, n) && rspb_placed_node((uint32_t) n)
				       ? rspb_placed_node((uint32_t) n)->tot_cores
				       : 0;
		uint32_t count = rspb_part_cores_on(part, usual, (uint32_t) n);

		/* After the last core it continues with the first, so that bookings that are
		 * there at the same time begin with different cores. */
		for (uint32_t i = 0; i < count && i < all; i++)
			bit_set(cores, cr_get_coremap_offset((int) n) +
					       ((first ? first[n] : 0) + i) % all);
	}
	if (!rspb_resv_ours(name))
		atomic_store_explicit(&reserved, true, memory_order_relaxed);
	rspb_release_resv_cores(resv, cores);
	count_cpus(resv);
	rspb_ctld_touched(RSPB_CHANGED_RESVS);
}
