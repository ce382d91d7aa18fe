/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what a job could have instead of what it asks for. For the agent. */
#ifndef RSPB_CTLD_OWNERS_BARGAIN_H
#define RSPB_CTLD_OWNERS_BARGAIN_H

#include <json-c/json.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/plan/offers.h"
#include "plugins/ctld/owners/work.h"

/* work->result becomes the list of offers (doc/protocol.md). Takes locks. */
void rspb_bargain_offers(struct rspb_work *work, const struct rspb_config *config, int64_t now);

#endif
