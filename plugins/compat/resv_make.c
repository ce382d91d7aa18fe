/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making and deleting reservations, and who else does. */
#include <string.h>

#include "plugins/compat/resv_internal.h"

enum { MOST = 9999 }; /* how many there can be */

/* How many of those there are we have made, since the plugin was loaded, and
 * when we have changed any last. The agent's, like all that makes or deletes one. */
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
		return rspb_fail(err,
				 "Slurm already has %d reservations, which is the most it "
				 "can have",
				 MOST);
	slurm_init_resv_desc_msg(&desc);
	desc.name = xstrdup(spec->name);
	if (spec->user || spec->accounts) {
		desc.users = xstrdup(spec->user);
		desc.accounts = xstrdup(spec->accounts);
	} else if (rspb_resv_by_account())
		desc.accounts = xstrdup(RSPB_RESV_ALL_ACCOUNTS);
	else
		desc.users = xstrdup(RSPB_RESV_ALL_USERS);
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
	rc = rspb_release_resv_create(&desc);
	/* A reservation without nodes is a request, and is seen like other users' requests. */
	made += rc == SLURM_SUCCESS && spec->nodes;
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
	made -= rc == SLURM_SUCCESS;
	xfree(msg.name);
	if (rc == ESLURM_RESERVATION_BUSY)
		resv->flags = flags; /* it stays */
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "reservation %s: %s", name, slurm_strerror(rc));
	just_touched();
	/* Jobs that wait for its nodes would wait for a periodic pass. */
	queue_job_scheduler();
	return 0;
}
