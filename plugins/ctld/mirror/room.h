/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waiting room: a reservation without nodes that never begins, so that jobs
 * in it stay pending and stand in nobody's way. */
#ifndef RSPB_CTLD_MIRROR_ROOM_H
#define RSPB_CTLD_MIRROR_ROOM_H

#include <stdint.h>

/* Make it, unless it is there; wants the write lock. */
void rspb_room_make(int64_t now);
/* The same, taking locks when it is not. */
void rspb_room_keep(int64_t now);
/* Remove it if nobody waits in it. */
void rspb_room_close(void);
/* A job (of a heterogeneous one, the leader) that lost its booking waits for a
 * decision again, with all that it asked for at first. Wants the write lock.
 * why: for its contract, NULL: leave that. */
void rspb_room_send_back(uint32_t id, const char *why);

#endif
