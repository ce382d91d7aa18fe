/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes reservations in place: a new one of the same name would cost its jobs their tie to it. */
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/resv_internal.h"
#include "plugins/compat/slurm.h"

/* The fields that update_resv() refuses to touch, or would misunderstand. */
struct window {
	time_t start, first, prev;
	uint64_t flags;
	bool whole; /* it has nodes, not cores of them */
};

static struct window window_save(const slurmctld_resv_t *resv)
{
	return (struct window){
		.start = resv->start_time,
		.first = resv->start_time_first,
		.prev = resv->start_time_prev,
		.flags = resv->flags,
		.whole = resv->ctld_flags & RESV_CTLD_FULL_NODE,
	};
}

static void window_restore(slurmctld_resv_t *resv, const struct window *old)
{
	resv->start_time = old->start;
	resv->start_time_first = old->first;
	resv->start_time_prev = old->prev;
	resv->flags = old->flags;
	if (!old->whole)
		resv->ctld_flags &= ~RESV_CTLD_FULL_NODE;
}

/* Set the start. An update refuses another one once the old one has passed, as with a booking that
 * begins at once. It also refuses nodes where Slurm replaces nodes itself; the agent deals with
 * nodes that fail. */
static void window_set(slurmctld_resv_t *resv, int64_t start)
{
	resv->flags &= ~(RESERVE_FLAG_REPLACE | RESERVE_FLAG_REPLACE_DOWN);
	if (resv->start_time == start)
		return;
	resv->start_time_prev = resv->start_time;
	resv->start_time = start;
	resv->start_time_first = start;
}

/* The flags that a reservation of ours may have. */
#define OURS                                                                                       \
	(RESERVE_FLAG_OVERLAP | RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_SPEC_NODES |                  \
	 RESERVE_FLAG_PURGE_COMP | RESERVE_FLAG_NO_HOLD_JOBS | RSPB_RELEASE_SCHED_FAILED)
/* The flags that the reservation must have. */
#define NEEDED (RESERVE_FLAG_OVERLAP | RESERVE_FLAG_IGN_JOBS)

/* Whether a reservation is for this user alone, and not for all but that user. */
static bool is_for(const slurmctld_resv_t *resv, uint32_t uid)
{
	return resv->user_cnt == 1 && resv->user_list[0] == uid &&
	       !(resv->ctld_flags & RESV_CTLD_USER_NOT);
}

/* NodeCnt= with more nodes sets the partition too since Slurm 23.11. */
static bool other_partition(const slurmctld_resv_t *resv, bool grown)
{
	return resv->partition && (!grown || resv->part_ptr != default_part_loc);
}

static bool has_account(const slurmctld_resv_t *resv, const char *account)
{
	return account && resv->account_cnt == 1 && !(resv->ctld_flags & RESV_CTLD_ACCT_NOT) &&
	       !strcmp(resv->account_list[0], account);
}

const char *rspb_resv_strays(const struct rspb_resv *view, uint32_t uid, const char *account,
			     bool grown)
{
	const slurmctld_resv_t *resv = view->handle;

	if (!is_for(resv, uid))
		return "Users";
	if (resv->account_cnt && !has_account(resv, account))
		return "Accounts";
	if (resv->groups)
		return "Groups";
	if (other_partition(resv, grown))
		return "PartitionName";
	if (resv->licenses)
		return "Licenses";
	if ((resv->flags & NEEDED) != NEEDED || resv->flags & ~OURS)
		return "Flags";
	return NULL;
}

/* Take away what no reservation of ours has. MAGNETIC stays for the update, which also takes the
 * reservation out of the list of magnetic ones. */
