/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures whether the running Slurm is laid out as the headers say. The caller decides what
 * follows from a mismatch. */
#include "plugins/compat/abi.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The import check finds every symbol that our files want from slurmctld. Slurm loads plugins with
 * lazy binding, so a missing function would end slurmctld only when it is first called. The check
 * cannot see that a function behaves differently. */

/* The symbol table of a shared object; its imports are among the first `count` entries. */
struct imports {
	const ElfW(Sym) * symbols;
	const char *names;
	uint32_t count;
};

/* RET the address that an entry of the dynamic section holds, NULL: there is no such entry. The C
 * library has put the absolute address there, or, on a few processors, left an offset from the base
 * of the object. */
static const void *value_of(const struct link_map *map, ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return (const void *) (d->d_un.d_ptr < map->l_addr
						       ? d->d_un.d_ptr + map->l_addr
						       : d->d_un.d_ptr);
	return NULL;
}

/* Find the symbols that an object imports. Its GNU hash table covers exported symbols only, and the
 * second number is the index of the first: imports precede it. The older kind of hash table covers
 * all symbols, and its second number is their count. */
static bool imports_of(const struct link_map *map, struct imports *out)
{
	const uint32_t *hash = value_of(map, DT_GNU_HASH);

	if (!hash)
		hash = value_of(map, DT_HASH);
	out->symbols = value_of(map, DT_SYMTAB);
	out->names = value_of(map, DT_STRTAB);
	out->count = hash ? hash[1] : 0;
	return hash && out->symbols && out->names;
}

/* A name that begins with an underscore is the compiler's own, which works without it. */
static bool is_wanted(const ElfW(Sym) * symbol, const char *name)
{
	return symbol->st_shndx == SHN_UNDEF && *name && *name != '_';
}

/* Look up all symbols that a shared object imports; within: the address of any function or datum in
 * it. Only within slurmctld. RET 0, or -1 with err naming the first that is missing. */
static int imports_check(const void *within, struct rspb_err *err)
{
	const struct link_map *map = NULL;
	struct imports imports;
	Dl_info info;

	if (!dladdr1(within, &info, (void **) &map, RTLD_DL_LINKMAP) || !map ||
	    !imports_of(map, &imports))
		return rspb_fail(err, "the table of symbols is not where the "
				      "C library has it");
	/* Entry 0 of a symbol table is always empty. */
	for (uint32_t i = 1; i < imports.count; i++) {
		const ElfW(Sym) *symbol = &imports.symbols[i];
		const char *name = imports.names + symbol->st_name;

		if (is_wanted(symbol, name) && !dlsym(RTLD_DEFAULT, name))
			return rspb_fail(
				err,
				"%s needs %s, which this slurmctld lacks; build it for exactly "
				"this Slurm",
				map->l_name, name);
	}
	return 0;
}

/* The number that reservation.c puts first in every record; no header has it. */
enum { RESERVATION_MAGIC = 0x3b82 };

static bool job_canary(const void *record)
{
	const job_record_t *job = record;

	/* A job that is being deleted has no details any more. */
	return job->magic == JOB_MAGIC && (!job->details || job->details->magic == DETAILS_MAGIC);
}

static bool node_canary(const void *record)
{
	const node_record_t *node = record;

	return node->magic == NODE_MAGIC && node->config_ptr &&
	       node->config_ptr->magic == CONFIG_MAGIC;
}

static bool part_canary(const void *record)
{
	return ((const part_record_t *) record)->magic == PART_MAGIC;
}

static bool resv_canary(const void *record)
{
	return ((const slurmctld_resv_t *) record)->magic == RESERVATION_MAGIC;
}

/* The record belongs to a request: no node and no device can be allocated in it yet. */
static bool gres_canary(const void *record)
{
	const gres_job_state_t *asked = record;

	return !asked->node_cnt && !asked->gres_bit_alloc;
}

/* The kinds of records whose layout the plugins rely on. */
enum { KIND_JOB, KIND_NODE, KIND_PART, KIND_RESV, KIND_GRES, N_KINDS };

static const struct kind {
	const char *name;
	size_t size;
	/* Values within, asked only when the size is right. */
	bool (*canary)(const void *record);
} kinds[N_KINDS] = {
	{ "job", sizeof(job_record_t), job_canary },
	{ "node", sizeof(node_record_t), node_canary },
	{ "partition", sizeof(part_record_t), part_canary },
	{ "reservation", sizeof(slurmctld_resv_t), resv_canary },
	{ "generic resource", sizeof(gres_job_state_t), gres_canary },
};

/* Whether the first record met of each kind was good. Relaxed order is enough: a thread that does
 * not see the value yet judges a record for itself, with the same result. */
static _Atomic bool known_good[N_KINDS];
static _Atomic bool mismatch;
const char *const rspb_abi_plugins[RSPB_ABI_PLUGINS] = { "sched/backfill", "select/cons_tres",
							 "job_submit/rspb" };
static _Atomic bool loaded[RSPB_ABI_PLUGINS];

bool rspb_abi_in_slurmctld(void)
{
	return &slurmctld_config != NULL;
}

/* RET the size of the symbol at this address in bytes, by the symbol table of the program; 0:
 * unknown. */
static size_t symbol_size(const void *address)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!address || !dladdr1(address, &info, (void **) &symbol, RTLD_DL_SYMENT) || !symbol)
		return 0;
	return symbol->st_size;
}

static int check_symbol(const char *name, const void *address, size_t expected,
			struct rspb_err *err)
{
	size_t size = symbol_size(address);

