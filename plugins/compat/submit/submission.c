/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what a submission says, and writes what becomes of it. Whether it is admitted
 * is decided elsewhere (job_submit/admit). */
#include "plugins/compat/submit/submission.h"

#include <stdio.h>
#include <string.h>

#include "plugins/compat/parts/placed.h"
#include "plugins/compat/release/licenses.h"
#include "plugins/compat/release/topology.h"
#include "plugins/compat/submit/draft_internal.h"
#include "src/common/assoc_mgr.h"

#define FLAG_PREFIX "_SLURM_SPANK_OPTION_rspb_"

enum { FLAG_NAME_SIZE = 64 };

/* Slurm says "not given" with the highest numbers, sometimes with 0. */
static uint32_t given32(uint32_t value, uint32_t otherwise)
{
	return value && value < INFINITE - 1 ? value : otherwise;
}

/* RET a text; NULL: none, or an empty one, which clients may send. */
static const char *text_or_null(const char *text)
{
	return text && *text ? text : NULL;
}

/* RET Slurm's minutes in seconds; -1: unlimited. */
static int64_t minutes(uint32_t value)
{
	return value == INFINITE ? -1 : INT64_C(60) * value;
}

/* The texts stay those of the message. */
void rspb_submission_view(const job_desc_msg_t *desc, struct rspb_submission *out)
{
	*out = (struct rspb_submission){ .handle = desc,
					 .user = desc->user_id,
					 .account = text_or_null(desc->account),
					 .qos = text_or_null(desc->qos),
					 .partition = text_or_null(desc->partition),
					 .reservation = text_or_null(desc->reservation),
					 .comment = text_or_null(desc->admin_comment),
					 .host = text_or_null(desc->alloc_node),
					 .prefer = text_or_null(desc->prefer),
					 .dependent = text_or_null(desc->dependency),
					 .array = text_or_null(desc->array_inx),
					 .immediate = desc->immediate == 1,
					 .exclusive = desc->shared != NO_VAL16 && desc->shared != 1,
					 .blocks = rspb_release_alone_there(desc),
					 .least = given32(desc->time_min, 0) * INT64_C(60),
					 .component = desc->het_job_offset != NO_VAL,
					 .begin = desc->begin_time,
					 .deadline = desc->deadline == NO_VAL ? 0 : desc->deadline,
					 .limit = desc->time_limit == NO_VAL
							  ? 0
							  : minutes(desc->time_limit) };
}

/* Slurm itself looks at these lengths only when it has asked us; names of nodes
 * it takes at any length. */
enum { TEXT_MOST = 1024, NODES_MOST = 65536 };

int rspb_submission_bounded(const job_desc_msg_t *desc, struct rspb_err *err)
{
	const struct {
		const char *flag, *text;
		size_t most;
	} texts[] = {
		{ "account", desc->account, TEXT_MOST },
		{ "qos", desc->qos, TEXT_MOST },
		{ "partition", desc->partition, TEXT_MOST },
		{ "reservation", desc->reservation, TEXT_MOST },
		{ "constraint", desc->features, TEXT_MOST },
		{ "gpus", desc->tres_per_job, TEXT_MOST },
		{ "gres", desc->tres_per_node, TEXT_MOST },
		{ "gpus-per-socket", desc->tres_per_socket, TEXT_MOST },
		{ "gpus-per-task", desc->tres_per_task, TEXT_MOST },
		{ "cpus-per-gpu", desc->cpus_per_tres, TEXT_MOST },
		{ "mem-per-gpu", desc->mem_per_tres, TEXT_MOST },
		{ "gpu-freq", desc->tres_freq, TEXT_MOST },
		{ "nodelist", desc->req_nodes, NODES_MOST },
		{ "exclude", desc->exc_nodes, NODES_MOST },
	};

	/* A text may have megabytes: no more of it is read than the bound. */
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].text && strnlen(texts[i].text, texts[i].most + 1) > texts[i].most)
			return rspb_fail(err,
					 "--%s: the value is too long; at most %zu "
					 "characters are allowed",
					 texts[i].flag, texts[i].most);
	return 0;
}

