/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurmctld as a whole: its locks, its life, its configuration and its log, and the times of its
 * last changes. Records of jobs and nodes are not looked at here. */
#include "plugins/compat/ctld.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/release/preempt.h"
#include "plugins/compat/slurm.h"
#include "src/common/assoc_mgr.h"

enum { LOG_LINE = 2048 };

/* RET the locks of a section. Members that are not named here stay unlocked, also those that only
 * later releases have. Functions of Slurm that end jobs want the lock of the federation for
 * reading. */
static slurmctld_lock_t locks_of(enum rspb_lock kind)
{
	lock_level_t level = kind == RSPB_LOCK_WRITE ? WRITE_LOCK : READ_LOCK;

	return (slurmctld_lock_t){
		.conf = READ_LOCK,
		.job = level,
		.node = level,
		.part = READ_LOCK,
		.fed = READ_LOCK,
	};
}

/* The state files to be saved when the calling thread releases its write lock. */
static _Thread_local struct {
	bool writing;
	unsigned int what;
} later;

void rspb_ctld_lock(enum rspb_lock kind)
{
	lock_slurmctld(locks_of(kind));
	later.writing = kind == RSPB_LOCK_WRITE;
}

/* Wake the thread of Slurm that saves state. Each call wakes it, so a section of ours calls this
 * once, after the unlock. */
static void have_saved(unsigned int what)
{
	if (what & RSPB_CHANGED_JOBS)
		schedule_job_save();
	if (what & RSPB_CHANGED_RESVS)
		schedule_resv_save();
}

void rspb_ctld_unlock(enum rspb_lock kind)
{
	unsigned int what = later.what;

	later.writing = false;
	later.what = 0;
	/* The saver needs the lock that is released here, so it is woken afterwards. */
	unlock_slurmctld(locks_of(kind));
	have_saved(what);
}

void rspb_ctld_touched(unsigned int what)
{
	/* Slurm and clients see by these times that their copies are out of date. */
	if (what & RSPB_CHANGED_JOBS)
		last_job_update = time(NULL);
	if (what & RSPB_CHANGED_RESVS)
		last_resv_update = time(NULL);
	/* Within a call from Slurm the lock is not ours, and no rspb_ctld_unlock() follows. */
	if (later.writing)
		later.what |= what;
	else
		have_saved(what);
}

bool rspb_ctld_recovered(void)
{
	/* The thread that purges files is made when all state has been read, by
	 * the slurmctld in charge alone. */
	return !rspb_abi_mismatch() && job_list && resv_list && node_record_count > 0 &&
	       slurmctld_config.thread_id_purge_files && !slurmctld_config.scheduling_disabled;
}

bool rspb_ctld_stopping(void)
{
	return slurmctld_config.shutdown_time != 0;
}

int64_t rspb_ctld_changed(unsigned int what)
{
	time_t last = 0;

	if (what & RSPB_CHANGED_JOBS)
		last = last_job_update;
	if (what & RSPB_CHANGED_NODES && last_node_update > last)
		last = last_node_update;
	if (what & RSPB_CHANGED_RESVS && last_resv_update > last)
		last = last_resv_update;
	if (what & RSPB_CHANGED_PARTS && last_part_update > last)
		last = last_part_update;
	return last;
}

/* RET the time of _purge_missing_jobs(), and a second more, because Slurm compares whole
 * seconds. */
static int64_t missing_s(void)
{
	int64_t answer = slurm_conf.msg_timeout < DEFAULT_MSG_TIMEOUT ? slurm_conf.msg_timeout
								      : DEFAULT_MSG_TIMEOUT;

	return slurm_conf.batch_start_timeout + answer + 1;
}

/* This is asked for each job that runs, so it reads numbers and searches no text. */
struct rspb_slurm_conf rspb_slurm_conf(void)
{
	uint16_t kept = slurm_conf.private_data;

