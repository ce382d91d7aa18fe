/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Knows names and groups of users, from a thread that alone asks for them. Nobody
 * waits for it. */
#include "plugins/ctld/requests/users.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/conf/config.h"
#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/base/worker.h"
#include "plugins/ctld/requests/directory.h"

enum {
	KEPT_S = 600,
	FAILED_KEPT_S = 60, /* where it could not be asked */
	USERS_MOST = 4096,
	STOP_S = 2,
	SOON_US = 2000000,
	NAMES_MOST = RSPB_CONFIG_LIST / 2
};

struct user {
	uint32_t id;
	bool wanted, may;
	int64_t until; /* 0: not known yet */
	int64_t again; /* when it is asked anew, if somebody wants it */
	int64_t since; /* us: when it was wanted */
	char name[RSPB_USER_NAME];
};

/* A task that is posted when a user is known. */
struct waiting {
	struct waiting *next;
	uint32_t user;
	struct rspb_task *task;
};

struct groups {
	bool any; /* AllowGroups names some, which may not be there */
	size_t n;
	gid_t ids[NAMES_MOST];
};

static void run(void);
static struct rspb_worker worker = RSPB_WORKER("rspb-users", run);
/* With the worker's mutex, under which nothing is looked up. */
static struct {
	bool abandoned; /* the thread is left alone with what it waits for */
	uint64_t asked, at; /* which settings are to be learned; and are */
	bool groups;	    /* AllowGroups names some */
	struct user users[USERS_MOST];
	size_t n;
	struct waiting *first;
} known;

static void no_group(const char *name)
{
	rspb_log_error("AllowGroups: there is no group \"%s\"", name);
}

static void learn(struct groups *groups)
{
	char allowed[RSPB_CONFIG_LIST];
	char *name, *rest;

	rspb_settings_learn();
	strcpy(allowed, rspb_settings_get()->allow_groups);
	*groups = (struct groups){ .any = allowed[0] };
	for (name = strtok_r(allowed, ",", &rest);
	     name && groups->n < NAMES_MOST;
	     name = strtok_r(NULL, ",", &rest)) {
		if (!rspb_directory_group(name, &groups->ids[groups->n]))
			groups->n++;
		else
			no_group(name);
	}
}

static bool is_in(const gid_t *ids, int n, const struct groups *groups)
{
	for (int i = 0; i < n; i++)
		for (size_t k = 0; k < groups->n; k++)
			if (ids[i] == groups->ids[k])
				return true;
	return false;
}

/* Without any lock. RET false: it could not be asked. */
static bool look_up(const struct groups *groups, struct user *user)
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

static struct user *known_user(uint32_t id)
{
	for (size_t i = 0; i < known.n; i++)
		if (known.users[i].id == id)
			return &known.users[i];
	return NULL;
}

/* RET the user's row, made in place of that which is known for longest when there is
 * none; NULL: all are being looked up. */
static struct user *row_of(uint32_t id)
{
	struct user *row = known_user(id);

	if (row)
		return row;
	if (known.n < USERS_MOST)
		row = &known.users[known.n++];
	else
		for (size_t i = 0; i < known.n; i++)
			if (!known.users[i].wanted &&
			    (!row || known.users[i].until < row->until))
				row = &known.users[i];
	if (row)
		*row = (struct user){ .id = id };
	return row;
}

static bool is_known(uint32_t id, int64_t now)
{
	struct user *row = row_of(id);
	bool is = row && now < row->until && known.at == known.asked;

	if (row && !row->wanted && !(is && now < row->again)) {
		row->wanted = true;
		row->since = rspb_clock_us(CLOCK_MONOTONIC);
		rspb_worker_wake(&worker);
	}
	return is;
}

/* Take out the tasks that wait for a user. */
static struct waiting *take_waiting(uint32_t user)
{
	struct waiting **at = &known.first, *all = NULL, **last = &all;

	while (*at) {
		struct waiting *one = *at;

		if (one->user != user) {
			at = &one->next;
			continue;
		}
		*at = one->next;
		one->next = NULL;
		*last = one;
		last = &one->next;
	}
	return all;
}

static struct user *next_wanted(void)
{
	for (size_t i = 0; i < known.n; i++)
		if (known.users[i].wanted)
			return &known.users[i];
	return NULL;
}

/* --- the thread ------------------------------------------------------------ */

static void post_all(struct waiting *all)
{
	while (all) {
		struct waiting *one = all;

		all = one->next;
		rspb_task_post(one->task);
		free(one);
	}
	rspb_wake_up(RSPB_WAKE_SUBMIT);
}

/* The mutex is given up meanwhile. */
static void learn_now(struct groups *groups)
{
	uint64_t asked = known.asked;

	rspb_worker_unlock(&worker);
	learn(groups);
	/* The agent has a copy of the settings, without these names. */
	rspb_wake_up(RSPB_WAKE_CONFIG);
	rspb_worker_lock(&worker);
	known.at = asked;
	known.groups = groups->any;
	for (size_t i = 0; i < known.n; i++)
		known.users[i].until = 0;
}

