/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines about CPU shares between the controller and nodes. The controller tells a node about
 * the CPU share of a job:
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
#ifndef RSPB_WIRE_SHARE_LINES_H
#define RSPB_WIRE_SHARE_LINES_H

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

enum { RSPB_SHARE_PERIOD_MS = 100 }; /* what slurmctld says for period_ms */
/* A value type. Shares are in 1/10000 of the CPU of the node. */
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

/*
 * --- the report in which nodes tell the controller about booked CPU shares: for each job, what the
 * kernel limits it to and what it has used. A report is a text,
 *
 *	rspb-use: node=n1
 *	job=7 run=1795424400 ended=0 share=3500 ceiling=0 cpus=4 span=12000
 *	used=16780 periods=120 throttled=41 stalled=2600
 *
 * (each job on one line), sent as the admin comment of a request that asks for
 * nothing; plugins/compat/controller.h says how and why ---
 */

/* How a report begins. */
#define RSPB_USE_HEAD "rspb-use: "

enum {
	RSPB_USE_LINE = 320, /* a job's line, with its end */
	RSPB_USE_NODE = 256, /* a node's name */
	RSPB_USE_JOBS = 128, /* most jobs in one report */
	RSPB_USE_REPORT = 300 + RSPB_USE_JOBS * RSPB_USE_LINE,
	RSPB_USE_WORDS = 2048, /* what stands in the record of a job */
	RSPB_USE_NAMED = 16    /* so many nodes are named one by one there */
};

/* A job on one node, in one run (it may be requeued and run again). All numbers count from the
 * begin of that run. A value type. */
struct rspb_use {
	uint32_t job;
	int64_t run;				/* second in which it began here */
	bool ended;				/* this is the last word on the run */
	int64_t share, ceiling;			/* in the kernel, 1/10000 of the node; 0: none */
	int64_t cpus;				/* which the share is one of */
	int64_t span_ms;			/* how long it has been here */
	int64_t used_ms;			/* CPU time, -1: it is not counted there */
	int64_t periods, throttled, stalled_ms; /* under a ceiling */
};

/* RET the length of the whole line, without its end, as snprintf does. */
size_t rspb_use_line(const struct rspb_use *use, char *buf, size_t size);
/* Strict: every field once, in order, nothing else, over len bytes. RET 0, or
 * -1 with err and *out unchanged. */
int rspb_use_parse(const char *text, size_t len, struct rspb_use *out, struct rspb_err *err);

/* The first line of a report; RET its length, as snprintf does. */
size_t rspb_use_head(const char *node, char *buf, size_t size);
struct rspb_use_report {
	char node[RSPB_USE_NODE];
	size_t n;
	struct rspb_use uses[RSPB_USE_JOBS];
};
/* A whole report. RET 0, or -1 with err and *out undefined. */
int rspb_use_report_parse(const char *text, struct rspb_use_report *out, struct rspb_err *err);

#endif
