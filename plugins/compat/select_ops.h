/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operations of a select plugin, in the order of Slurm's own table:
 *   X(treatment, return type, symbol, member of Slurm's table, parameters,
 *     arguments)
 * treatment: PASS - the generated function hands the call on;
 *            OURS - written by hand.
 * The table, the names to look up and the functions that pass calls on are all
 * made from this list, and compared with Slurm's table when they are compiled:
 * a wrong forward does not build. Slurm 22.05: 36 operations and plugin_id.
 */
#ifndef RSPB_PLUGINS_COMPAT_SELECT_OPS_H
#define RSPB_PLUGINS_COMPAT_SELECT_OPS_H

#include "plugins/compat/slurm.h"

/* clang-format off */
#define RSPB_SELECT_OPS(X) \
X(PASS, int, select_p_state_save, state_save, \
	(char *dir_name), (dir_name)) \
X(PASS, int, select_p_state_restore, state_restore, \
	(char *dir_name), (dir_name)) \
X(PASS, int, select_p_job_init, job_init, \
	(List jobs), (jobs)) \
X(PASS, int, select_p_node_init, node_init, (void), ()) \
X(OURS, int, select_p_job_test, job_test, \
	(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes, \
	 uint32_t max_nodes, uint32_t req_nodes, uint16_t mode, \
	 List candidates, List *preemptees, bitstr_t *exc_cores), \
	(job, nodes, min_nodes, max_nodes, req_nodes, mode, candidates, \
	 preemptees, exc_cores)) \
X(PASS, int, select_p_job_begin, job_begin, (job_record_t *job), (job)) \
X(PASS, int, select_p_job_ready, job_ready, (job_record_t *job), (job)) \
X(PASS, int, select_p_job_expand, job_expand, \
	(job_record_t *from, job_record_t *to), (from, to)) \
X(PASS, int, select_p_job_resized, job_resized, \
	(job_record_t *job, node_record_t *node), (job, node)) \
X(PASS, int, select_p_job_signal, job_signal, \
	(job_record_t *job, int sig), (job, sig)) \
X(PASS, int, select_p_job_fini, job_fini, (job_record_t *job), (job)) \
X(PASS, int, select_p_job_suspend, job_suspend, \
	(job_record_t *job, bool indefinitely), (job, indefinitely)) \
X(PASS, int, select_p_job_resume, job_resume, \
	(job_record_t *job, bool indefinitely), (job, indefinitely)) \
X(PASS, bitstr_t *, select_p_step_pick_nodes, step_pick_nodes, \
	(job_record_t *job, select_jobinfo_t *jobinfo, uint32_t count, \
	 bitstr_t **available), \
	(job, jobinfo, count, available)) \
X(PASS, int, select_p_step_start, step_start, (step_record_t *step), (step)) \
X(PASS, int, select_p_step_finish, step_finish, \
	(step_record_t *step, bool killing), (step, killing)) \
X(PASS, int, select_p_select_nodeinfo_pack, nodeinfo_pack, \
	(select_nodeinfo_t *info, buf_t *buffer, uint16_t protocol), \
	(info, buffer, protocol)) \
X(PASS, int, select_p_select_nodeinfo_unpack, nodeinfo_unpack, \
	(select_nodeinfo_t **info, buf_t *buffer, uint16_t protocol), \
	(info, buffer, protocol)) \
X(PASS, select_nodeinfo_t *, select_p_select_nodeinfo_alloc, nodeinfo_alloc, \
	(void), ()) \
X(PASS, int, select_p_select_nodeinfo_free, nodeinfo_free, \
	(select_nodeinfo_t *info), (info)) \
X(PASS, int, select_p_select_nodeinfo_set_all, nodeinfo_set_all, (void), ()) \
X(PASS, int, select_p_select_nodeinfo_set, nodeinfo_set, \
	(job_record_t *job), (job)) \
X(PASS, int, select_p_select_nodeinfo_get, nodeinfo_get, \
	(select_nodeinfo_t *info, enum select_nodedata_type type, \
	 enum node_states state, void *data), \
	(info, type, state, data)) \
X(PASS, select_jobinfo_t *, select_p_select_jobinfo_alloc, jobinfo_alloc, \
	(void), ()) \
