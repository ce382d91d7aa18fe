/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the name service's answers about users: their names, and whether they are in a group that
 * may book (AllowGroups). An answer may take long, over a network, so only an errand
 * (base/errand.h) asks for it. It is good for ten minutes, for the 4,096 users who were asked about
 * last, and is renewed in the second five minutes if it is needed. The settings' own names (groups,
 * users of Rule) are looked up there too, and until they are nobody is known. Any thread, any
 * locks, but for start() and stop(). */
#ifndef RSPB_CTLD_REQUEST_USERS_H
#define RSPB_CTLD_REQUEST_USERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "plugins/ctld/base/wake.h"

enum { RSPB_USER_NAME = 64 };

/* RET 0, or -1 with err. */
int rspb_users_start(struct rspb_err *err);
/* Wait two seconds for a lookup that is under way, and then leave it alone. Tasks whose lookups are
 * not done are dropped. */
void rspb_users_stop(void);
/* There are new settings: forget all, and look up their names. */
void rspb_users_learn(void);
/* Whether all is known of a user; if not, it is looked up, and the agent woken
 * (RSPB_WAKE_SUBMIT) when it is. now: seconds. */
bool rspb_users_known(uint32_t user, int64_t now);
/* Whether a user is being looked up, for less than two seconds so far: requests that came later
 * wait for that, and no longer. */
bool rspb_users_soon(uint32_t user);
/* Post a task when all is known of a user, now maybe. */
void rspb_users_then(uint32_t user, int64_t now, struct rspb_task *task);
/* Whether the user is in one of the groups of AllowGroups, as far as is known; true
 * where nothing is, and where it names none. */
bool rspb_users_may(uint32_t user, int64_t now);
/* The user's name; the number where it is not known, or too long. */
void rspb_users_name(uint32_t user, char name[RSPB_USER_NAME]);

/* The name service, which may be a network away: each call waits for it. For the
 * thread of users.c alone. */

/* RET 0, or -1: there is no such group, or it could not be asked, which *failed says. */
int rspb_directory_group(const char *name, gid_t *id, bool *failed);
/* A user's name for the caller to free, and own group. RET NULL: none, or it could
 * not be asked, which *failed says. */
char *rspb_directory_user(uint32_t user, gid_t *own, bool *failed);
/* RET the groups of a user of that name for the caller to free, *n of them; NULL:
 * out of memory. */
gid_t *rspb_directory_groups(const char *name, gid_t own, int *n);

#endif
