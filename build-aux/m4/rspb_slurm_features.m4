dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl RSPB_SLURM_FEATURES: what differs between releases of Slurm, found by asking
dnl the compiler. Each row is a macro for plugins/compat/release, what it says,
dnl and lines that only compile where it holds (most are a pointer to a function: an
dnl error where that is another one, or none). Headers that moved are found by
dnl __has_include in release/headers.h.

dnl RSPB_SLURM_FEATURE(MACRO, WHAT, LINES)
AC_DEFUN([RSPB_SLURM_FEATURE], [
	AC_MSG_CHECKING([Slurm: $2])
	AC_COMPILE_IFELSE([AC_LANG_SOURCE([
#include "plugins/compat/release/headers.h"
$3])],
		[AC_MSG_RESULT([yes])
		 SLURM_FEATURES="$SLURM_FEATURES -D$1=1"],
		[AC_MSG_RESULT([no])])
])

AC_DEFUN([RSPB_SLURM_FEATURES], [
	rspb_save_CPPFLAGS=$CPPFLAGS
	rspb_save_CFLAGS=$CFLAGS
	CPPFLAGS="$CPPFLAGS -I$srcdir -I$srcdir/plugins/compat/slurm-config $SLURM_CPPFLAGS"
	CFLAGS=$RSPB_ERRORS
	AC_MSG_CHECKING([that Slurm's internal headers can be used])
	AC_COMPILE_IFELSE([AC_LANG_SOURCE([[#include "plugins/compat/release/headers.h"]])],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([the headers in $with_slurm_src/src do not compile; config.log says why])])
	RSPB_SLURM_FEATURES_JOBS
	RSPB_SLURM_FEATURES_NODES
	RSPB_SLURM_FEATURES_MESSAGES
	CPPFLAGS=$rspb_save_CPPFLAGS
	CFLAGS=$rspb_save_CFLAGS
])

AC_DEFUN([RSPB_SLURM_FEATURES_JOBS], [
	RSPB_SLURM_FEATURE([RSPB_HAVE_JOB_DETAILS_T],
		[job_details_t (23.02)], [[job_details_t *p;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_JOB_STATE_SET],
		[a job's state has setters (23.11)],
		[[void f(job_record_t *j) { job_state_set(j, 0); job_state_set_flag(j, 0); }]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_JOB_RECORD_CREATE],
		[job_record_create() (24.05)],
		[[job_record_t *(*f)(void) = job_record_create;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_MODIFY_MESSAGE],
		[an update may be answered by a text (23.02)],
		[[#include "src/interfaces/job_submit.h"
		int (*f)(job_desc_msg_t *, job_record_t *, uint32_t, char **) = job_submit_g_modify;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_JOB_NODE_SELECT],
		[select_nodes(job_node_select_t *) (24.11)],
		[[int (*f)(job_node_select_t *, bool, bool, uint32_t) = select_nodes;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_RESV_EXC],
		[job_test() is told of exclusions by resv_exc_t (23.11)],
		[[resv_exc_t *p;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_WILL_RUN_DATA],
		[job_test() is told of times by will_run_data_t (24.11)],
		[[will_run_data_t *p;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_EPILOG_RECORD],
		[job_epilog_complete(job_record_t *) (25.11)],
		[[bool (*f)(job_record_t *, char *, uint32_t) = job_epilog_complete;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_REQUEUE_INTERNAL],
		[job_requeue_internal() (25.11)],
		[[int (*f)(uid_t, job_record_t *, bool, uint32_t) = job_requeue_internal;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_DESC_STEP_ID],
		[job_desc_msg_t names its job by a step_id (25.11)],
		[[void f(job_desc_msg_t *d) { d->step_id.job_id = 1; }]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_SUBMIT_LOCK],
		[acct_policy_add_job_submit() may hold its lock (23.11)],
		[[#include "src/slurmctld/acct_policy.h"
		void (*f)(job_record_t *, bool) = acct_policy_add_job_submit;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_ARRAY_LIST_ADD],
		[job_array_split() may leave the list of jobs (24.11)],
		[[job_record_t *(*f)(job_record_t *, bool) = job_array_split;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_FEATURES_OF_RESV],
		[build_feature_list() knows reservations (23.02)],
		[[int (*f)(job_record_t *, bool, bool) = build_feature_list;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_LICENSE_RESTORE],
		[license_job_get() knows restored jobs (23.02)],
		[[#include "src/slurmctld/licenses.h"
		int (*f)(job_record_t *, bool) = license_job_get;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_REASON_CHECK],
		[reasons to wait are of kinds (24.05)],
		[[bool (*f)(enum job_state_reason, uint32_t) = job_state_reason_check;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_LICENSE_LIST],
		[the cluster's licenses are license_list (-22.05)],
		[[#include "src/slurmctld/licenses.h"
		List *p = &license_list;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_LICENSE_DEFICIT],
		[licenses may be taken outside of the cluster (23.02)],
		[[#include "src/slurmctld/licenses.h"
		licenses_t l = { .last_deficit = 0 };]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_LICENSE_HRES],
		[licenses may be bound to nodes (25.05)],
		[[#include "src/slurmctld/licenses.h"
		licenses_t l = { .id.hres_id = 0, .op_or = false };]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_LICENSE_FUZZY],
		[license_validate() finds remote ones without a server (26.05)],
		[[#include "src/slurmctld/licenses.h"
		list_t *(*f)(char *, bool, bool, bool, uint64_t *, bool *, bool *) = license_validate;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_GRES_VALIDATE_T],
		[gres_job_state_validate_t (24.05)],
		[[gres_job_state_validate_t v;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_QOS_SUBMITTER],
		[part_policy_valid_qos() is told who submits (23.11)],
		[[int (*f)(part_record_t *, slurmdb_qos_rec_t *, uid_t, job_record_t *) = part_policy_valid_qos;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_STATE_REASON],
		[job_state_reason_string() (24.05)],
		[[const char *(*f)(enum job_state_reason) = job_state_reason_string;]])
])

AC_DEFUN([RSPB_SLURM_FEATURES_NODES], [
	RSPB_SLURM_FEATURE([RSPB_HAVE_RESV_MESSAGE],
		[create_resv() answers by a text, too (23.02)],
		[[int (*f)(resv_desc_msg_t *, char **) = create_resv;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_INVALID_NAMES],
		[node_name2bitmap() tells unknown names (24.11)],
		[[int (*f)(char *, bool, bitstr_t **, hostlist_t **) = node_name2bitmap;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_TOPOLOGY_OF_NODE],
		[a node tells its place in all topologies (25.11)],
		[[#include "src/interfaces/topology.h"
		char *(*f)(node_record_t *) = topology_g_get_topology_str;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_SEGMENTS],
		[--segment (24.05)], [[job_desc_msg_t d = { .segment_size = 0 };
		job_details_t j = { .segment_size = 0 };]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_SELECT_MEMORY],
		[SELECT_MEMORY for CR_MEMORY (25.11)], [[int i = SELECT_MEMORY;]])
])

AC_DEFUN([RSPB_SLURM_FEATURES_MESSAGES], [
	RSPB_SLURM_FEATURE([RSPB_HAVE_AUTH_DATA],
		[credentials of any AuthType hold a text (23.11)],
		[[#include "src/interfaces/auth.h"
		int (*f)(void *, char **, uint32_t *) = auth_g_get_data;
		void (*g)(void *, uid_t *, gid_t *) = auth_g_get_ids;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_CONN],
		[connections are objects instead of descriptors (25.05)],
		[[#include "src/common/slurm_protocol_api.h"
		void *(*f)(int, slurmdb_cluster_rec_t *) = slurm_open_controller;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_FREE_CONF],
		[slurm_free_conf() (26.05)],
		[[void (*f)(slurm_conf_t *) = slurm_free_conf;]])
	RSPB_SLURM_FEATURE([RSPB_HAVE_FORWARD_INITIALIZER],
		[FORWARD_INITIALIZER (25.05)],
		[[forward_t f(void) { return FORWARD_INITIALIZER; }]])
])
