/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A booking is handed to another user. For the agent. */
#ifndef RSPB_CTLD_OWNERS_HAND_H
#define RSPB_CTLD_OWNERS_HAND_H

#include "plugins/ctld/owners/changes.h"

/* Make the plan that user's, if one is named. Takes the read lock. RET 0, or -1 with draft.why. */
int rspb_hand_look(struct rspb_change *c);

#endif
