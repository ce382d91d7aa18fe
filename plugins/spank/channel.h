/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a node hears of granted shares: a UNIX socket DIR/NODE/socket that
 * slurmd connects to on behalf of the controller (slurm_forward_data), with
 * the rights of the user who sent it. The socket belongs to SlurmUser with
 * mode 0600, and the connecting process must be root or that user.
 *
 * One connection is one message (plugins/spank/message.h).
 *
 * The thread lives in slurmd. slurmd loads plugins before it goes into the
 * background by two forks, which a thread does not survive but a socket does;
 * so there the thread is started in the second child.
 */
#ifndef RSPB_PLUGINS_SPANK_CHANNEL_H
#define RSPB_PLUGINS_SPANK_CHANNEL_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "plugins/spank/node.h"

/* Begin to listen; RET 0, or -1 with err and nothing changed. */
int rspb_channel_open(const struct rspb_node *node, uid_t user, bool foreground,
		      struct rspb_err *err);
/* End the thread and wait for it. Without one: nothing to do. */
void rspb_channel_close(void);

/*
 * The thread in slurmd that tells the controller what jobs with booked shares
 * use: soon after a job begins or is granted another share, then as often as the
 * site wants, and when it has ended. A message is for all jobs of the node.
 * Nodes speak at different moments, and a controller that is not there holds up
 * nothing: what has ended is told later.
 */

/* The caller is a thread that has no signals. *node must stay until stop. Without memory
 * or folders there is no thread, and a line in the log. */
void rspb_reporter_start(const struct rspb_node *node);
/* End the thread and wait for it, a second or two at most. */
void rspb_reporter_stop(void);

#endif