static void strip(slurmctld_resv_t *resv, const char *account)
{
	resv->flags &= OURS | RESERVE_FLAG_MAGNETIC;
	xfree(resv->partition);
	resv->part_ptr = NULL;
	xfree(resv->groups);
	xfree(resv->licenses);
	FREE_NULL_LIST(resv->license_list);
	resv->ctld_flags &= ~RESV_CTLD_USER_NOT;
	if (has_account(resv, account))
		return;
	/* Another account than that of the booking has no place in it. */
	for (int i = 0; i < resv->account_cnt; i++)
		xfree(resv->account_list[i]);
	xfree(resv->account_list);
	xfree(resv->accounts);
	resv->account_cnt = 0;
	resv->ctld_flags &= ~RESV_CTLD_ACCT_NOT;
}

static int set_account(const slurmctld_resv_t *resv, const char *account, struct rspb_err *err)
{
	resv_desc_msg_t desc;
	int rc;

	if (has_account(resv, account))
		return 0;
	slurm_init_resv_desc_msg(&desc);
	desc.name = xstrdup(resv->name);
	desc.accounts = xstrdup(account);
	rc = rspb_release_resv_update(&desc);
	/* A refused update replaces the name of the record by a copy, so that neither resv->name
	 * of before nor a name in a view is valid. */
	if (rc != SLURM_SUCCESS)
		rspb_fail(err, "reservation %s: account %s: %s", desc.name, account,
			  slurm_strerror(rc));
	else
		rspb_resv_edited();
	xfree(desc.name);
	xfree(desc.accounts);
	return rc == SLURM_SUCCESS ? 0 : -1;
}

static void set_text(char **to, const char *text)
{
	xfree(*to);
	*to = xstrdup(text);
	rspb_ctld_touched(RSPB_CHANGED_RESVS);
	rspb_resv_edited();
}

static void outlast(slurmctld_resv_t *resv)
{
	if (resv->flags & RESERVE_FLAG_FLEX)
		return;
	/* Slurm does not end the jobs of a flexible reservation when that is over. */
	resv->flags |= RESERVE_FLAG_FLEX;
	last_resv_update = time(NULL);
	rspb_resv_edited();
}

static int place(slurmctld_resv_t *resv, const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	struct window old = window_save(resv);
	resv_desc_msg_t desc;
	int rc;

	/* The update checks what is left, so that this must come first. */
	if (spec->user)
		strip(resv, spec->accounts);
	slurm_init_resv_desc_msg(&desc);
	desc.name = xstrdup(spec->name);
	desc.node_list = xstrdup(spec->nodes);
	desc.burst_buffer = xstrdup(spec->tag);
	desc.end_time = spec->end;
	/* As for our own reservations, see create(). */
	if (spec->nodes || spec->user)
		desc.flags = RESERVE_FLAG_OVERLAP | RESERVE_FLAG_IGN_JOBS |
			     RESERVE_FLAG_NO_ANY_NODES;
	if (spec->user) {
		desc.flags |= RESERVE_FLAG_NO_MAGNETIC;
		desc.users = xstrdup(spec->user);
		if (!resv->account_cnt)
			desc.accounts = xstrdup(spec->accounts);
	}
	/* The update checks the end and the nodes against this start. */
	window_set(resv, spec->start);
	/* The update also refuses other nodes of a reservation of cores. The caller makes it one
	 * of cores again. */
	if (spec->nodes)
		resv->ctld_flags |= RESV_CTLD_FULL_NODE;
	rc = rspb_release_resv_update(&desc);
	/* A refused update replaces the name of the record by a copy, and spec->name may be the
	 * former one. */
	if (rc != SLURM_SUCCESS)
		rspb_fail(err, "reservation %s on %s: %s", desc.name,
			  spec->nodes ? spec->nodes : "its nodes", slurm_strerror(rc));
	xfree(desc.name);
	xfree(desc.users);
	xfree(desc.accounts);
	xfree(desc.node_list);
	xfree(desc.burst_buffer);
	if (rc != SLURM_SUCCESS) {
		/* Slurm undoes its own changes only, and window_set() came before them. */
		window_restore(resv, &old);
		return -1;
	}
	rspb_resv_edited();
	/* Set the duration, so that another StartTime keeps the length. */
	if ((spec->end - spec->start) % 60 == 0)
		resv->duration = (spec->end - spec->start) / 60;
	return 0;
}

