/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/abi.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

/* What reservation.c puts first in every record; no header has it. */
enum { RESERVATION_MAGIC = 0x3b82 };

/* Kinds of records, for what is known about each. */
enum kind { KIND_JOB, KIND_NODE, KIND_PART, KIND_RESV, N_KINDS };

static _Atomic bool known_good[N_KINDS];
static _Atomic bool mismatch;

bool rspb_abi_in_slurmctld(void)
{
	return &slurmctld_config != NULL;
}

/* RET bytes the symbol at this address has by the program's own symbol table,
 * 0: not told. */
static size_t symbol_size(const void *address)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!address || !dladdr1(address, &info, (void **) &symbol,
				 RTLD_DL_SYMENT) || !symbol)
		return 0;
	return symbol->st_size;
}

static int check_symbol(const char *name, const void *address, size_t expected,
			struct rspb_err *err)
{
	size_t size = symbol_size(address);

	if (size == expected)
		return 0;
	return rspb_fail(err, "%s has %zu bytes in this program, but %zu in the headers of Slurm %s the plugin was built with: build it with the headers of exactly this Slurm",
			 name, size, expected, SLURM_VERSION_STRING);
}

int rspb_abi_check(struct rspb_err *err)
{
	if (check_symbol("slurm_conf", &slurm_conf, sizeof(slurm_conf), err))
		return -1;
	/* A list of folders from which this very plugin was loaded. */
	if (!slurm_conf.plugindir || slurm_conf.plugindir[0] != '/')
		return rspb_fail(err, "slurm_conf holds no PluginDir where the headers of Slurm %s have it: build the plugin with the headers of exactly this Slurm",
				 SLURM_VERSION_STRING);
	if (!rspb_abi_in_slurmctld())
		return 0;
	if (check_symbol("slurmctld_config", &slurmctld_config,
			 sizeof(slurmctld_config), err) ||
	    check_symbol("slurmctld_diag_stats", &slurmctld_diag_stats,
			 sizeof(slurmctld_diag_stats), err) ||
	    check_symbol("node_record_count", &node_record_count,
			 sizeof(node_record_count), err))
		return -1;
	return 0;
}

/* Remember what was found about a kind of record. */
static bool settle(enum kind kind, const char *name, size_t size,
		   size_t expected, bool canary)
{
	if (size == expected && canary) {
		atomic_store_explicit(&known_good[kind], true,
				      memory_order_relaxed);
		return true;
	}
	if (!atomic_exchange(&mismatch, true))
		error("rspb: a %s record has %zu bytes in this slurmctld, but %zu in the headers of Slurm %s the plugin was built with%s: bookings are switched off, build it with the headers of exactly this Slurm",
		      name, size, expected, SLURM_VERSION_STRING,
		      canary ? "" : ", and its contents are elsewhere");
	return false;
}

static bool known(enum kind kind, bool *answer)
{
	if (atomic_load_explicit(&mismatch, memory_order_relaxed))
		*answer = false;
	else if (atomic_load_explicit(&known_good[kind], memory_order_relaxed))
		*answer = true;
	else
		return false;
	return true;
}

bool rspb_abi_job_ok(const job_record_t *job)
{
	bool answer, canary;
	size_t size;

	if (known(KIND_JOB, &answer))
		return answer;
	size = xsize((void *) job);
	canary = size == sizeof(*job) && job->magic == JOB_MAGIC &&
		 job->details && job->details->magic == DETAILS_MAGIC;
	return settle(KIND_JOB, "job", size, sizeof(*job), canary);
}

bool rspb_abi_node_ok(const node_record_t *node)
{
	bool answer, canary;
	size_t size;

	if (known(KIND_NODE, &answer))
		return answer;
	size = xsize((void *) node);
	canary = size == sizeof(*node) && node->magic == NODE_MAGIC &&
		 node->config_ptr && node->config_ptr->magic == CONFIG_MAGIC;
	return settle(KIND_NODE, "node", size, sizeof(*node), canary);
}

bool rspb_abi_part_ok(const part_record_t *part)
{
	bool answer, canary;
	size_t size;

	if (known(KIND_PART, &answer))
		return answer;
	size = xsize((void *) part);
	canary = size == sizeof(*part) && part->magic == PART_MAGIC;
	return settle(KIND_PART, "partition", size, sizeof(*part), canary);
}

bool rspb_abi_resv_ok(const slurmctld_resv_t *resv)
{
	bool answer, canary;
	size_t size;

	if (known(KIND_RESV, &answer))
		return answer;
	size = xsize((void *) resv);
	canary = size == sizeof(*resv) && resv->magic == RESERVATION_MAGIC;
	return settle(KIND_RESV, "reservation", size, sizeof(*resv), canary);
}
