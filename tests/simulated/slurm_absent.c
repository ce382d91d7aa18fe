/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for plugins/compat: what the simulated cluster does not have (parts of
 * nodes, shares, limits of accounts, arrays, other authentication
 * than MUNGE). Each function gives the answer of a cluster without it. doc/testing.md
 * lists what is not modelled.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/colocate.h"
#include "plugins/compat/limit/billed.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/limit/room.h"
#include "plugins/compat/load/auth.h"
#include "plugins/compat/node.h"
#include "plugins/compat/node_kind.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/cores_call.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/layout.h"
#include "plugins/compat/parts/needs.h"
#include "plugins/compat/submit/submission.h"
#include "plugins/compat/submit/tasks.h"
#include "tests/simulated/world.h"

/* --- parts of nodes: the partition gives each job its nodes whole */
void rspb_cores_lent(struct rspb_nodeset *out)
{
	(void) out;
}

bool rspb_cores_asks(const struct rspb_job *job, uint32_t nodes)
{
	(void) job;
	(void) nodes;
	return false;
}

bool rspb_cores_counted(const struct rspb_job *job)
{
	(void) job;
	return false;
}

const char *rspb_cores_why(const struct rspb_job *job)
{
	(void) job;
	return NULL;
}

bool rspb_cores_shares(const struct rspb_job *job)
{
	(void) job;
	return false;
}

bool rspb_cores_said(const struct rspb_job *job)
{
	(void) job;
	return false;
}

uint32_t rspb_cores_tasks(const struct rspb_job *job, uint32_t nodes)
{
	(void) job;
	(void) nodes;
	return 0;
}

uint32_t rspb_cores_needs(const struct rspb_job *job, uint32_t nodes, uint32_t node)
{
	(void) job;
	(void) nodes;
	return rspb_node_cores(node);
}

void rspb_cores_besides(const struct rspb_job *job, uint32_t nodes, uint64_t cpus,
			struct rspb_quotas *quotas)
{
	(void) job;
	(void) nodes;
	(void) cpus;
	(void) quotas;
}

bool rspb_cores_apart(const struct rspb_job *job)
{
	(void) job;
	return false;
}

uint32_t rspb_cores_used(const struct rspb_job *job, uint32_t node, struct rspb_quotas *quotas)
{
	(void) job;
	(void) quotas;
	return rspb_node_cores(node);
}

uint32_t rspb_cores_reserved(const struct rspb_resv *resv, uint32_t node,
			     struct rspb_quotas *quotas)
{
	(void) resv;
	(void) node;
	(void) quotas;
	return 0;
}

void rspb_cores_resv(const char *name, uint32_t cores, const uint32_t *first)
{
	(void) cores;
	(void) first;
	sim_fault("reservation %s is made one of cores, and no node is lent in parts", name);
}

bool rspb_layout_pick(const struct rspb_job *job, const struct rspb_pick *pick,
		      const struct rspb_layout *layout, struct rspb_nodeset *out)
{
	(void) layout;
	(void) out;
	sim_fault("job %u is given a layout of %u nodes, and none is lent in parts", job->id,
		  pick->least);
	return false;
}

int rspb_layout_keep(const struct rspb_job *job, const struct rspb_nodeset *nodes,
		     const struct rspb_layout *layout, const char *reservation,
		     struct rspb_err *err)
{
	(void) nodes;
	(void) layout;
	(void) reservation;
	(void) err;
	sim_fault("job %u is given a layout, and no node is lent in parts", job->id);
	return 0;
}

void rspb_cores_resv_begins(const char *name, rspb_job_placed_fn each)
{
	(void) name;
	(void) each;
}

bool rspb_node_kind_of(uint32_t node, struct rspb_node_kind *out)
{
	if (node >= rspb_node_width())
		return false;
	*out = (struct rspb_node_kind){ .cores = rspb_node_cpus(node), .features = "", .gres = "" };
	return true;
}

void rspb_node_devices(uint32_t node, char *text, size_t size)
{
	(void) node;
	snprintf(text, size, "%s", "");
}

void rspb_nodes_devices(const struct rspb_nodeset *nodes, char *text, size_t size)
{
	(void) nodes;
	snprintf(text, size, "%s", "");
}

void rspb_devices_kept(int64_t memory, const char *text, struct rspb_quotas *quotas)
{
	(void) memory;
	(void) text;
	(void) quotas;
}

