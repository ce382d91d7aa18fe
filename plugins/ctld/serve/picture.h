/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds what reads are answered from: the ledger as it was at one moment, and the requests that are
 * not, or not any more, in it. The agent makes it, under the read lock for the requests alone; from
 * then on it does not change. */
#ifndef RSPB_CTLD_SERVE_PICTURE_H
#define RSPB_CTLD_SERVE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"

struct rspb_node_class {
	uint32_t cores, threads;
	uint64_t memory;      /* MiB */
	uint64_t partitions;  /* a bit for each of the first 64 */
	const char *features; /* "": none */
	const char *said;     /* generic resources as slurm.conf has them */
	const char *gres;     /* the same as --gres takes them */
	uint32_t gpus;
};

/* Nodes that are out of service for the same reason. */
struct rspb_out_of_service {
	const char *reason;	    /* "": none is known */
	struct rspb_nodeset *nodes; /* owned */
};

struct rspb_node_classes {
	uint32_t width;
	uint16_t *of; /* owned: the class of each node; RSPB_NO_CLASS: no node is there */
	struct rspb_node_class *items; /* owned */
	size_t n, room;
	struct rspb_out_of_service *out; /* owned */
	size_t n_out, room_out;
};
enum { RSPB_NO_CLASS = UINT16_MAX };

/* RET NULL: there is no such node. */
const struct rspb_node_class *rspb_node_class_of(const struct rspb_node_classes *classes,
						 uint32_t node);
/* RET the generic resources that each of these nodes has, if all have the same; else "". */
const char *rspb_node_classes_gres(const struct rspb_node_classes *classes,
				   const struct rspb_nodeset *nodes);
/* RET how many GPUs these nodes have together. */
uint64_t rspb_node_classes_gpus(const struct rspb_node_classes *classes,
				const struct rspb_nodeset *nodes);

/* A waiting request without a booking: a job with a contract, or a request for a group. */
struct rspb_asked {
	uint64_t id; /* of a heterogeneous job, its leader's */
	uint32_t uid;
	uint32_t array, task; /* whose task it is, 0: of none */
	const char *contract;
	const char *name;	      /* of a request without a job; NULL: a job */
	const char *job_name;	      /* as its owner typed it, NULL: none */
	const char *users, *accounts; /* for whom it is then, or NULL */
	const char *waits;	      /* for what before it is decided, NULL: its turn */
};

/* The texts of a booking that Slurm alone has. */
struct rspb_named {
	uint64_t id;
	const char *name;	      /* of one without a job; NULL: it has a job */
	const char *users, *accounts; /* who may use it then, or NULL */
	const char *remark; /* the last message where only Slurm's commands show it, or NULL */
};

struct rspb_partition {
	const char *name;
	bool usual;		    /* of those who name none */
	const char *state;	    /* static; NULL: UP */
	struct rspb_nodeset *nodes; /* owned */
};

struct rspb_stock {
	const char *name; /* of licenses */
	uint64_t key;	  /* as in struct rspb_quota */
	int64_t most;	  /* -1: as many as are wanted */
};

struct rspb_picture {
	int64_t at;		    /* seconds since the epoch */
	int64_t at_us;		    /* of the clock that only goes forward */
	struct rspb_ledger *ledger; /* owned */
	struct rspb_asked *asked;   /* by id, owned */
	size_t n_asked, room_asked;
	struct rspb_named *named;		/* by id, owned */
	size_t n_named, room_named, n_reserved; /* n_reserved: without a job */
	struct rspb_partition *partitions;	/* owned */
	size_t n_partitions, room_partitions;
	struct rspb_stock *stocks; /* owned */
	size_t n_stocks, room_stocks;
	struct rspb_node_classes classes; /* of its nodes */
	char *name_text;		  /* owned */
	const char **names;		  /* of the nodes by number, owned */
	char **texts;			  /* that all of the above point to; owned */
	size_t n_texts, room_texts;
	bool failed; /* no memory for a part of it */
};

/* Takes the read lock. RET NULL: not possible at the moment. */
struct rspb_picture *rspb_picture_make(int64_t now);
void rspb_picture_destroy(struct rspb_picture *picture);
/* RET NULL: there is none of that id. */
const struct rspb_asked *rspb_picture_asked(const struct rspb_picture *picture, uint64_t id);
const struct rspb_named *rspb_picture_named(const struct rspb_picture *picture, uint64_t id);
/* The booking without a job that has such a name, or the request. RET NULL: there
 * is none. */
const struct rspb_named *rspb_picture_by_name(const struct rspb_picture *picture, const char *name);
const struct rspb_asked *rspb_picture_asked_by_name(const struct rspb_picture *picture,
						    const char *name);
/* The partition of that name, "": the usual one. RET NULL: there is none. */
const struct rspb_partition *rspb_picture_partition(const struct rspb_picture *picture,
						    const char *name);
/* Nodes as text, n[1-4]; the caller frees it. NULL: out of memory. */
char *rspb_picture_nodes(const struct rspb_picture *picture, const struct rspb_nodeset *nodes);

#endif
