/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A submission as a job, the way slurmctld is going to fill one in. */
#include <string.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/release/jobs.h"
#include "plugins/compat/release/licenses.h"
#include "plugins/compat/release/resv.h"
#include "plugins/compat/submit/draft_internal.h"
#include "src/common/assoc_mgr.h"

/* RET a number that was given. 0, NO_VAL and INFINITE mean that none was. */
static uint32_t given(uint32_t value, uint32_t otherwise)
{
	return value && value < INFINITE - 1 ? value : otherwise;
}

static uint16_t given16(uint16_t value, uint16_t otherwise)
{
	return value && value != NO_VAL16 ? value : otherwise;
}

/* Fill in tasks and CPUs as slurmctld does when it makes a job of the submission, so that both
 * are judged alike. */
static void fill_cpus(job_details_t *details, const job_desc_msg_t *desc)
{
	uint32_t tasks = given(desc->num_tasks, 0);
	uint16_t each = given16(desc->cpus_per_task, 1);
	uint32_t least = given16(desc->pn_min_cpus, 1);

	details->num_tasks = tasks;
	details->overcommit = desc->overcommit == NO_VAL8 ? 0 : desc->overcommit;
	details->cpus_per_task = each;
	details->ntasks_per_node = given16(desc->ntasks_per_node, 0);
	/* A node with so many tasks needs their CPUs. */
	if (details->ntasks_per_node && tasks > 1 &&
	    least < (uint32_t) each * details->ntasks_per_node)
		least = (uint32_t) each * details->ntasks_per_node;
	details->pn_min_cpus = least > each ? least : each;
	details->min_cpus = given(desc->min_cpus, details->min_nodes);
	if (desc->overcommit == NO_VAL8 && tasks > details->min_cpus)
		details->min_cpus = tasks * each;
}

/* How its tasks lie on sockets, cores and threads, as Slurm keeps it. */
static void fill_cores(job_details_t *details, const job_desc_msg_t *desc)
{
	multi_core_data_t *cores = xmalloc(sizeof(*cores));
	bool one = slurm_conf.select_type_param & RSPB_RELEASE_ONE_TASK_PER_CORE;

	cores->sockets_per_node = desc->sockets_per_node;
	cores->cores_per_socket = desc->cores_per_socket;
	cores->threads_per_core = desc->threads_per_core;
	cores->ntasks_per_socket = given16(desc->ntasks_per_socket, INFINITE16);
	cores->ntasks_per_core = given16(desc->ntasks_per_core, one ? 1 : INFINITE16);
	cores->plane_size = given16(desc->plane_size, 0);
	details->mc_ptr = cores;
	details->contiguous = given16(desc->contiguous, 0) ? 1 : 0;
}

/* Fill in memory: what was asked for, else the default of the partition or of slurm.conf. 0
 * stands for all memory of a node. */
static void fill_memory(struct rspb_draft *draft, const job_desc_msg_t *desc)
{
	const part_record_t *part = draft->job.part_ptr;
	uint64_t memory = desc->pn_min_memory;

	if (memory == NO_VAL64)
		memory = part->def_mem_per_cpu ? part->def_mem_per_cpu : slurm_conf.def_mem_per_cpu;
	else
		draft->job.bit_flags |= JOB_MEM_SET;
	draft->details.pn_min_memory = memory == MEM_PER_CPU ? 0 : memory;
	draft->details.pn_min_tmp_disk = given(desc->pn_min_tmp_disk, 0);
}

/* A job that has a node for itself is given all of its GPUs, and then no part of one, so it would
 * start nowhere. */
static bool has_shards(const job_desc_msg_t *desc)
{
	const char *const asked[] = { desc->tres_per_job, desc->tres_per_node,
				      desc->tres_per_socket, desc->tres_per_task };

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (asked[i] && (strstr(asked[i], "shard") || strstr(asked[i], "mps")))
			return true;
	return false;
}

/* Whether enough nodes of the partition have that much memory for each of their CPUs. A job with
 * all CPUs would otherwise ask for more memory than they have, and start nowhere. */
