/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a node hears of granted shares: a UNIX socket DIR/NODE/socket that
 * slurmd connects to on behalf of the controller (slurm_forward_data), with
 * the rights of the user who sent it. The socket belongs to SlurmUser with
 * mode 0600, and the connecting process must be root or that user.
 *
 * One connection is one message: sender's uid and length of the text, 4 bytes
 * each in network order, as slurmd writes them, then the line of
 * common/share_env.h.
 *
 * The thread lives in slurmd. slurmd loads plugins before it goes into the
 * background by two forks, which a thread does not survive but a socket does;
 * so there the thread is started in the second child.
 */
#ifndef RSPB_PLUGINS_SPANK_CHANNEL_H
#define RSPB_PLUGINS_SPANK_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/err.h"
#include "plugins/spank/node.h"

enum { RSPB_CHANNEL_HEADER = 8 };

/* Begin to listen; RET 0, or -1 with err and nothing changed. */
int rspb_channel_open(const struct rspb_node *node, uid_t user,
		      bool foreground, struct rspb_err *err);
/* End the thread and wait for it. Without one: nothing to do. */
void rspb_channel_close(void);

/* A whole message of len bytes from a process of user `peer`: check it and do
 * what it says. RET 0, or -1 with err and nothing changed. */
int rspb_channel_take(const struct rspb_node *node, uid_t user, uid_t peer,
		      const void *data, size_t len, struct rspb_err *err);

#endif
