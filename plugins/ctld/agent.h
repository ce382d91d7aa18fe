/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent: the one thread that changes the ledger and acts on it. */
#ifndef RSPB_CTLD_AGENT_H
#define RSPB_CTLD_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

/* Start the thread; it is woken and stopped by base/wake.h. RET 0 or -1 with
 * err. */
int rspb_agent_start(struct rspb_err *err);
/* Whether the calling thread is the agent's. */
bool rspb_agent_is_self(void);

/* Answers the messages that serve/server.h hands on. */
struct rspb_server_use;
extern const struct rspb_server_use rspb_answer_use;

#endif
