/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks accounting who belongs to and coordinates which account. It waits for no
 * database: what slurmctld has counts. */
#include "plugins/compat/limit/members.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/slurm.h"
#include "plugins/compat/submit/draft_internal.h"
#include "src/common/assoc_mgr.h"

/* The entry that is looked for in Slurm's lists. */
struct wanted {
	uint32_t uid;
	const char *name; /* of an account, or a user */
	enum rspb_member how;
};

static int is_user(void *user, void *key)
{
	return ((slurmdb_user_rec_t *) user)->uid == ((struct wanted *) key)->uid;
}

static int coordinates(void *coord, void *key)
{
	const char *name = ((slurmdb_coord_rec_t *) coord)->name;

	return name && !strcmp(name, ((struct wanted *) key)->name);
}

/* Whether an association is the user's in this account, for whatever partition. */
static int has(void *item, void *key)
{
	const slurmdb_assoc_rec_t *assoc = item;
	const struct wanted *wanted = key;

	return assoc->user && assoc->acct && assoc->uid == wanted->uid &&
	       !strcmp(assoc->acct, wanted->name);
}

/* Answer a question. Call with the locks that rspb_member_is() takes. */
static bool belongs(struct wanted *wanted)
{
	slurmdb_user_rec_t *user;

	if (wanted->how == RSPB_MEMBER_HAS)
		return assoc_mgr_assoc_list && list_find_first(assoc_mgr_assoc_list, has, wanted);
	user = assoc_mgr_user_list ? list_find_first(assoc_mgr_user_list, is_user, wanted) : NULL;
	return user && user->coord_accts && list_find_first(user->coord_accts, coordinates, wanted);
}

/* The accounts that a user has, by name. */
struct accounts {
	const char *user;
	size_t n, room;
	const char **names; /* of Slurm; free() the array */
};

/* Add the account of an association if it is the user's. RET -1 without memory, which ends the
 * walk: the accounts that were found count. */
static int add_account(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	struct accounts *accounts = arg;

	if (!assoc->user || !assoc->acct || strcmp(assoc->user, accounts->user))
		return 0;
	if (accounts->n == accounts->room &&
	    rspb_array_grow(&accounts->names, &accounts->room, 2 * accounts->n + 8,
			    sizeof(*accounts->names)))
		return -1;
	accounts->names[accounts->n++] = assoc->acct;
	return 0;
}

/* Slurm's walks lock their list: the accounts are looked at when the walk that
 * finds them is over. */
static bool any_beside(struct wanted *wanted)
{
	struct accounts accounts = { .user = wanted->name };
	bool found = false;

	if (assoc_mgr_assoc_list)
		list_for_each(assoc_mgr_assoc_list, add_account, &accounts);
	for (size_t i = 0; i < accounts.n && !found; i++)
		found = belongs(&(struct wanted){ wanted->uid, accounts.names[i], wanted->how });
	free(accounts.names);
	return found;
}

bool rspb_member_is(uint32_t uid, enum rspb_member how, const char *account, const char *user)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .user = READ_LOCK };
	bool found;

	/* Nothing of accounting's records may be kept after their locks are released. */
	assoc_mgr_lock(&locks);
	found = account ? belongs(&(struct wanted){ uid, account, how })
			: any_beside(&(struct wanted){ uid, user, how });
	assoc_mgr_unlock(&locks);
	return found;
}

/* Slurm looks the account up, and takes it for granted that its lock is held. */
static bool lets_in(part_record_t *part, char *account)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool in;

	assoc_mgr_lock(&locks);
	in = !part_policy_valid_acct(part, *account ? account : NULL, NULL);
	assoc_mgr_unlock(&locks);
	return in;
}

int rspb_member_partition(uint32_t uid, char *account, const char *partition, uint32_t nodes,
			  int64_t seconds, struct rspb_err *err)
{
	part_record_t *part = rspb_draft_part(partition, err);

	if (!part)
		return -1;
	if (part->flags & PART_FLAG_ROOT_ONLY || !validate_group(part, uid) ||
	    !lets_in(part, account))
		return rspb_fail(err, "you may not use partition %s", part->name);
	if (nodes > part->max_nodes)
		return rspb_fail(err,
				 "a job can have at most %u nodes in partition "
				 "%s",
				 part->max_nodes, part->name);
	if (part->max_time != INFINITE && part->max_time != NO_VAL &&
	    seconds > part->max_time * INT64_C(60))
		return rspb_fail(err, "partition %s allows %u minutes", part->name, part->max_time);
	return 0;
}

static bool has_qos(const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bitstr_t *allowed;
	bool has;

	/* Without enforcement each QOS is allowed, and so is one that an administrator set. */
	if (!(slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_QOS) || !job->assoc_ptr ||
	    job->limit_set.qos)
		return true;
	assoc_mgr_lock(&locks);
	allowed = job->assoc_ptr->usage ? job->assoc_ptr->usage->valid_qos : NULL;
	has = allowed && job->qos_id < (uint64_t) bit_size(allowed) &&
	      bit_test(allowed, job->qos_id);
	assoc_mgr_unlock(&locks);
	return has;
}

int rspb_member_admitted(const struct rspb_job *view, struct rspb_err *err)
{
	const job_record_t *job = view->handle;

	/* Without enforced associations Slurm also starts jobs that have none. */
	if (!job->assoc_ptr && rspb_slurm_conf().by_account)
		return rspb_fail(err,
				 "the accounting database no longer has its owner in account %s",
				 job->account ? job->account : "(none)");
	if (!has_qos(job))
		return rspb_fail(err, "the accounting database no longer allows its owner QOS %s",
				 job->qos_ptr ? job->qos_ptr->name : "(none)");
	return 0;
}
