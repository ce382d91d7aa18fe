/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of nodes in Slurm's terms: cores of one's own, memory, generic resources.
 * Locks as for job.h.
 *
 * A node is lent in parts unless shares of its CPUs can be booked. A job that shares its
 * cores nevertheless, or has its nodes to itself or to its user, has all of its nodes.
 */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_CORES_H
#define RSPB_PLUGINS_COMPAT_PARTS_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/request.h"
#include "plugins/compat/job.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/resv.h"

/* --- cores.c, cores_had.c --- */

/* Add the nodes that are lent in parts. unshared: also those where shares could be booked
 * instead. */
void rspb_cores_lent(bool unshared, struct rspb_nodeset *out);

/* The load that Slurm spreads over the nodes of a job as it sees fit. */
struct rspb_cores_total {
	uint32_t load;		    /* tasks, devices, or nodes; 0: it cannot be spread */
	uint32_t per_task;	    /* devices that come with a task, */
	uint32_t per_node;	    /* or with each node; 0 and 0: their number is the load */
	uint32_t each;		    /* tasks of each node, where the load is nodes; else 0 */
	bool has_tasks;		    /* tasks come with each device */
	uint64_t memory;	    /* MiB that come with a device; 0: none do */
	char kind[RSPB_QUOTA_NAME]; /* of the devices; "": there are none */
};
/* How a job that waits says what it needs of each of its nodes. */
struct rspb_cores_asked {
	/* Slurm would give it parts of nodes, and what it would get of each can be said
	 * beforehand: it wants no node for itself, a fixed number of them, or tasks that are as
	 * many on however many. */
	bool parts;
	bool counted; /* it says how many tasks it has in all, not on each node */
	bool said;    /* it says more than how many nodes: tasks, CPUs, memory, generic resources */
	bool shares;  /* these resources are parts of GPUs */
	struct rspb_cores_total total;
};
struct rspb_cores_asked rspb_cores_asked(const struct rspb_job *job);
/* RET a sentence that says which generic resources keep the job from a part of a node; NULL:
 * none. All nodes are looked at. */
const char *rspb_cores_why(const struct rspb_job *job);
/* each: tasks that it has on each of so many nodes, where Slurm would give it less of these with
 * fewer of them; 0: it would not, or they are too many to be tried, or it is a component
 * of a heterogeneous job.
 * cpus: that its tasks ask for of each of these nodes, 0: its devices decide that, too. */
struct rspb_cores_tasks {
	uint32_t each, cpus;
};
struct rspb_cores_tasks rspb_cores_tasks(const struct rspb_job *job, uint32_t nodes);
/* Cores of a node that it gets where it has so many: no fewer than Slurm gives it. */
uint32_t rspb_cores_needs(const struct rspb_job *job, uint32_t nodes, uint32_t node);
/* Cores of a node that it gets with so many tasks there, and devices of the kind that it asks
 * for, of whatever type; UINT32_MAX: it cannot be there. */
uint32_t rspb_cores_load(const struct rspb_job *job, uint32_t node, uint32_t tasks,
			 uint64_t devices);
/* The types of the devices of a node, where it has several and the job takes any of them. RET how
 * many are in types[]. */
enum { RSPB_TYPES_MOST = 8 };
uint32_t rspb_cores_types(const struct rspb_job *job, uint32_t node,
			  char types[RSPB_TYPES_MOST][RSPB_QUOTA_NAME]);
/* RET the CPUs for which Slurm charges a job that has so many cores of a node: all threads of
 * these, or with CR_CPU those that its tasks ask for (0: not known). memory: those for which it has
 * memory per CPU, which are fewer where it uses some threads of a core alone. */
uint64_t rspb_cores_charged(const struct rspb_job *job, uint32_t node, uint32_t cores,
			    uint32_t asked, bool memory);
/* Add what it takes of each of so many nodes besides, in per_node: memory, where that
 * is scheduled, and each kind of generic resources; the keys are those of the rooms
 * (limit/quota.h). cpus: for which it has memory of each. */
