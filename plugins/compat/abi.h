/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ABI guard. Slurm compares versions when it loads a plugin; that is not
 * enough, for its records changed within one release and with the options it
 * was built with. So what can be measured of the running Slurm is compared
 * with what the headers say, and nothing is touched on a mismatch.
 */
#ifndef RSPB_PLUGINS_COMPAT_ABI_H
#define RSPB_PLUGINS_COMPAT_ABI_H

#include <stdbool.h>

#include "common/base/err.h"
#include "plugins/compat/slurm.h"

/* Which of our plugins slurmctld has found fit, by type: "sched/backfill". */
enum { RSPB_ABI_PLUGINS = 3 };
extern const char *const rspb_abi_plugins[RSPB_ABI_PLUGINS];
bool rspb_abi_loaded(int i);

/* Whether this process is slurmctld: clients load the select plugin too. */
bool rspb_abi_in_slurmctld(void);

/*
 * For a plugin's init(), before it calls anything of slurmctld's: look up all
 * that the plugin (its plugin_type) and librspb.so want from there, compare
 * the sizes of Slurm's global structs, which its symbol table tells, and some
 * values in them; and, where Slurm makes one for the asking (24.05), a job's
 * record. RET 0, or -1 with err naming the symbol, or the struct and both sizes.
 */
int rspb_abi_check(const char *plugin, struct rspb_err *err);

/*
 * The same for records, which exist only later: to be asked of the first one
 * met and cheap to ask of every one. The record must be complete and its lock
 * held. A mismatch is logged once; from then on the answer is false for good,
 * for every kind of record.
 */
bool rspb_abi_job_ok(const job_record_t *job);
/* Check the records of the generic resources that a submission asks for (NULL: none). */
bool rspb_abi_gres_ok(list_t *asked);
/* Whether a job was met and found right. Until then nothing that has the shape
 * of one goes into Slurm's functions; no lock needed. */
bool rspb_abi_job_known(void);
/* Check the first record of every kind; needs the read lock. */
bool rspb_abi_records_ok(void);
/* Whether a mismatch was found; no lock needed. */
bool rspb_abi_mismatch(void);

#endif
