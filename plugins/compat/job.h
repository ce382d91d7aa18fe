/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of slurmctld, to look at. Call with at least the read lock (where said,
 * the write lock); a view and what it points to are good until it is released.
 */
#ifndef RSPB_PLUGINS_COMPAT_JOB_H
#define RSPB_PLUGINS_COMPAT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"

enum rspb_job_phase {
	RSPB_JOB_PENDING,
	RSPB_JOB_RUNNING, /* or suspended */
	RSPB_JOB_DONE
};

struct rspb_job {
	void *handle; /* Slurm's record */
	uint32_t id;
	uint32_t leader;      /* first component's id; its own otherwise */
	uint32_t component;   /* 0 unless heterogeneous */
	uint32_t array, task; /* whose task it is, and which; 0: of none */
	uint32_t uid;
	uint32_t priority;     /* 0: held */
	uint32_t qos_priority; /* 0: its QOS has none, or it has no QOS */
	enum rspb_job_phase phase;
	bool completing;   /* gone, but its nodes are not yet cleaned up */
	bool cancelled;	   /* that is how it ended */
	bool scriptless;   /* Slurm has failed it at a start, while it waited, as its script is not
			    * there, or another component of it */
	uint32_t ended_by; /* uid of the user who ended it, UINT32_MAX: nobody did */
	const char *host;  /* from which it was submitted, NULL: unknown */
	bool dependent;	   /* waits for other jobs */
	/* Slurm holds it because its launch was lost: slurmctld died before the node could ask
	 * about it. Started anew (job_edit.h), it is let go. */
	bool launch_lost;
	bool undivided; /* of an array the tasks that wait, in one record */
	bool batch;
	bool requeue;			    /* may be put back into the queue */
	int64_t submitted, begin, deadline; /* 0: not given */
	int64_t start, end;		    /* when running: its end by the time limit; when
			     * suspended: as if it were resumed now */
	/* Slurm gives it no time until it is resumed: by whoever suspended it
	 * (held), whose CPUs others may have meanwhile, or when what preempted it
	 * is over. */
	bool suspended, suspended_held;
	int64_t limit; /* seconds, partition's default; 0: none */
	int64_t least; /* --time-min, seconds; 0: none */
	uint32_t nodes_min;
	uint32_t nodes_max;		/* 0: not given */
	bool fewest;			/* as few of these as will do */
	uint32_t tasks;			/* 0: not given */
	bool overcommit;		/* they share CPUs */
	uint32_t cpus;			/* least for the whole job */
	uint32_t cpus_task, tasks_node; /* 0: not given */
	const char *contract;		/* admin comment, NULL: none */
	const char *remark;		/* SystemComment, NULL: none */
	const char *reservation;	/* NULL: none */
	uint32_t reservation_id;	/* Slurm's number for it, 0: none */
	const char *name;		/* as its owner typed it, NULL: none */
	const char *account, *qos;	/* NULL: none */
	/* The events of --mail-type, and the recipient; NULL: nobody. */
	bool mail_begin, mail_end, mail_fail;
	const char *mail_to;
	const char *partition; /* NULL: none */
	const char *script_on; /* running: the node on which its script runs, NULL: not known */
	bool gated;	       /* which takes nobody without a reservation (ReqResv) */
	const char *features;  /* as --constraint has them, NULL: any */
	const char *licenses;  /* as --licenses has them, NULL or "": none */
};

typedef int (*rspb_job_fn)(const struct rspb_job *job, void *arg);
/* Call fn for each that has nodes, is running, suspended or completing, until it returns
 * non-zero (ctld/book/occupancy.h). RET that, else 0. */
