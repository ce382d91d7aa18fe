/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb request --for-users, --for-accounts: a booking without a job. */
#ifndef RSPB_CLIENT_GROUP_H
#define RSPB_CLIENT_GROUP_H

#include <stdbool.h>

#include "contrib/client/command.h"

/* Whether a line asks for one. */
bool rspb_group_is(const struct rspb_command *command);
/* Ask for it. RET how it ended. */
int rspb_group_ask(const struct rspb_command *command);

#endif
