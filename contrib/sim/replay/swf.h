/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job traces in the Standard Workload Format of the Parallel Workloads Archive
 * (Feitelson), plain or compressed. Real files have faults: what can't be
 * used is skipped and counted, not refused.
 */
#ifndef RSPB_SIM_REPLAY_SWF_H
#define RSPB_SIM_REPLAY_SWF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"

struct sim_swf_job {
	int64_t submit;
	int64_t duration; /* asked for, else what it ran; > 0 */
	uint32_t nodes;	  /* processors asked for, else used; > 0 */
};

enum sim_swf_fault {
	SIM_SWF_FIELDS,	  /* fewer than 5 fields, or no numbers */
	SIM_SWF_TIME,	  /* no submit time */
	SIM_SWF_DURATION, /* neither requested time nor run time */
	SIM_SWF_SIZE,	  /* neither requested nor used processors */
	SIM_SWF_WIDE,	  /* more processors than the machine has */
	SIM_SWF_FAULTS
};
extern const char *const sim_swf_fault_names[SIM_SWF_FAULTS];

struct sim_swf {
	uint32_t nodes;		  /* MaxProcs, MaxNodes, else the widest job */
	struct sim_swf_job *jobs; /* owned, in order of submit time */
	size_t n, room;
	size_t skipped[SIM_SWF_FAULTS];
	size_t unordered; /* jobs that were submitted before the one above */
	size_t first_line[SIM_SWF_FAULTS]; /* where a fault is first met */
};

/*
 * Read a trace. nodes: the machine's size, 0: as the file says. RET 0, or -1
 * with err: it can't be read at all, or holds no job.
 */
int sim_swf_read(struct sim_swf *swf, const char *path, uint32_t nodes,
		 struct rspb_err *err);
int sim_swf_parse(struct sim_swf *swf, FILE *in, const char *name,
		  uint32_t nodes, struct rspb_err *err);
void sim_swf_fini(struct sim_swf *swf);
/* Say in one line what was skipped, if anything was. */
void sim_swf_report(const struct sim_swf *swf, const char *name, FILE *out);

#endif
