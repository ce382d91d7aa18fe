/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An offer as an answer has it (doc/protocol.md). */
#ifndef RSPB_CTLD_OWNERS_OFFER_H
#define RSPB_CTLD_OWNERS_OFFER_H

#include <json-c/json.h>

#include "common/conf/config.h"
#include "common/plan/offers.h"

/* RET it, with what it would be charged by these settings; the caller's. */
json_object *rspb_offer_write(const struct rspb_offer *offer, const struct rspb_request *asked,
			      const struct rspb_config *config);

#endif
