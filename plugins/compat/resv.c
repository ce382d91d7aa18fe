/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/resv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/bits.h"
#include "plugins/compat/records.h"

static void view_fill(slurmctld_resv_t *resv, int64_t now,
		      struct rspb_resv *out)
{
	*out = (struct rspb_resv){
		.handle = resv,
		.id = resv->resv_id,
		.name = resv->name,
		.tag = resv->burst_buffer,
		.users = resv->users,
		.accounts = resv->accounts,
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

/* How many records ahead one is fetched; its name, which lies elsewhere, later.
 * How many there can be. */
enum { AHEAD = 8, MOST = 9999 };

static void fetch(const struct rspb_records *records, size_t i)
{
	const slurmctld_resv_t *resv;

	if (i + AHEAD < records->n) {
		resv = records->items[i + AHEAD];
		__builtin_prefetch(&resv->name);
	}
	if (i < records->n) {
		resv = records->items[i];
		__builtin_prefetch(resv->name);
	}
}

/* A look at a record is cheap, a view of it is not. */
static int each_of(bool (*meant)(const slurmctld_resv_t *resv, uint32_t id),
		   uint32_t id, int64_t now, rspb_resv_fn fn, void *arg)
{
	struct rspb_records records = { 0 };
	int rc = 0;

	if (resv_list)
		list_for_each(resv_list, rspb_records_add, &records);
	for (size_t i = 0; i < records.n && !rc; i++) {
		struct rspb_resv view;

		fetch(&records, i + AHEAD);
		if (!meant(records.items[i], id))
			continue;
		view_fill(records.items[i], now, &view);
		rc = fn(&view, arg);
	}
	free(records.items);
	return rc;
}

static bool any(const slurmctld_resv_t *resv, uint32_t id)
{
	(void) resv;
	(void) id;
	return true;
}

int rspb_resv_each(int64_t now, rspb_resv_fn fn, void *arg)
{
	return each_of(any, 0, now, fn, arg);
}

bool rspb_resv_of_job(const char *name, uint64_t *id, uint32_t *part)
{
	static const size_t len = sizeof(RSPB_BOOKING_PREFIX) - 1;
	char *end;

	if (strncmp(name, RSPB_BOOKING_PREFIX, len) ||
	    !isdigit((unsigned char) name[len]))
		return false;
	*id = strtoull(name + len, &end, 10);
	*part = *end == '_' ? strtoul(end + 1, NULL, 10) : 0;
	return true;
}

static uint64_t key_of(uint64_t id, uint32_t part)
{
	return (id << 8 | (part & 0xff)) + 1;
}

static bool is_other(const slurmctld_resv_t *resv, uint32_t id)
{
	uint64_t job;
	uint32_t part;

	(void) id;
	return !rspb_resv_of_job(resv->name, &job, &part);
}

int rspb_resv_each_other(int64_t now, rspb_resv_fn fn, void *arg)
{
	return each_of(is_other, 0, now, fn, arg);
}

bool rspb_resv_find(const char *name, int64_t now, struct rspb_resv *out)
{
	slurmctld_resv_t *resv;

	resv = resv_list ? find_resv_name((char *) name) : NULL;
	if (resv)
		view_fill(resv, now, out);
	return resv;
}

static bool has_id(const slurmctld_resv_t *resv, uint32_t id)
{
	return resv->resv_id == id;
}

static int take(const struct rspb_resv *resv, void *arg)
{
	*(struct rspb_resv *) arg = *resv;
	return 1;
}

bool rspb_resv_find_id(uint32_t id, int64_t now, struct rspb_resv *out)
{
	/* Most jobs are in none. */
	return id && each_of(has_id, id, now, take, out);
}

struct rspb_resv_key {
	uint64_t key; /* 0: none */
	slurmctld_resv_t *resv;
};

static struct rspb_resv_key *place_of(const struct rspb_resv_keys *keys,
				      uint64_t key)
{
	size_t at = (size_t) (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
		    (keys->size - 1);

	while (keys->slots[at].key && keys->slots[at].key != key)
		at = (at + 1) & (keys->size - 1);
	return &keys->slots[at];
}

int rspb_resv_keys_init(struct rspb_resv_keys *keys)
{
	size_t n = resv_list ? (size_t) list_count(resv_list) : 0;
	slurmctld_resv_t *resv;
	list_itr_t *iter;
	uint64_t id, key;
	uint32_t part;

	keys->size = 16;
	while (keys->size < 2 * n + 2)
		keys->size *= 2;
	keys->slots = calloc(keys->size, sizeof(*keys->slots));
	if (!keys->slots)
		return -1;
	iter = n ? list_iterator_create(resv_list) : NULL;
	while (iter && n-- && (resv = list_next(iter)))
		if (rspb_resv_of_job(resv->name, &id, &part)) {
			key = key_of(id, part);
			*place_of(keys, key) = (struct rspb_resv_key){ key,
								       resv };
		}
	if (iter)
		list_iterator_destroy(iter);
	return 0;
}

void rspb_resv_keys_fini(struct rspb_resv_keys *keys)
{
	free(keys->slots);
	*keys = (struct rspb_resv_keys){ .size = 0 };
}

bool rspb_resv_keys_find(const struct rspb_resv_keys *keys, uint64_t id,
			 uint32_t part, int64_t now, struct rspb_resv *out)
{
	const struct rspb_resv_key *place = place_of(keys, key_of(id, part));

	if (place->key && out)
		view_fill(place->resv, now, out);
	return place->key;
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

/* How many of those there are we have made, since the plugin was loaded, and
 * when we have changed any last. */
static int64_t made, touched;
static uint64_t edits;

static void just_touched(void)
{
	touched = last_resv_update;
}

void rspb_resv_edited(void)
{
	just_touched();
	edits++;
}

uint64_t rspb_resv_edits(void)
{
	return edits;
}

int64_t rspb_resv_others(void)
{
	return resv_list ? list_count(resv_list) - made : 0;
}

/* Another's change may hide in a second in which we made some, too. To look at
 * many then costs more than it is worth each second. */
enum { HIDDEN_S = 5, MANY = 500 };

static bool may_wait(const struct rspb_resv_seen_at *seen, int64_t now)
{
	return last_resv_update == touched && now < seen->looked + HIDDEN_S &&
	       list_count(resv_list) > MANY;
}

bool rspb_resv_news(struct rspb_resv_seen_at *seen, int64_t now)
{
	int64_t others = rspb_resv_others();

	if (seen->looked && seen->others == others && seen->looked <= now &&
	    (last_resv_update < seen->looked || may_wait(seen, now)))
		return false;
	seen->looked = now;
	seen->others = others;
	return true;
}

int rspb_resv_create(const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	resv_desc_msg_t desc;
	int rc;

	/* Slurm itself says so after seconds. */
	if (resv_list && list_count(resv_list) >= MOST)
		return rspb_fail(err, "Slurm holds %d reservations", MOST);
	slurm_init_resv_desc_msg(&desc);
	desc.name = xstrdup(spec->name);
	if (spec->user || spec->accounts) {
		desc.users = xstrdup(spec->user);
		desc.accounts = xstrdup(spec->accounts);
	} else if (accounts_rule())
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
	made++;
	just_touched();
	return 0;
}

int rspb_resv_delete(const char *name, struct rspb_err *err)
{
	slurmctld_resv_t *resv = resv_list ? find_resv_name((char *) name)
					   : NULL;
	reservation_name_msg_t msg = { 0 };
	int rc;

	if (!resv)
		return 0;
	rspb_release_resv_leaves(resv);
	msg.name = xstrdup(name);
	rc = delete_resv(&msg);
	xfree(msg.name);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s: %s", name,
				 slurm_strerror(rc));
	made--;
	just_touched();
	return 0;
}
