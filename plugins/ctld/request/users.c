/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Knows names and groups of users, for which an errand asks. Nobody waits for it. The mutex of the
 * errand's sort guards all that is known; it is never held while the name service is asked. */
#include "plugins/ctld/request/users.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/conf/config.h"
#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/request/state.h"

enum {
	KEPT_S = 600,
	FAILED_KEPT_S = 60, /* where it could not be asked */
	STOP_US = 2000000,
	SOON_US = 2000000
};

/* A task that is posted when a user is known. */
struct waiting {
	struct rspb_link link;
	uint32_t user;
	struct rspb_task *task;
};

static enum rspb_errand_end run(struct rspb_errand *errand);
/* There is one thread at most: a name service that hangs holds up lookups, and nothing else. */
static struct rspb_errands lookups = {
	.guard = RSPB_WORKER("rspb-users", NULL),
	.most = 1,
	.most_again = 1,
	.run = run,
};

static void lock(void)
{
	rspb_worker_lock(&lookups.guard);
}

static void unlock(void)
{
	rspb_worker_unlock(&lookups.guard);
}

/* A group that is not found is left out, also if the name service could not be asked. Nobody may
 * book by it until it is found. */
static void no_group(const char *name, bool failed)
{
	rspb_log_error("AllowGroups: %s \"%s\"",
		       failed ? "the name service cannot be asked for group" : "there is no group",
		       name);
}

/* Look up the names in the settings: the users of rules, and the groups of AllowGroups. Without any
 * lock, as each name may take long. RET in how many seconds the names that were not found are tried
 * again, 0: not at all. Some directories say of each user that there is none while they are down,
 * so that unknown users are tried again, too, but seldom. */
static int64_t learn(struct rspb_known_groups *groups)
{
	int unknown = rspb_settings_learn();
	bool good = unknown >= 0, failed;
	char allowed[RSPB_CONFIG_LIST];
	char *name, *rest;

	strcpy(allowed, rspb_settings_get()->allow_groups);
	*groups = (struct rspb_known_groups){ .any = allowed[0] };
	for (name = strtok_r(allowed, ",", &rest); name && groups->n < RSPB_GROUPS_MOST;
	     name = strtok_r(NULL, ",", &rest)) {
		if (!rspb_directory_group(name, &groups->ids[groups->n], &failed)) {
			groups->n++;
			continue;
		}
		no_group(name, failed);
		good = good && !failed;
	}
	return !good ? FAILED_KEPT_S : unknown ? KEPT_S : 0;
}

static bool is_in(const gid_t *ids, int n, const struct rspb_known_groups *groups)
{
	for (int i = 0; i < n; i++)
		for (size_t k = 0; k < groups->n; k++)
			if (ids[i] == groups->ids[k])
				return true;
	return false;
}

/* Look up one user, without any lock. A user that does not exist is in no group. RET false: the
 * name service could not be asked. */
static bool look_up(const struct rspb_known_groups *groups, struct rspb_known_user *user)
{
	bool failed = false;
	gid_t own = 0, *ids;
	char *name = rspb_directory_user(user->id, &own, &failed);
	int n;

	if (failed || !name)
		return !failed;
	if (strlen(name) < sizeof(user->name))
		snprintf(user->name, sizeof(user->name), "%s", name);
	if (groups->any) {
		ids = rspb_directory_groups(name, own, &n);
		user->may = ids && is_in(ids, n, groups);
		free(ids);
	}
	free(name);
	return true;
}

/* --- with the mutex -------------------------------------------------------- */

static struct rspb_known_user *known_user(uint32_t id)
{
	for (size_t i = 0; i < rspb_known->n; i++)
		if (rspb_known->users[i].id == id)
			return &rspb_known->users[i];
	return NULL;
}

/* RET the user's row. In a full table a new row replaces the one that becomes stale first; rows
 * that are being looked up stay. RET NULL: all are being looked up. */
static struct rspb_known_user *row_of(uint32_t id)
{
	struct rspb_known_user *row = known_user(id);

