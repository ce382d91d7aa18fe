/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users who are looked up while they are asked about, and settings that change. */
#include "plugins/ctld/request/users.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "common/conf/config.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/wake.h"
#include "tests/races/races.h"

enum { USERS = 50, ROUNDS = 2000 };

static atomic_int posted, dropped;

int rspb_directory_group(const char *name, gid_t *id, bool *failed)
{
	*failed = false;
	*id = 1;
	return strcmp(name, "wheel") ? -1 : 0;
}

char *rspb_directory_user(uint32_t user, gid_t *own, bool *failed)
{
	char name[16];

	*failed = user % 7 == 0;
	*own = user % 2;
	snprintf(name, sizeof(name), "u%u", user);
	return *failed ? NULL : strdup(name);
}

gid_t *rspb_directory_groups(const char *name, gid_t own, int *n)
{
	gid_t *ids = malloc(sizeof(*ids));

	(void) name;
	*ids = own;
	*n = 1;
	return ids;
}

int rspb_settings_learn(void)
{
	return 0;
}

const struct rspb_config *rspb_settings_get(void)
{
	static _Thread_local struct rspb_config config;

	strcpy(config.allow_groups, "none,wheel");
	return &config;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) level;
	(void) fmt;
}

void rspb_wake_up(enum rspb_wake why)
{
	(void) why;
}

void rspb_task_post(struct rspb_task *task)
{
	(void) task;
	posted++;
}

static void drop(struct rspb_task *task)
{
	(void) task;
	dropped++;
}

static struct rspb_task task = { .drop = drop };

static void ask(unsigned int part)
{
	char name[RSPB_USER_NAME];
	int64_t now = time(NULL);

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t user = 1 + (i + part) % USERS;

		rspb_users_known(user, now);
		rspb_users_may(user, now);
		rspb_users_name(user, name);
		MUST(name[0]);
		rspb_users_then(user, now, &task);
	}
}

static void learn(unsigned int part)
{
	(void) part;
	for (int i = 0; i < 20; i++) {
		const struct timespec pause = { .tv_nsec = 1000000 };

		rspb_users_learn();
		nanosleep(&pause, NULL);
	}
}

int main(void)
{
	struct rspb_err err;

	rspb_users_learn();
	MUST(!rspb_users_start(&err));
	RACE(ask, ask, ask, learn);
	rspb_users_stop();
	/* Each was posted, or dropped at the end. */
	MUST(posted + dropped == 3 * ROUNDS);
	return 0;
}
