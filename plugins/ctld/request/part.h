/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills in a request from what its jobs ask for: its window, its parts, and what its flags want
 * beyond nodes and length. */
#ifndef RSPB_CTLD_REQUEST_PART_H
#define RSPB_CTLD_REQUEST_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/request.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"

/* --- part.c --- */

/* Fills in a job (component) as a part of a request. */

struct rspb_submission_part;

/*
 * Fill part from a job, with the write lock held: how many nodes (from -N, or
 * from what -n and -c need on the smallest nodes that are eligible), which
 * ones, what share. RET 0, or -1 with a sentence for the user in err.
 */
int rspb_part_fill(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t width,
		   struct rspb_part *part, struct rspb_err *err);

/* Read anew where a part counts against limits of QOS and associations; at
 * least the read lock. RET 0, or -1 with err. */
int rspb_part_count(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err);
/* Shares are of use only where several jobs may be on a CPU. RET 0, or -1 with
 * err: not in this partition. */
int rspb_part_beside(const struct rspb_submission_part *part, struct rspb_err *err);

/* --- cores.c --- */

/* A part of a request that takes cores of its nodes, not the nodes. */

struct rspb_needs;

/* A part that was filled in to take nodes takes what Slurm gives its job of each, where
 * nodes are lent so and that can be said; else it stays as it is. The nodes that it may
 * have are then those that are lent, and large enough; of a range of nodes they are so many
 * as the tasks need, `fewest` (0: that is not known). Write lock. */
void rspb_part_take_cores(const struct rspb_job *job, const struct rspb_terms *flags,
			  uint32_t fewest, struct rspb_part *part);
/* Leave a part of cores the nodes that are lent in parts, and a share the others. */
void rspb_part_keep_lent(struct rspb_part *part);
/* RET the CPUs for which Slurm charges the job of such a part on one node, most of any node that it
 * may have; memory: those for which it has memory (compat/parts/cores.h). At least the read
 * lock. */
uint64_t rspb_part_cpus(const struct rspb_job *job, const struct rspb_part *part, bool memory);
/* Why a job that would have cores by the settings takes nodes, if that is for its flags,
 * its generic resources or those nodes; NULL: it is not. At least the read lock. */
const char *rspb_part_why_nodes(const struct rspb_job *job, const struct rspb_terms *flags,
				const struct rspb_part *part);
/* Let a part without a job, which was filled in to take nodes, take so many cores of each, with the
 * memory and the generic resources of such a job. Where the site gives jobs that do not say how
 * much memory all of a node, the part takes the same fraction as of the cores. Needs at least the
 * read lock. RET 0, or -1 with err: not as many nodes have them. */
int rspb_part_ask_cores(uint32_t cores, const struct rspb_job *job, struct rspb_part *part,
			struct rspb_err *err);
/* Its contract says what it takes of each node besides; and what a contract says. RET 0,
 * -1: out of memory. */
void rspb_part_tell_besides(const struct rspb_part *part, struct rspb_terms *terms);
int rspb_part_granted_besides(const struct rspb_contract *contract, struct rspb_part *part);
/* Set what a contract says it was granted, so many cores of each node. */
struct rspb_grant;
void rspb_part_granted_cores(uint32_t cores, struct rspb_part *part, struct rspb_grant *grant);
/* Learn what a part that may have fewer tasks, with its quotas counted, takes of its nodes with
 * these. Needs at least the read lock. */
void rspb_part_learn(const struct rspb_job *job, struct rspb_part *part);
/* And how many tasks, of a job that has so many now: fewer than it asked for, maybe. */
void rspb_part_granted_tasks(const struct rspb_contract *contract, uint32_t tasks,
			     struct rspb_part *part);
/* Let a part that takes cores take its nodes instead. Needs at least the read lock. RET 0, -1 with
 * err: out of memory. */
