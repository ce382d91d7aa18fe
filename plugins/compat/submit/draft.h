/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job that is none, and never comes into slurmctld's table: what a request
 * says about its nodes, in a record that job.h and Slurm's own tests can look
 * at, so that one piece of logic serves requests and jobs.
 */
#ifndef RSPB_PLUGINS_COMPAT_DRAFT_H
#define RSPB_PLUGINS_COMPAT_DRAFT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"

struct rspb_draft;

/* The nodes that a request asks for without being a submission. */
struct rspb_draft_of {
	const struct rspb_terms *terms; /* without nodes: as many as it needs */
	const char *partition;		/* NULL: the default one */
	const char *features;		/* as --constraint takes them, NULL: any */
	bool needs;			/* it asks for memory and generic resources, too */
	bool lent;			/* it may get parts of nodes (parts/cores.h) */
	/* The draft preempts whom this user may; account, qos NULL: the usual one. Else it preempts
	 * nobody. */
	bool preempts;
	uint32_t user;
	const char *account, *qos;
};
/* Wants read locks on nodes and partitions. RET a draft for the caller to destroy, with its view
 * (rspb_draft_view()) in out, or NULL with a sentence for the user in err: no such partition, a
 * feature or kind of resource that no node has, ... */
struct rspb_draft *rspb_draft_make(const struct rspb_draft_of *of, struct rspb_job *out,
				   struct rspb_err *err);
/* Likewise, from a submission (submission.h, handle), which must live as long as the draft. lent:
 * unless it asks for nodes for itself. Before slurmctld has had a job by which to judge records
 * (abi.h) it has no features, where the one above fails. */
struct rspb_draft *rspb_draft_of_submission(const void *desc, bool lent, struct rspb_err *err);
/* That of a submission is to get its nodes for itself after all, as
 * rspb_submission_alone() has it. */
void rspb_draft_alone(struct rspb_draft *draft, const void *desc);
/* That of a submission has its QOS from now on, as far as whom it preempts. */
void rspb_draft_rank(struct rspb_draft *draft, const void *desc);
/* RET 0, or -1 with err: its partition does not let in who has the QOS of that
 * submission. Where that QOS is not known only the decision tells. */
int rspb_draft_let_in(struct rspb_draft *draft, const void *desc, struct rspb_err *err);
/* Whether Slurm will refuse that submission with words of its own, after ours: the partition
 * takes jobs of root alone, the account is not the user's, or --contiguous goes with named
 * nodes that have others between them. */
bool rspb_draft_refused(const struct rspb_draft *draft, const void *desc);
void rspb_draft_destroy(struct rspb_draft *draft);
/* The draft as a job that waits, good until it is destroyed. Only what says
 * which nodes it could have, and how many, is filled in. */
void rspb_draft_view(const struct rspb_draft *draft, struct rspb_job *out);

#endif
