/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON out: one text for a value, however it came about. */
#ifndef RSPB_SIM_JSONL_OUT_H
#define RSPB_SIM_JSONL_OUT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/wire/json.h"
#include "contrib/sim/jsonl/fields.h"

/* The text of one value: keys sorted, no spaces, numbers that are not whole
 * rounded to 9 decimals, infinity as "inf". */
void sim_print(FILE *out, struct json_object *value);

/* Add a field to a line; in any order, since keys are sorted. */
void sim_put_real(struct json_object *line, const char *key, double value);
/* The id of a record, whatever its type. */
void sim_put_id(struct json_object *line, const struct sim_record *record);

#endif
