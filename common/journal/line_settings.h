/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects "policy" and "settings" of a journal's machine line: what a
 * decision depends on besides the ledger, so that it can be made again.
 *
 * What writes RETs a new object, NULL: out of memory. What reads RETs 0, or -1
 * with err that names the field, and *policy or *config as they were.
 */
#ifndef RSPB_JOURNAL_LINE_SETTINGS_H
#define RSPB_JOURNAL_LINE_SETTINGS_H

#include <json-c/json.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/policy/policy.h"

struct json_object *rspb_line_write_policy(const struct rspb_policy *policy);
int rspb_line_read_policy(struct json_object *object,
			  struct rspb_policy *policy, struct rspb_err *err);
/* Canonical text by key. */
struct json_object *rspb_line_write_settings(const struct rspb_config *config);
int rspb_line_read_settings(struct json_object *object,
			    struct rspb_config *config, struct rspb_err *err);

#endif
