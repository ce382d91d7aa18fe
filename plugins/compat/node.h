/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node table of slurmctld. Call with at least the read lock; node numbers
 * and sets are good until it is released, across releases only while the
 * fingerprint stays.
 */
#ifndef RSPB_PLUGINS_COMPAT_NODE_H
#define RSPB_PLUGINS_COMPAT_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"

uint32_t rspb_node_width(void);
/* How many nodes there are, which are fewer where the table keeps places for others
 * (MaxNodeCount): as of the last fingerprint, any thread. */
uint32_t rspb_node_count(void);
/* When the node table was looked at: what was seen holds while no node has changed,
 * which Slurm stamps in whole seconds, and for half a second if slurm.conf was not
 * read anew: somewhere a node changes all the time, and hardly ever its name, weight
 * or size. */
struct rspb_node_look {
	int64_t taken; /* second; 0: not yet */
	int64_t until; /* ms of a clock that only goes forward */
	int64_t conf;  /* second in which slurm.conf was read */
	uint32_t width;
	const void *table;
};
/* RET true: that is over, and what is seen now holds from now on. */
bool rspb_node_look_again(struct rspb_node_look *look);
/* A number that changes when a node is added, removed or renumbered, or gets another
 * weight, size or generic resource. */
uint64_t rspb_node_fingerprint(void);
/* Add the nodes in such a state. */
enum rspb_node_state {
	/* Nobody may count on these: down, drained, failing, slots without a node. */
	RSPB_NODES_UNUSABLE,
	/* These are silent at the moment and not given up by Slurm: they have not answered, or
	 * not yet since slurmctld was started. */
	RSPB_NODES_SILENT,
	/* A job that has ended is being cleaned up on these. */
	RSPB_NODES_COMPLETING,
	/* These sleep, fall asleep or wake up (power saving). */
	RSPB_NODES_ASLEEP
};
void rspb_node_add(enum rspb_node_state state, struct rspb_nodeset *out);
/* Something that may be true of each node of a set. */
enum rspb_nodes_all {
	/* Each can be counted on, and answers. */
	RSPB_NODES_USABLE,
	/* Each can be counted on, and no job is on it. */
	RSPB_NODES_IDLE,
	/* No job is on it, and none has ended that is still being cleaned up, by Slurm's counts
	 * for each node. */
	RSPB_NODES_EMPTY
};
/* RET false also where it is not known, or one of them is not there. */
bool rspb_nodes_are(enum rspb_nodes_all what, const struct rspb_nodeset *set);
/* Seconds that Slurm gives the slowest node to wake up; 0: none sleeps, or none
 * needs to answer (SlurmdTimeout=0). */
int64_t rspb_node_resume_time(void);
/* Have Slurm wake up those of the nodes that sleep, and let the others not fall
 * asleep; wants the write lock. RET 0 or -1 with err. */
int rspb_node_wake(const struct rspb_nodeset *nodes, int64_t now, struct rspb_err *err);
/* CPUs a job can have on a node, 0 for a slot without a node. */
uint32_t rspb_node_cpus(uint32_t node);
/* The nodes as text, n[1-4]; the caller frees it. names: by number, so that any thread may ask
 * without the node table; NULL: as that has them. RET NULL: out of memory. */
char *rspb_node_names(const char *const *names, const struct rspb_nodeset *set);
/* The number of a node; rspb_node_width(): there is none of that name. */
uint32_t rspb_node_find(const char *name);
/* Return whether a host, by name or address, is the one that a node runs on by slurm.conf
 * (NodeName, NodeHostname, NodeAddr), or a controller's. No name is resolved. */
bool rspb_node_runs_on(uint32_t node, const char *host);
/* Fill set from such text. RET 0, or -1 with err: a name is unknown. */
int rspb_node_parse(const char *names, struct rspb_nodeset *set, struct rspb_err *err);

/* Partitions: name, whether it is the one of jobs that name none, its state unless that is UP
 * (NULL), and its nodes, in a set of the width of the node table that is good for the call. Until
 * fn returns non-zero. */
