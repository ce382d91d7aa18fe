/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of QOS and associations on what runs at a time, and on what may be used
 * up, as plain numbers. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_QUOTA_H
#define RSPB_PLUGINS_COMPAT_LIMIT_QUOTA_H

#include <stdint.h>

#include "common/base/array.h"
#include "common/request/request.h"
#include "plugins/compat/job.h"

struct rspb_quotas {
	size_t n, room;
	struct rspb_quota *items; /* free() it */
	bool short_of_memory;
};

/* RET one more, that adds as much as `use` does, its key, limit and name to be
 * filled in; NULL: out of memory, which the list says, too. */
static inline struct rspb_quota *rspb_quotas_add(struct rspb_quotas *quotas,
						 const struct rspb_quota *use)
{
	if (rspb_array_grow(&quotas->items, &quotas->room, quotas->n + 1, sizeof(*quotas->items))) {
		quotas->short_of_memory = true;
		return NULL;
	}
	quotas->items[quotas->n] = *use;
	return &quotas->items[quotas->n++];
}

/* RET what of them has that key, per_node; 0: nothing. */
static inline int64_t rspb_quotas_of(const struct rspb_quotas *quotas, uint64_t key)
{
	for (size_t i = 0; i < quotas->n; i++)
		if (quotas->items[i].key == key)
			return quotas->items[i].per_node;
	return 0;
}

/* Take what others of the same keys have, per_node, from what these have, down to nothing. */
static inline void rspb_quotas_less(struct rspb_quotas *quotas, const struct rspb_quotas *others)
{
	for (size_t i = 0; i < quotas->n; i++)
		for (size_t o = 0; o < others->n; o++) {
			struct rspb_quota *has = &quotas->items[i];

			if (has->key != others->items[o].key)
				continue;
			has->per_node -= others->items[o].per_node;
			if (has->per_node < 0)
				has->per_node = 0;
		}
}

/* The CPUs for which Slurm charges a job with parts of its nodes, and those by which memory per CPU
 * counts; 0: it has its nodes whole, or a share. */
struct rspb_charge {
	int64_t cpus, memory;
};

/*
 * Add where a job counts: of one that waits, what each node and CPU it is
 * granted would add (whole: it gets its nodes whole; share: and counts as so many
 * 1/10000 of their CPUs, of the largest where they differ; 0: as all of them; charge: of
 * parts, NULL: it has none); of one that
 * runs, what it has. Nothing where Slurm enforces no limits. With at least the read lock;
 * takes the locks of Slurm's associations behind it.
 */
void rspb_job_quotas(const struct rspb_job *job, bool whole, int64_t share,
		     const struct rspb_charge *charge, struct rspb_quotas *quotas);
/* Add what of each budget has been used up, as Slurm has it now, decayed, in the
 * numbers of its quotas; the running jobs' rest is not in it. Takes the locks of
 * Slurm's associations. */
void rspb_quotas_used(struct rspb_quotas *quotas);

/* RET as how many nodes like that one a job is billed, by what it has, or asked for where it
 * never began; 0: its partition has no weights. With at least the read lock; takes the
 * locks of Slurm's associations behind it. */
double rspb_billed_nodes(uint32_t job, uint32_t node);

#endif
