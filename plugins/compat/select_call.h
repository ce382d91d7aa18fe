/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wraps Slurm's question to the select plugin: on which of these nodes can the job run? Its
 * arguments and the records in it differ between versions; the select plugin sees them through this
 * header only. */
#ifndef RSPB_PLUGINS_COMPAT_SELECT_CALL_H
#define RSPB_PLUGINS_COMPAT_SELECT_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/select_ops.h"

struct rspb_select_call {
	job_record_t *job;
	bitstr_t *nodes; /* in: may be used; out on success: chosen */
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t mode;
	list_t *candidates;		   /* jobs that may be preempted */
	list_t **preemptees;		   /* out: those that must be */
	rspb_release_exclusion *exclusion; /* what it must not have */
	rspb_release_times *times;
};

/* The plugin's entry point, which hands the question to answer(&call). */
/* clang-format off */
#define RSPB_SELECT_JOB_TEST(answer) \
int select_p_job_test RSPB_RELEASE_JOB_TEST_PARAMS \
{ \
	struct rspb_select_call call = { \
		.job = job, .nodes = nodes, .min_nodes = min_nodes, \
		.max_nodes = max_nodes, .req_nodes = req_nodes, .mode = mode, \
		.candidates = candidates, .preemptees = preemptees, \
		.exclusion = exclusion RSPB_RELEASE_TIMES(.times = times) \
	}; \
	return answer(&call); \
}

/* `loses(record)` is told before the stock plugin is. */
#define RSPB_SELECT_JOB_FINI(loses, stock) \
int select_p_job_fini(job_record_t *job) \
{ \
	loses(job); \
	return stock.job_fini(job); \
}

/* `lost(record)` is told behind the stock plugin of a running job that lost a node. */
#define RSPB_SELECT_JOB_RESIZED(lost, stock) \
int select_p_job_resized(job_record_t *job, node_record_t *node) \
{ \
	int rc = stock.job_resized(job, node); \
\
	lost(job); \
	return rc; \
}
/* clang-format on */

/* Ask the stock plugin. RET SLURM_SUCCESS or what it says. */
int rspb_select_ask(const struct rspb_select_ops *stock, const struct rspb_select_call *call);
/* The same, with no core excluded. */
int rspb_select_ask_wide(const struct rspb_select_ops *stock, const struct rspb_select_call *call);
/*
 * The same, limited to `nodes`, without preemption and only for a start now.
 * On success the answer is in the call as usual; otherwise nothing is changed
 * but the call's bitmap and what every refused question changes in a job.
 */
int rspb_select_ask_now(const struct rspb_select_ops *stock, const struct rspb_select_call *call,
			const struct rspb_nodeset *nodes);

/* The kind of question: whether the job may start now, or when it could. Neither: only whether it
 * could ever start. */
bool rspb_select_call_run_now(const struct rspb_select_call *call);
bool rspb_select_call_will_run(const struct rspb_select_call *call);
/* Only a start now counts, though the question is when. */
bool rspb_select_call_now_only(const struct rspb_select_call *call);
/* Whether it is the backfill scheduler's thread that asks. */
bool rspb_select_call_backfill(void);
/* How far ahead that one plans, seconds (bf_window of SchedulerParameters). */
int64_t rspb_select_call_window(void);
/* Whether where the job goes is free to choose: it wants no certain switches
 * and, in the answer given, preempts nobody. */
bool rspb_select_call_free(const struct rspb_select_call *call);

/* Whether some cores are excluded, and which; NULL: none. */
bitstr_t *rspb_select_call_cores(const struct rspb_select_call *call);

/* RET what Slurm ranked a node by when it chose last: its weight, whether it must boot, and the
 * cores beside its GPUs. */
uint64_t rspb_select_call_rank(uint32_t node);
/* How wide the call's bitmap of nodes is. */
uint32_t rspb_select_call_width(const struct rspb_select_call *call);
/* Nodes into and out of the call's bitmap. take: out = the bitmap. */
void rspb_select_call_take(const struct rspb_select_call *call, struct rspb_nodeset *out);
void rspb_select_call_put(const struct rspb_select_call *call, const struct rspb_nodeset *nodes);
/* Add the nodes the job insists on to out. */
void rspb_select_call_required(const struct rspb_select_call *call, struct rspb_nodeset *out);

/* The job's id, or that of the first component of a heterogeneous job. */
uint32_t rspb_select_call_leader(const struct rspb_select_call *call);
/* Name of the reservation the job runs in, NULL: none. */
const char *rspb_select_call_reservation(const struct rspb_select_call *call);
/* The text field of that reservation, NULL: none; whether it has nodes. */
const char *rspb_select_call_tag(const struct rspb_select_call *call, bool *nodes);
/* Whether that reservation is one for maintenance. */
bool rspb_select_call_maintenance(const struct rspb_select_call *call);

/*
 * Seconds for which the job may hold its nodes: its time limit, and what Slurm
 * allows beyond it before the nodes are free again (OverTimeLimit, the interval
 * at which it looks, KillWait). -1: no limit.
 */
int64_t rspb_select_call_seconds(const struct rspb_select_call *call);
/* When it may begin from now on. */
int64_t rspb_select_call_begin(const struct rspb_select_call *call, int64_t now);
/* Its time limit alone, s; -1: none. And how important it is to Slurm. */
int64_t rspb_select_call_limit(const struct rspb_select_call *call);
uint32_t rspb_select_call_priority(const struct rspb_select_call *call);
/* Add what the job wants of licenses. */
void rspb_select_call_licenses(const struct rspb_select_call *call, struct rspb_quotas *out);
/* The start that an answer to "when" holds. */
int64_t rspb_select_call_start(const struct rspb_select_call *call);
void rspb_select_call_set_start(const struct rspb_select_call *call, int64_t start);

struct rspb_select_resv {
	const char *name;   /* "": not known, or Slurm is to find one */
	int64_t start, end; /* its first window; end INT64_MAX: for ever */
	int64_t period;	    /* seconds after which it returns at the least; 0: never */
};

/* The plugin's answer: it takes nodes out of `available`. */
typedef void (*rspb_select_resv_fn)(const struct rspb_select_resv *resv,
				    struct rspb_nodeset *available);

/* Whether a question about a job is one about a reservation; fills out. */
bool rspb_select_resv_asked(const struct rspb_select_call *call, struct rspb_select_resv *out);

/* The plugin's entry point for the older way, where there is one, which lets
 * prepare() have its way before the stock plugin is asked. */
#ifdef RSPB_SLURM_SELECT_resv_test
void rspb_select_resv_prepare(const resv_desc_msg_t *desc, bitstr_t *available,
			      rspb_select_resv_fn prepare);
/* clang-format off */
#define RSPB_SELECT_RESV_TEST(prepare, stock) \
bitstr_t *select_p_resv_test(resv_desc_msg_t *desc, uint32_t count, \
			     bitstr_t *available, bitstr_t **cores) \
{ \
	rspb_select_resv_prepare(desc, available, prepare); \
	return (stock).resv_test(desc, count, available, cores); \
}
/* clang-format on */
#else
#define RSPB_SELECT_RESV_TEST(prepare, stock)
#endif

#endif