void rspb_cores_besides(const struct rspb_job *job, uint32_t nodes, uint64_t cpus,
			struct rspb_quotas *quotas);

/* CPUs that a job that is placed by Slurm may have of one node, at most. */
uint32_t rspb_cores_cpus(const struct rspb_job *job);
/* The same, as far as can be said, of a job that is placed by Slurm: no less than it would
 * be given of a node. */
void rspb_cores_takes(const struct rspb_job *job, struct rspb_quotas *quotas);

/* RET the cores of its own that a job has on a node; 0: it has the node. The rest as above. */
uint32_t rspb_cores_used(const struct rspb_job *job, uint32_t node, struct rspb_quotas *quotas);

/* Cores that a reservation of others has of a node, where it has some of them, not all
 * of the node, with its generic resources as above (NULL: they do not matter); 0: it has
 * all. At least the read lock. */
uint32_t rspb_cores_reserved(const struct rspb_resv *resv, uint32_t node,
			     struct rspb_quotas *quotas);
/* Whether there has been any. */
bool rspb_cores_reserved_any(void);

/* Turn a reservation of whole nodes, just made, into one of so many cores of each,
 * from the first[node]-th on (NULL: 0), round about. part: takes other numbers of some
 * (NULL: of none). Which they are says nothing but how many: the job of ours gets those that
 * are free when it starts. Write lock. */
void rspb_cores_resv(const char *name, uint32_t cores, const uint32_t *first,
		     const struct rspb_part *part);

/* --- layout.c --- */

/*
 * Layouts: the cores of its nodes with which a part of a node can start, as Slurm's own
 * selection has it for the state that is expected at the start. Jobs that are over by
 * then, and the cores of bookings that are not there at the same time, are out of the way.
 * All functions need the write lock, since Slurm keeps scratch data in the job.
 */

struct rspb_layout {
	int64_t start, end;
	uint32_t cores;		      /* that the part takes of each node, */
	const struct rspb_part *part; /* but for some of which it takes others; NULL: of none */
	rspb_job_placed_fn each;      /* by which jobs that have nodes are known; NULL: not noted */
};

/* Whether the cores that a job gets have to be kept from the decision on, however far off its start
 * is: it may not start with any cores, or MaxCPUsPerNode counts it. Not if Slurm has a thousand
 * reservations, which it goes over at each start. */
bool rspb_layout_needed(const struct rspb_job *job);
/* Ask which of these nodes Slurm would give the job, as many as it takes. layout: there has to be
 * such a one for it on them; NULL: whichever cores it gets there, and for a draft (submit/draft.h)
 * the read locks are enough. RET whether there are any, in out, else out is as it was. */
bool rspb_layout_pick(const struct rspb_job *job, const struct rspb_pick *pick,
		      const struct rspb_layout *layout, struct rspb_nodeset *out);
/* The part of a node that Slurm would give a job, with the devices and memory of it by kind,
 * per_node; 0 cores: the node. RET 0, -1: out of memory. */
typedef int (*rspb_layout_given_fn)(uint32_t node, uint32_t cores, struct rspb_quotas *has,
				    void *arg);
/* Call fn for each node, by number, that Slurm's scheduler would give the job of these this second,
 * beside the bookings of the layout's time; Slurm itself knows the jobs that run. RET whether there
 * is any, and all went well. */
bool rspb_layout_give(const struct rspb_job *job, const struct rspb_nodeset *among,
		      const struct rspb_layout *layout, rspb_layout_given_fn fn, void *arg);
/* Find a layout on all of these nodes; a reservation of cores of that name (NULL: none) becomes
 * one of the cores found, if there is one. RET 0, or -1 with err: there is no layout, and
 * the job does not start with any cores. */
int rspb_layout_keep(const struct rspb_job *job, const struct rspb_nodeset *nodes,
		     const struct rspb_layout *layout, const char *reservation,
		     struct rspb_err *err);

#endif