	if (size == expected)
		return 0;
	return rspb_fail(err,
			 "%s has %zu bytes in this program, but %zu in the headers of Slurm %s the "
			 "plugin was built with: build it with the headers of exactly this Slurm",
			 name, size, expected, SLURM_VERSION_STRING);
}

static int judge(int kind, const void *record, struct rspb_err *err)
{
	const struct kind *k = &kinds[kind];
	size_t size = xsize((void *) record);

	if (size == k->size && k->canary(record)) {
		atomic_store_explicit(&known_good[kind], true, memory_order_relaxed);
		return 0;
	}
	return rspb_fail(
		err,
		"a %s record has %zu bytes in this slurmctld, but %zu in the headers of Slurm "
		"%s the plugin was built with%s: build it with the headers of exactly this Slurm",
		k->name, size, k->size, SLURM_VERSION_STRING,
		size == k->size ? ", and its contents are elsewhere" : "");
}

#ifdef RSPB_HAVE_JOB_RECORD_CREATE
/* Judge a record that Slurm itself makes. The values that it fills in are spread over the record,
 * so that a member inserted before one of them shows. */
static int judge_new_job(struct rspb_err *err)
{
	job_record_t *job = job_record_create();
	int rc = judge(KIND_JOB, job, err);

	if (!rc &&
	    (job->array_task_id != NO_VAL || !job->prio_factors || job->requid != (uid_t) -1 ||
	     job->site_factor != NICE_OFFSET || !job->step_list))
		rc = rspb_fail(
			err,
			"a new job's record holds other values in this slurmctld than where the "
			"headers of Slurm %s have them: build the plugin with the headers of "
			"exactly this Slurm",
			SLURM_VERSION_STRING);
	job_record_delete(job);
	return rc;
}
#else
/* No such function exists before 24.05: the first record that is met will be judged. */
static int judge_new_job(struct rspb_err *err)
{
	(void) err;
	return 0;
}
#endif

static int check_globals(struct rspb_err *err)
{
	if (check_symbol("slurmctld_config", &slurmctld_config, sizeof(slurmctld_config), err) ||
	    check_symbol("slurmctld_diag_stats", &slurmctld_diag_stats,
			 sizeof(slurmctld_diag_stats), err) ||
	    check_symbol("node_record_count", &node_record_count, sizeof(node_record_count), err))
		return -1;
	return 0;
}

int rspb_abi_check(const char *plugin, struct rspb_err *err)
{
	if (check_symbol("slurm_conf", &slurm_conf, sizeof(slurm_conf), err))
		return -1;
	/* Slurm found this very plugin through that list, so the member cannot be empty. */
	if (!slurm_conf.plugindir || slurm_conf.plugindir[0] != '/')
		return rspb_fail(
			err,
			"slurm_conf holds no PluginDir where the headers of Slurm %s have it: "
			"build the plugin with the headers of exactly this Slurm",
			SLURM_VERSION_STRING);
	/* Clients load the select plugin too; all that follows exists in slurmctld alone. */
	if (!rspb_abi_in_slurmctld())
		return 0;
	if (check_globals(err) || imports_check(plugin, err) || imports_check(kinds, err) ||
	    judge_new_job(err))
		return -1;
	for (int i = 0; i < RSPB_ABI_PLUGINS; i++)
		if (!strcmp(plugin, rspb_abi_plugins[i]))
			atomic_store(&loaded[i], true);
	return 0;
}

bool rspb_abi_loaded(int i)
{
	return atomic_load(&loaded[i]);
}

static bool record_ok(int kind, const void *record)
{
	struct rspb_err err;

	if (atomic_load_explicit(&mismatch, memory_order_relaxed))
		return false;
	if (atomic_load_explicit(&known_good[kind], memory_order_relaxed))
		return true;
	if (!judge(kind, record, &err))
		return true;
	/* Several threads may meet the mismatch at the same time, and only the first logs it. */
	if (!atomic_exchange(&mismatch, true))
		error("rspb: %s; bookings are switched off", err.text);
	return false;
}

bool rspb_abi_job_ok(const job_record_t *job)
{
	return record_ok(KIND_JOB, job);
}

bool rspb_abi_gres_ok(list_t *asked)
{
	const gres_state_t *first = asked ? list_peek(asked) : NULL;

	return !first || record_ok(KIND_GRES, first->gres_data);
}

bool rspb_abi_job_known(void)
{
	return !rspb_abi_mismatch() &&
	       atomic_load_explicit(&known_good[KIND_JOB], memory_order_relaxed);
}

static bool first_ok(int kind, list_t *records)
{
	void *first = list_peek(records);

	return !first || record_ok(kind, first);
}

/* Judge a job. From 24.05 on Slurm makes a record on request, so the check does not have to wait
 * for the first submission. */
static bool first_job_ok(void)
{
#ifdef RSPB_HAVE_JOB_RECORD_CREATE
	if (!rspb_abi_job_known()) {
		job_record_t *made = job_record_create();
		bool ok = record_ok(KIND_JOB, made);

		job_record_delete(made);
		return ok;
	}
#endif
	return first_ok(KIND_JOB, job_list);
}

bool rspb_abi_records_ok(void)
{
	int first = 0;
	node_record_t *node = next_node(&first);

	return (!node || record_ok(KIND_NODE, node)) && first_ok(KIND_PART, part_list) &&
	       first_ok(KIND_RESV, resv_list) && first_job_ok();
}

bool rspb_abi_mismatch(void)
{
	return atomic_load_explicit(&mismatch, memory_order_relaxed);
}
