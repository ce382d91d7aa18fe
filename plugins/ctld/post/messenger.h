/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages from slurmctld to sockets on the nodes, as errands (base/errand.h):
 * a node that does not answer must hold up nothing else.
 */
#ifndef RSPB_CTLD_POST_MESSENGER_H
#define RSPB_CTLD_POST_MESSENGER_H

#include "common/base/err.h"

int rspb_messenger_start(struct rspb_err *err);
/* Forget the messages that are not yet sent, and give up those under way. */
void rspb_messenger_stop(void);

/* Send text to a socket on these nodes, soon; behind what was posted for the same
 * nodes before. Any thread; never waits; any lock may be held. Copies its
 * arguments. What fails is tried again a few times, and then logged; nodes that do
 * not answer hold up nobody else's; where eight die at one time, for two seconds.
 * Without memory, or between stop() and start(): nothing. */
void rspb_messenger_send(const char *nodes, const char *socket, const char *text);

#endif