int rspb_needs_of(uint32_t id, struct rspb_needs *out, struct rspb_err *err)
{
	const struct sim_job *job = sim_job_find(id);

	if (!job || job->phase != RSPB_JOB_PENDING)
		return rspb_fail(err, "job %u does not wait", id);
	*out = (struct rspb_needs){ .cpus = job->nodes_min };
	return 0;
}

int rspb_needs_change(struct rspb_needs *needs, uint32_t nodes, const struct rspb_draft_spec *said,
		      struct rspb_err *err)
{
	(void) needs;
	(void) nodes;
	(void) said;
	(void) err;
	return 0;
}

int rspb_needs_set(uint32_t id, const struct rspb_needs *needs, struct rspb_err *err)
{
	(void) id;
	(void) needs;
	(void) err;
	return 0;
}

void rspb_needs_print(const struct rspb_needs *needs, char text[RSPB_NEEDS_TEXT])
{
	(void) needs;
	text[0] = '\0';
}

bool rspb_needs_parse(const char *text, struct rspb_needs *out)
{
	(void) text;
	(void) out;
	return false;
}

/* --- shares beside regular jobs */
bool rspb_colocate_leaves(uint32_t node, uint32_t percent)
{
	(void) node;
	(void) percent;
	return false;
}

bool rspb_colocate_job(const struct rspb_job *job, uint32_t node, uint32_t percent)
{
	(void) job;
	(void) node;
	(void) percent;
	return false;
}

uint64_t rspb_colocate_used(const struct rspb_job *job, uint32_t node)
{
	(void) job;
	return rspb_node_memory(node);
}

uint64_t rspb_colocate_memory(uint32_t node, uint32_t percent)
{
	(void) node;
	(void) percent;
	return 0;
}

void rspb_colocate_resv(const char *name, const uint8_t *dedicated, uint32_t width)
{
	(void) name;
	(void) dedicated;
	(void) width;
}

bool rspb_colocate_spares(const char *name, const struct rspb_job *job)
{
	(void) name;
	(void) job;
	return false;
}

/* --- limits, licenses, what nodes have besides CPUs */
double rspb_billed_nodes(uint32_t job, uint32_t node)
{
	(void) job;
	(void) node;
	return 0;
}

void rspb_job_quotas(const struct rspb_job *job, bool whole, int64_t share,
		     struct rspb_quotas *quotas)
{
	(void) job;
	(void) whole;
	(void) share;
	(void) quotas;
}

void rspb_quotas_used(struct rspb_quotas *quotas)
{
	(void) quotas;
}

int rspb_rooms_read(struct rspb_rooms_read *rooms, uint32_t width)
{
	(void) rooms;
	(void) width;
	return 0;
}

uint32_t rspb_room_least(uint64_t key, const struct rspb_nodeset *nodes)
{
	(void) key;
	(void) nodes;
	return 0;
}

void rspb_job_needs(const struct rspb_job *job, struct rspb_quotas *quotas)
{
	(void) job;
	(void) quotas;
}

/* --- authentication: nothing is signed, as there is no transport (door.c) */
bool rspb_auth_wanted(void)
{
	return false;
}

char *rspb_auth_make(const char *text, size_t len, uint32_t for_uid, struct rspb_err *err)
{
	(void) text;
	(void) len;
	(void) for_uid;
	rspb_fail(err, "no credential is made");
	return NULL;
}

int rspb_auth_open(const char *credential, uint32_t *uid, char **text, size_t *len,
		   struct rspb_err *err)
{
	(void) credential;
	(void) uid;
	(void) text;
	(void) len;
	return rspb_fail(err, "no credential is read");
}

/* --- submissions, but for what a message's request needs; arrays */
void rspb_submission_account(const struct rspb_submission *sub, char *account, size_t size)
{
	snprintf(account, size, "%s", sub->account ? sub->account : "a");
}

int rspb_submission_part(const struct rspb_submission *sub, struct rspb_submission_part *out,
			 struct rspb_err *err)
{
	if (sub->partition && strcmp(sub->partition, "main"))
		return rspb_fail(err, "there is no partition %s", sub->partition);
	*out = (struct rspb_submission_part){
		.name = "main",
		.default_limit = 3600,
		.max_limit = -1,
		.nodes_most = UINT32_MAX,
	};
	return 0;
}

bool rspb_submission_operator(uint32_t user)
{
	return user == 0;
}

int rspb_job_divide(uint32_t id, struct rspb_err *err)
{
	return rspb_fail(err, "job %u is no array", id);
}