typedef int (*rspb_job_placed_fn)(rspb_job_fn fn, void *arg);
/* The fields that show that a job has changed: its state, its reservation. */
struct rspb_job_mark {
	void *handle;	     /* Slurm's record */
	uint32_t id, leader; /* as of struct rspb_job */
	uint64_t mark;
	bool placed; /* it has nodes: is running, suspended or completing */
};
typedef int (*rspb_job_mark_fn)(const struct rspb_job_mark *mark, void *arg);
/* Call fn for the marks of all, in Slurm's order, until it returns non-zero. After each
 * RSPB_JOB_STRIDE of them rest() may give up the locks and take them again: Slurm moves the place
 * of the walk on where the job goes that is there, and a job that is submitted comes last. RET as
 * above, and 0 where rest() returns false, which ends the walk. */
enum { RSPB_JOB_STRIDE = 64 };
int rspb_job_walk(rspb_job_mark_fn fn, bool (*rest)(void *arg), void *arg);
/* Call fn for those alone that have been submitted since that with this id was, by
 * their ids, which may lie a few apart. all: how many jobs Slurm knows.
 * fn NULL: they are counted only. RET as above. */
int rspb_job_marks_behind(uint32_t id, rspb_job_mark_fn fn, void *arg, size_t *all);
/* The mark of one. RET false: there is none of that id. */
bool rspb_job_mark_find(uint32_t id, struct rspb_job_mark *out);
/* RET which of these are true of a job: a cheap test, as the contract is not parsed. */
enum {
	RSPB_JOB_ASKS = 1,	/* it waits in the waiting room, or is over and has a contract */
	RSPB_JOB_HAS_ASKED = 2, /* it waits and has a contract */
};
unsigned int rspb_job_asks(const struct rspb_job_mark *mark);
bool rspb_job_find(uint32_t id, struct rspb_job *out);
/* RET the number that a task of a job array has by now, the array's while it has none. */
uint32_t rspb_job_of_task(uint32_t array, uint32_t task);
/* Fill a view of Slurm's record. */
void rspb_job_view(void *handle, struct rspb_job *out);
/* Ids of the components of a heterogeneous job by component, or the job's own.
 * RET how many; at most max are written. */
uint32_t rspb_job_components(const struct rspb_job *job, uint32_t *ids, uint32_t max);

/* Find the jobs whose ends a job waits for before it may start (--dependency), of arrays the tasks
 * that are not over; at most max of them. RET how many; or one of these. */
enum {
	RSPB_JOB_WAITS_ELSE = -1, /* something else, one of several, or more */
	RSPB_JOB_WAITS_NEVER = -2 /* one has ended otherwise than it should */
};
int rspb_job_waits_for(const struct rspb_job *job, uint32_t *ids, int max);

/* Why Slurm has ended one that had not run, at a start or a new configuration: what
 * it asks for by name is not there any more. RET false, and text is as it was: that
 * is not why. */
bool rspb_job_bereft(const struct rspb_job *job, char *text, size_t size);

enum rspb_job_nodes {
	RSPB_JOB_HOLDS,	   /* the nodes that it holds, also while it completes */
	RSPB_JOB_PREPARES, /* nodes that it holds, where its prolog still runs */
	RSPB_JOB_NAMES	   /* the nodes that it names (--nodelist) */
};
/* Add nodes of a job to out. RET whether there are any. */
bool rspb_job_nodes(const struct rspb_job *job, enum rspb_job_nodes which,
		    struct rspb_nodeset *out);
/* Whether a node, by number and name, is one of those the job has, or had until
 * it ended. */
bool rspb_job_has_node(const struct rspb_job *job, uint32_t node, const char *name);
/*
 * Set out to the nodes the job could run on, whoever is there now: its
 * partition, features, excluded nodes, memory and CPUs per node, local disk,
 * generic resources.
 * Wants the write lock: Slurm keeps scratch data in the job. RET 0 or -1.
 */
int rspb_job_eligible(const struct rspb_job *job, struct rspb_nodeset *out, struct rspb_err *err);
/*
 * Fail with the sentence that says which constraint leaves fewer than `needed` nodes,
 * or that the number of nodes is not what is missing. The set is of the width
 * of the node table, and lost. Locks as above. RET -1.
 */
int rspb_job_lacks(const struct rspb_job *job, uint32_t needed, struct rspb_nodeset *scratch,
		   struct rspb_err *err);

