/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_PLUGINS_COMPAT_DRAFT_INTERNAL_H
#define RSPB_PLUGINS_COMPAT_DRAFT_INTERNAL_H

#include "plugins/compat/slurm.h"
#include "plugins/compat/submit/draft.h"

struct rspb_draft {
	job_record_t job;
	job_details_t details;
	bool lent;				/* it may get parts of nodes */
	slurmdb_qos_rec_t qos;			/* whom it preempts, no more */
	char *tres_node, *tres_job, *tres_task; /* owned: of no submission */
};

/* RET the partition of that name (NULL: the default one), or NULL with err. */
part_record_t *rspb_draft_part(const char *name, struct rspb_err *err);
/* RET a draft in that partition (NULL: the default one) that asks for nothing
 * yet, or NULL with err. */
struct rspb_draft *rspb_draft_create(const char *partition, struct rspb_err *err);
/* Whether Slurm would start it there with all CPUs and GPUs of its nodes: not where the
 * partition gives it some CPUs of each, where it asks for parts of GPUs, or for more
 * memory for each CPU than that. Others are kept off by its reservation. */
bool rspb_draft_has_all(const job_desc_msg_t *desc, const part_record_t *part);
/* The nodes of a flag (names NULL or "": none). RET 0 or -1 with err. */
int rspb_draft_nodes(const char *flag, const char *names, bitstr_t **out, struct rspb_err *err);
/* Its features, as --constraint takes them. RET 0 or -1 with err. */
int rspb_draft_features(struct rspb_draft *draft, const char *features, struct rspb_err *err);
/* Add "gpu:2,fpga:1" as sbatch sends it (NULL: nothing) to *out, which the caller xfrees;
 * kind: what stands before each number. */
void rspb_draft_tres(char **out, const char *kind, const char *text);

/* The nodes of rspb_draft_make(), without memory and generic resources. */
struct rspb_draft *rspb_draft_of_nodes(const struct rspb_terms *terms, const char *partition,
				       const char *features, struct rspb_err *err);

#endif
