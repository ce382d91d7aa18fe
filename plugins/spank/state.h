/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what a node remembers of each job on it: one small root-only file per job, DIR/NODE/jobs/N,
 * from its start to its epilog. It is the only thing that decides what is enforced; nothing in a
 * job's environment is looked at again. */
#ifndef RSPB_PLUGINS_SPANK_STATE_H
#define RSPB_PLUGINS_SPANK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/wire/share_lines.h"
#include "plugins/spank/files.h"
#include "plugins/spank/tree.h"

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

#endif
