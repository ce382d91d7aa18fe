/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of users of whom the name service has not said yet who they are. */
#ifndef RSPB_CTLD_DECIDE_ORDER_H
#define RSPB_CTLD_DECIDE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/ctld/requests/ask.h"

/* Leave out those whose users are being looked up, which wakes us when it is done,
 * and, for as long as rspb_users_soon(), who came behind them; not what an operator
 * asks for. RET whether somebody was left out who came behind. now: seconds. */
bool rspb_order_keep(struct rspb_asks *asks, int64_t now);

#endif