void rspb_submission_account(const struct rspb_submission *sub, char *account, size_t size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .user = READ_LOCK };
	slurmdb_assoc_rec_t assoc = { .uid = sub->user,
				      .acct = (char *) sub->account,
				      .partition = (char *) sub->partition };

	assoc_mgr_lock(&locks);
	/* Slurm fills in the default account of the user. */
	if (!assoc.acct && assoc_mgr_assoc_list)
		assoc_mgr_fill_in_assoc(acct_db_conn, &assoc, 0, NULL, true);
	snprintf(account, size, "%s", assoc.acct ? assoc.acct : "");
	assoc_mgr_unlock(&locks);
}

bool rspb_submission_idle(const struct rspb_submission *sub)
{
	const job_desc_msg_t *desc = sub->handle;
	list_t *licenses;

	/* A job that is submitted held (-H) has priority 0. */
	if (!desc->min_nodes || !desc->priority)
		return true;
	if (!desc->licenses || !*desc->licenses)
		return false;
	licenses = rspb_release_licenses_read(desc->licenses);
	if (!licenses)
		return true;
	FREE_NULL_LIST(licenses);
	return false;
}

int rspb_submission_part(const struct rspb_submission *sub, struct rspb_submission_part *out,
			 struct rspb_err *err)
{
	part_record_t *part = rspb_draft_part(sub->partition, err);
	uint32_t usual;

	if (!part)
		return -1;
	if (rspb_release_blocks_alone(part))
		return rspb_fail(err,
				 "--partition: %s gives its jobs whole blocks "
				 "(ExclusiveTopo=YES), and a booking has only its own nodes; use "
				 "another partition",
				 part->name);
	/* Without DefaultTime a job that names no time gets MaxTime. */
	usual = part->default_time == NO_VAL ? part->max_time : part->default_time;
	*out = (struct rspb_submission_part){ .name = part->name,
					      .default_limit = minutes(usual),
					      .max_limit = minutes(part->max_time),
					      .nodes_most = part->max_nodes,
					      .beside = rspb_placed_beside(part),
					      .one_user = part->flags & PART_FLAG_EXCLUSIVE_USER };
	/* Slurm refuses the submission after it, unless another partition stands in (Alternate=);
	 * a forecast before that would mislead. */
	if (part->state_up & PARTITION_SUBMIT || (part->alternate && *part->alternate))
		return 0;
	rspb_fail(err, "--partition: %s is %s and accepts no jobs; use another partition",
		  part->name, part->state_up == PARTITION_DRAIN ? "DRAIN" : "INACTIVE");
	return 1;
}

/* Take one of our entries. RET the result of take(). */
static int take_flag(const char *entry, rspb_submission_flag_fn take, void *arg,
		     struct rspb_err *err)
{
	size_t length = strcspn(entry, "=");
	char name[FLAG_NAME_SIZE];

	snprintf(name, sizeof(name), "%.*s",
		 (int) (length < sizeof(name) ? length : sizeof(name) - 1), entry);
	return take(arg, name, entry[length] ? entry + length + 1 : "", err);
}

static bool is_flag(const char *entry)
{
	return entry && !strncmp(entry, FLAG_PREFIX, strlen(FLAG_PREFIX));
}

/* Whether there is a flag of ours among many entries, without reading the others. */
static bool any_flag(char *const *entries, uint32_t n)
{
	while (n--)
		if (is_flag(entries[n]))
			return true;
	return false;
}

/* RET how many of a list are flags, all of them taken, or -1 with err. */
static int take_flags(char *const *entries, uint32_t n, rspb_submission_flag_fn take, void *arg,
		      struct rspb_err *err)
{
	int taken = 0;

	for (uint32_t e = 0; e < n; e++) {
		if (!is_flag(entries[e]))
			continue;
		if (take_flag(entries[e] + strlen(FLAG_PREFIX), take, arg, err))
			return -1;
		taken++;
	}
	return taken;
}

/* Drop our flags, so that submissions of the job's script do not inherit them. */
static void drop_flags(char **entries, uint32_t *n)
{
	uint32_t kept = 0;

	for (uint32_t e = 0; e < *n; e++) {
		char *entry = entries[e];

		entries[e] = NULL;
		if (is_flag(entry))
			xfree(entry);
		else
			entries[kept++] = entry;
	}
	*n = kept;
}

int rspb_submission_flags(job_desc_msg_t *desc, rspb_submission_flag_fn take, void *arg,
			  struct rspb_err *err)
{
	int n;

