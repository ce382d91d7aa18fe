/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads reservations into views, and finds them by name. None is changed here. */
#include "plugins/compat/resv.h"

#include "common/base/array.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/resv_internal.h"

/* The records of one of Slurm's lists side by side, so that those of the next ones can be fetched
 * while one is looked at: they lie all over the memory. */
struct records {
	size_t n, room;
	void **items; /* free() it */
};

static int add_record(void *record, void *arg)
{
	struct records *records = arg;

	if (records->n == records->room)
		return -1;
	records->items[records->n++] = record;
	return 0;
}

/* None where there is no list, or no memory. */
static void records_of(list_t *list, struct records *out)
{
	*out = (struct records){ .n = 0 };
	if (list && !rspb_array_grow(&out->items, &out->room, (size_t) list_count(list),
				     sizeof(*out->items)))
		list_for_each(list, add_record, out);
}

static enum rspb_resv_recurs recurrence(uint64_t flags)
{
	if (!(flags & RSPB_RELEASE_RECURS))
		return RSPB_RESV_ONCE;
	return flags & RESERVE_FLAG_HOURLY    ? RSPB_RESV_HOURLY
	       : flags & RESERVE_FLAG_DAILY   ? RSPB_RESV_DAILY
	       : flags & RESERVE_FLAG_WEEKLY  ? RSPB_RESV_WEEKLY
	       : flags & RESERVE_FLAG_WEEKDAY ? RSPB_RESV_WEEKDAYS
					      : RSPB_RESV_WEEKENDS;
}

/* Views point into the record, so that thousands can be made under one lock. */
void rspb_resv_view(void *handle, int64_t now, struct rspb_resv *out)
{
	const slurmctld_resv_t *resv = handle;

	*out = (struct rspb_resv){
		.handle = handle,
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
		.has_nodes = resv->node_bitmap && bit_ffs(resv->node_bitmap) >= 0,
		.maintenance = resv->flags & RESERVE_FLAG_MAINT,
		.recurs = recurrence(resv->flags),
		.floats = resv->flags & RESERVE_FLAG_TIME_FLOAT,
		.flexible = resv->flags & RESERVE_FLAG_FLEX,
	};
	/* The start of a floating reservation is stored as a distance from now, and its end follows
	 * from its duration, as in job_test_resv(). */
	if (resv->flags & RESERVE_FLAG_TIME_FLOAT) {
		out->start += now;
		if (resv->duration == INFINITE)
			out->end = out->start + YEAR_SECONDS;
		else if (resv->duration && resv->duration != NO_VAL)
			out->end = out->start + resv->duration * INT64_C(60);
	}
}

/* How many records ahead one is fetched. Its name is elsewhere in the memory and is fetched later,
 * when the record has arrived. */
enum { AHEAD = 8 };

static void fetch(const struct records *records, size_t i)
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

/* Whether a reservation is none of a booked job: the name alone decides. */
static bool is_other(const slurmctld_resv_t *resv)
{
	uint64_t job;
	uint32_t part;

	return !rspb_resv_of_job(resv->name, &job, &part);
}

/* A look at a record is cheap, and a view is made of those alone that are meant. The list is copied
 * first, so that fn may call functions of Slurm that lock it. */
int rspb_resv_each(enum rspb_resv_which which, int64_t now, rspb_resv_fn fn, void *arg)
{
	struct records records;
	int rc = 0;

	records_of(resv_list, &records);
	for (size_t i = 0; i < records.n && !rc; i++) {
		struct rspb_resv view;

		fetch(&records, i + AHEAD);
		if (which == RSPB_RESV_OF_OTHERS && !is_other(records.items[i]))
			continue;
		rspb_resv_view(records.items[i], now, &view);
		rc = fn(&view, arg);
	}
	free(records.items);
	return rc;
}

slurmctld_resv_t *rspb_resv_named(const char *name)
{
	return resv_list ? find_resv_name((char *) name) : NULL;
}

bool rspb_resv_find(const char *name, int64_t now, struct rspb_resv *out)
{
	slurmctld_resv_t *resv = rspb_resv_named(name);

	if (resv)
		rspb_resv_view(resv, now, out);
	return resv;
}

static int has_id(void *resv, void *id)
{
	return ((slurmctld_resv_t *) resv)->resv_id == *(uint32_t *) id;
}

bool rspb_resv_find_id(uint32_t id, int64_t now, struct rspb_resv *out)
{
	slurmctld_resv_t *resv = NULL;

	/* Most jobs are in no reservation, and the list is long. */
	if (id && resv_list)
		resv = list_find_first(resv_list, has_id, &id);
	if (resv)
		rspb_resv_view(resv, now, out);
	return resv;
}

void rspb_resv_nodes(const struct rspb_resv *resv, struct rspb_nodeset *out)
{
	rspb_bits_add(((slurmctld_resv_t *) resv->handle)->node_bitmap, out);
}

/* Whether the lists of users and accounts are those with which our rooms are made. A reservation is
 * for users or accounts that are named. Where jobs need an association, the
 * account root stands for all, since every account descends from it. Users without an association
 * cannot even be excluded there. Elsewhere the reservation is for all users but one, who has no
 * jobs. */
static bool is_for_all(const slurmctld_resv_t *resv)
{
	if (rspb_slurm_conf().by_account)
		return resv->account_cnt == 1 && !resv->user_cnt &&
		       !(resv->ctld_flags & RESV_CTLD_ACCT_NOT) &&
		       !xstrcmp(resv->account_list[0], RSPB_RESV_ALL_ACCOUNTS);
	return resv->user_cnt == 1 && !resv->account_cnt && resv->ctld_flags & RESV_CTLD_USER_NOT &&
	       !xstrcmp(resv->users, RSPB_RESV_ALL_USERS);
}

bool rspb_resv_is_room(const struct rspb_resv *view, const struct rspb_resv_spec *spec)
{
	const slurmctld_resv_t *resv = view->handle;

	/* The scheduler of Slurm may have set one flag itself; every other difference is a change
	 * by an operator. */
	return is_for_all(resv) && !view->has_nodes && !resv->groups && !resv->partition &&
	       !resv->features && !resv->licenses && resv->start_time == spec->start &&
	       resv->end_time == spec->end &&
	       (resv->flags & ~RSPB_RELEASE_SCHED_FAILED) == RESERVE_FLAG_ANY_NODES &&
	       !xstrcmp(resv->burst_buffer, spec->tag);
}
