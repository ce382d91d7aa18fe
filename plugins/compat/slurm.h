/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own headers, with what differs between releases (release/) made one.
 *
 * Data of slurmctld is declared weak: clients load the select plugin too, and
 * a missing function is harmless until it is called, a missing datum is not.
 * rspb_abi_in_slurmctld() tells where one is. A function whose address is taken
 * counts as a datum.
 */
#ifndef RSPB_PLUGINS_COMPAT_SLURM_H
#define RSPB_PLUGINS_COMPAT_SLURM_H

#include "plugins/compat/release/headers.h"
#include "plugins/compat/release/jobs.h"
#include "plugins/compat/release/resv.h"

#pragma weak acct_db_conn
#pragma weak assoc_mgr_assoc_list
#pragma weak assoc_mgr_qos_list
#pragma weak assoc_mgr_tres_name_array
#pragma weak assoc_mgr_user_list
#pragma weak avail_node_bitmap
#pragma weak cg_node_bitmap
#pragma weak default_part_loc
#pragma weak gres_find_id
#pragma weak idle_node_bitmap
#pragma weak ignore_state_errors
#pragma weak job_list
#pragma weak last_job_update
#pragma weak last_node_update
#pragma weak last_part_update
#pragma weak last_resv_update
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak resv_list
#pragma weak share_node_bitmap
#pragma weak slurm_conf
#pragma weak slurmctld_config
#pragma weak slurmctld_diag_stats
#pragma weak slurmctld_primary
#pragma weak slurmctld_tres_cnt
#pragma weak up_node_bitmap

/* RET whether there is a node: not a place for one, nor one that is to come
 * (State=FUTURE). */
static inline bool rspb_record_there(const node_record_t *node)
{
	return node && node->name && *node->name && !IS_NODE_FUTURE(node);
}

/* RET the node of a number, NULL: there is none. At least the read lock. */
static inline const node_record_t *rspb_record_at(uint32_t n)
{
	const node_record_t *node = NULL;

	if (node_record_count > 0 && n < (uint32_t) node_record_count)
		node = node_record_table_ptr[n];
	return rspb_record_there(node) ? node : NULL;
}

/* RET whether Slurm has not heard of a node since it began, or lately, which is
 * no wonder while it sleeps or wakes up. */
static inline bool rspb_record_silent(const node_record_t *node)
{
	return !IS_NODE_POWERING_UP(node) && !IS_NODE_POWERED_DOWN(node) &&
	       (IS_NODE_UNKNOWN(node) || IS_NODE_NO_RESPOND(node));
}

#endif
