/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for plugins/compat: slurmctld as a whole, its lock, its settings, its
 * saving of state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/save.h"
#include "tests/simulated/world.h"

const char *const rspb_abi_plugins[RSPB_ABI_PLUGINS] = { "sched/backfill", "select/cons_tres",
							 "job_submit/rspb" };

/* Slurm's locks as one: nobody reads while another writes, and a thread that asks
 * twice would wait for itself, as in slurmctld. */
static bool locked;
static __thread bool own;

void rspb_ctld_lock(enum rspb_lock kind)
{
	(void) kind;
	if (own)
		sim_fault("a thread takes slurmctld's locks twice");
	while (locked)
		sim_wait(&locked, INT64_MAX);
	locked = own = true;
	sim_world->sections++;
}

void rspb_ctld_unlock(enum rspb_lock kind)
{
	(void) kind;
	if (!own)
		sim_fault("a thread releases slurmctld's locks, which it does not have");
	locked = own = false;
	sim_wake(&locked);
}

bool rspb_abi_records_ok(void)
{
	return true;
}

bool rspb_abi_loaded(int i)
{
	(void) i;
	return true;
}

/* The first second of a life is that of reading what was saved. */
bool rspb_ctld_recovered(void)
{
	return sim_world->us > sim_world->began + SIM_S;
}

bool rspb_ctld_stopping(void)
{
	return false;
}

int64_t rspb_ctld_changed(unsigned int what)
{
	int64_t last = 0;

	if (what & RSPB_CHANGED_JOBS)
		last = sim_world->changed_jobs;
	if (what & RSPB_CHANGED_NODES && sim_world->changed_nodes > last)
		last = sim_world->changed_nodes;
	if (what & RSPB_CHANGED_RESVS && sim_world->changed_resvs > last)
		last = sim_world->changed_resvs;
	if (what & RSPB_CHANGED_PARTS)
		last = sim_now() < sim_world->closed_until ? sim_world->closed_at
							   : sim_world->closed_until;
	return last;
}

struct rspb_slurm_conf rspb_slurm_conf(void)
{
	return (struct rspb_slurm_conf){
		.kill_wait = SIM_KILL_WAIT,
		.job_age = SIM_MIN_JOB_AGE,
		.missing = 22,
		.preempts = sim_run.settings.preempts,
		.path = "conf/slurm.conf",
		.state = "state",
		.cluster = "simulated",
		.submit_plugins = "rspb",
	};
}

int rspb_ctld_time(const char *text, int64_t *out, struct rspb_err *err)
{
	(void) out;
	return rspb_fail(err, "%s: no request of the simulation has such a time", text);
}

struct rspb_ctld_counts rspb_ctld_counts(void)
{
	return (struct rspb_ctld_counts){
		.cancels = sim_world->cancels,
		.edits = sim_world->edits,
		.others = sim_world->others,
	};
}

void rspb_ctld_keep_ids(uint32_t last)
{
	if (last && sim_world->jobs.next <= last)
		sim_world->jobs.next = last + 1;
}

bool rspb_ctld_known(enum rspb_ctld_named what, const char *name)
{
	(void) what;
	(void) name;
	return true;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	static const char *const names[] = { "error: ", "info: ", "verbose: ", "debug: " };
	va_list args;

	if (level > RSPB_LOG_INFO && sim_run.verbose <= (level == RSPB_LOG_DEBUG))
		return;
	va_start(args, fmt);
	sim_log_lines(names[level], fmt, args);
	va_end(args);
}

struct rspb_save_left rspb_save_begin(void)
{
	return (struct rspb_save_left){ sim_world->saved_at, sim_world->saved_resvs_at, true };
}

bool rspb_save_in_charge(void)
{
	return true;
}

bool rspb_save_now(bool (*give_up)(void), int64_t *took_us)
{
	*took_us = 3000 + (int64_t) sim_below(20000);
	sim_sleep(*took_us);
	if (give_up && give_up())
		return false;
	rspb_ctld_lock(RSPB_LOCK_READ);
	sim_save_jobs();
	rspb_ctld_unlock(RSPB_LOCK_READ);
	return true;
}
