/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurmctld as a whole: its locks, its life, its log and its configuration.
 * The agent sees Slurm through this header and job.h, node.h, resv.h only, so
 * that what differs between versions stays in one room.
 */
#ifndef RSPB_PLUGINS_COMPAT_CTLD_H
#define RSPB_PLUGINS_COMPAT_CTLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* The locks of the agent: everything for reading, or jobs and nodes for writing. They are not
 * recursive, and a thread holds one at a time. */
enum rspb_lock { RSPB_LOCK_READ, RSPB_LOCK_WRITE };
void rspb_ctld_lock(enum rspb_lock kind);
void rspb_ctld_unlock(enum rspb_lock kind);

/* Whether jobs, nodes and reservations have been read back from disk and this
 * slurmctld is the one in charge, with the records that we were built for. */
bool rspb_ctld_recovered(void);
/* Whether slurmctld is going down: take no lock any more. */
bool rspb_ctld_stopping(void);
/* Seconds of the last change of any job, node, reservation, or of some of these;
 * no lock needed, and a hint only. */
enum {
	RSPB_CHANGED_JOBS = 1,
	RSPB_CHANGED_NODES = 2,
	RSPB_CHANGED_RESVS = 4,
	RSPB_CHANGED_ANY = 7,
	RSPB_CHANGED_PARTS = 8 /* partitions; not among `any` */
};
int64_t rspb_ctld_changed(unsigned int what);
/* Jobs, reservations were changed, with the lock to write them: say so, and have
 * Slurm save them. Each time its saver wakes up, so of one section of ours it is
 * told once, when that is left. */
void rspb_ctld_touched(unsigned int what);

/* The settings of slurm.conf that matter here. */
struct rspb_slurm_conf {
	int64_t over_time;   /* seconds Slurm lets jobs run over their limit (OverTimeLimit) */
	int64_t kill_wait;   /* seconds between SIGTERM and SIGKILL for those (KillWait) */
	int64_t job_age;     /* seconds for which jobs that are over are kept (MinJobAge) */
	int64_t missing;     /* seconds after the start of a batch job from which on Slurm puts
			      * it back into the queue if its node registers without it */
	bool limits;	     /* Slurm enforces limits of QOS and associations */
	bool preempts;	     /* jobs are stopped for others (PreemptType) */
	bool by_account;     /* Slurm runs no jobs but those of associations, so that accounts
			      * name the users of a reservation */
	bool database;	     /* accounting charges for what of a reservation lies idle: all
			      * associations of its users alike, but where an account is named
			      * beside */
	bool prolog_ahead;   /* a node's prolog runs as soon as a job gets the node, and nothing
			     * runs in slurmctld before (PrologFlags=Alloc or Contain,
			     * PrologSlurmctld) */
	bool hides_bookings; /* users do not see others' jobs or reservations (PrivateData), */
	bool hides_nodes, hides_partitions; /* or these */
	/* Slurm's own texts, NULL: not given. They are good until it reads its configuration anew,
	 * which the read lock prevents. */
	const char *path;	    /* where slurm.conf itself is */
	const char *state;	    /* the folder of StateSaveLocation */
	const char *cluster;	    /* ClusterName */
	const char *mail_program;   /* MailProg */
	const char *auth_info;	    /* AuthInfo */
	const char *parameters;	    /* SchedulerParameters */
	const char *communication;  /* CommunicationParameters */
	const char *submit_plugins; /* JobSubmitPlugins */
};
/* Read the settings that are in force; no lock needed. */
struct rspb_slurm_conf rspb_slurm_conf(void);
/* A time as Slurm's commands take it ("18:00", "now+2hours"), in seconds. RET 0,
 * or -1 with err. */
int rspb_ctld_time(const char *text, int64_t *out, struct rspb_err *err);

/* Counts that show, by another number, that something has happened. No lock needed. */
struct rspb_ctld_counts {
	uint32_t cancels; /* cancellations that Slurm has taken, modulo 2^32; counted before their
			   * senders are answered */
	uint64_t returns; /* jobs that rspb_job_make_so() has tied to the waiting room */
	uint64_t edits;	  /* changes by us of reservations that somebody else made */
	int64_t others;	  /* reservations that exist and were not made by us */
};
struct rspb_ctld_counts rspb_ctld_counts(void);
/* RET, within compat alone, what we have counted ourselves, to be changed with the write lock;
 * others: minus the reservations that we have made. */
struct rspb_ctld_counts *rspb_ctld_own_counts(void);
/* Before Slurm has read its jobs: no job gets a number up to that one any more. 0: with the write
 * lock, when it has read them; FirstJobId is what it was again. */
void rspb_ctld_keep_ids(uint32_t last);
/* Whether accounting has an account, or QOS, of that name; true where it has
 * none at all. No lock of slurmctld needed. */
enum rspb_ctld_named { RSPB_NAMED_ACCOUNT, RSPB_NAMED_QOS };
bool rspb_ctld_known(enum rspb_ctld_named what, const char *name);

/* Lines in slurmctld's log, each led by "rspb: ". */
enum rspb_log_level { RSPB_LOG_ERROR, RSPB_LOG_INFO, RSPB_LOG_VERBOSE, RSPB_LOG_DEBUG };
void rspb_log(enum rspb_log_level level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#define rspb_log_error(...)   rspb_log(RSPB_LOG_ERROR, __VA_ARGS__)
#define rspb_log_info(...)    rspb_log(RSPB_LOG_INFO, __VA_ARGS__)
#define rspb_log_verbose(...) rspb_log(RSPB_LOG_VERBOSE, __VA_ARGS__)
#define rspb_log_debug(...)   rspb_log(RSPB_LOG_DEBUG, __VA_ARGS__)

#endif