int rspb_part_take_nodes(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err);
/* Change a part that takes cores, of a waiting job, into what it would take if the job needed that;
 * the job stays as it was. Needs the write lock. RET 0, or -1 with err: it would take no cores, or
 * Slurm refuses it. */
int rspb_part_resize(uint32_t job, const struct rspb_needs *to, struct rspb_part *part,
		     struct rspb_err *err);

/* Limit a part that takes cores to the nodes of which Slurm gives its job fewer cores than of
 * others, as their cores have more threads. Needs the write lock. RET 1; 0: there are not enough
 * of them; -1 with err: it takes none there. Unless 1 is returned, the part must not be used any
 * more. */
int rspb_part_fewer_cores(uint32_t job, struct rspb_part *part, struct rspb_err *err);
/* Exclude the nodes on which the job of a part that takes cores takes more than the part has. Needs
 * the write lock. */
void rspb_part_keep_cores(const struct rspb_job *job, struct rspb_part *part);

/* --- numbers.c --- */

/* The numbers of nodes that Slurm may choose for a job that does not name one. */

enum { RSPB_NUMBERS_MOST = 24 };

/* RET how many numbers of nodes are worth a try, in the order in which Slurm prefers them:
 * of a range (-N2-4) without tasks the most first, else the fewest. Numbers that give each
 * node as much as a lower one are left out. 0: the job names its number. Write lock. */
uint32_t rspb_numbers_of(const struct rspb_job *job, uint32_t width,
			 uint32_t out[RSPB_NUMBERS_MOST]);
/* rspb_part_fill() (part.h); if that takes whole nodes, or fails, though parts of another
 * number of nodes can be had, of that number. Write lock. RET 0, or -1 with err. */
int rspb_numbers_begin(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t width,
		       struct rspb_part *part, struct rspb_err *err);
/* Fill in a part as if the job asked for exactly so many nodes; what it had is destroyed.
 * Write lock. RET 0, or -1 with err: it cannot have so many. */
int rspb_numbers_fill(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t nodes,
		      uint32_t width, struct rspb_part *part, struct rspb_err *err);

/* --- uneven.c --- */

/*
 * Parts that take different numbers of cores or devices of their nodes, for a job that says
 * only how many tasks or devices it has in all.
 */

/* The free resources of nodes while a window lasts. */
struct rspb_uneven_free {
	const struct rspb_ledger *ledger;
	int64_t start, end;
	struct rspb_nodeset *nodes; /* owned: nobody has them as a whole */
	int64_t *cores;		    /* owned: the units that are taken of each, at most */
	size_t n_rooms;
	int64_t **taken; /* owned, and each of them: likewise of each room of the ledger */
};

/* Look at the ledger, whose bookings are many, before the lock is taken. RET 0, -1: out of memory;
 * fini() is the caller's either way. */
int rspb_uneven_look(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		     struct rspb_uneven_free *out);
void rspb_uneven_free_fini(struct rspb_uneven_free *had);
/* Whether a job with these flags may have such a part. Write lock. */
bool rspb_uneven_may(const struct rspb_job *job, const struct rspb_terms *flags);
/* How a part takes more than its load seems to need. */
struct rspb_uneven_how {
	bool mixes;	/* it takes devices of each type of a node, of which Slurm may find more
			 * beside free cores, and not the first types */
	uint32_t extra; /* it takes so many more cores of each node, where they are free */
	bool given;	/* it takes what Slurm would give its job this second, maybe whole nodes */
};

/* Fill in a part that takes of each of its nodes what is free there, until all tasks or devices
 * have a place. What the part had is destroyed. Write lock. RET 0, or -1 with err: the job cannot
 * be spread so, or there is too little. */
int rspb_uneven_fill(const struct rspb_job *job, const struct rspb_terms *flags,
		     const struct rspb_uneven_free *at, struct rspb_uneven_how how,
		     struct rspb_part *part, struct rspb_err *err);
