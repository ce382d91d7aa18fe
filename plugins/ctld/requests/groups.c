/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/requests/groups.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/conf/config.h"

enum {
	KEPT_S = 600,
	GROUPS_FIRST = 64,
	BUFFER_FIRST = 4096,
	BUFFER_MOST = 1 << 26, /* for the line of one group */
	NAMES_MOST = RSPB_CONFIG_LIST / 2
};

struct user {
	uint32_t id;
	bool may;
	int64_t until;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
	char list[RSPB_CONFIG_LIST];
	gid_t ids[NAMES_MOST];
	size_t n;
	struct user *users;
	size_t n_users, room;
} known;

/* RET 0, or -1: there is no such group, or it can't be read. */
static int group_id(const char *name, gid_t *id)
{
	struct group group, *found = NULL;
	size_t size = BUFFER_FIRST;
	int rc = ERANGE;

	while ((rc == ERANGE || rc == EINTR) && size <= BUFFER_MOST) {
		char *buf = malloc(size);

		if (!buf)
			return -1;
		rc = getgrnam_r(name, &group, buf, size, &found);
		if (!rc && found)
			*id = group.gr_gid;
		free(buf);
		if (rc == ERANGE)
			size *= 2;
	}
	return rc || !found ? -1 : 0;
}

/* The user's name for the caller to free, and own group. RET NULL: none. */
static char *user_name(uint32_t user, gid_t *own)
{
	struct passwd entry, *found = NULL;
	size_t size = BUFFER_FIRST;
	char *name = NULL;
	int rc = ERANGE;

	while ((rc == ERANGE || rc == EINTR) && size <= BUFFER_MOST) {
		char *buf = malloc(size);

		if (!buf)
			return NULL;
		rc = getpwuid_r(user, &entry, buf, size, &found);
		if (!rc && found) {
			name = strdup(entry.pw_name);
			*own = entry.pw_gid;
		}
		free(buf);
		if (rc == ERANGE)
			size *= 2;
	}
	return name;
}

/* RET the user's groups for the caller to free, *n of them; NULL: none. */
static gid_t *groups_of(uint32_t user, int *n)
{
	gid_t own = 0, *ids = NULL;
	char *name = user_name(user, &own);
	int rc = -1;

	*n = GROUPS_FIRST;
	while (name && rc < 0) {
		int most = *n;

		free(ids);
		ids = malloc((size_t) most * sizeof(*ids));
		if (!ids)
			break;
		rc = getgrouplist(name, own, ids, n);
		/* It says how many there are, or not. */
		if (rc < 0 && *n <= most)
			*n = 2 * most;
	}
	free(name);
	return ids;
}

static void learn(const char *list, void (*tell)(const char *name))
{
	char copy[RSPB_CONFIG_LIST], *name, *rest;

	known.n = known.n_users = 0;
	memset(known.list, 0, sizeof(known.list));
	strncpy(known.list, list, sizeof(known.list) - 1);
	memcpy(copy, known.list, sizeof(copy));
	for (name = strtok_r(copy, ",", &rest); name && known.n < NAMES_MOST;
	     name = strtok_r(NULL, ",", &rest)) {
		if (!group_id(name, &known.ids[known.n]))
			known.n++;
		else if (tell)
			tell(name);
	}
}

void rspb_groups_learn(const char *list, void (*tell)(const char *name))
{
	pthread_mutex_lock(&mutex);
	learn(list, tell);
	pthread_mutex_unlock(&mutex);
}

static bool allowed(const gid_t *ids, int n)
{
	for (int i = 0; i < n; i++)
		for (size_t k = 0; k < known.n; k++)
			if (ids[i] == known.ids[k])
				return true;
	return false;
}

/* RET the user's row, made when there is none; NULL without memory. */
static struct user *row_of(uint32_t user)
{
	for (size_t i = 0; i < known.n_users; i++)
		if (known.users[i].id == user)
			return &known.users[i];
	if (rspb_array_grow(&known.users, &known.room, known.n_users + 1,
			    sizeof(*known.users)))
		return NULL;
	known.users[known.n_users] = (struct user){ .id = user };
	return &known.users[known.n_users++];
}

static bool look_up(uint32_t user, int64_t now)
{
	struct user *row = row_of(user);
	gid_t *ids;
	bool may;
	int n;

	if (row && now < row->until)
		return row->may;
	ids = groups_of(user, &n);
	may = ids && allowed(ids, n);
	free(ids);
	if (row)
		*row = (struct user){ user, may, now + KEPT_S };
	return may;
}

bool rspb_groups_have(const char *list, uint32_t user, int64_t now)
{
	bool may;

	if (!*list)
		return true;
	pthread_mutex_lock(&mutex);
	if (strcmp(list, known.list))
		learn(list, NULL);
	may = look_up(user, now);
	pthread_mutex_unlock(&mutex);
	return may;
}
