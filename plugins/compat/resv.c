/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/resv.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/array.h"
#include "common/base/hash.h"
#include "plugins/compat/bits.h"

static void view_fill(slurmctld_resv_t *resv, int64_t now,
		      struct rspb_resv *out)
{
	*out = (struct rspb_resv){
		.handle = resv,
		.id = resv->resv_id,
		.name = resv->name,
		.tag = resv->burst_buffer,
		.nodes = resv->node_list,
		.partition = resv->partition,
		.features = resv->features,
		.start = resv->start_time,
		.end = resv->end_time,
		.has_nodes = resv->node_bitmap &&
			     bit_ffs(resv->node_bitmap) >= 0,
		.maintenance = resv->flags & RESERVE_FLAG_MAINT,
		.recurs = resv->flags & RSPB_RELEASE_RECURS,
		.floats = resv->flags & RESERVE_FLAG_TIME_FLOAT,
		.flexible = resv->flags & RESERVE_FLAG_FLEX,
	};
	/* A floating one stays that far ahead of now for ever. */
	if (resv->flags & RESERVE_FLAG_TIME_FLOAT)
		out->start += now;
}

int rspb_resv_each(int64_t now, rspb_resv_fn fn, void *arg)
{
	list_itr_t *iter;
	slurmctld_resv_t *resv;
	int rc = 0;

	if (!resv_list)
		return 0;
	iter = list_iterator_create(resv_list);
	while (!rc && (resv = list_next(iter))) {
		struct rspb_resv view;

		view_fill(resv, now, &view);
		rc = fn(&view, arg);
	}
	list_iterator_destroy(iter);
	return rc;
}

bool rspb_resv_find(const char *name, int64_t now, struct rspb_resv *out)
{
	slurmctld_resv_t *resv;

	if (!resv_list)
		return false;
	resv = find_resv_name((char *) name);
	if (resv)
		view_fill(resv, now, out);
	return resv;
}

struct by_id {
	uint32_t id;
	struct rspb_resv *out;
};

static int look_for_id(const struct rspb_resv *resv, void *arg)
{
	struct by_id *by_id = arg;

	if (resv->id != by_id->id)
		return 0;
	*by_id->out = *resv;
	return 1;
}

bool rspb_resv_find_id(uint32_t id, int64_t now, struct rspb_resv *out)
{
	struct by_id by_id = { id, out };

	/* Most jobs are in none. */
	return id && rspb_resv_each(now, look_for_id, &by_id);
}