/* RET as how many of these CPUs a job with so many 1/10000 of their time counts. */
static inline uint32_t rspb_job_share_cpus(uint32_t cpus, int64_t share)
{
	return (uint32_t) ((cpus * share + 9999) / 10000);
}

/* Whether a node is configured with the generic resources (--gres, --gpus...)
 * that the job needs there. */
bool rspb_job_gres_fit(const struct rspb_job *job, uint32_t node);
/* RET the fewest of these nodes that have what the job needs in all (--gpus),
 * whichever they are; 0: needs nothing, UINT32_MAX: all are not enough, or out
 * of memory. */
uint32_t rspb_job_gres_nodes(const struct rspb_job *job, const struct rspb_nodeset *nodes);

/* Why the limits of its QOS and association never let a job have so many nodes
 * and CPUs, in Slurm's word for it; NULL: they do, though perhaps not now.
 * Wants the write lock. */
const char *rspb_job_never(const struct rspb_job *job, uint32_t nodes, uint64_t cpus);

/* The bars that a job may meet, whatever is free. */
enum {
	RSPB_BAR_HOLD = 1, /* it is held, or waits for others */
	/* Accounting has lost whom it is for (the user, the account, or that one in this), or lets
	 * him have its QOS no more. Slurm's scheduler starts no such job. */
	RSPB_BAR_OWNER = 2,
	RSPB_BAR_PARTITION = 4, /* its partition starts no job */
	RSPB_BAR_LICENSES = 8,	/* what it wants of licenses cannot be booked */
	RSPB_BARS_START = RSPB_BAR_HOLD | RSPB_BAR_OWNER | RSPB_BAR_PARTITION
};
/* RET 0; -1 with a sentence about the first of these bars that there is. */
int rspb_job_barred(const struct rspb_job *job, unsigned int bars, struct rspb_err *err);
/* RET how many of so many nodes Slurm gives a job that leaves the number to it, at most: no more
 * than tasks. */
static inline uint32_t rspb_job_most_nodes(const struct rspb_job *job, uint32_t nodes)
{
	uint32_t most = job->tasks > job->nodes_min ? job->tasks : job->nodes_min;

	return job->tasks && !job->tasks_node && most < nodes ? most : nodes;
}
/* The demands of a job and its partition on its nodes together, whichever they are. */
struct rspb_job_bounds {
	uint32_t least, most; /* nodes that the partition lets it have; UINT32_MAX: any number */
	uint32_t devices;     /* that it asks for in all (--gpus), of the kind of which it asks for
			       * most; 0: of none */
	const char *counted;  /* a feature of which --constraint wants a number of nodes,
			       * [a*2&b*1]; NULL: there is none */
	bool contiguous;      /* Slurm is to give it nodes that are next to each other */
	/* On how many switches at most its nodes lie (--switches), 0: any; for starts up to so many
	 * seconds behind its ready time, 0: whenever it starts, which is what no time, and one of
	 * SchedulerParameters=max_switch_wait or more, says. */
	uint32_t leaves;
	int64_t leaves_for;
};
struct rspb_job_bounds rspb_job_bounds(const struct rspb_job *job);
/*
 * Whether Slurm would start the job on exactly these nodes, each of them free
 * and its partition up: the limits of the partition, and the selection plugin's own
 * test. whole: it has all cores of the nodes; else the layout of its cores is asked about
 * apart (parts/cores.h). Wants the write lock. RET 0, or -1 with the sentence why not.
 */
int rspb_job_would_start(const struct rspb_job *job, const struct rspb_nodeset *nodes, bool whole,
			 struct rspb_err *err);

/* Nodes among which Slurm is to pick some for a job (parts/cores.h). */
struct rspb_pick {
	const struct rspb_nodeset *among; /* each of them free */
	uint32_t least, most;		  /* nodes */
	/* Its tasks and CPUs are for so many nodes, fewer have their part of them;
	 * 0: they are what they are. */
	uint32_t asked;
	bool now; /* for a start this second, beside the jobs that run there */
};

#endif
