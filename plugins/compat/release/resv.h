/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hides the differences between releases of Slurm in reservations and nodes. */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_RESV_H
#define RSPB_PLUGINS_COMPAT_RELEASE_RESV_H

#include "plugins/compat/release/headers.h"

/* RET Slurm's code. From 23.02 on there is a text beside it, for users. */
static inline int rspb_release_resv_create(resv_desc_msg_t *desc)
{
#ifdef RSPB_HAVE_RESV_MESSAGE
	char *text = NULL;
	int rc = create_resv(desc, &text);

	xfree(text);
	return rc;
#else
	return create_resv(desc);
#endif
}

static inline int rspb_release_resv_update(resv_desc_msg_t *desc)
{
#ifdef RSPB_HAVE_RESV_MESSAGE
	char *text = NULL;
	int rc = update_resv(desc, &text);

	xfree(text);
	return rc;
#else
	return update_resv(desc);
#endif
}

/* The flag that Slurm's scheduler sets, from 24.05 on, where a job in a reservation could not
 * start; it is no change by a user. */
#ifdef RESERVE_FLAG_SCHED_FAILED
#define RSPB_RELEASE_SCHED_FAILED RESERVE_FLAG_SCHED_FAILED
#else
#define RSPB_RELEASE_SCHED_FAILED 0
#endif

/* Before a reservation is deleted: 25.05 has put its accounting away when it
 * ends its plugins, and would die of calling it. It tells accounting nothing of
 * one that floats. */
static inline void rspb_release_resv_leaves(slurmctld_resv_t *resv)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0) &&                                         \
	SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	if (slurmctld_config.shutdown_time)
		resv->flags |= RESERVE_FLAG_TIME_FLOAT;
#else
	(void) resv;
#endif
}

/* Nodes by their names. RET Slurm's code: not all of them exist. */
static inline int rspb_release_nodes(char *names, bitstr_t **out)
{
#ifdef RSPB_HAVE_INVALID_NAMES
	return node_name2bitmap(names, false, out, NULL);
#else
	return node_name2bitmap(names, false, out);
#endif
}

/*
 * The same cores numbered by the reservation's nodes alone, as Slurm saves
 * them: it makes these when it saves, up to 23.02; from 23.11 on they have to
 * be there, and without them slurmctld dies when it next counts processors. RET
 * NULL: Slurm makes them. The caller frees them.
 */
static inline job_resources_t *rspb_release_resv_saved(const slurmctld_resv_t *resv,
						       bitstr_t *cores)
{
#ifdef RSPB_HAVE_RESV_EXC
	job_resources_t *own = create_job_resources();
	int64_t offset, end;
	uint32_t place = 0;

	own->nodes = xstrdup(resv->node_list);
	own->node_bitmap = bit_copy(resv->node_bitmap);
	own->nhosts = (uint32_t) bit_set_count(own->node_bitmap);
	if (build_job_resources(own) != SLURM_SUCCESS)
		own->nhosts = 0;
	own->cpus = xcalloc(own->nhosts + 1, sizeof(*own->cpus));
	for (int n = 0; n < node_record_count && place < own->nhosts; n++) {
		if (!bit_test(own->node_bitmap, n))
			continue;
		end = cr_get_coremap_offset(n + 1);
		/* unsigned, both of them */
		offset = (int64_t) get_job_resources_offset(own, place, 0, 0) -
			 (int64_t) cr_get_coremap_offset(n);
		for (int64_t c = cr_get_coremap_offset(n); c < end; c++) {
			if (!bit_test(cores, c))
				continue;
			bit_set(own->core_bitmap, offset + c);
			own->cpus[place] += node_record_table_ptr[n]->threads;
		}
		own->ncpus += own->cpus[place++];
	}
	return own;
#else
	(void) resv;
	(void) cores;
	return NULL;
#endif
}

/* Make a reservation one of these cores, of all nodes', whose memory goes over
 * to it. */
static inline void rspb_release_resv_cores(slurmctld_resv_t *resv, bitstr_t *cores)
{
	FREE_NULL_BITMAP(resv->core_bitmap);
	free_job_resources(&resv->core_resrcs);
	resv->core_bitmap = cores;
	resv->core_resrcs = rspb_release_resv_saved(resv, cores);
	resv->core_cnt = bit_set_count(cores);
	resv->ctld_flags &= ~RESV_CTLD_FULL_NODE;
}

/* RET the generic resources of a reservation, as for a job but numbered by all nodes; NULL: none,
 * as always up to 23.02. */
static inline list_t *rspb_release_resv_gres(const slurmctld_resv_t *resv)
{
#ifdef RSPB_HAVE_RESV_EXC
	return resv->gres_list_alloc;
#else
	(void) resv;
	return NULL;
#endif
}

/* Flags of a reservation that returns. */
#ifdef RESERVE_REOCCURING
#define RSPB_RELEASE_RECURS RESERVE_REOCCURING
#else
#define RSPB_RELEASE_RECURS RESERVE_REOCCURRING
#endif

/* The flags of SelectTypeParameters: memory is counted; one task a core; jobs have cores, not
 * sockets; CPUs are counted, not cores; the parts of GPUs that a job has may lie on several
 * GPUs. */
#ifdef RSPB_HAVE_SELECT_MEMORY
#define RSPB_RELEASE_SPREAD_SHARING    SELECT_MULTIPLE_SHARING_GRES_PJ
#define RSPB_RELEASE_MEMORY	       SELECT_MEMORY
#define RSPB_RELEASE_LEAST_LOADED      SELECT_LLN
#define RSPB_RELEASE_ONE_TASK_PER_CORE SELECT_ONE_TASK_PER_CORE
#define RSPB_RELEASE_CORES	       (SELECT_CORE | SELECT_CPU)
#define RSPB_RELEASE_CPUS	       SELECT_CPU
#else
#ifdef MULTIPLE_SHARING_GRES_PJ
#define RSPB_RELEASE_SPREAD_SHARING MULTIPLE_SHARING_GRES_PJ
#else
#define RSPB_RELEASE_SPREAD_SHARING 0
#endif
#define RSPB_RELEASE_MEMORY	       CR_MEMORY
#define RSPB_RELEASE_LEAST_LOADED      CR_LLN
#define RSPB_RELEASE_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE
#define RSPB_RELEASE_CORES	       (CR_CORE | CR_CPU)
#define RSPB_RELEASE_CPUS	       CR_CPU
#endif

#endif
