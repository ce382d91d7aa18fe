/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects "policy" and "settings" of a journal's machine line: what a
 * decision depends on besides the ledger, so that it can be made again.
 */
#ifndef RSPB_JOURNAL_LINE_SETTINGS_H
#define RSPB_JOURNAL_LINE_SETTINGS_H

#include "common/conf/config.h"
#include "common/policy/policy.h"
#include "common/wire/json.h"

/* The fields of a struct rspb_policy. */
extern const struct rspb_json_field rspb_line_policy[];
/* RET a new object, canonical text by key; NULL: out of memory. */
struct json_object *rspb_line_settings(const struct rspb_config *config);

#endif
