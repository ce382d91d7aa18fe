/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line in which the controller tells a node about the CPU share of a job:
 *
 *	job=123 generation=1795424400 share=3500 ceiling=0 period=100 report=30
 *
 * sent through slurmd to the node's socket (slurm_forward_data), which belongs
 * to SlurmUser. Nothing about shares travels with the job: what is in a job's
 * environment can be the user's word. The line is sent when the job starts,
 * when its booking is changed, and again from time to time; a node obeys it
 * only when its generation is not lower than the one in force, so messages may
 * be repeated, get lost and overtake each other.
 */
#ifndef RSPB_WIRE_SHARE_ENV_H
#define RSPB_WIRE_SHARE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* Below a node's own state folder, DIR/NODE. */
#define RSPB_SHARE_STATE_DIR "/run/slurm-rspb"
#define RSPB_SHARE_SOCKET    "socket"

enum {
	RSPB_SHARE_NODE = 10000, /* all CPUs of a node */
	RSPB_SHARE_PERIOD_MIN = 20,
	RSPB_SHARE_PERIOD_MAX = 100,   /* ms */
	RSPB_SHARE_REPORT_MAX = 86400, /* s */
	RSPB_SHARE_TEXT = 128
};

/* A value type. Shares are in 1/10000 of the CPU of the node. */
enum { RSPB_SHARE_PERIOD_MS = 100 }; /* what slurmctld says for period_ms */
struct rspb_share_env {
	uint32_t job;
	uint64_t generation; /* higher with each change, and each start */
	int64_t share;	     /* guaranteed when there is not enough for all */
	int64_t ceiling;     /* never more than this; 0: no ceiling */
	int64_t period_ms;   /* in which a ceiling is counted */
	int64_t report_s;    /* how often its use is reported while it runs;
				 * 0: not before its end */
};

/* RET the length of the whole line, as snprintf does. */
size_t rspb_share_env_print(const struct rspb_share_env *env, char *buf, size_t size);
/* Strict: every field once, in order, nothing else; report= may be missing and
 * then is 0. RET 0, or -1 with err and *out unchanged. */
int rspb_share_env_parse(const char *text, struct rspb_share_env *out, struct rspb_err *err);

/* Read "name=digits" of at most `max` at *text, with the space or the end after
 * it, and move behind. RET false: that is not what is there; *text stays. */
bool rspb_share_field(const char **text, const char *name, uint64_t max, uint64_t *value);

#endif
