/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A node's side of CPU shares, from what the controller grants to the epilog.
 * It is free of Slurm, so that it can be tried with folders of any kind. Slurm's callbacks are
 * in plugins/spank/plugin.c.
 *
 * Every function: RET 0, or -1 with a sentence for the log. None of them may
 * be a reason to fail a job or a node.
 */
#ifndef RSPB_PLUGINS_SPANK_NODE_H
#define RSPB_PLUGINS_SPANK_NODE_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/wire/share_lines.h"
#include "plugins/spank/files.h"
#include "plugins/spank/state.h"
#include "plugins/spank/tree.h"

enum { RSPB_NODE_NAME = 256, RSPB_USE_TEXT = 256 };
/* The result of a grant to a job of which nothing runs here: it is kept for the first step. */
enum { RSPB_NODE_LATER = 1 };

struct rspb_node {
	char name[RSPB_NODE_NAME];
	char dir[RSPB_PATH];	/* of all state */
	char parent[RSPB_PATH]; /* v1: folder of all jobs' folders */
	struct rspb_tree tree;
};

/* The facts that slurmstepd knows of a job when a step begins. */
struct rspb_job_step {
	uint32_t job;
	int64_t cores, node_cores; /* allocated, and there are; 0: unknown */
	int64_t n_cpus;		   /* which the step may use */
	const char *groups;	   /* /proc/self/cgroup */
};

/* dir: where state is kept; several clusters on one host have different ones.
 * mounts, base: as for rspb_tree_find(). */
int rspb_node_init(struct rspb_node *node, const char *name, const char *dir, const char *mounts,
		   const char *base, struct rspb_err *err);

/* Begin of a step, before its tasks: make the share of its job hold. Where that
 * can't be had, it is an error only for a job that was granted one. */
int rspb_node_step(const struct rspb_node *node, const struct rspb_job_step *step,
		   struct rspb_err *err);
/* End of a step: remember what its job has used so far, as Slurm removes the
 * group with the last one. */
int rspb_node_step_end(const struct rspb_node *node, uint32_t job, struct rspb_err *err);
/* In the task itself, still as root: v1 moves it in, v2 has nothing to do. */
int rspb_node_task(const struct rspb_node *node, uint32_t job, struct rspb_err *err);
/* Take what the controller granted a job, before its first step or while it runs. It is obeyed if
 * its generation is higher than the one in force. The same one again is no error (and holds again);
 * another text under it, or an older one, is refused. RET also RSPB_NODE_LATER. */
int rspb_node_grant(const struct rspb_node *node, const struct rspb_share_env *grant,
		    struct rspb_err *err);
/* A whole message from a process of user `peer` (plugins/spank/message.h):
 * check it, and obey. RET also RSPB_NODE_LATER. */
int rspb_node_take(const struct rspb_node *node, uid_t user, uid_t peer, const void *data,
		   size_t len, struct rspb_err *err);
/* Epilog: put what the job was granted and used into text ("granted=..." or
 * "ordinary=...", "" when nothing is known), end what still runs, remove what is left. */
int rspb_node_epilog(const struct rspb_node *node, uint32_t job, char text[RSPB_USE_TEXT],
		     struct rspb_err *err);
/* Start of slurmd: make every remembered share hold again, remove empty
 * groups nobody remembers. Never ends a process: what is unknown may still be
 * somebody's job. */
int rspb_node_sweep(const struct rspb_node *node, struct rspb_err *err);

#endif