/* RET the nodes that may replace lost ones of a booked part, whose other nodes it keeps, for the
 * caller to destroy; NULL: it may have others anyway, or out of memory. Write lock. */
struct rspb_nodeset *rspb_uneven_others(const struct rspb_job *job, const struct rspb_part *part,
					const struct rspb_nodeset *granted);
/* Print the other amounts of a part as contracts have them (wire/texts.h). At least the read
 * lock. RET false: they are too long for it, and the text is "". */
bool rspb_uneven_print(const struct rspb_part *part, char *text, size_t size);
/* Take them over again from such a text. At least the read lock. RET 0, -1: out of memory. */
int rspb_uneven_recall(const char *text, struct rspb_part *part);

/* --- want.c --- */

/* Adds to a request what its flags want beyond nodes and length. */

/* --work: let a request whose part has its range of nodes, or may have fewer tasks, and no length
 * yet, be what that comes to within `longest` seconds (0: any). It has the length of the shortest
 * form. Without --work nothing is changed. RET 0, or -1 with err. */
int rspb_want_forms(const struct rspb_terms *flags, struct rspb_request *request, int64_t longest,
		    struct rspb_err *err);
/* Add what the contract of a request's first job wants: its forms, unless it asks for an offer,
 * which is a single form; its price; the worth of its start. RET likewise. */
int rspb_want_fill(const struct rspb_contract *contract, struct rspb_request *request,
		   int64_t longest, struct rspb_err *err);
/* Where nodes have speeds (Speed=): let a request that has no forms and one part be as long as
 * its slowest node takes for what a usual one does in its length; of an offer, which is a
 * time, it gets nodes that are no slower than usual. With at least the read lock. RET 0,
 * or -1 with err. */
int rspb_want_speed(const struct rspb_config *config, struct rspb_request *request, bool offer,
		    struct rspb_err *err);
/* --time-min: let a request of one part without --work be shorter where there is no place
 * for it as long as it is, at least so many seconds (0: it is not). RET likewise. */
int rspb_want_shorter(int64_t least, struct rspb_request *request, struct rspb_err *err);
/* --prefer-qos: tell the eligible nodes of a part apart by how near they are. With at
 * least the read lock on nodes. RET 0, or -1 with err. */
int rspb_want_nodes(const struct rspb_prefer *prefer, struct rspb_part *part, struct rspb_err *err);
/* Do the same for a booked job whose nodes are looked for again. */
void rspb_want_again(const struct rspb_job *job, struct rspb_part *part);

/* --- window.c --- */

/* When a request may be, from what its jobs ask for. */

/*
 * The window of a request in whole seconds: the latest begin, the longest limit
 * and the earliest deadline of all components, each given to add() with its
 * own --book=asap, then close() once. Of the job only these are looked at.
 */
void rspb_window_add(struct rspb_request *request, const struct rspb_job *job, bool asap,
		     int64_t now);
/* Refuse a begin that lies more than RSPB_BEGIN_PAST_S before now; 0: none was given. option: how
 * the user gave it ("--begin"). RET 0, or -1 with a sentence for the user. */
int rspb_window_begin(int64_t begin, int64_t now, const char *option, struct rspb_err *err);
/* In between: whether its partition allows as much, and its deadline leaves it, or the
 * least time of --time-min (0: none). RET 0, or -1 with a sentence for the user. */
int rspb_window_check(const struct rspb_request *request, int64_t least,
		      const struct rspb_submission_part *part, struct rspb_err *err);
/* The window ends, and is what MinNotice, Horizon and StartHours leave of it. */
void rspb_window_close(struct rspb_request *request, const struct rspb_config *config, int64_t now);

/* Whether it may be asked for when it was, and start then. RET 0, or -1 with a
 * sentence for the user. */
int rspb_hours_judge(const struct rspb_request *request, const struct rspb_config *config,
		     struct rspb_err *err);

#endif