static void clear_users(slurmctld_resv_t *resv)
{
	xfree(resv->users);
	xfree(resv->user_list);
	resv->user_cnt = 0;
	resv->ctld_flags &= ~RESV_CTLD_USER_NOT;
	xfree(resv->groups);
}

/* Clear the nodes and cores. For a change of nodes, update_resv() would choose others. */
static void clear_nodes(slurmctld_resv_t *resv)
{
	xfree(resv->node_list);
	if (resv->node_bitmap)
		bit_nclear(resv->node_bitmap, 0, bit_size(resv->node_bitmap) - 1);
	FREE_NULL_BITMAP(resv->core_bitmap);
	free_job_resources(&resv->core_resrcs);
	resv->node_cnt = resv->core_cnt = 0;
}

static int restore_room(slurmctld_resv_t *resv, const struct rspb_resv_spec *spec,
			struct rspb_err *err)
{
	resv_desc_msg_t desc;
	int rc;

	strip(resv, NULL);
	clear_users(resv);
	clear_nodes(resv);
	xfree(resv->features);
	/* Only the update takes it out of the list of magnetic ones, where a deleted one must not
	 * be. */
	resv->flags = RESERVE_FLAG_ANY_NODES | (resv->flags & RESERVE_FLAG_MAGNETIC);
	window_set(resv, spec->start);
	slurm_init_resv_desc_msg(&desc);
	desc.name = xstrdup(spec->name);
	desc.flags = RESERVE_FLAG_NO_MAGNETIC;
	if (rspb_slurm_conf().by_account)
		desc.accounts = xstrdup(RSPB_RESV_ALL_ACCOUNTS);
	else
		desc.users = xstrdup(RSPB_RESV_ALL_USERS);
	desc.burst_buffer = xstrdup(spec->tag);
	desc.end_time = spec->end;
	rc = rspb_release_resv_update(&desc);
	xfree(desc.name);
	xfree(desc.users);
	xfree(desc.accounts);
	xfree(desc.burst_buffer);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s: %s", spec->name, slurm_strerror(rc));
	if ((spec->end - spec->start) % 60 == 0)
		resv->duration = (spec->end - spec->start) / 60;
	rspb_resv_edited();
	return 0;
}

/* The functions below make and delete reservations, and notice when others do. */

enum { MOST = 9999 }; /* how many there can be */

/* When we have changed reservations last. The thread of the agent alone makes and deletes ours.
 * Every change is made under the write lock. */
static int64_t touched_at;

static void just_touched(void)
{
	touched_at = last_resv_update;
}

void rspb_resv_edited(void)
{
	just_touched();
	rspb_ctld_own_counts()->edits++;
}

/* A change by others may hide in a second in which we made some, too. Looking at many reservations
 * each second would cost more than seeing it a little later. */
enum { HIDDEN_S = 5, MANY = 500 };

static bool may_wait(const struct rspb_resv_seen_at *seen, int64_t now)
{
	return last_resv_update == touched_at && now < seen->looked + HIDDEN_S &&
	       list_count(resv_list) > MANY;
}

bool rspb_resv_news(struct rspb_resv_seen_at *seen, int64_t now)
{
	int64_t others = rspb_ctld_counts().others;

	/* Slurm notes changes in whole seconds. A change in the second of the last look counts as
	 * news, since it may have come after the look. */
	if (seen->looked && seen->others == others && seen->looked <= now &&
	    (last_resv_update < seen->looked || may_wait(seen, now)))
		return false;
	seen->looked = now;
	seen->others = others;
	return true;
}