static bool has_memory(const job_desc_msg_t *desc, const part_record_t *part)
{
	uint64_t each = desc->pn_min_memory;
	uint32_t nodes = given(desc->min_nodes, 1);

	if (each == NO_VAL64 || !(each & MEM_PER_CPU) ||
	    !(slurm_conf.select_type_param & RSPB_RELEASE_MEMORY))
		return true;
	each &= ~MEM_PER_CPU;
	for (int n = 0; nodes && n < node_record_count; n++) {
		const node_record_t *node = node_record_table_ptr[n];

		if (rspb_record_there(node) && part->node_bitmap &&
		    bit_test(part->node_bitmap, n) && each * node->cpus <= node->real_memory)
			nodes--;
	}
	return !nodes;
}

bool rspb_draft_has_all(const job_desc_msg_t *desc, const part_record_t *part)
{
	return part->max_cpus_per_node == INFINITE && !has_shards(desc) &&
	       !rspb_release_overcrowds(desc) && has_memory(desc, part);
}

void rspb_draft_alone(struct rspb_draft *draft, const void *desc)
{
	draft->details.whole_node = rspb_draft_has_all(desc, draft->job.part_ptr);
}

struct wanted {
	const char *name; /* NULL: by its number */
	uint32_t id;
};

static int is_wanted(void *item, void *key)
{
	const slurmdb_qos_rec_t *qos = item;
	const struct wanted *wanted = key;

	return wanted->name ? !xstrcmp(qos->name, wanted->name) : qos->id == wanted->id;
}

/* Find the QOS that Slurm gives a job that names none: the usual one of its user in that account
 * and partition, the only one he has there, or "normal". */
static void usual(struct wanted *wanted, slurmdb_assoc_rec_t *asked)
{
	slurmdb_assoc_rec_t *has = NULL;
	bitstr_t *valid;

	/* Without accounting, or for a user that it does not know, the QOS stays unknown. */
	if (!assoc_mgr_assoc_list || assoc_mgr_fill_in_assoc(acct_db_conn, asked, 0, &has, true) ||
	    !has)
		return;
	valid = has->usage ? has->usage->valid_qos : NULL;
	if (has->def_qos_id)
		wanted->id = has->def_qos_id;
	else if (valid && bit_set_count(valid) == 1)
		wanted->id = (uint32_t) bit_ffs(valid);
	else
		wanted->name = "normal";
}

/* That of a submission to the partition of its draft; NULL: it is not known. With
 * Slurm's lock. */
static slurmdb_qos_rec_t *qos_of(const struct rspb_draft *draft, const job_desc_msg_t *from)
{
	slurmdb_assoc_rec_t assoc = { .uid = from->user_id,
				      .acct = from->account,
				      .partition = draft->job.part_ptr->name };
	struct wanted wanted = { .name = from->qos };

	if (!wanted.name)
		usual(&wanted, &assoc);
	return assoc_mgr_qos_list ? list_find_first(assoc_mgr_qos_list, is_wanted, &wanted) : NULL;
}

static const assoc_mgr_lock_t qos_locks = { .assoc = READ_LOCK,
					    .qos = READ_LOCK,
					    .user = READ_LOCK };

/* Slurm may do away with a record as soon as its own lock is given up: it is copied. */
void rspb_draft_rank(struct rspb_draft *draft, const void *desc)
{
	assoc_mgr_lock_t locks = qos_locks;
	const slurmdb_qos_rec_t *qos;

	assoc_mgr_lock(&locks);
	qos = qos_of(draft, desc);
	if (qos) {
		draft->qos.id = qos->id;
		draft->qos.preempt_mode = qos->preempt_mode;
		draft->qos.preempt_bitstr = qos->preempt_bitstr ? bit_copy(qos->preempt_bitstr)
								: NULL;
		draft->job.qos_ptr = &draft->qos;
	}
	assoc_mgr_unlock(&locks);
}

int rspb_draft_let_in(struct rspb_draft *draft, const void *desc, struct rspb_err *err)
{
	assoc_mgr_lock_t locks = qos_locks;
	part_record_t *part = draft->job.part_ptr;
	int rc = 0;

	assoc_mgr_lock(&locks);
	draft->job.qos_ptr = qos_of(draft, desc);
	if (draft->job.qos_ptr && rspb_release_qos_check(part, &draft->job))
		rc = rspb_fail(err,
			       "--partition: %s does not accept jobs of QOS %s (AllowQos, "
			       "DenyQos)",
			       part->name, draft->job.qos_ptr->name);
	/* The record may be gone as soon as the lock is released. */
	draft->job.qos_ptr = NULL;
	assoc_mgr_unlock(&locks);
	return rc;
}