X(PASS, int, select_p_select_jobinfo_free, jobinfo_free, \
	(select_jobinfo_t *info), (info)) \
X(PASS, int, select_p_select_jobinfo_set, jobinfo_set, \
	(select_jobinfo_t *info, enum select_jobdata_type type, void *data), \
	(info, type, data)) \
X(PASS, int, select_p_select_jobinfo_get, jobinfo_get, \
	(select_jobinfo_t *info, enum select_jobdata_type type, void *data), \
	(info, type, data)) \
X(PASS, select_jobinfo_t *, select_p_select_jobinfo_copy, jobinfo_copy, \
	(select_jobinfo_t *info), (info)) \
X(PASS, int, select_p_select_jobinfo_pack, jobinfo_pack, \
	(select_jobinfo_t *info, buf_t *buffer, uint16_t protocol), \
	(info, buffer, protocol)) \
X(PASS, int, select_p_select_jobinfo_unpack, jobinfo_unpack, \
	(select_jobinfo_t **info, buf_t *buffer, uint16_t protocol), \
	(info, buffer, protocol)) \
X(PASS, char *, select_p_select_jobinfo_sprint, jobinfo_sprint, \
	(select_jobinfo_t *info, char *buf, size_t size, int mode), \
	(info, buf, size, mode)) \
X(PASS, char *, select_p_select_jobinfo_xstrdup, jobinfo_xstrdup, \
	(select_jobinfo_t *info, int mode), (info, mode)) \
X(PASS, int, select_p_get_info_from_plugin, get_info_from_plugin, \
	(enum select_plugindata_info info, job_record_t *job, void *data), \
	(info, job, data)) \
X(PASS, int, select_p_update_node_config, update_node_config, \
	(int index), (index)) \
X(PASS, int, select_p_reconfigure, reconfigure, (void), ()) \
X(OURS, bitstr_t *, select_p_resv_test, resv_test, \
	(resv_desc_msg_t *desc, uint32_t count, bitstr_t *available, \
	 bitstr_t **cores), \
	(desc, count, available, cores))
/* clang-format on */

/* The stock plugin's operations. */
#define RSPB_SELECT_MEMBER(treatment, ret, symbol, member, params, args)       \
	ret(*member) params;
struct rspb_select_ops {
	RSPB_SELECT_OPS(RSPB_SELECT_MEMBER)
};
#undef RSPB_SELECT_MEMBER

/* Names to look up, in the order of the members. */
#define RSPB_SELECT_NAME(treatment, ret, symbol, member, params, args) #symbol,
#define RSPB_SELECT_NAMES                                                      \
	{                                                                      \
		RSPB_SELECT_OPS(RSPB_SELECT_NAME)                              \
	}

/* Type and place of every member against Slurm's table, which begins with the
 * plugin's id. */
/* clang-format off */
#define RSPB_SELECT_CHECK(treatment, ret, symbol, member, params, args) \
	_Static_assert(__builtin_types_compatible_p( \
		__typeof__(((slurm_select_ops_t *) 0)->member), \
		__typeof__(((struct rspb_select_ops *) 0)->member)), \
		#symbol ": other types than Slurm's"); \
	_Static_assert(offsetof(slurm_select_ops_t, member) == \
		       sizeof(uint32_t *) + \
		       offsetof(struct rspb_select_ops, member), \
		       #symbol ": another place than in Slurm's table");
/* clang-format on */
RSPB_SELECT_OPS(RSPB_SELECT_CHECK)
_Static_assert(sizeof(slurm_select_ops_t) ==
		       sizeof(uint32_t *) + sizeof(struct rspb_select_ops),
	       "an operation is missing");

/* The functions that hand calls on to `stock`, a struct rspb_select_ops, and
 * the declarations of those written by hand. */
#define RSPB_SELECT_FORWARD_PASS(ret, symbol, member, params, args)            \
	extern ret symbol params;                                              \
	ret symbol params                                                      \
	{                                                                      \
		return stock.member args;                                      \
	}
#define RSPB_SELECT_FORWARD_OURS(ret, symbol, member, params, args)            \
	extern ret symbol params;
#define RSPB_SELECT_FORWARD(treatment, ret, symbol, member, params, args)      \
	RSPB_SELECT_FORWARD_##treatment(ret, symbol, member, params, args)

#endif
