/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job as it arrives in slurmctld, before it is a job: what a submission says,
 * and the few things that we write into it. To be used within job_submit(),
 * where slurmctld holds read locks; a view is good until it returns.
 */
#ifndef RSPB_PLUGINS_COMPAT_SUBMISSION_H
#define RSPB_PLUGINS_COMPAT_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/wire/flags.h"
#include "plugins/compat/slurm.h"

/* The plugin's entry points: submit(desc, uid, message) and modify(desc, job,
 * uid, message) answer with an error of Slurm's and, where message is not NULL
 * (22.05 has none for updates), a text for the user. */
/* clang-format off */
#define RSPB_JOB_SUBMIT(submit) \
extern int job_submit(job_desc_msg_t *desc, uint32_t uid, char **message); \
int job_submit(job_desc_msg_t *desc, uint32_t uid, char **message) \
{ \
	return submit(desc, uid, message); \
}
/* clang-format on */
/* clang-format off */
#define RSPB_JOB_MODIFY(modify) \
extern int job_modify(job_desc_msg_t *desc, job_record_t *job, uint32_t uid); \
int job_modify(job_desc_msg_t *desc, job_record_t *job, uint32_t uid) \
{ \
	return modify(desc, job, uid, NULL); \
}
/* clang-format on */

struct rspb_submission {
	const void *handle; /* Slurm's message */
	uint32_t user;
	const char *account, *qos; /* NULL: the user's own */
	const char *partition;	   /* NULL: the default one */
	const char *reservation;   /* NULL: none */
	const char *comment;	   /* admin comment, NULL: none */
	const char *host;	   /* where its credential was made, NULL: unknown */
	const char *prefer;	   /* --prefer, NULL: none */
	const char *array;	   /* --array, NULL: none */
	bool immediate;
	int64_t least;		 /* --time-min, seconds; 0: none */
	bool dependent;		 /* waits for other jobs */
	bool component;		 /* of a heterogeneous job */
	bool exclusive;		 /* nodes for itself, or for its user */
	bool blocks;		 /* for itself all of the blocks that these are in */
	int64_t begin, deadline; /* 0: not given */
	int64_t limit;		 /* seconds; 0: not given, -1: unlimited */
};
void rspb_submission_view(const job_desc_msg_t *desc, struct rspb_submission *out);

/* The account that a submission is for, "" for none: the one it names, or else
 * its user's own. */
void rspb_submission_account(const struct rspb_submission *sub, char *account, size_t size);

/* Whether it asks for what Slurm itself is going to refuse, behind us: no nodes, or
 * licenses that there are none of; or it is held, so that nobody decides yet. */
bool rspb_submission_idle(const struct rspb_submission *sub);

/* A partition's settings for a submission. */
struct rspb_submission_part {
	const char *name;
	int64_t default_limit, max_limit; /* seconds, -1: unlimited */
	uint32_t nodes_most;		  /* to one job, UINT32_MAX: any */
	bool beside;			  /* jobs run side by side on a CPU */
	bool one_user;			  /* nodes are one user's at a time */
};
/*
 * Find the partition. RET 0; -1 with err: no such partition, no default one, or several are named;
 * 1 with err: it accepts no jobs now, and *out is filled in.
 */
int rspb_submission_part(const struct rspb_submission *sub, struct rspb_submission_part *out,
			 struct rspb_err *err);

/* Most options of SPANK plugins, ours and others, that a job with flags of ours
 * may come with. */
enum { RSPB_SUBMISSION_OPTIONS = 1024 };
/* Receives one flag, its name as SPANK spells it: letters, digits, '_'. The texts live as long as
 * the call. RET 0, or -1 with err. */
typedef int (*rspb_submission_flag_fn)(void *arg, const char *name, const char *value,
				       struct rspb_err *err);
/* Show take() the flags of ours that came with it, in the order in which they
 * stand, until one is refused: as options of SPANK, or, where there are none, in the
 * environment of its script, which is without them then (slurmrestd of 22.05 has no
 * options of SPANK). RET 0, or -1 with err. */
int rspb_submission_flags(job_desc_msg_t *desc, rspb_submission_flag_fn take, void *arg,
			  struct rspb_err *err);

/* Check that no text of it that is going to be read is longer than Slurm takes,
 * names of nodes than 64 KiB. RET 0, or -1 with err. */
int rspb_submission_bounded(const job_desc_msg_t *desc, struct rspb_err *err);

/* Check that the reader of Slurm's saved state accepts what Slurm would save of a
 * submission or an update. RET 0, or -1 with err. */
int rspb_submission_readable(const job_desc_msg_t *desc, struct rspb_err *err);

/* Set the earliest begin (0: as it says) and the time limit, in seconds. */
void rspb_submission_times(job_desc_msg_t *desc, int64_t begin, int64_t limit);
/* Set the partition, or a list of them; the text is copied. */
void rspb_submission_partition(job_desc_msg_t *desc, const char *name);
/* Put it into a reservation, with this admin comment. whole: it gets its nodes
 * for itself. Texts are copied. */
void rspb_submission_divert(job_desc_msg_t *desc, const char *reservation, const char *comment,
			    bool whole);

/* Give the job its nodes exclusively, unless it says otherwise. */
void rspb_submission_alone(job_desc_msg_t *desc);

/* Slurm takes nothing that asks for more nodes than there are: let it ask for so
 * many at least, and for that part of its tasks and CPUs. *tasks and *cpus are
 * then what it asked for, 0: nothing. */
void rspb_submission_bear(job_desc_msg_t *desc, uint32_t nodes, uint32_t *tasks, uint32_t *cpus);

/*
 * Which setting that counts for a booking an update wants to change, by the
 * name scontrol has for it; NULL: none. placing: only of those which make up
 * the place and time that were granted.
 */
const char *rspb_submission_changes(const job_desc_msg_t *desc, bool placing);

/* Whether it holds a job, or lets it go. */
bool rspb_submission_holds(const job_desc_msg_t *desc);

/* Take nodes, length, begin and deadline out of an update. RET 1; 0: it asks for none of them, or
 * also for something else that counts for a booking, and is as it was; -1 with err. */
int rspb_submission_terms(job_desc_msg_t *desc, struct rspb_terms *out, struct rspb_err *err);

/* Within job_modify(): whether a booked job that waits could still run on the
 * nodes of its reservation when it is updated so. RET 0, also without one, or
 * -1 with the sentence why not. */
int rspb_submission_fits(const job_desc_msg_t *desc, const job_record_t *job, bool lent,
			 struct rspb_err *err);

/* The id of a job, and its admin comment (NULL: none). */
uint32_t rspb_submission_job_id(const job_record_t *job);
const char *rspb_submission_job_comment(const job_record_t *job);
/* Write a line where scontrol shows it with the job (SystemComment) and users
 * cannot; within job_modify(). */
void rspb_submission_remark(job_record_t *job, const char *text);
/* RET the comment that an update sets, NULL: none. */
const char *rspb_submission_note(const job_desc_msg_t *desc);
/* Whether a job is this user's. */
bool rspb_submission_owner(const job_record_t *job, uint32_t user);
/* Whether a user may act for the site: operators, administrators, root. */
bool rspb_submission_operator(uint32_t user);
/* Whether a user is one of Slurm's own daemons: root or SlurmUser. */
bool rspb_submission_daemon(uint32_t user);
/* A text for the user, in memory that Slurm frees. */
char *rspb_submission_text(const char *text);

#endif
