/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operations of a select plugin:
 *   X(treatment, return type, symbol, member of Slurm's table, parameters,
 *     arguments)
 * treatment: PASS - the generated function hands the call on;
 *            TELL - likewise, and there is nothing to return;
 *            OURS - written by hand.
 * The table, the names to look up and the functions that pass calls on are all
 * made from these lists, and compared with Slurm's table when they are compiled:
 * a wrong forward does not build. select_table.h says, out of Slurm's source,
 * which operations a release has: 36 in 22.05, 12 in 25.05.
 */
#ifndef RSPB_PLUGINS_COMPAT_SELECT_OPS_H
#define RSPB_PLUGINS_COMPAT_SELECT_OPS_H

#include "plugins/compat/release/job_test.h"
#include "plugins/compat/select_table.h"
#include "plugins/compat/slurm.h"

/* clang-format off */
#ifdef RSPB_SLURM_SELECT_state_save
#define RSPB_SELECT_OPS_STATE(X) \
X(PASS, int, select_p_state_save, state_save, \
	(char *dir_name), (dir_name)) \
X(PASS, int, select_p_state_restore, state_restore, \
	(char *dir_name), (dir_name)) \
X(PASS, int, select_p_job_init, job_init, \
	(list_t *jobs), (jobs))
#else
#define RSPB_SELECT_OPS_STATE(X)
#endif

#ifdef RSPB_SLURM_SELECT_job_signal
#define RSPB_SELECT_OPS_SIGNAL(X) \
X(PASS, int, select_p_job_signal, job_signal, \
	(job_record_t *job, int sig), (job, sig))
#else
#define RSPB_SELECT_OPS_SIGNAL(X)
#endif

#ifdef RSPB_SLURM_SELECT_job_mem_reduce
#define RSPB_SELECT_OPS_REDUCE(X) \
X(TELL, void, select_p_job_mem_reduce, job_mem_reduce, \
	(job_record_t *job), (job))
#else
#define RSPB_SELECT_OPS_REDUCE(X)
#endif

#ifdef RSPB_SLURM_SELECT_step_start
#define RSPB_SELECT_OPS_STEP(X) \
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
	(select_nodeinfo_t *info), (info))
#define RSPB_SELECT_OPS_INFO(X) \
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
	(info, buffer, protocol))
#define RSPB_SELECT_OPS_PLUGIN(X) \
X(PASS, int, select_p_get_info_from_plugin, get_info_from_plugin, \
	(enum select_plugindata_info info, job_record_t *job, void *data), \
	(info, job, data))
#else
#define RSPB_SELECT_OPS_STEP(X)
#define RSPB_SELECT_OPS_INFO(X)
#define RSPB_SELECT_OPS_PLUGIN(X)
#endif

#ifdef RSPB_SLURM_SELECT_jobinfo_sprint
#define RSPB_SELECT_OPS_TEXT(X) \
X(PASS, char *, select_p_select_jobinfo_sprint, jobinfo_sprint, \
	(select_jobinfo_t *info, char *buf, size_t size, int mode), \
	(info, buf, size, mode)) \
X(PASS, char *, select_p_select_jobinfo_xstrdup, jobinfo_xstrdup, \
	(select_jobinfo_t *info, int mode), (info, mode))
#define RSPB_SELECT_OPS_CONFIG(X) \
X(PASS, int, select_p_update_node_config, update_node_config, \
	(int index), (index))
#else
#define RSPB_SELECT_OPS_TEXT(X)
#define RSPB_SELECT_OPS_CONFIG(X)
#endif

#ifdef RSPB_SLURM_SELECT_resv_test
#define RSPB_SELECT_OPS_RESV(X) \
X(OURS, bitstr_t *, select_p_resv_test, resv_test, \
	(resv_desc_msg_t *desc, uint32_t count, bitstr_t *available, \
	 bitstr_t **cores), \
	(desc, count, available, cores))
#else
#define RSPB_SELECT_OPS_RESV(X)
#endif

/* All of them in the order of Slurm's own table. */
#define RSPB_SELECT_OPS(X) \
RSPB_SELECT_OPS_STATE(X) \
X(PASS, int, select_p_node_init, node_init, (void), ()) \
X(OURS, int, select_p_job_test, job_test, \
	RSPB_RELEASE_JOB_TEST_PARAMS, RSPB_RELEASE_JOB_TEST_ARGS) \
X(PASS, int, select_p_job_begin, job_begin, (job_record_t *job), (job)) \
X(PASS, int, select_p_job_ready, job_ready, (job_record_t *job), (job)) \
X(PASS, int, select_p_job_expand, job_expand, \
	(job_record_t *from, job_record_t *to), (from, to)) \
X(OURS, int, select_p_job_resized, job_resized, \
	(job_record_t *job, node_record_t *node), (job, node)) \
RSPB_SELECT_OPS_SIGNAL(X) \
RSPB_SELECT_OPS_REDUCE(X) \
X(OURS, int, select_p_job_fini, job_fini, (job_record_t *job), (job)) \
X(PASS, int, select_p_job_suspend, job_suspend, \
	(job_record_t *job, bool indefinitely), (job, indefinitely)) \
X(PASS, int, select_p_job_resume, job_resume, \
	(job_record_t *job, bool indefinitely), (job, indefinitely)) \
RSPB_SELECT_OPS_STEP(X) \
X(PASS, int, select_p_select_nodeinfo_set_all, nodeinfo_set_all, (void), ()) \
X(PASS, int, select_p_select_nodeinfo_set, nodeinfo_set, \
	(job_record_t *job), (job)) \
RSPB_SELECT_OPS_INFO(X) \
RSPB_SELECT_OPS_TEXT(X) \
RSPB_SELECT_OPS_PLUGIN(X) \
RSPB_SELECT_OPS_CONFIG(X) \
X(PASS, int, select_p_reconfigure, reconfigure, (void), ()) \
RSPB_SELECT_OPS_RESV(X)
/* clang-format on */

/* The stock plugin's operations. */
#define RSPB_SELECT_MEMBER(treatment, ret, symbol, member, params, args) ret(*member) params;
struct rspb_select_ops {
	RSPB_SELECT_OPS(RSPB_SELECT_MEMBER)
};
#undef RSPB_SELECT_MEMBER

/* Names to look up, in the order of the members. */
#define RSPB_SELECT_NAME(treatment, ret, symbol, member, params, args) #symbol,
#define RSPB_SELECT_NAMES                                                                          \
	{                                                                                          \
		RSPB_SELECT_OPS(RSPB_SELECT_NAME)                                                  \
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
_Static_assert(sizeof(slurm_select_ops_t) == sizeof(uint32_t *) + sizeof(struct rspb_select_ops),
	       "an operation is missing");

/* The functions that hand calls on to `stock`, a struct rspb_select_ops, and
 * the declarations of those written by hand. */
#define RSPB_SELECT_FORWARD_PASS(ret, symbol, member, params, args)                                \
	extern ret symbol params;                                                                  \
	ret symbol params                                                                          \
	{                                                                                          \
		return stock.member args;                                                          \
	}
#define RSPB_SELECT_FORWARD_TELL(ret, symbol, member, params, args)                                \
	extern ret symbol params;                                                                  \
	ret symbol params                                                                          \
	{                                                                                          \
		stock.member args;                                                                 \
	}
#define RSPB_SELECT_FORWARD_OURS(ret, symbol, member, params, args) extern ret symbol params;
#define RSPB_SELECT_FORWARD(treatment, ret, symbol, member, params, args)                          \
	RSPB_SELECT_FORWARD_##treatment(ret, symbol, member, params, args)

#endif