/* Whether accounting knows its user in that account; with Slurm's lock. */
static bool is_known(const struct rspb_draft *draft, const job_desc_msg_t *from)
{
	slurmdb_assoc_rec_t *has = NULL, asked = { .uid = from->user_id,
						   .acct = from->account,
						   .partition = draft->job.part_ptr->name };
	uint16_t enforced = slurm_conf.accounting_storage_enforce;

	return !(enforced & ACCOUNTING_ENFORCE_ASSOCS) ||
	       assoc_mgr_fill_in_assoc(acct_db_conn, &asked, enforced, &has, true) == SLURM_SUCCESS;
}

/* Whether nodes that are named have others between them, which a job of neighbours has to
 * have, too, and it may not. */
static bool has_gap(const job_details_t *details)
{
	const bitstr_t *named = details->req_node_bitmap;
	int64_t first = named ? bit_ffs((bitstr_t *) named) : -1;

	return details->contiguous && details->max_nodes && first >= 0 &&
	       bit_fls((bitstr_t *) named) - first + 1 > (int64_t) details->max_nodes;
}

bool rspb_draft_refused(const struct rspb_draft *draft, const void *desc)
{
	const job_desc_msg_t *from = desc;
	assoc_mgr_lock_t locks = qos_locks;
	bool known;

	if ((draft->job.part_ptr->flags & PART_FLAG_ROOT_ONLY && from->user_id &&
	     from->user_id != slurm_conf.slurm_user_id) ||
	    has_gap(&draft->details))
		return true;
	assoc_mgr_lock(&locks);
	known = is_known(draft, from);
	assoc_mgr_unlock(&locks);
	return !known;
}

/* Whether the job gets its nodes for itself, by its own option or by its partition. */
static bool is_alone(const struct rspb_draft *draft, const job_desc_msg_t *desc)
{
	return !desc->shared || !draft->job.part_ptr->max_share;
}

/* Fill in memory and generic resources. RET 0, or -1 with err; the caller destroys the draft
 * then. */
static int fill_rest(struct rspb_draft *draft, const job_desc_msg_t *desc, struct rspb_err *err)
{
	int rc;

	fill_memory(draft, desc);
	/* The texts stay those of the submission, which outlives the draft. */
	draft->job.tres_per_job = desc->tres_per_job;
	draft->job.tres_per_node = desc->tres_per_node;
	draft->job.tres_per_socket = desc->tres_per_socket;
	draft->job.tres_per_task = desc->tres_per_task;
	if (has_shards(desc) && is_alone(draft, desc))
		return rspb_fail(
			err, "--book: a job with whole nodes (--exclusive, or the partition's "
			     "OverSubscribe=EXCLUSIVE) gets all of their GPUs; if it also requests "
			     "shards or MPS, it never starts; remove one of the two");
	/* The tests ask about a part of each node then, not about all of it. */
	if (has_shards(desc) || draft->lent)
		draft->details.whole_node = 0;
	rc = rspb_release_gres(desc, &draft->job.gres_list_req);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "--gres, --gpus: %s", slurm_strerror(rc));
	/* Slurm has just made these records: they show whether this build knows their layout. */
	if (rspb_abi_gres_ok(draft->job.gres_list_req))
		return 0;
	return rspb_fail(err, "--book: bookings are switched off; the log of slurmctld has the "
			      "reason");
}

