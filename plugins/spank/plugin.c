/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_rspb.so: the flags of sbatch, salloc and srun, and the CPU shares of
 * a job on its nodes. This file only says which context calls what.
 *
 * plugstack.conf names it as `optional`. Every callback returns 0 whatever
 * happened: a SPANK plugin that fails can drain the node, and a wish for
 * a share is no reason to take a node away from everybody.
 */
#include <inttypes.h>
#include <sched.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/compat/controller.h"
#include "plugins/spank/node.h"
#include "plugins/spank/submit.h"
#include "plugins/spank/tree.h"

/* Between Slurm's callbacks and node.c. It returns nothing that could fail a job. */

#define MOUNTS	 "/proc/self/mounts"
#define CGROUPS	 "/sys/fs/cgroup"
#define SIBLINGS "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list"

/* RET 0, or -1 when there is nothing to do: shares are off, or it is logged
 * why they can't be had. */
static int open_node(struct rspb_node *node, const char *name, int ac, char **argv)
{
	struct rspb_spank_settings settings;
	char groups[RSPB_PATH];
	struct rspb_err err;

	/* A wrong word is logged, and all others count. */
	if (rspb_spank_settings_read(&settings, ac, argv, &err))
		slurm_error("rspb: %s", err.text);
	if (!settings.shares)
		return -1;
	if (!rspb_slurmd_cgroups(groups, sizeof(groups)))
		strcpy(groups, CGROUPS);
	if (name && !rspb_node_init(node, name, settings.state, MOUNTS, groups, &err))
		return 0;
	slurm_error("rspb: no CPU shares: %s",
		    name ? err.text : "the name of this node is not known");
	return -1;
}

/* slurmd and slurmstepd set this for themselves; it is not the job's. */
static const char *node_name(void)
{
	return getenv("SLURMD_NODENAME");
}

static int job_of(spank_t sp, uint32_t *job)
{
	if (spank_get_item(sp, S_JOB_ID, job) == ESPANK_SUCCESS && *job)
		return 0;
	slurm_error("rspb: no CPU share: the job's id is not known");
	return -1;
}

static void log_failure(int rc, uint32_t job, const struct rspb_err *err)
{
	if (rc)
		slurm_error("rspb: CPU share of job %" PRIu32 ": %s", job, err->text);
}

/* RET on how many CPUs this process may run: a ceiling is a part of their time. */
static int64_t usable_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return sysconf(_SC_NPROCESSORS_ONLN);
	return CPU_COUNT(&set);
}

/* RET the cores of this host, by the threads of its first core. The kernel counts threads only. */
static int64_t cores_of_node(void)
{
	int64_t threads = 0;
	char text[256];

	if (rspb_file_read(SIBLINGS, text, sizeof(text), NULL) > 0)
		threads = rspb_list_count(text);
	return sysconf(_SC_NPROCESSORS_ONLN) / (threads > 0 ? threads : 1);
}

/* Make the share of a job hold before the first task of a step runs. A failure is only logged:
 * the step runs without a share then. */
static void shares_step(spank_t sp, int ac, char **argv)
{
	struct rspb_job_step step = { .groups = "/proc/self/cgroup" };
	char *cores = NULL;
	struct rspb_node node;
	struct rspb_err err;

	if (job_of(sp, &step.job) || open_node(&node, node_name(), ac, argv))
		return;
	if (spank_get_item(sp, S_JOB_ALLOC_CORES, &cores) == ESPANK_SUCCESS && cores)
		step.cores = rspb_list_count(cores);
	step.node_cores = cores_of_node();
	step.n_cpus = usable_cpus();
	log_failure(rspb_node_step(&node, &step, &err), step.job, &err);
}

/* Call one function of node.c for this job. A failure is only logged. */
static void call(spank_t sp, int ac, char **argv,
		 int (*f)(const struct rspb_node *node, uint32_t job, struct rspb_err *err))
{
	struct rspb_node node;
	struct rspb_err err;
	uint32_t job;

	if (job_of(sp, &job) || open_node(&node, node_name(), ac, argv))
		return;
	log_failure(f(&node, job, &err), job, &err);
}

static void shares_task(spank_t sp, int ac, char **argv)
{
	call(sp, ac, argv, rspb_node_task);
}

static void shares_step_end(spank_t sp, int ac, char **argv)
{
	call(sp, ac, argv, rspb_node_step_end);
}

