/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps: its member of struct rspb_controller (controller.h). All zeros:
 * nothing yet. */
#ifndef RSPB_CTLD_REQUEST_STATE_H
#define RSPB_CTLD_REQUEST_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/conf/config.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/request/users.h"

enum { RSPB_USERS_MOST = 4096, RSPB_GROUPS_MOST = RSPB_CONFIG_LIST / 2 };

struct rspb_known_user {
	uint32_t id;
	bool wanted, may;
	int64_t until; /* 0: not known yet */
	int64_t again; /* when it is asked anew, if somebody wants it */
	int64_t since; /* us: when it was wanted */
	char name[RSPB_USER_NAME];
};

/* The groups of AllowGroups. */
struct rspb_known_groups {
	bool any; /* it names some, which may not be there */
	size_t n;
	gid_t ids[RSPB_GROUPS_MOST];
};

/* Names and groups of users (users.c). With the mutex of the errands, under which nothing is
 * looked up. */
struct rspb_known_state {
	uint64_t asked, at; /* which settings are to be learned; and are */
	bool groups;	    /* AllowGroups names some */
	int64_t again;	    /* when names that were not found are tried again, 0: none */
	bool retry;	    /* that time has come */
	struct rspb_known_user users[RSPB_USERS_MOST];
	size_t n;
	struct rspb_queue waiting;
};

struct rspb_request_state {
	struct rspb_errand lookup; /* of all that is not known; with the mutex of its sort */
	struct rspb_known_state known;
	struct rspb_known_groups groups; /* of the one thread that looks up */
};

extern struct rspb_request_state *const rspb_requests;
extern struct rspb_known_state *const rspb_known;

#endif
