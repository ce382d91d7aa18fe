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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "common/wire/share_lines.h"
#include "plugins/spank/tree.h"

/* --- settings.c --- */

/*
 * Reads what follows the plugin's name in plugstack.conf:
 *
 *	optional spank_rspb.so state=/run/slurm-rspb user=slurm
 */

struct rspb_spank_settings {
	bool shares;	       /* shares=off: leave the cpu controller alone */
	char state[RSPB_PATH]; /* state=DIR, absolute */
	uid_t user;	       /* user=NAME: SlurmUser, who may send changes */
};

/* Read ac words. RET 0; -1 with err naming the first wrong one, the others
 * count all the same. *settings is complete in both cases. */
int rspb_spank_settings_read(struct rspb_spank_settings *settings, int ac, char **argv,
			     struct rspb_err *err);

/* --- state.c --- */

/* Keeps what a node remembers of each job on it: one small root-only file per job, DIR/NODE/jobs/N,
 * from its start to its epilog. It is the only thing that decides what is enforced; nothing in a
 * job's environment is looked at again. */

struct rspb_job_state {
	struct rspb_share_env grant; /* share 0: none was granted */
	int64_t own_share;	     /* of a job without a grant, once known, else 0 */
	int64_t n_cpus;		     /* which it may use, once known, else 0 */
	int64_t run;		     /* second in which it came here, of this run */
	int64_t since_ms;	     /* likewise, since the host was booted */
	struct rspb_cpu_use use;     /* of its group, when last looked at */
	struct rspb_cpu_use past;    /* of its groups that are gone */
	struct rspb_cpu_force force; /* in the kernel, when last looked at */
	char path[RSPB_PATH];	     /* its control group, once known, else "" */
};

/* Below DIR/NODE: files of jobs, and what is still to be told of those that
 * have ended. */
#define RSPB_STATE_JOBS	 "jobs"
#define RSPB_STATE_ENDED "ended"

/* Make DIR/NODE, and jobs and ended in it (0755, 0700). */
int rspb_state_prepare(const char *dir, const char *node, struct rspb_err *err);
/* RET 0, or -1: there is none, or it can't be read. */
int rspb_state_read(const char *dir, const char *node, uint32_t job, struct rspb_job_state *state,
		    struct rspb_err *err);
int rspb_state_write(const char *dir, const char *node, uint32_t job,
		     const struct rspb_job_state *state, struct rspb_err *err);
void rspb_state_remove(const char *dir, const char *node, uint32_t job);
/* Make a file count as just written. */
void rspb_state_touch(const char *dir, const char *node, uint32_t job);
/* Seconds since it was written or touched, 0: there is none. */
int64_t rspb_state_age(const char *dir, const char *node, uint32_t job);
bool rspb_state_exists(const char *dir, const char *node, uint32_t job);

/* Held while a file is read, changed and written back. RET something for
 * unlock, also when the lock can't be had (then nobody else can write). */
int rspb_state_lock(const char *dir, const char *node);
void rspb_state_unlock(int lock);

/* --- message.c --- */

/*
 * A message to a node: sender's uid and length of the text, 4 bytes each in
 * network order, as slurmd writes them, then the line of common/wire/share_lines.h.
 */

enum { RSPB_MESSAGE_HEADER = 8 };

/* A whole message of len bytes from a process of user `peer`, where `user` is
 * SlurmUser. RET 0, or -1 with err and *out unchanged: it is short, long, not a
 * grant, or from anybody but that user or root. */
int rspb_message_read(uid_t user, uid_t peer, const void *data, size_t len,
		      struct rspb_share_env *out, struct rspb_err *err);

/* --- node.c --- */

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
/* A whole message from a process of user `peer`:
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

/* --- usage.c --- */

/* Measures what jobs with a granted share use on a node, and writes the reports about it
 * (common/wire/share_lines.h). A job that has ended leaves its last report as a small file,
 * DIR/NODE/ended/JOB.RUN, until the controller has it: an epilog never waits for a controller. */

/* Bring what is remembered of a job up to date: from its group, if there is one.
 * A group that has been made anew counts from zero; what the old one had is
 * kept. */
void rspb_usage_sample(const struct rspb_node *node, struct rspb_job_state *state);
/* Read the use of a job with a granted share; used, throttled and the like since its run began. */
void rspb_usage_of(const struct rspb_job_state *state, bool ended, struct rspb_use *use);

/* Leave the last word on a job behind. RET 0, or -1 with err. */
int rspb_usage_leave(const struct rspb_node *node, const struct rspb_job_state *state,
		     struct rspb_err *err);

/* The report that is due now. */
struct rspb_usage {
	int64_t every_s; /* the shortest interval that a job asks for */
	uint64_t news;	 /* changes when there is a job, or a grant, that
				 * was not there before */
	size_t n_jobs, n_ended;
	struct rspb_use_report report;
};
/* Look at all jobs with a share, and at those that have ended; of more than fit
 * into a report, those that ended come first. Files that make no sense, or that
 * nobody has wanted for a day, are removed. */
void rspb_usage_look(const struct rspb_node *node, struct rspb_usage *usage);
/* RET the length of the whole text, as snprintf does. */
size_t rspb_usage_print(const struct rspb_node *node, const struct rspb_usage *usage, char *buf,
			size_t size);
/* The controller has it: what has ended is forgotten. */
void rspb_usage_told(const struct rspb_node *node, const struct rspb_usage *usage);

/* Milliseconds since the host was booted. */
int64_t rspb_usage_clock(void);

/* --- channel.c --- */

/*
 * Where a node hears of granted shares: a UNIX socket DIR/NODE/socket that
 * slurmd connects to on behalf of the controller (slurm_forward_data), with
 * the rights of the user who sent it. The socket belongs to SlurmUser with
 * mode 0600, and the connecting process must be root or that user.
 *
 * One connection is one message.
 *
 * The thread lives in slurmd. slurmd loads plugins before it goes into the
 * background by two forks, which a thread does not survive but a socket does;
 * so there the thread is started in the second child.
 */

/* Begin to listen; RET 0, or -1 with err and nothing changed. */
int rspb_channel_open(const struct rspb_node *node, uid_t user, bool foreground,
		      struct rspb_err *err);
/* End the thread and wait for it. Without one: nothing to do. */
void rspb_channel_close(void);

/*
 * The thread in slurmd that tells the controller what jobs with booked shares
 * use: soon after a job begins or is granted another share, then as often as the
 * site wants, and when it has ended. A message is for all jobs of the node.
 * Nodes speak at different moments, and a controller that is not there holds up
 * nothing: what has ended is told later.
 */

/* The caller is a thread that has no signals. *node must stay until stop. Without memory
 * or folders there is no thread, and a line in the log. */
void rspb_reporter_start(const struct rspb_node *node);
/* End the thread and wait for it, a second or two at most. */
void rspb_reporter_stop(void);

#endif