	if (row)
		return row;
	if (rspb_known->n < RSPB_USERS_MOST)
		row = &rspb_known->users[rspb_known->n++];
	else
		for (size_t i = 0; i < rspb_known->n; i++)
			if (!rspb_known->users[i].wanted &&
			    (!row || rspb_known->users[i].until < row->until))
				row = &rspb_known->users[i];
	if (row)
		*row = (struct rspb_known_user){ .id = id };
	return row;
}

/* Whether all is known of a user by the settings in force. A row in the second half of its time is
 * looked up again while the old answer still serves; a stale one counts as unknown. */
static bool is_known(uint32_t id, int64_t now)
{
	struct rspb_known_user *row = row_of(id);
	bool is;

	if (rspb_known->again && now >= rspb_known->again) {
		rspb_known->again = 0;
		rspb_known->retry = true;
		rspb_errand_post(&lookups, &rspb_requests->lookup);
	}
	is = row && now < row->until && rspb_known->at == rspb_known->asked;

	if (row && !row->wanted && !(is && now < row->again)) {
		row->wanted = true;
		row->since = rspb_clock_us(CLOCK_MONOTONIC);
		rspb_errand_post(&lookups, &rspb_requests->lookup);
	}
	return is;
}

/* Take out the tasks that wait for a user, in their order. They are posted when the mutex is free
 * again. */
static struct rspb_queue take_waiting(uint32_t user)
{
	struct rspb_link **at = &rspb_known->waiting.first, *one;
	struct rspb_queue all = { NULL };

	while ((one = *at))
		if (((struct waiting *) one)->user == user) {
			rspb_queue_take_at(&rspb_known->waiting, at);
			rspb_queue_put(&all, one);
		} else {
			at = &one->next;
		}
	return all;
}

static struct rspb_known_user *next_wanted(void)
{
	for (size_t i = 0; i < rspb_known->n; i++)
		if (rspb_known->users[i].wanted)
			return &rspb_known->users[i];
	return NULL;
}

/* --- the errand ------------------------------------------------------------ */

/* The agent is woken even if no task waited: requests in the waiting room may have waited for this
 * user. */
static void post_all(struct rspb_queue *all)
{
	struct waiting *one;

	while ((one = rspb_queue_take(all))) {
		rspb_task_post(one->task);
		free(one);
	}
	rspb_wake_up(RSPB_WAKE_SUBMIT);
}

static bool is_same(const struct rspb_known_groups *one, const struct rspb_known_groups *other)
{
	return one->any == other->any && one->n == other->n &&
	       !memcmp(one->ids, other->ids, one->n * sizeof(one->ids[0]));
}

/* Learn the names in the settings. The mutex is given up meanwhile, so other settings may come:
 * `asked` is the number of those that were learned. All that was known of users is stale then,
 * because other groups count; after a second try only if there are other groups. */
static void learn_now(struct rspb_known_groups *groups)
{
	const struct rspb_known_groups before = *groups;
	const struct rspb_config *config = rspb_settings_get();
	uint64_t asked = rspb_known->asked;
	bool retry = rspb_known->at == asked;
	int64_t in;

	rspb_known->retry = false;
	unlock();
	in = learn(groups);
	/* The agent has a copy of the settings, without these names. */
	if (!retry || rspb_settings_get() != config)
		rspb_wake_up(RSPB_WAKE_CONFIG);
	lock();
	rspb_known->at = asked;
	rspb_known->again = in ? time(NULL) + in : 0;
	rspb_known->groups = groups->any;
	for (size_t i = 0; i < rspb_known->n && !(retry && is_same(groups, &before)); i++)
		rspb_known->users[i].until = 0;
}

/* Look up one user whose row is wanted. The mutex is given up meanwhile, so only the id is kept,
 * and the row is found again afterwards: the table may have changed. */
static void look_up_now(const struct rspb_known_groups *groups,
			const struct rspb_known_user *wanted)
{
	struct rspb_known_user user = { .id = wanted->id };
	uint64_t at = rspb_known->at;
	struct rspb_queue ready;
	struct rspb_known_user *row;
	int64_t now, kept;
	bool good;

	unlock();
	good = look_up(groups, &user);
	now = time(NULL);
	lock();
	row = known_user(user.id);
	/* Groups of older settings do not count. The row stays wanted, and is looked up again when
	 * the new ones are learned. */
	if (!row || at != rspb_known->asked)
		return;
	/* The earlier answer is better than none. */
	if (!good && row->name[0])
		user = *row;
	*row = user;
	row->wanted = false;
	kept = good ? KEPT_S : FAILED_KEPT_S;
	row->until = now + kept;
	row->again = now + kept / 2;
	ready = take_waiting(user.id);
	unlock();
	post_all(&ready);
	lock();
}

