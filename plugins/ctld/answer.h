/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers the messages that server.h hands on. */
#ifndef RSPB_CTLD_ANSWER_H
#define RSPB_CTLD_ANSWER_H

#include "plugins/ctld/serve/server.h"

extern const struct rspb_server_use rspb_answer_use;

#endif
