/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the controller tells a node about the CPU share of a job: one line of
 * text, the same on both ways it travels.
 *
 * At allocation the controller puts it into the job's spank_job_env, in place
 * of anything the user may have sent under that name:
 *
 *	SPANK_RSPB_GRANT=generation=1 share=3500 ceiling=0 period=100
 *
 * and slurmd hands it to the prolog. It is true there only when the prolog was
 * started by the controller, so sites with shares need PrologFlags=Alloc (or
 * Contain, which implies it); else the first srun of a job on a node brings its
 * own environment along.
 *
 * When a running booking is changed, the controller sends the line with the
 * job's id in front through slurmd to the node's socket (slurm_forward_data):
 *
 *	job=123 generation=2 share=5000 ceiling=0 period=100
 *
 * A node obeys a message only when its generation is higher than the one in
 * force, so that messages may be repeated and may overtake each other.
 */
#ifndef RSPB_COMMON_SHARE_ENV_H
#define RSPB_COMMON_SHARE_ENV_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/* As a user's client would send it, to be dropped at submission; as it is kept
 * with the job and seen by the prolog. */
#define RSPB_SHARE_ENV_SENT "RSPB_GRANT"
#define RSPB_SHARE_ENV "SPANK_" RSPB_SHARE_ENV_SENT
/* Below a node's own state folder; slurmd replaces %n by the node's name. */
#define RSPB_SHARE_STATE_DIR "/run/slurm-rspb"
#define RSPB_SHARE_SOCKET "socket"

enum {
	RSPB_SHARE_NODE = 10000,	/* all CPUs of a node */
	RSPB_SHARE_PERIOD_MIN = 20, RSPB_SHARE_PERIOD_MAX = 100,	/* ms */
	RSPB_SHARE_TEXT = 128
};

/* A value type. Shares are in 1/10000 of the CPU of the node. */
struct rspb_share_env {
	uint32_t job;		/* 0: not said (in the environment) */
	uint64_t generation;	/* from 1, one higher with each change */
	int64_t share;		/* guaranteed when there is not enough for all */
	int64_t ceiling;	/* never more than this; 0: no ceiling */
	int64_t period_ms;	/* in which a ceiling is counted */
};

/* RET the length of the whole line, as snprintf does; "job=" only when job is
 * not 0. */
size_t rspb_share_env_print(const struct rspb_share_env *env, char *buf,
			    size_t size);
/* Strict: every field once, in order, nothing else. `job` may be missing. RET
 * 0, or -1 with err and *out unchanged. */
int rspb_share_env_parse(const char *text, struct rspb_share_env *out,
			 struct rspb_err *err);

#endif
