/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control groups of the cpu controller: which hierarchy, which folder
 * belongs to a job, what is written there, how it is cleared away.
 *
 * v2: Slurm has a folder per job, in which every process of it is; its path is
 * not to be built but read, from /proc/self/cgroup of slurmstepd, and cut
 * before "/step_". v1: Slurm leaves the cpu controller alone, so there is a
 * hierarchy of our own, CPU/rspb_NODE/job_N, and tasks move themselves in.
 */
#ifndef RSPB_PLUGINS_SPANK_TREE_H
#define RSPB_PLUGINS_SPANK_TREE_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "plugins/spank/files.h"

struct rspb_tree {
	int version;	      /* of cgroups: 1 or 2 */
	bool with_cpuacct;    /* v1: one hierarchy with cpuacct */
	char root[RSPB_PATH]; /* where the hierarchy is mounted */
	char acct[RSPB_PATH]; /* v1: where cpuacct is, when by itself */
};

/* The rule for a job. */
struct rspb_cpu_rule {
	int64_t share;	 /* 1/10000 of the node */
	int64_t ceiling; /* likewise, 0: none */
	int64_t n_cpus;	 /* which the job may use */
	int64_t period_us;
};

/* The limits that the kernel enforces on a job, read back: 1/10000 of the node; 0: the kernel has
 * none. */
struct rspb_cpu_force {
	int64_t share, ceiling;
};

/* The use of a job, from cpu.stat; -1: the kernel does not say. */
struct rspb_cpu_use {
	int64_t usage_us, periods, throttled, throttled_us;
};

/* Read a table of mounts (/proc/self/mounts). v1 counts where the cpu
 * controller is there. Of several mounts the one that Slurm uses counts, below
 * base (cgroup.conf's CgroupMountpoint), else the first. RET 0, or -1 with err. */
int rspb_tree_find(struct rspb_tree *tree, const char *mounts, const char *base,
		   struct rspb_err *err);

/* v2: the folder of the job that the process with this table of groups
 * (/proc/PID/cgroup) belongs to. */
int rspb_tree_own_job(const struct rspb_tree *tree, const char *groups, char path[RSPB_PATH],
		      struct rspb_err *err);
/* v1: the folder for a job, made when it is missing, and its parent with it,
 * which gets the most weight beside everything that is not a job. */
int rspb_tree_make_job(const struct rspb_tree *tree, const char *parent, uint32_t job,
		       char path[RSPB_PATH], struct rspb_err *err);

/* v2: check that the folder above all jobs of a node, Slurm's own scope, has
 * weight enough beside everything that is not a job. RET 0 (also when there is
 * none yet, and on v1, where it is ours), or -1 with what to do. */
int rspb_tree_check_scope(const struct rspb_tree *tree, const char *node, struct rspb_err *err);

/* Make the rule hold in a job's folder. Idempotent. */
int rspb_tree_apply(const struct rspb_tree *tree, const char *path,
		    const struct rspb_cpu_rule *rule, struct rspb_err *err);
/* v1: move the calling thread in, the only one of its process. */
int rspb_tree_enter_v1(const char *path, struct rspb_err *err);
/* Read what is in force in a job's folder, for a job that may use n_cpus. RET 0, or -1 with err. */
int rspb_tree_force(const struct rspb_tree *tree, const char *path, int64_t n_cpus,
		    struct rspb_cpu_force *force, struct rspb_err *err);
int rspb_tree_use(const struct rspb_tree *tree, const char *path, struct rspb_cpu_use *use,
		  struct rspb_err *err);

/* v1: let the calling task, whose table of groups this is, be counted with the
 * job that has this folder; RET what was counted, -1: nothing; and remove what
 * that took. v2 does all this by itself. */
void rspb_tree_count(const struct rspb_tree *tree, const char *path, const char *groups);
void rspb_tree_count_end(const struct rspb_tree *tree, const char *path);

/* End what still runs in a job's folder, and remove the folder with all below
 * it. No folder: nothing to do. At most two seconds. */
int rspb_tree_clear(const struct rspb_tree *tree, const char *path, struct rspb_err *err);
/* Remove a folder only when nothing is in it. RET whether it went. */
bool rspb_tree_prune(const char *path);

#endif
