/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Amounts that count together, as plain numbers: limits of QOS and associations, licenses, and
 * memory and devices of nodes. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_QUOTA_H
#define RSPB_PLUGINS_COMPAT_LIMIT_QUOTA_H

#include <stdint.h>

#include "common/base/array.h"
#include "common/base/err.h"
#include "common/request/request.h"
#include "plugins/compat/job.h"
#include "plugins/compat/resv.h"

/* --- quota.c --- */

/* Limits of QOS and associations on what runs at a time, and on what may be used
 * up, as plain numbers. */

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

/* --- license.c --- */

/* Licenses as plain numbers: what there is of each, and what counts against it.
 * With at least Slurm's read locks. */

/* Add what a job wants of each license, bound by how many there are; of one that
 * runs, what it holds. */
void rspb_job_licenses(const struct rspb_job *job, struct rspb_quotas *quotas);
/* RET 0, or -1 with the sentence why what the job wants of licenses cannot be
 * booked, whatever is free. */
int rspb_job_licenses_fixed(const struct rspb_job *job, struct rspb_err *err);
/* Add what a reservation keeps of each. */
void rspb_resv_licenses(const struct rspb_resv *resv, struct rspb_quotas *quotas);
/* How many of those with this key are in use now, by jobs here and elsewhere, and
 * how many there are. RET false: there is none, or as many as are wanted. */
bool rspb_license_now(uint64_t key, int64_t *used, int64_t *most);
struct rspb_license {
	const char *name; /* good during the call */
	uint64_t key;
	int64_t most;	   /* how many there are, -1: as many as are wanted */
	int64_t elsewhere; /* taken outside of the cluster, by the server of a remote one */
};
/* Call fn for each that there is. */
typedef void (*rspb_license_fn)(const struct rspb_license *license, void *arg);
void rspb_licenses_each(rspb_license_fn fn, void *arg);

/* --- room.c --- */

/* Finds what nodes have besides CPU shares, and what a job with a share takes of it: memory, where
 * it is scheduled, and generic resources. */

/* The most of a kind that is counted on a node. Slurm's own counts may be larger, such as bytes. */
enum { RSPB_ROOM_MOST = INT32_MAX };

struct rspb_rooms_read {
	size_t n, room;
	struct rspb_room *items; /* free() it, and of[] of each */
};

/* Add what there is, CPUs among it, on nodes 0 to width - 1, with at least the
 * read lock. RET 0, -1: out of memory, and what was added stays. */
int rspb_rooms_read(struct rspb_rooms_read *rooms, uint32_t width);
/* RET what a node has of a kind; with at least the read lock. */
uint32_t rspb_room_at(uint64_t key, uint32_t node);
/* RET the least that any of these nodes has of a kind, and has at all; 0: none has; with
 * at least the read lock. */
uint32_t rspb_room_least(uint64_t key, const struct rspb_nodeset *nodes);
/* Add so much of a kind. */
void rspb_room_add(struct rspb_quotas *quotas, const char *kind, const struct rspb_quota *use);
/* Add what a job with a share of time takes on each of its nodes, in their per_node;
 * with at least the read lock. */
void rspb_job_needs(const struct rspb_job *job, struct rspb_quotas *quotas);

#endif
