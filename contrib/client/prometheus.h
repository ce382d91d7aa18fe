/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer to "stats" in Prometheus' text format. */
#ifndef RSPB_CLIENT_PROMETHEUS_H
#define RSPB_CLIENT_PROMETHEUS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

/* answer NULL: there was none; that alone is said. users: of each user, too. */
void rspb_prometheus_print(FILE *out, json_object *answer, bool users);

#endif
