/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes as a whole what a waiting job needs of its nodes: tasks, CPUs, memory, generic resources.
 * Locks as for job_edit.h. */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_NEEDS_H
#define RSPB_PLUGINS_COMPAT_PARTS_NEEDS_H

#include <stdint.h>

#include "common/base/err.h"
#include "plugins/compat/submit/draft.h"

enum { RSPB_NEEDS_GRES = 128 };

/* In Slurm's own terms; a value type. */
struct rspb_needs {
	uint32_t tasks, cpus;	       /* of the job */
	uint32_t cpus_task, cpus_node; /* of each task, of each node at least */
	uint64_t memory;	       /* MiB of each node, or with a bit of each CPU */
	char job[RSPB_NEEDS_GRES], node[RSPB_NEEDS_GRES], task[RSPB_NEEDS_GRES];
};

/* RET 0, or -1 with err: it does not wait, or it needs what cannot be said so. */
int rspb_needs_of(uint32_t id, struct rspb_needs *out, struct rspb_err *err);
/* Replace the needs that are given, on so many nodes; the others stay. RET 0, or -1 with err: it is
 * too long. */
int rspb_needs_change(struct rspb_needs *needs, uint32_t nodes, const struct rspb_terms *said,
		      struct rspb_err *err);

#endif