static int compare_hashes(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static uint64_t hash_of(const char *name)
{
	return rspb_hash(RSPB_HASH_START, name, strlen(name));
}

static int add_name(const struct rspb_resv *resv, void *arg)
{
	struct rspb_resv_names *names = arg;

	if (rspb_array_grow(&names->hashes, &names->room, names->n + 1,
			    sizeof(*names->hashes))) {
		names->short_of_memory = true;
		return 1;
	}
	names->hashes[names->n++] = hash_of(resv->name);
	return 0;
}

int rspb_resv_names_renew(struct rspb_resv_names *names, int64_t now)
{
	/* Changes are stamped in whole seconds. */
	if (last_resv_update < names->read_at && names->read_at <= now)
		return 0;
	names->n = 0;
	names->read_at = now;
	rspb_resv_each(now, add_name, names);
	if (names->short_of_memory) {
		rspb_resv_names_fini(names);
		return -1;
	}
	if (names->n)
		qsort(names->hashes, names->n, sizeof(*names->hashes),
		      compare_hashes);
	return 0;
}

void rspb_resv_names_fini(struct rspb_resv_names *names)
{
	free(names->hashes);
	*names = (struct rspb_resv_names){ .n = 0 };
}

bool rspb_resv_names_have(const struct rspb_resv_names *names, const char *name)
{
	uint64_t hash = hash_of(name);

	return names->n && bsearch(&hash, names->hashes, names->n, sizeof(hash),
				   compare_hashes);
}

void rspb_resv_nodes(const struct rspb_resv *resv, struct rspb_nodeset *out)
{
	rspb_bits_add(((slurmctld_resv_t *) resv->handle)->node_bitmap, out);
}

/* Local days, so that a change of daylight saving keeps the hour. */
static int64_t days_later(int64_t when, int days)
{
	time_t t = when;
	struct tm tm;

	if (!localtime_r(&t, &tm))
		return when + days * INT64_C(86400);
	tm.tm_mday += days;
	tm.tm_isdst = -1;
	return mktime(&tm);
}

static int week_day(int64_t when)
{
	time_t t = when;
	struct tm tm;

	return localtime_r(&t, &tm) ? tm.tm_wday : 0;
}

static bool on_weekend(int64_t when)
{
	int day = week_day(when);

	return day == 0 || day == 6;
}

bool rspb_resv_next(const struct rspb_resv *resv, int64_t *start, int64_t *end)
{
	uint64_t flags = ((slurmctld_resv_t *) resv->handle)->flags;
	int64_t length = *end - *start, next;

	if (flags & RESERVE_FLAG_HOURLY)
		next = *start + 3600;
	else if (flags & RESERVE_FLAG_DAILY)
		next = days_later(*start, 1);
	else if (flags & RESERVE_FLAG_WEEKLY)
		next = days_later(*start, 7);
	else if (flags & (RESERVE_FLAG_WEEKDAY | RESERVE_FLAG_WEEKEND)) {
		next = days_later(*start, 1);
		while (on_weekend(next) != !!(flags & RESERVE_FLAG_WEEKEND))
			next = days_later(next, 1);
	} else {
		return false;
	}
	*start = next;
	*end = next + length;
	return true;
}

/*
 * A reservation is for users or accounts that are named. Where jobs need an
 * association, every one descends from the account root, and users without
 * one can't even be excluded. Elsewhere it is all but one who has no jobs.
 */
static bool accounts_rule(void)
{
	return slurm_conf.accounting_storage_enforce &
	       ACCOUNTING_ENFORCE_ASSOCS;
}

bool rspb_resv_for_all(const struct rspb_resv *view)
{
	const slurmctld_resv_t *resv = view->handle;

	return accounts_rule() ? resv->account_cnt > 0 : resv->user_cnt > 0;
}

int rspb_resv_create(const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	resv_desc_msg_t desc;
	int rc;

	slurm_init_resv_desc_msg(&desc);
	desc.name = xstrdup(spec->name);
	if (spec->user)
		desc.users = xstrdup(spec->user);
	else if (accounts_rule())
		desc.accounts = xstrdup("root");
	else
		desc.users = xstrdup("-daemon");
	desc.node_list = xstrdup(spec->nodes);
	desc.burst_buffer = xstrdup(spec->tag);
	desc.start_time = spec->start;
	/* A length, so that an operator who changes the start alone moves it. */
	if ((spec->end - spec->start) % 60 == 0)
		desc.duration = (spec->end - spec->start) / 60;
	else
		desc.end_time = spec->end;
	/* OVERLAP: two that touch in time would block each other's jobs for
	 * ever, since limits are whole minutes. Overlap is kept out by our own
	 * ledger, running jobs by the check before. */
	desc.flags = RESERVE_FLAG_OVERLAP | RESERVE_FLAG_IGN_JOBS;
	if (!spec->nodes)
		desc.flags = RESERVE_FLAG_ANY_NODES;
	else if (spec->purge)
		desc.flags |= RESERVE_FLAG_PURGE_COMP;
	rc = rspb_release_resv_create(&desc);
	xfree(desc.name);
	xfree(desc.users);
	xfree(desc.accounts);
	xfree(desc.node_list);
	xfree(desc.burst_buffer);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s on %s: %s", spec->name,
				 spec->nodes ? spec->nodes : "no nodes",
				 slurm_strerror(rc));
	return 0;
}

int rspb_resv_delete(const char *name, struct rspb_err *err)
{
	reservation_name_msg_t msg = { 0 };
	int rc;

	if (!resv_list || !find_resv_name((char *) name))
		return 0;
	msg.name = xstrdup(name);
	rc = delete_resv(&msg);
	xfree(msg.name);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s: %s", name,
				 slurm_strerror(rc));
	return 0;
}