static void shares_epilog(spank_t sp, int ac, char **argv)
{
	char text[RSPB_USE_TEXT];
	struct rspb_node node;
	struct rspb_err err;
	uint32_t job;

	if (job_of(sp, &job) || open_node(&node, node_name(), ac, argv))
		return;
	log_failure(rspb_node_epilog(&node, job, text, &err), job, &err);
	/* Where nobody books shares the log is not ours. */
	if (!strncmp(text, "granted=", strlen("granted=")))
		slurm_info("rspb: CPU share of job %" PRIu32 " on %s: %s", job, node.name, text);
	else if (*text)
		slurm_debug("rspb: CPU share of job %" PRIu32 " on %s: %s", job, node.name, text);
}

/* slurmd -N NAME, and -D: whether it stays in the foreground. Its own settings
 * are not for plugins, its command line is for everybody. */
static void read_command_line(char name[RSPB_NODE_NAME], bool *foreground)
{
	char text[4096], *word = text, *p;
	int n = rspb_file_read("/proc/self/cmdline", text, sizeof(text), NULL);

	*foreground = false;
	for (word = text + strlen(text) + 1; word < text + n; word += strlen(word) + 1) {
		if (*word != '-' || word[1] == '-')
			continue;
		/* Letters may be joined in a word, until one that takes the rest as its value. */
		for (p = word + 1; *p && !strchr("dfFLnN", *p); p++)
			*foreground |= *p == 'D';
		if (*p != 'N')
			continue;
		p = p[1] ? p + 1 : word + strlen(word) + 1;
		if (p < text + n)
			snprintf(name, RSPB_NODE_NAME, "%s", p);
	}
}

/* In slurmd: sweep, and listen for changes until shares_slurmd_end. */
static void shares_slurmd_begin(int ac, char **argv)
{
	char name[RSPB_NODE_NAME] = "";
	struct rspb_spank_settings settings;
	struct rspb_node node;
	struct rspb_err err;
	bool foreground;

	read_command_line(name, &foreground);
	/* Without -N slurmd finds its name in slurm.conf. */
	if (!*name && !rspb_slurmd_node(name, sizeof(name)))
		name[0] = '\0';
	if (open_node(&node, *name ? name : NULL, ac, argv))
		return;
	rspb_spank_settings_read(&settings, ac, argv, NULL);
	/* A low weight is no error: shares hold among jobs, but not against other processes. */
	if (rspb_tree_check_scope(&node.tree, node.name, &err))
		slurm_info("rspb: %s", err.text);
	/* Remembered shares hold again before a new grant can come. */
	if (rspb_node_sweep(&node, &err) ||
	    rspb_channel_open(&node, settings.user, foreground, &err))
		slurm_error("rspb: %s", err.text);
}

static void shares_slurmd_end(void)
{
	rspb_channel_close();
}

SPANK_PLUGIN(rspb, 1)

int slurm_spank_init(spank_t sp, int ac, char *argv[])
{
	switch (spank_context()) {
	case S_CTX_ALLOCATOR:
	case S_CTX_LOCAL:
		/* The script of a booked job may submit others, which must not inherit its
		 * flags. */
		rspb_submit_forget_inherited();
		rspb_submit_register(sp);
		break;
	case S_CTX_REMOTE:
		rspb_submit_register(sp);
		break;
	case S_CTX_SLURMD:
		shares_slurmd_begin(ac, argv);
		break;
	default:
		break;
	}
	return 0;
}

int slurm_spank_init_post_opt(spank_t sp, int ac, char *argv[])
{
	switch (spank_context()) {
	case S_CTX_ALLOCATOR:
	case S_CTX_LOCAL:
		/* All options of this component have been read by now. */
		rspb_submit_component_done(sp);
		break;
	case S_CTX_REMOTE:
		rspb_submit_hide(sp);
		shares_step(sp, ac, argv);
		break;
	default:
		break;
	}
	return 0;
}

int slurm_spank_task_init_privileged(spank_t sp, int ac, char *argv[])
{
	shares_task(sp, ac, argv);
	return 0;
}

int slurm_spank_exit(spank_t sp, int ac, char *argv[])
{
	/* Slurm calls this in the commands, too, where no step ends. */
	if (spank_context() == S_CTX_REMOTE)
		shares_step_end(sp, ac, argv);
	return 0;
}

int slurm_spank_job_epilog(spank_t sp, int ac, char *argv[])
{
	shares_epilog(sp, ac, argv);
	return 0;
}

int slurm_spank_slurmd_exit(spank_t sp, int ac, char *argv[])
{
	(void) sp;
	(void) ac;
	(void) argv;
	shares_slurmd_end();
	return 0;
}