/* Ask one thing at a time: first the settings, then one user. RSPB_ERRAND_AGAIN puts the errand
 * back, so that it stops between two questions when slurmctld ends. */
static enum rspb_errand_end run(struct rspb_errand *errand)
{
	struct rspb_known_groups *groups = &rspb_requests->groups;
	enum rspb_errand_end end = RSPB_ERRAND_AGAIN;
	struct waiting *first;
	struct rspb_known_user *wanted;

	(void) errand;
	lock();
	first = (struct waiting *) rspb_known->waiting.first;
	if (rspb_known->at != rspb_known->asked || rspb_known->retry)
		learn_now(groups);
	else if ((wanted = next_wanted()))
		look_up_now(groups, wanted);
	else if (first && !known_user(first->user))
		is_known(first->user, 0); /* there is room now */
	else
		end = RSPB_ERRAND_OVER;
	unlock();
	return end;
}

/* Post the lookup once, for what was asked before there were threads. */
int rspb_users_start(struct rspb_err *err)
{
	int rc = rspb_errands_begin(&lookups, err);

	lock();
	rspb_errand_post(&lookups, &rspb_requests->lookup);
	unlock();
	return rc;
}

/* Requests of owners that still wait for a name are dropped: nobody answers them any more. */
void rspb_users_stop(void)
{
	struct waiting *one;

	if (!rspb_errands_end(&lookups, STOP_US))
		rspb_log_error("the name service does not answer, and "
			       "slurmctld ends without it");
	lock();
	while ((one = rspb_queue_take(&rspb_known->waiting))) {
		one->task->drop(one->task);
		free(one);
	}
	unlock();
}

/* --- for others ------------------------------------------------------------ */

void rspb_users_learn(void)
{
	lock();
	rspb_known->asked++;
	rspb_errand_post(&lookups, &rspb_requests->lookup);
	unlock();
}

bool rspb_users_known(uint32_t user, int64_t now)
{
	bool yes;

	lock();
	yes = is_known(user, now);
	unlock();
	return yes;
}

bool rspb_users_soon(uint32_t user)
{
	int64_t now = rspb_clock_us(CLOCK_MONOTONIC);
	const struct rspb_known_user *row;
	bool soon;

	lock();
	row = known_user(user);
	soon = row && row->wanted && now < row->since + SOON_US;
	unlock();
	return soon;
}

void rspb_users_then(uint32_t user, int64_t now, struct rspb_task *task)
{
	struct waiting *one = malloc(sizeof(*one));

	lock();
	/* Without memory, or when lookups have ended, the task goes on with what is known. */
	if (one && !is_known(user, now) && rspb_errand_post(&lookups, &rspb_requests->lookup)) {
		*one = (struct waiting){ .user = user, .task = task };
		rspb_queue_put(&rspb_known->waiting, &one->link);
		one = NULL;
		task = NULL;
	}
	unlock();
	free(one);
	if (task)
		rspb_task_post(task);
}

/* A user who is not known yet may book here; the decision leaves out those users until they are
 * known (decide/batch.c). */
bool rspb_users_may(uint32_t user, int64_t now)
{
	struct rspb_known_user *row;
	bool may;

	lock();
	is_known(user, now);
	row = known_user(user);
	may = !rspb_known->groups || !row || !row->until || row->may;
	unlock();
	return may;
}

/* Where the name is not known a number will do: Slurm takes both for the user of a reservation. */
void rspb_users_name(uint32_t user, char name[RSPB_USER_NAME])
{
	struct rspb_known_user *row;

	lock();
	row = known_user(user);
	if (row && row->name[0])
		snprintf(name, RSPB_USER_NAME, "%s", row->name);
	else
		snprintf(name, RSPB_USER_NAME, "%u", user);
	unlock();
}
