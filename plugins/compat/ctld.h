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
 * slurmctld is the one in charge. */
bool rspb_ctld_recovered(void);
/* Whether slurmctld is going down: take no lock any more. */
bool rspb_ctld_stopping(void);
/* Seconds of the last change of any job, node, reservation, or of some of these;
 * no lock needed, and a hint only. */
enum {
	RSPB_CHANGED_JOBS = 1,
	RSPB_CHANGED_NODES = 2,
	RSPB_CHANGED_RESVS = 4,
	RSPB_CHANGED_ANY = 7
};
int64_t rspb_ctld_changed(unsigned int what);
/* Jobs, reservations were changed, with the lock to write them: say so, and have
 * Slurm save them. Each time its saver wakes up, so of one section of ours it is
 * told once, when that is left. */
void rspb_ctld_touched(unsigned int what);
/* The same of partitions. */
int64_t rspb_ctld_parts_changed(void);
/* Whether Slurm enforces limits of QOS and associations. */
bool rspb_ctld_limits(void);

/* ClusterName of slurm.conf; "": none. */
const char *rspb_ctld_cluster(void);
/* Write the path of a file beside slurm.conf. RET false: it does not fit. */
bool rspb_ctld_beside_conf(const char *file, char *path, size_t size);
/* Likewise, of a file in StateSaveLocation. */
bool rspb_ctld_in_state(const char *file, char *path, size_t size);
/* SchedulerParameters, copied (the caller frees it); NULL: none. */
char *rspb_ctld_parameters(void);
/* AuthInfo, cut to size. */
void rspb_ctld_auth_info(char *buf, size_t size);
/* MailProg, cut to size, with the read lock; "": none. */
void rspb_ctld_mail_program(char *buf, size_t size);
/* Whether slurmctld listens on the address of its host's name alone
 * (CommunicationParameters=NoCtldInAddrAny), and whether on IPv6, too. */
bool rspb_ctld_one_address(void);
bool rspb_ctld_ipv6(void);
/* Kinds of things that users do not see (PrivateData): others' jobs or reservations; nodes;
 * partitions. */
struct rspb_ctld_hidden {
	bool bookings, nodes, partitions;
};
void rspb_ctld_hides(struct rspb_ctld_hidden *hidden);
/* Whether JobSubmitPlugins names our plugin. */
bool rspb_ctld_admits(void);
/* Seconds Slurm lets jobs run over their limit (OverTimeLimit). */
int64_t rspb_ctld_over_time(void);
/* Whether a node's prolog runs as soon as a job gets the node, and nothing runs in
 * slurmctld before (PrologFlags=Alloc or Contain, PrologSlurmctld). */
bool rspb_ctld_prolog_ahead(void);
/* Seconds between SIGTERM and SIGKILL for jobs whose time is over (KillWait). */
int64_t rspb_ctld_kill_wait(void);
/* Any locks: let Slurm's scheduler look for jobs to start soon (by its
 * batch_sched_delay). */
void rspb_ctld_schedule(void);
/* A time as Slurm's commands take it ("18:00", "now+2hours"), in seconds. RET 0,
 * or -1 with err. */
int rspb_ctld_time(const char *text, int64_t *out, struct rspb_err *err);

/* How many cancellations Slurm has taken, up to now and modulo 2^32; counted
 * before their senders are answered. No lock needed. */
uint32_t rspb_ctld_cancels(void);
/* No job gets a number up to that one any more, until FirstJobId is read
 * again: before Slurm has read its jobs. settle: with the write lock, when it
 * has; FirstJobId is then what it was. */
void rspb_ctld_ids_raise(uint32_t last);
void rspb_ctld_ids_settle(void);
/* Seconds for which jobs that are over are kept (MinJobAge). */
int64_t rspb_ctld_job_age(void);
/* Whether accounting has an account, or QOS, of that name; true where it has
 * none at all. No lock of slurmctld needed. */
bool rspb_ctld_account_known(const char *name);
bool rspb_ctld_qos_known(const char *name);

/* Lines in slurmctld's log, each led by "rspb: ". */
void rspb_log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rspb_log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rspb_log_verbose(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rspb_log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
