/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds what the nodes of a machine have, and what jobs take of each of their nodes: cores, and
 * what is counted besides by name, memory and GPUs. The engine knows these as parts of nodes
 * and rooms (common/request/request.h). */
#ifndef RSPB_SIM_REPLAY_SIZES_H
#define RSPB_SIM_REPLAY_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"

enum { SIM_KINDS = 8, SIM_KIND_NAME = 32 };

struct sim_size {
	uint32_t cores;
	uint32_t has[SIM_KINDS]; /* of each kind */
};

/* All zero: nodes have no sizes, and are given whole. */
struct sim_sizes {
	struct sim_size *of; /* owned, by node */
	uint32_t nodes;
	uint32_t kinds; /* besides cores */
	char names[SIM_KINDS][SIM_KIND_NAME];
};

/* The size that a job takes of each of its nodes; cores 0: the whole node. */
struct sim_need {
	uint32_t nodes;
	struct sim_size each;
};

void sim_sizes_fini(struct sim_sizes *sizes);
/* RET the number of a kind, which is new if nobody has named it so far; -1 with err:
 * there are too many, or its name is too long. */
int sim_sizes_kind(struct sim_sizes *sizes, const char *name, struct rspb_err *err);
/* Append so many nodes alike. RET 0 or -1 with err: out of memory. */
int sim_sizes_add(struct sim_sizes *sizes, uint32_t nodes, const struct sim_size *size,
		  struct rspb_err *err);
/* RET how many nodes have what a job takes of each, and the least that any of these
 * has (least: NULL, or set). */
uint32_t sim_sizes_fit(const struct sim_sizes *sizes, const struct sim_need *need,
		       struct sim_size *least);
/* RET what may be booked of each node, which the caller frees; NULL: out of memory. */
int64_t *sim_sizes_capacity(const struct sim_sizes *sizes);
/* RET what counts together with others of a kind: rspb_room.key, above 0. */
uint64_t sim_sizes_key(uint32_t kind);
/* The ledger knows what its nodes have besides. RET 0, -1: out of memory. */
int sim_sizes_equip(const struct sim_sizes *sizes, struct rspb_ledger *ledger);
/* Let a part of so many nodes ask for that; divided: for its cores alone, where it does
 * not take all. RET 0, -1: out of memory. */
int sim_sizes_ask(const struct sim_sizes *sizes, const struct sim_need *need, bool divided,
		  struct rspb_part *part);

#endif