typedef int (*rspb_partition_fn)(const char *name, bool usual, const char *state,
				 const struct rspb_nodeset *nodes, void *arg);
void rspb_partition_each(rspb_partition_fn fn, void *arg);

/*
 * Deliver data to a UNIX socket on each of the nodes, as SlurmUser; slurmd
 * replaces %n in the path by its node's name. Waits for answers, as long as
 * MessageTimeout says, and at most wait_s, if that is not 0, for each level of
 * nodes that tell others; but no longer than until `stop` can be read from: from a
 * thread of its own, without any lock. RET 0 when all have it, else -1 with err;
 * some may have it then.
 */
int rspb_node_send(const char *names, const char *socket, const char *data, int wait_s, int stop,
		   struct rspb_err *err);

/* Ranks the nodes: those of a low rank are taken first. */

/*
 * ranks: each node by slurm.conf: by Weight; then by the part of the machine's generic
 * resources that it has; then by memory, by CPUs, and by features, of which rare ones
 * count more. A request takes the nodes of the lowest rank that have what it needs, and
 * leaves what it does not need to others. Nodes of one rank do not differ in this. NULL: out of
 * memory.
 * leaves: on which leaf of Slurm's topology each node is (common/policy/policy.h). NULL: all on
 * one, or out of memory.
 * Both are of rspb_node_width() nodes, from 0, and the caller frees them. With at least the read
 * lock.
 */
struct rspb_node_order {
	uint32_t *ranks, *leaves;
};
struct rspb_node_order rspb_node_order(void);

/* The kind of a node, for programs that show nodes: size, generic resources, features.
 * Call with at least the read lock. */

/* The texts are Slurm's own, and good until the lock is released. */
struct rspb_node_kind {
	const char *name;	 /* "": it is still to come (State=FUTURE) */
	uint32_t cpus;		 /* a job can have; 0: it is still to come (State=FUTURE) */
	uint32_t cores, threads; /* cores that jobs can have, and threads of each */
	uint32_t all_cores;	 /* also those that Slurm keeps for the system */
	uint64_t memory, all;	 /* MiB that jobs can have, and that there are */
	const char *features;	 /* active ones, separated by commas; "": none */
	const char *gres;	 /* as slurm.conf has it; "": none */
	/* A node that is being rebooted (scontrol reboot) is to serve again: Slurm gives up one
	 * that is not back by then. back: when; away: so many seconds after its reboot begins,
	 * behind its jobs. 0: it is none such, or is to stay out of service behind that, too. */
	int64_t back, away;
	const char *why; /* why an operator or Slurm has taken it out of service; NULL:
				  * it is in service */
};
/* RET false: there is no such node; all is 0, with a thread a core, and the texts are "". */
bool rspb_node_kind_of(uint32_t node, struct rspb_node_kind *out);
/* Print the generic resources of a node as --gres takes them: "gpu:a100:4,shard:8".
 * Resources that do not fit into the text are left out. */
void rspb_node_devices(uint32_t node, char *text, size_t size);
/* RET the kind of a node, as above. */
static inline struct rspb_node_kind rspb_node_is(uint32_t node)
{
	struct rspb_node_kind is;

	rspb_node_kind_of(node, &is);
	return is;
}

/* --- node_sizes.c --- */

/*
 * Kinds of nodes: by how many CPUs a job can have on each, kept while no node changes
 * (a request asks about thousands of nodes, of which there are few sizes), and by where
 * they are. Call with at least the read lock.
 */
struct rspb_node_sizes {
	struct rspb_node_size {
		uint32_t cpus;
		uint32_t nodes; /* how many have so many */
	} * items;		/* smallest first; free() it */
	size_t n;
};

/* Read the sizes of the nodes of a set. RET 0, or -1 without memory, nothing to free. */
int rspb_node_sizes(const struct rspb_nodeset *set, struct rspb_node_sizes *out);
/* Take those with fewer CPUs out of a set; also slots without a node, where cpus
 * is not 0. */
void rspb_node_drop_smaller(struct rspb_nodeset *set, uint32_t cpus);
/* The leaves of struct rspb_node_order. */
uint32_t *rspb_node_leaves(void);

#endif