static int fill(struct rspb_draft *draft, const job_desc_msg_t *desc, struct rspb_err *err)
{
	job_details_t *details = &draft->details;
	uint32_t named;

	if (rspb_draft_nodes("--nodelist", desc->req_nodes, &details->req_node_bitmap, err) ||
	    rspb_draft_nodes("--exclude", desc->exc_nodes, &details->exc_node_bitmap, err))
		return -1;
	details->min_nodes = given(desc->min_nodes, 1);
	details->max_nodes = given(desc->max_nodes, 0);
	named = details->req_node_bitmap ? bit_set_count(details->req_node_bitmap) : 0;
	/* A job gets all nodes that it names. */
	if (named > details->min_nodes)
		details->min_nodes = named;
	/* The other flags say nothing about nodes or tasks. */
	draft->job.bit_flags |= desc->bitflags & (JOB_NTASKS_SET | JOB_CPUS_SET | USE_MIN_NODES);
	rspb_release_segments(desc, details);
	draft->job.req_switch = given(desc->req_switch, 0);
	draft->job.wait4switch = given(desc->wait4switch, INFINITE);
	fill_cpus(details, desc);
	fill_cores(details, desc);
	/* Before a first job was seen the decision alone looks at features. */
	if (desc->features && *desc->features && rspb_abi_job_known() &&
	    rspb_draft_features(draft, desc->features, err))
		return -1;
	/* Slurm itself refuses a text that names none. */
	if (desc->licenses && *desc->licenses)
		draft->job.license_list = rspb_release_licenses_read(desc->licenses);
	return fill_rest(draft, desc, err);
}

struct rspb_draft *rspb_draft_of_submission(const void *desc, bool lent, struct rspb_err *err)
{
	const job_desc_msg_t *from = desc;
	struct rspb_draft *draft = rspb_draft_create(
		from->partition && *from->partition ? from->partition : NULL, err);

	if (draft)
		draft->lent = lent && (from->shared == NO_VAL16 || from->shared == 1);
	if (!draft || !fill(draft, from, err))
		return draft;
	rspb_draft_destroy(draft);
	return NULL;
}

/* --- of no submission yet ------------------------------------------------------- */

void rspb_draft_tres(char **out, const char *kind, const char *text)
{
	char *copy = xstrdup(text), *rest, *item;

	/* Each item gets the prefix that Slurm gives it in a message. */
	for (item = copy ? strtok_r(copy, ",", &rest) : NULL; item;
	     item = strtok_r(NULL, ",", &rest))
		xstrfmtcat(*out, "%s" RSPB_RELEASE_GRES "%s%s", *out ? "," : "", kind, item);
	xfree(copy);
}

/* Fill in what the job needs of its nodes, by way of the message that sbatch would send: Slurm's
 * reader of generic resources takes nothing else. */
static int fill_needs(struct rspb_draft *draft, const struct rspb_terms *terms,
		      struct rspb_err *err)
{
	job_desc_msg_t desc;

	rspb_draft_tres(&draft->tres_node, "", terms->gres);
	rspb_draft_tres(&draft->tres_node, "gpu:", terms->gpus_node);
	rspb_draft_tres(&draft->tres_job, "gpu:", terms->gpus);
	rspb_draft_tres(&draft->tres_task, "gpu:", terms->gpus_task);
	/* All fields say "not given" after this. */
	slurm_init_job_desc_msg(&desc);
	desc.min_nodes = draft->details.min_nodes;
	desc.max_nodes = terms->nodes ? terms->nodes : NO_VAL;
	if (terms->tasks)
		desc.num_tasks = terms->tasks;
	if (terms->cpus_task)
		desc.cpus_per_task = (uint16_t) terms->cpus_task;
	if (terms->mem)
		desc.pn_min_memory = terms->mem;
	else if (terms->mem_cpu)
		desc.pn_min_memory = terms->mem_cpu | MEM_PER_CPU;
	desc.tres_per_node = draft->tres_node;
	desc.tres_per_job = draft->tres_job;
	desc.tres_per_task = draft->tres_task;
	return fill_rest(draft, &desc, err);
}

struct rspb_draft *rspb_draft_make(const struct rspb_draft_of *of, struct rspb_job *out,
				   struct rspb_err *err)
{
	const job_desc_msg_t desc = { .user_id = of->user,
				      .account = (char *) of->account,
				      .qos = (char *) of->qos };
	struct rspb_draft *draft = rspb_draft_of_nodes(of->terms, of->partition, of->features, err);

	if (!draft)
		return NULL;
	draft->lent = of->lent;
	if (of->needs && fill_needs(draft, of->terms, err)) {
		rspb_draft_destroy(draft);
		return NULL;
	}
	if (of->preempts)
		rspb_draft_rank(draft, &desc);
	rspb_draft_view(draft, out);
	return draft;
}
