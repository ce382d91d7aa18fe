/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making and deleting reservations, and who else does. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/resv_internal.h"

enum { MOST = 9999 }; /* how many there can be, and the largest number of one */

/*
 * Names of jobs' bookings and numbers that are taken, or were: who else deletes one is
 * not seen. Whoever makes one moves Slurm's last number on, so that this knows all
 * while that is `last`.
 */
static struct {
	struct rspb_resv_keys names;
	uint64_t numbers[MOST / 64 + 1];
	uint32_t last;
} taken;

/* The last one made since the write lock was taken, NULL: none. */
static slurmctld_resv_t *fresh;

/* How many of those there are we have made, since the plugin was loaded, and
 * when we have changed any last. */
static int64_t made, touched;
static uint64_t edits;
/* Held while Slurm's list and `made` do not fit: the list is counted by a thread that
 * has none of Slurm's locks. */
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static list_t *shown; /* in place of the list of all; made once */

/* Slurm finds reservations by walking the list of all. Between begin and end, in which
 * one function of Slurm's is called, its list holds just this one; NULL: none. RET
 * that of all. With `counting`. */
static list_t *alone_begin(slurmctld_resv_t *resv)
{
	list_t *all = resv_list;

	if (!shown)
		shown = list_create(NULL);
	if (resv)
		list_append(shown, resv);
	resv_list = shown;
	return all;
}

/* RET what Slurm's list holds then, or NULL. */
static slurmctld_resv_t *alone_end(list_t *all)
{
	resv_list = all;
	return list_pop(shown);
}

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
	int64_t n;

	pthread_mutex_lock(&counting);
	n = resv_list ? list_count(resv_list) - made : 0;
	pthread_mutex_unlock(&counting);
	return n;
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

static void take(uint32_t number)
{
	taken.numbers[number / 64] |= UINT64_C(1) << number % 64;
}

/* What is gone may be made again. */
static void forget(const char *name, uint32_t number)
{
	uint64_t id;
	uint32_t part;

	if (number <= MOST)
		taken.numbers[number / 64] &= ~(UINT64_C(1) << number % 64);
	if (taken.names.slots && rspb_resv_of_job(name, &id, &part))
		rspb_resv_keys_drop(&taken.names, id, part);
}

static int take_one(void *record, void *arg)
{
	const slurmctld_resv_t *resv = record;

	(void) arg;
	if (resv->resv_id <= MOST)
		take(resv->resv_id);
	return 0;
}

/* RET whether all is known now. */
static bool learn(void)
{
	rspb_resv_keys_fini(&taken.names);
	memset(taken.numbers, 0, sizeof(taken.numbers));
	if (rspb_resv_keys_init(&taken.names))
		return false;
	rspb_resv_keys_forget(&taken.names);
	list_for_each(resv_list, take_one, NULL);
	taken.last = top_suffix;
	return true;
}

/* The number behind this one. */
static uint32_t behind(uint32_t number)
{
	return number >= MOST ? 1 : number + 1;
}

/* RET the number that Slurm would give, 0: none is free. */
static uint32_t number_free(void)
{
	uint32_t number = behind(top_suffix);

	for (int i = 0; i < MOST; i++, number = behind(number))
		if (!(taken.numbers[number / 64] >> number % 64 & 1))
			return number;
	return 0;
}

/* RET the number for one of this name, 0: Slurm had better look itself. */
static uint32_t number_for(uint64_t id, uint32_t part)
{
	if (taken.names.slots && taken.last == top_suffix &&
	    !rspb_resv_keys_find(&taken.names, id, part, 0, NULL) &&
	    4 * taken.names.n < 3 * taken.names.size - 4 && number_free())
		return number_free();
	if (!learn() || rspb_resv_keys_find(&taken.names, id, part, 0, NULL))
		return 0;
	return number_free();
}

/* Slurm writes names of nodes into a buffer of 8 kB, and leaves them there. */
static void node_list_fit(slurmctld_resv_t *resv)
{
	char *fit = xstrdup(resv->node_list);

	xfree(resv->node_list);
	resv->node_list = fit;
}

/* Slurm walks its list twice to see that name and number are free. With
 * `counting`. */
static int create(resv_desc_msg_t *desc)
{
	slurmctld_resv_t *resv;
	uint32_t number, part;
	list_t *all;
	uint64_t id;
	int rc;

	if (!resv_list || !rspb_resv_of_job(desc->name, &id, &part) ||
	    !(number = number_for(id, part)))
		return rspb_release_resv_create(desc);
	top_suffix = number == 1 ? MOST : number - 1;
	all = alone_begin(NULL);
	rc = rspb_release_resv_create(desc);
	resv = alone_end(all);
	taken.last = top_suffix;
	if (!resv)
		return rc;
	node_list_fit(resv);
	list_append(resv_list, resv);
	rspb_resv_keys_add(&taken.names, id, part, NULL);
	take(number);
	fresh = resv;
	return rc;
}

void rspb_resv_unlocked(void)
{
	fresh = NULL;
}

slurmctld_resv_t *rspb_resv_named(const char *name)
{
	if (fresh && !strcmp(fresh->name, name))
		return fresh;
	return resv_list ? find_resv_name((char *) name) : NULL;
}

int rspb_resv_validate(job_record_t *job)
{
	list_t *all;
	int rc;

	if (!fresh || strcmp(fresh->name, job->resv_name))
		return validate_job_resv(job);
	pthread_mutex_lock(&counting);
	all = alone_begin(fresh);
	rc = validate_job_resv(job);
	alone_end(all);
	pthread_mutex_unlock(&counting);
	return rc;
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
	} else if (rspb_resv_by_account())
		desc.accounts = xstrdup("root");
	else
		desc.users = xstrdup("-daemon");
	desc.node_list = xstrdup(spec->nodes);
	desc.partition = xstrdup(spec->partition);
	desc.features = xstrdup(spec->features);
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
	pthread_mutex_lock(&counting);
	rc = create(&desc);
	/* One without nodes is a request, which is to be seen as another's is. */
	made += rc == SLURM_SUCCESS && spec->nodes;
	pthread_mutex_unlock(&counting);
	xfree(desc.name);
	xfree(desc.users);
	xfree(desc.accounts);
	xfree(desc.node_list);
	xfree(desc.partition);
	xfree(desc.features);
	xfree(desc.burst_buffer);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s on %s: %s", spec->name,
				 spec->nodes ? spec->nodes : "no nodes",
				 slurm_strerror(rc));
	just_touched();
	return 0;
}

int rspb_resv_delete(const char *name, struct rspb_err *err)
{
	slurmctld_resv_t *resv = rspb_resv_named(name);
	reservation_name_msg_t msg = { 0 };
	uint32_t number;
	uint64_t flags;
	int rc;

	if (!resv)
		return 0;
	number = resv->resv_id;
	flags = resv->flags;
	rspb_release_resv_leaves(resv);
	fresh = NULL;
	msg.name = xstrdup(name);
	pthread_mutex_lock(&counting);
	rc = delete_resv(&msg);
	made -= rc == SLURM_SUCCESS;
	pthread_mutex_unlock(&counting);
	xfree(msg.name);
	if (rc == ESLURM_RESERVATION_BUSY)
		resv->flags = flags; /* it stays */
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s: %s", name,
				 slurm_strerror(rc));
	forget(name, number);
	just_touched();
	return 0;
}
