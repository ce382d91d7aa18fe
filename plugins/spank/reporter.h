/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread in slurmd that tells the controller what jobs with booked shares
 * use: soon after a job begins or is granted another share, then as often as the
 * site wants, and when it has ended. One message for all jobs of the node.
 * Nodes speak at different moments, and a controller that is not there holds up
 * nothing: what has ended is told later.
 */
#ifndef RSPB_PLUGINS_SPANK_REPORTER_H
#define RSPB_PLUGINS_SPANK_REPORTER_H

#include "plugins/spank/node.h"

/* From a thread that has no signals. *node must stay until stop. Without memory
 * or folders there is no thread, and a line in the log. */
void rspb_reporter_start(const struct rspb_node *node);
/* End the thread and wait for it, a second or two at most. */
void rspb_reporter_stop(void);

#endif
