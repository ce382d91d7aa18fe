/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurmctld as a whole: its locks, its life, its configuration and its log, and the times of its
 * last changes. Records of jobs and nodes are not looked at here. */
#include "plugins/compat/ctld.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
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
	return job_list && resv_list && node_record_count > 0 &&
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
	return last;
}

int64_t rspb_ctld_parts_changed(void)
{
	return last_part_update;
}

bool rspb_ctld_limits(void)
{
	return slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

const char *rspb_ctld_cluster(void)
{
	return slurm_conf.cluster_name ? slurm_conf.cluster_name : "";
}

bool rspb_ctld_beside_conf(const char *file, char *path, size_t size)
{
	const char *conf = slurm_conf.slurm_conf;
	const char *slash = conf ? strrchr(conf, '/') : NULL;
	int dir = slash ? (int) (slash - conf + 1) : 0;
	int len = snprintf(path, size, "%.*s%s", dir, conf ? conf : "", file);

	return len >= 0 && (size_t) len < size;
}

bool rspb_ctld_in_state(const char *file, char *path, size_t size)
{
	int len = snprintf(path, size, "%s/%s", slurm_conf.state_save_location, file);

	return len >= 0 && (size_t) len < size;
}

char *rspb_ctld_parameters(void)
{
	/* A copy, because a reconfiguration replaces the text. */
	return slurm_conf.sched_params ? strdup(slurm_conf.sched_params) : NULL;
}

void rspb_ctld_auth_info(char *buf, size_t size)
{
	snprintf(buf, size, "%s", slurm_conf.authinfo ? slurm_conf.authinfo : "");
}

void rspb_ctld_mail_program(char *buf, size_t size)
{
	snprintf(buf, size, "%s", slurm_conf.mail_prog ? slurm_conf.mail_prog : "");
}

bool rspb_ctld_one_address(void)
{
	/* Slurm itself compares these words without regard to case. */
	return xstrcasestr(slurm_conf.comm_params, "NoCtldInAddrAny");
}

bool rspb_ctld_ipv6(void)
{
	return xstrcasestr(slurm_conf.comm_params, "EnableIPv6");
}

void rspb_ctld_hides(struct rspb_ctld_hidden *hidden)
{
	uint16_t kept = slurm_conf.private_data;

	hidden->bookings = kept & (PRIVATE_DATA_JOBS | PRIVATE_DATA_RESERVATIONS);
	hidden->nodes = kept & PRIVATE_DATA_NODES;
	hidden->partitions = kept & PRIVATE_DATA_PARTITIONS;
}

bool rspb_ctld_admits(void)
{
	const char *plugins = slurm_conf.job_submit_plugins;

	return plugins &&
	       (rspb_text_listed(plugins, "rspb") || rspb_text_listed(plugins, "job_submit/rspb"));
}

int64_t rspb_ctld_kill_wait(void)
{
	return slurm_conf.kill_wait;
}

bool rspb_ctld_prolog_ahead(void)
{
	/* Slurm sets the flag of Alloc also for Contain. With PrologSlurmctld the start of the
	 * prolog on the nodes depends on how long that program takes. */
	return (slurm_conf.prolog_flags & PROLOG_FLAG_ALLOC) && !slurm_conf.prolog_slurmctld;
}

int64_t rspb_ctld_over_time(void)
{
	/* UNLIMITED: a year stands for it, because callers add the result to times. */
	if (slurm_conf.over_time_limit == INFINITE16)
		return INT64_C(365) * 86400;
	return slurm_conf.over_time_limit * INT64_C(60);
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

bool rspb_ctld_account_known(const char *name)
{
	/* Slurm keeps no list of accounts: one exists if an association names it. */
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool known;

	assoc_mgr_lock(&locks);
	known = found(assoc_mgr_assoc_list, has_account, name);
	assoc_mgr_unlock(&locks);
	return known;
}

bool rspb_ctld_qos_known(const char *name)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	bool known;

	assoc_mgr_lock(&locks);
	known = found(assoc_mgr_qos_list, has_name, name);
	assoc_mgr_unlock(&locks);
	return known;
}

uint32_t rspb_ctld_cancels(void)
{
	/* Other threads count, so the number is read from memory with each call. */
	return *(volatile uint32_t *) &slurmctld_diag_stats.jobs_canceled;
}

/* FirstJobId as it was before it was raised, 0: it is not raised. */
static uint32_t first_job_id;

/* After a crash the journal may know jobs that the saved state of Slurm lacks. Their numbers must
 * not go to new jobs, which would be taken for them. */
void rspb_ctld_ids_raise(uint32_t last)
{
	/* Near MaxJobId there is no room above `last`: Slurm has to begin again at FirstJobId. */
	if (last < slurm_conf.first_job_id || last + 1 >= slurm_conf.max_job_id)
		return;
	first_job_id = slurm_conf.first_job_id;
	slurm_conf.first_job_id = last + 1;
}

void rspb_ctld_ids_settle(void)
{
	if (!first_job_id)
		return;
	/* Slurm lifts its counter to the raised number first, so that the numbers below stay
	 * unused. */
	reset_first_job_id();
	slurm_conf.first_job_id = first_job_id;
	first_job_id = 0;
}

int64_t rspb_ctld_job_age(void)
{
	return slurm_conf.min_job_age;
}

void rspb_ctld_schedule(void)
{
	queue_job_scheduler();
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

/* clang-format off */
#define LOG_TEXT(line) \
	do { \
		va_list ap; \
		va_start(ap, fmt); \
		vsnprintf(line, sizeof(line), fmt, ap); \
		va_end(ap); \
	} while (0)
/* clang-format on */

void rspb_log_error(const char *fmt, ...)
{
	char line[LOG_LINE];

	LOG_TEXT(line);
	error("rspb: %s", line);
}

void rspb_log_info(const char *fmt, ...)
{
	char line[LOG_LINE];

	LOG_TEXT(line);
	info("rspb: %s", line);
}

void rspb_log_verbose(const char *fmt, ...)
{
	char line[LOG_LINE];

	LOG_TEXT(line);
	verbose("rspb: %s", line);
}

void rspb_log_debug(const char *fmt, ...)
{
	char line[LOG_LINE];

	LOG_TEXT(line);
	debug("rspb: %s", line);
}