static int create(const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	resv_desc_msg_t desc;
	int rc;

	/* Slurm finds this out only after seconds of search, under the lock. */
	if (resv_list && list_count(resv_list) >= MOST)
		return rspb_fail(err,
				 "Slurm already has %d reservations, which is the most it "
				 "can have",
				 MOST);
	slurm_init_resv_desc_msg(&desc);
	desc.name = xstrdup(spec->name);
	if (spec->user || spec->accounts) {
		desc.users = xstrdup(spec->user);
		desc.accounts = xstrdup(spec->accounts);
	} else if (rspb_slurm_conf().by_account)
		desc.accounts = xstrdup(RSPB_RESV_ALL_ACCOUNTS);
	else
		desc.users = xstrdup(RSPB_RESV_ALL_USERS);
	desc.node_list = xstrdup(spec->nodes);
	desc.partition = xstrdup(spec->partition);
	desc.features = xstrdup(spec->features);
	desc.burst_buffer = xstrdup(spec->tag);
	desc.start_time = spec->start;
	/* A length is given, so that the end follows when an operator changes only the start. */
	if ((spec->end - spec->start) % 60 == 0)
		desc.duration = (spec->end - spec->start) / 60;
	else
		desc.end_time = spec->end;
	/* Without OVERLAP, two reservations that touch in time would block the jobs of each other
	 * for ever, since limits are whole minutes. Our ledger keeps bookings apart, and running
	 * jobs were checked before. */
	desc.flags = RESERVE_FLAG_OVERLAP | RESERVE_FLAG_IGN_JOBS;
	if (!spec->nodes)
		desc.flags = RESERVE_FLAG_ANY_NODES;
	else if (spec->purge)
		desc.flags |= RESERVE_FLAG_PURGE_COMP;
	rc = rspb_release_resv_create(&desc);
	/* A reservation without nodes is a request, and is seen like other users' requests. */
	rspb_ctld_own_counts()->others -= rc == SLURM_SUCCESS && spec->nodes;
	xfree(desc.name);
	xfree(desc.users);
	xfree(desc.accounts);
	xfree(desc.node_list);
	xfree(desc.partition);
	xfree(desc.features);
	xfree(desc.burst_buffer);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s on %s: %s", spec->name,
				 spec->nodes ? spec->nodes : "no nodes", slurm_strerror(rc));
	just_touched();
	return 0;
}

int rspb_resv_make_so(const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	slurmctld_resv_t *resv;

	if (spec->create)
		return create(spec, err);
	resv = rspb_resv_named(spec->name);
	if (!resv)
		return rspb_fail(err, "reservation %s no longer exists", spec->name);
	if (spec->room)
		return restore_room(resv, spec, err);
	if (spec->outlasts)
		outlast(resv);
	/* update_resv() refuses other features, as Slurm would have to choose other nodes for
	 * them. */
	if (spec->features)
		set_text(&resv->features, *spec->features ? spec->features : NULL);
	if (spec->end)
		return place(resv, spec, err);
	if (spec->tag)
		set_text(&resv->burst_buffer, spec->tag);
	return spec->accounts ? set_account(resv, spec->accounts, err) : 0;
}

int rspb_resv_delete(const char *name, struct rspb_err *err)
{
	slurmctld_resv_t *resv = rspb_resv_named(name);
	reservation_name_msg_t msg = { 0 };
	uint64_t flags;
	int rc;

	if (!resv)
		return 0;
	flags = resv->flags;
	rspb_release_resv_leaves(resv);
	msg.name = xstrdup(name);
	rc = delete_resv(&msg);
	/* Our deletions never count as changes by others, whoever has made the reservation. */
	rspb_ctld_own_counts()->others += rc == SLURM_SUCCESS;
	xfree(msg.name);
	if (rc == ESLURM_RESERVATION_BUSY)
		resv->flags = flags; /* it stays */
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s: %s", name, slurm_strerror(rc));
	just_touched();
	/* Jobs that wait for its nodes would otherwise wait for the next periodic pass. */
	queue_job_scheduler();
	return 0;
}