	return (struct rspb_slurm_conf){
		/* UNLIMITED: a year stands for it, because callers add the result to times. */
		.over_time = slurm_conf.over_time_limit == INFINITE16
				     ? INT64_C(365) * 86400
				     : slurm_conf.over_time_limit * INT64_C(60),
		.kill_wait = slurm_conf.kill_wait,
		.job_age = slurm_conf.min_job_age,
		.missing = missing_s(),
		.preempts = slurm_preemption_enabled(),
		.limits = slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS,
		.by_account = slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_ASSOCS,
		.database = slurm_with_slurmdbd(),
		/* Slurm sets the flag of Alloc also for Contain. With PrologSlurmctld the start of
		 * the prolog on the nodes depends on how long that program takes. */
		.prolog_ahead = (slurm_conf.prolog_flags & PROLOG_FLAG_ALLOC) &&
				!slurm_conf.prolog_slurmctld,
		.hides_bookings = kept & (PRIVATE_DATA_JOBS | PRIVATE_DATA_RESERVATIONS),
		.hides_nodes = kept & PRIVATE_DATA_NODES,
		.hides_partitions = kept & PRIVATE_DATA_PARTITIONS,
		.path = slurm_conf.slurm_conf,
		.state = slurm_conf.state_save_location,
		.cluster = slurm_conf.cluster_name,
		.mail_program = slurm_conf.mail_prog,
		.auth_info = slurm_conf.authinfo,
		.parameters = slurm_conf.sched_params,
		.communication = slurm_conf.comm_params,
		.submit_plugins = slurm_conf.job_submit_plugins,
	};
}

/* These callbacks run under the lock of the list and must not reach that list again. */
static int has_account(void *x, void *name)
{
	return !xstrcmp(((const slurmdb_assoc_rec_t *) x)->acct, name);
}

static int has_name(void *x, void *name)
{
	return !xstrcmp(((const slurmdb_qos_rec_t *) x)->name, name);
}

/* Whether a list has a matching record. A missing or empty list means that the site has no
 * accounting, and every name counts as known then. */
static bool found(list_t *list, ListFindF match, const char *name)
{
	return !list || !list_count(list) || list_find_first(list, match, (void *) name);
}

bool rspb_ctld_known(enum rspb_ctld_named what, const char *name)
{
	/* Slurm keeps no list of accounts: one exists if an association names it. */
	bool account = what == RSPB_NAMED_ACCOUNT, known;
	assoc_mgr_lock_t locks = { .assoc = account ? READ_LOCK : NO_LOCK,
				   .qos = account ? NO_LOCK : READ_LOCK };

	assoc_mgr_lock(&locks);
	known = account ? found(assoc_mgr_assoc_list, has_account, name)
			: found(assoc_mgr_qos_list, has_name, name);
	assoc_mgr_unlock(&locks);
	return known;
}

static struct rspb_ctld_counts own_counts;

struct rspb_ctld_counts *rspb_ctld_own_counts(void)
{
	return &own_counts;
}

struct rspb_ctld_counts rspb_ctld_counts(void)
{
	struct rspb_ctld_counts counts = own_counts;

	/* Other threads count, so the number is read from memory with each call. */
	counts.cancels = *(volatile uint32_t *) &slurmctld_diag_stats.jobs_canceled;
	counts.others = resv_list ? counts.others + list_count(resv_list) : 0;
	return counts;
}

/* FirstJobId as it was before it was raised, 0: it is not raised. */
static uint32_t first_job_id;

/* After a crash the journal may know jobs that the saved state of Slurm lacks. Their numbers must
 * not go to new jobs, which would be taken for them. */
static void raise_ids(uint32_t last)
{
	/* Near MaxJobId there is no room above `last`: Slurm has to begin again at FirstJobId. */
	if (last < slurm_conf.first_job_id || last + 1 >= slurm_conf.max_job_id)
		return;
	first_job_id = slurm_conf.first_job_id;
	slurm_conf.first_job_id = last + 1;
}

static void settle_ids(void)
{
	if (!first_job_id)
		return;
	/* Slurm lifts its counter to the raised number first, so that the numbers below stay
	 * unused. */
	reset_first_job_id();
	slurm_conf.first_job_id = first_job_id;
	first_job_id = 0;
}

void rspb_ctld_keep_ids(uint32_t last)
{
	if (last)
		raise_ids(last);
	else
		settle_ids();
}

int rspb_ctld_time(const char *text, int64_t *out, struct rspb_err *err)
{
	/* parse_time() takes a text that is not constant. */
	char *copy = xstrdup(text);
	time_t when = parse_time(copy, 0);

	xfree(copy);
	if (!when)
		return rspb_fail(err,
				 "'%s' is not a time; write it as for StartTime, such as "
				 "2026-11-24T09:00",
				 text);
	*out = when;
	return 0;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	char line[LOG_LINE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (level == RSPB_LOG_ERROR)
		error("rspb: %s", line);
	else if (level == RSPB_LOG_INFO)
		info("rspb: %s", line);
	else if (level == RSPB_LOG_VERBOSE)
		verbose("rspb: %s", line);
	else
		debug("rspb: %s", line);
}
