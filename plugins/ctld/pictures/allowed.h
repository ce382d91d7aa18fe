/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits that count for a user, and how much of them is used. */
#ifndef RSPB_CTLD_PICTURES_ALLOWED_H
#define RSPB_CTLD_PICTURES_ALLOWED_H

#include <json-c/json.h>
#include <stdint.h>

#include "common/base/err.h"
#include "plugins/ctld/pictures/picture.h"
#include "plugins/ctld/socket/inquiry.h"

/* Add "limits" and "barred" (doc/protocol.md) for an account, partition and QOS, with Rules
 * applied. RET 0, or -1 with err. */
int rspb_allowed_answer(const struct rspb_inquiry *inquiry, uint32_t uid,
			const struct rspb_picture *picture, json_object *answer,
			struct rspb_err *err);

#endif