	/* A message may carry 150,000 entries, and reading them happens under Slurm's locks.
	 * Jobs without flags of ours may have as many as Slurm takes. */
	if (desc->spank_job_env_size > RSPB_SUBMISSION_OPTIONS &&
	    any_flag(desc->spank_job_env, desc->spank_job_env_size))
		return rspb_fail(
			err,
			"--book: the job has %u options of SPANK plugins; at most %d are allowed "
			"with a booking",
			desc->spank_job_env_size, RSPB_SUBMISSION_OPTIONS);
	/* Names and values are the client's word, and are parsed and checked anew. */
	n = take_flags(desc->spank_job_env, desc->spank_job_env_size, take, arg, err);
	if (!n)
		n = take_flags(desc->environment, desc->env_size, take, arg, err);
	if (n > 0)
		drop_flags(desc->environment, &desc->env_size);
	return n < 0 ? -1 : 0;
}

void rspb_submission_times(job_desc_msg_t *desc, int64_t begin, int64_t limit)
{
	if (begin)
		desc->begin_time = begin;
	/* Slurm knows whole minutes only. */
	desc->time_limit = (uint32_t) ((limit + 59) / 60);
}

void rspb_submission_partition(job_desc_msg_t *desc, const char *name)
{
	char *copy = xstrdup(name);

	xfree(desc->partition);
	desc->partition = copy;
}

/* Whether Slurm could start the job with all CPUs of its nodes. A partition that does not exist
 * is refused by Slurm itself. */
static bool may_have_all(const job_desc_msg_t *desc)
{
	const part_record_t *part = desc->partition ? find_part_record(desc->partition)
						    : default_part_loc;

	return !part || rspb_draft_has_all(desc, part);
}

void rspb_submission_divert(job_desc_msg_t *desc, const char *reservation, const char *comment,
			    bool whole)
{
	xfree(desc->reservation);
	desc->reservation = xstrdup(reservation);
	xfree(desc->admin_comment);
	desc->admin_comment = xstrdup(comment);
	/* Slurm would otherwise give the job some of the cores of its nodes. */
	if (whole)
		rspb_submission_alone(desc);
}

void rspb_submission_alone(job_desc_msg_t *desc)
{
	if (may_have_all(desc) && (desc->shared == NO_VAL16 || desc->shared == 1))
		desc->shared = JOB_SHARED_NONE;
}

/* RET how many there were, 0: none were given. */
static uint32_t scale(uint32_t *number, uint32_t nodes, uint32_t of)
{
	uint32_t was = *number;

	if (!was || was == NO_VAL || was == INFINITE)
		return 0;
	*number = (uint32_t) (((uint64_t) was * nodes + of - 1) / of);
	return was;
}

void rspb_submission_bear(job_desc_msg_t *desc, uint32_t nodes, uint32_t *tasks, uint32_t *cpus)
{
	uint32_t most = desc->min_nodes;

	if (most == NO_VAL || most == INFINITE || most <= nodes)
		return;
	/* A single number of nodes is the least and the most. */
	if (desc->max_nodes == NO_VAL || desc->max_nodes < most)
		desc->max_nodes = most;
	/* Both are scaled from the most nodes, for which they were given. */
	*tasks = scale(&desc->num_tasks, nodes, desc->max_nodes);
	*cpus = scale(&desc->min_cpus, nodes, desc->max_nodes);
	desc->min_nodes = nodes;
}

const char *rspb_submission_job_comment(const job_record_t *job)
{
	return text_or_null(job->admin_comment);
}

uint32_t rspb_submission_job_id(const job_record_t *job)
{
	return job->job_id;
}

void rspb_submission_remark(job_record_t *job, const char *text)
{
	xfree(job->system_comment);
	job->system_comment = xstrdup(text);
	/* Clients that keep a copy of the jobs fetch them again. */
	last_job_update = time(NULL);
}

const char *rspb_submission_note(const job_desc_msg_t *desc)
{
	return text_or_null(desc->comment);
}

bool rspb_submission_owner(const job_record_t *job, uint32_t user)
{
	return job->user_id == user;
}

bool rspb_submission_operator(uint32_t user)
{
	return validate_operator(user);
}

bool rspb_submission_daemon(uint32_t user)
{
	return !user || user == slurm_conf.slurm_user_id;
}

char *rspb_submission_text(const char *text)
{
	return xstrdup(text);
}
