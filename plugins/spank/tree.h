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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"

/* --- files.c --- */

/*
 * Small files, read and written whole: those of the kernel's control groups
 * and our own state. All functions: RET 0 (or what they say), or -1 with a
 * sentence that names the file and the reason.
 */

enum { RSPB_PATH = 512 };

/* Put together a path. -1 when it does not fit into RSPB_PATH. */
int rspb_path(char path[RSPB_PATH], struct rspb_err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Up to size - 1 bytes, ended by '\0'. RET their number. */
int rspb_file_read(const char *path, char *buf, size_t size, struct rspb_err *err);
/* Into an existing file, in one write(), as the kernel's files want it. */
int rspb_file_put(const char *path, struct rspb_err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A new file (mode 0600) in place of an old one: readers see one or the
 * other, also when the disk fills up half way. */
int rspb_file_replace(const char *path, const char *text, struct rspb_err *err);
/* A folder, which may exist already. */
int rspb_folder_make(const char *path, unsigned int mode, struct rspb_err *err);
bool rspb_file_exists(const char *path);

/* Call f for each job by whose number something in a folder is named, with
 * `before` before it. */
void rspb_folder_each_job(const char *folder, const char *before,
			  void (*f)(void *arg, uint32_t job), void *arg);

/* --- weight.c --- */

/*
 * From a share to what the kernel is told.
 *
 * A share s of the node and N CPUs that the job may use, period P:
 *
 *	v2	cpu.weight = 1000 s in 1..10000
 *		cpu.max    = max(1000, c N P) P, or max P without a ceiling c
 *	v1	cpu.shares = 10240 s in 2..262144, quota alike, or -1
 *
 * The kernel's defaults (v2: 100, v1: 1024) so stand for a tenth of the node.
 * The whole range of v2 would be ten times finer, but then Slurm's own group
 * beside the jobs, at 100, starves and launches take seconds.
 *
 * Source: the kernel's admin-guide/cgroup-v2 (cpu interface files) and
 * scheduler/sched-bwc for ranges; ratios are linear in both.
 */

enum {
	RSPB_PERIOD_MIN_US = 20000,
	RSPB_PERIOD_MAX_US = 100000,
	RSPB_QUOTA_MIN_US = 1000, /* the kernel takes no less */
	RSPB_V1_WHOLE = 10240,
	RSPB_V2_WHOLE = 1000, /* weight of a node */
	RSPB_V1_SHARES_TOP = 262144,
	RSPB_V2_WEIGHT_TOP = 10000
};

/* share in 1/10000 of the node, rounded to the nearest weight. */
int64_t rspb_weight_v2(int64_t share);
int64_t rspb_weight_v1(int64_t share);

/* Microseconds of CPU time a period, -1 without a ceiling (0). */
int64_t rspb_quota_us(int64_t ceiling, int64_t n_cpus, int64_t period_us);

/* The reverse: the share that a weight stands for (whole: 1000 or 10240), and
 * the ceiling that a quota is. */
int64_t rspb_weight_share(int64_t weight, int64_t whole);
int64_t rspb_quota_ceiling(int64_t quota_us, int64_t n_cpus, int64_t period_us);

/* RET the share with which a job without a granted one competes: its part of the node's cores, at
 * least 1/10000, the whole if nothing is known. */
int64_t rspb_share_of_cores(int64_t cores, int64_t node_cores);

/* RET the weight of a job without a granted share beside granted ones: its own share, or less of
 * it, in proportion, when all such jobs together (`others`) would weigh more than the granted
 * shares leave of the node. */
int64_t rspb_share_beside(int64_t own, int64_t granted, int64_t others);

/* How many numbers a kernel list such as "0-3,8,10-11" has; -1 when it is
 * none. "" has 0. */
int64_t rspb_list_count(const char *text);

/* --- tree.c --- */

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
