/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent: the one thread that changes the ledger and acts on it. */
#ifndef RSPB_CTLD_AGENT_H
#define RSPB_CTLD_AGENT_H

#include <stdbool.h>

#include "common/base/err.h"

enum rspb_wake {
	RSPB_WAKE_SUBMIT = 1, /* a request is about to appear */
	RSPB_WAKE_CONFIG = 2, /* settings or the cluster were reconfigured */
	RSPB_WAKE_STOP = 4
};

/* RET 0 or -1 with err. */
int rspb_agent_start(struct rspb_err *err);
/* Any thread, with any locks. */
void rspb_agent_wake(enum rspb_wake why);
/* Whether the calling thread is the agent's. */
bool rspb_agent_is_self(void);
/* End and join the thread; no slurmctld lock may be held. */
void rspb_agent_stop(void);

#endif
