/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy as JSON: what a journal says of the one that decided. */
#ifndef RSPB_POLICY_FIELDS_H
#define RSPB_POLICY_FIELDS_H

#include "common/wire/json.h"

/* The fields of a struct rspb_policy, ended by a NULL key. */
extern const struct rspb_json_field rspb_policy_fields[];

#endif
