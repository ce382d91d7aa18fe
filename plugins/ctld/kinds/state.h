/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps between two rounds of the agent: its member of struct
 * rspb_controller (controller.h). */
#ifndef RSPB_CTLD_KINDS_STATE_H
#define RSPB_CTLD_KINDS_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/ctld/kinds/use_table.h"

/* A run about which slurmctld and nodes may not agree (orphan.c). */
struct rspb_orphan {
	uint64_t id;
	int64_t launched, noted;
	int64_t cleared; /* its nodes were told, 0: not yet */
	int64_t clean;	 /* since when, 0: not yet */
};

/* A launch that its node has not confirmed yet (orphan.c). */
struct rspb_orphan_launch {
	uint64_t id;
	int64_t due;
	bool doubt;
};

/* The reports of nodes about a job (usage.c). */
struct rspb_usage_entry {
	uint32_t job;
	uint32_t nodes; /* of the job */
	bool fresh;	/* there is more than stands in the record */
	struct rspb_use_table table;
};

/* All reports of shares (usage.c). */
struct rspb_usage_state {
	/* Guards the table. It is taken inside Slurm's locks and held for a moment only.
	 * Nothing of Slurm is called under it. */
	pthread_mutex_t mutex;
	struct rspb_usage_entry *entries; /* by job; owned */
	size_t n_entries, room;
	int64_t running_at, house_at; /* next, ms; of the agent */
};

struct rspb_kinds_state {
	struct rspb_usage_state usage;
	/* The agent alone uses all that follows. */
	struct {
		size_t n, room;
		struct rspb_orphan *items; /* owned */
	} suspects;
	struct {
		size_t n, room;
		struct rspb_orphan_launch *items; /* owned */
	} launches;
	/* The requests of operators, as the last watch has seen them. */
	struct {
		size_t n;
		int64_t earliest;
	} waiting;
	uint32_t group_number; /* the last that was given to a group's reservation */
};

extern struct rspb_kinds_state *const rspb_of_kinds;
extern struct rspb_usage_state *const rspb_usage;

#endif
