/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A message to a node: sender's uid and length of the text, 4 bytes each in
 * network order, as slurmd writes them, then the line of common/wire/share_lines.h.
 */
#ifndef RSPB_PLUGINS_SPANK_MESSAGE_H
#define RSPB_PLUGINS_SPANK_MESSAGE_H

#include <stddef.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "common/wire/share_lines.h"

enum { RSPB_MESSAGE_HEADER = 8 };

/* A whole message of len bytes from a process of user `peer`, where `user` is
 * SlurmUser. RET 0, or -1 with err and *out unchanged: it is short, long, not a
 * grant, or from anybody but that user or root. */
int rspb_message_read(uid_t user, uid_t peer, const void *data, size_t len,
		      struct rspb_share_env *out, struct rspb_err *err);

#endif
