/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures what jobs with a granted share use on a node, and writes the reports about it
 * (common/wire/share_lines.h). A job that has ended leaves its last report as a small file,
 * DIR/NODE/ended/JOB.RUN, until the controller has it: an epilog never waits for a controller. */
#ifndef RSPB_PLUGINS_SPANK_USAGE_H
#define RSPB_PLUGINS_SPANK_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/wire/share_lines.h"
#include "plugins/spank/node.h"

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

#endif
