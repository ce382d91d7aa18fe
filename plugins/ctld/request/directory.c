/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the name service, which may take long. It keeps nothing: users.c does. No lock may be held,
 * since each call may wait for the network. */
#include "plugins/ctld/request/users.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

enum {
	GROUPS_FIRST = 64,
	BUFFER_FIRST = 4096,
	BUFFER_MOST = 1 << 26 /* for the line of one group */
};

/* The line of a large group has all its members, and libc answers ERANGE until the buffer holds it.
 * A signal (EINTR) is no answer, so the call is repeated. */
int rspb_directory_group(const char *name, gid_t *id, bool *failed)
{
	struct group group, *found = NULL;
	size_t size = BUFFER_FIRST;
	int rc = ERANGE;

	*failed = true;
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
	*failed = rc;
	return rc || !found ? -1 : 0;
}

/* libc returns 0 without an entry if there is no such user. An error of the name service is
 * reported in *failed, so that the caller does not take it for that. */
char *rspb_directory_user(uint32_t user, gid_t *own, bool *failed)
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
	*failed = rc && !name;
	return name;
}

/* getgrouplist() reports no error of the name service: groups that it could not read are just not
 * in the list. */
gid_t *rspb_directory_groups(const char *name, gid_t own, int *n)
{
	gid_t *ids = NULL;
	int rc = -1;

	*n = GROUPS_FIRST;
	while (rc < 0) {
		int most = *n;

		free(ids);
		ids = malloc((size_t) most * sizeof(*ids));
		if (!ids)
			break;
		rc = getgrouplist(name, own, ids, n);
		/* The call may say how many there are, or not. */
		if (rc < 0 && *n <= most)
			*n = 2 * most;
	}
	return ids;
}
