/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads how many licenses there are and who has them. None is given or taken. */
#include "plugins/compat/limit/quota.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/hash.h"
#include "plugins/compat/release/licenses.h"
#include "plugins/compat/slurm.h"

static uint64_t key_of(const char *name)
{
	uint64_t key = rspb_hash(RSPB_HASH_START, "license", 7);

	/* A number that JSON can hold. */
	return rspb_hash(key, name, strlen(name)) >> 2 | RSPB_QUOTA_LICENSE;
}

/* --- what there is ------------------------------------------------------ */

struct stock {
	uint64_t key;
	const licenses_t *license; /* good while the list is walked */
	int64_t total, used;
	bool found;
};

/* Note one license if it has the key. RET -1 then, which ends Slurm's walk. */
static int look_at_license(void *item, void *arg)
{
	const licenses_t *license = item;
	struct stock *stock = arg;

	if (!license->name || key_of(license->name) != stock->key)
		return 0;
	stock->found = true;
	stock->total = license->total;
	stock->used = (int64_t) license->used + rspb_release_license_elsewhere(license);
	return -1;
}

/* RET the numbers of the license with this key. Slurm guards the list while it is walked, and
 * may change it afterwards: only numbers are kept. */
static struct stock stock_of(uint64_t key)
{
	struct stock stock = { .key = key };

	if (rspb_release_licenses())
		list_for_each(rspb_release_licenses(), look_at_license, &stock);
	return stock;
}

bool rspb_license_now(uint64_t key, int64_t *used, int64_t *most)
{
	struct stock stock = stock_of(key);

	*used = stock.used;
	*most = stock.total;
	return stock.found && stock.total != INFINITE;
}

struct walk {
	rspb_license_fn fn;
	void *arg;
};

/* Hand one license of the cluster to the caller. */
static int tell_license(void *item, void *arg)
{
	const licenses_t *license = item;
	const struct walk *walk = arg;

	if (license->name)
		walk->fn(
			&(struct rspb_license){
				.name = license->name,
				.key = key_of(license->name),
				.most = license->total == INFINITE ? -1 : (int64_t) license->total,
				.elsewhere = rspb_release_license_elsewhere(license),
			},
			walk->arg);
	return 0;
}

void rspb_licenses_each(rspb_license_fn fn, void *arg)
{
	struct walk walk = { fn, arg };

	if (rspb_release_licenses())
		list_for_each(rspb_release_licenses(), tell_license, &walk);
}

/* --- what counts -------------------------------------------------------- */

struct counting {
	struct rspb_quotas *quotas;
	bool waits; /* a bound is wanted, too */
};

/* Add one license of a job or reservation; for a job that waits also how many there are, which
 * bounds all that are booked together. */
static int count(void *item, void *arg)
{
	const struct counting *counting = arg;
	const licenses_t *license = item;
	const struct rspb_quota use = { .use = license->total };
	struct rspb_quota *quota;
	struct stock stock;

	if (!license->name || !license->total)
		return 0;
	quota = rspb_quotas_add(counting->quotas, &use);
	if (!quota)
		return -1;
	quota->key = key_of(license->name);
	quota->most = -1;
	if (!counting->waits)
		return 0;
	stock = stock_of(quota->key);
	if (stock.total == INFINITE)
		return 0;
	quota->most = stock.total;
	snprintf(quota->name, sizeof(quota->name), "license %.80s:%" PRId64, license->name,
		 stock.total);
	return 0;
}

void rspb_job_licenses(const struct rspb_job *view, struct rspb_quotas *quotas)
{
	const job_record_t *job = view->handle;
	struct counting counting = {
		.quotas = quotas,
		.waits = view->phase != RSPB_JOB_RUNNING,
	};
	list_t *read = NULL;

	/* Slurm forgets, since 26.05, the list of a job that it holds for want of licenses. The
	 * text still says what the job needs. */
	if (!job->license_list && counting.waits && job->licenses && job->licenses[0])
		read = rspb_release_licenses_parse(job->licenses, false, NULL);
	if (job->license_list || read)
		list_for_each(read ? read : job->license_list, count, &counting);
	FREE_NULL_LIST(read);
}

void rspb_resv_licenses(const struct rspb_resv *resv, struct rspb_quotas *quotas)
{
	slurmctld_resv_t *record = resv->handle;
	struct counting counting = { .quotas = quotas };

	if (record->license_list)
		list_for_each(record->license_list, count, &counting);
}

/* Refuse a license that cannot be counted as a plain number. RET -1 with err, which ends Slurm's
 * walk. */
static int find_odd(void *item, void *arg)
{
	const licenses_t *license = item;
	struct rspb_err *err = arg;

	if (rspb_release_license_either(license))
		return rspb_fail(err,
				 "--licenses: alternatives (%s|...) cannot be booked; name one "
				 "license",
				 license->name ? license->name : "?");
	if (rspb_release_license_of_nodes(license))
		return rspb_fail(err,
				 "--licenses: %s is bound to nodes (resources.yaml) and cannot "
				 "be booked; remove it",
				 license->name ? license->name : "?");
	return 0;
}

int rspb_job_licenses_fixed(const struct rspb_job *view, struct rspb_err *err)
{
	const job_record_t *job = view->handle;

	err->text[0] = '\0';
	if (job->license_list)
		list_for_each(job->license_list, find_odd, err);
	return err->text[0] ? -1 : 0;
}