static void look_up_now(const struct groups *groups, const struct user *wanted)
{
	struct user user = { .id = wanted->id };
	uint64_t at = known.at;
	struct waiting *ready = NULL;
	struct user *row;
	int64_t now, kept;
	bool good;

	rspb_worker_unlock(&worker);
	good = look_up(groups, &user);
	now = time(NULL);
	rspb_worker_lock(&worker);
	row = known_user(user.id);
	if (!row || known.abandoned || at != known.asked)
		return;
	/* What was known before is better than nothing. */
	if (!good && row->name[0])
		user = *row;
	*row = user;
	row->wanted = false;
	kept = good ? KEPT_S : FAILED_KEPT_S;
	row->until = now + kept;
	row->again = now + kept / 2;
	ready = take_waiting(user.id);
	rspb_worker_unlock(&worker);
	post_all(ready);
	rspb_worker_lock(&worker);
}

static void run(void)
{
	struct groups groups = { .n = 0 };
	struct user *wanted;

	rspb_worker_lock(&worker);
	while (!worker.stopping && !known.abandoned) {
		if (known.at != known.asked)
			learn_now(&groups);
		else if ((wanted = next_wanted()))
			look_up_now(&groups, wanted);
		else if (known.first && !known_user(known.first->user))
			is_known(known.first->user, 0); /* there is room now */
		else
			rspb_worker_wait(&worker, INT64_MAX);
	}
	rspb_worker_unlock(&worker);
}

int rspb_users_start(struct rspb_err *err)
{
	if (known.abandoned)
		return rspb_fail(err, "a lookup of users before is still "
				      "under way");
	return rspb_worker_start(&worker, err);
}

/* Its code stays, whatever becomes of this plugin. */
static void abandon(void)
{
	Dl_info self;

	rspb_log_error("the name service does not answer, and slurmctld ends "
		       "without it");
	if (dladdr(&known, &self))
		dlopen(self.dli_fname, RTLD_LAZY | RTLD_NODELETE | RTLD_NOLOAD);
	rspb_worker_lock(&worker);
	known.abandoned = true;
	rspb_worker_unlock(&worker);
}

void rspb_users_stop(void)
{
	struct waiting *one;

	if (rspb_worker_ask_to_stop(&worker) &&
	    !rspb_worker_join_within(&worker, STOP_S))
		abandon();
	rspb_worker_lock(&worker);
	while ((one = known.first)) {
		known.first = one->next;
		one->task->drop(one->task);
		free(one);
	}
	rspb_worker_unlock(&worker);
}

/* --- for others ------------------------------------------------------------ */

void rspb_users_learn(void)
{
	rspb_worker_lock(&worker);
	known.asked++;
	rspb_worker_wake(&worker);
	rspb_worker_unlock(&worker);
}

bool rspb_users_known(uint32_t user, int64_t now)
{
	bool yes;

	rspb_worker_lock(&worker);
	yes = is_known(user, now);
	rspb_worker_unlock(&worker);
	return yes;
}

bool rspb_users_soon(uint32_t user)
{
	int64_t now = rspb_clock_us(CLOCK_MONOTONIC);
	const struct user *row;
	bool soon;

	rspb_worker_lock(&worker);
	row = known_user(user);
	soon = row && row->wanted && now < row->since + SOON_US;
	rspb_worker_unlock(&worker);
	return soon;
}

void rspb_users_then(uint32_t user, int64_t now, struct rspb_task *task)
{
	struct waiting *one = malloc(sizeof(*one)), **last = &known.first;

	rspb_worker_lock(&worker);
	/* Without memory it goes on with what is known. */
	if (one && worker.running && !is_known(user, now)) {
		*one = (struct waiting){ .user = user, .task = task };
		while (*last)
			last = &(*last)->next;
		*last = one;
		one = NULL;
		task = NULL;
	}
	rspb_worker_unlock(&worker);
	free(one);
	if (task)
		rspb_task_post(task);
}

bool rspb_users_may(uint32_t user, int64_t now)
{
	struct user *row;
	bool may;

	rspb_worker_lock(&worker);
	is_known(user, now);
	row = known_user(user);
	may = !known.groups || !row || !row->until || row->may;
	rspb_worker_unlock(&worker);
	return may;
}

void rspb_users_name(uint32_t user, char name[RSPB_USER_NAME])
{
	struct user *row;

	rspb_worker_lock(&worker);
	row = known_user(user);
	if (row && row->name[0])
		snprintf(name, RSPB_USER_NAME, "%s", row->name);
	else
		snprintf(name, RSPB_USER_NAME, "%u", user);
	rspb_worker_unlock(&worker);
}
