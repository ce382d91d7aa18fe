/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer to "stats" in Prometheus' text format. */
#ifndef RSPB_CLIENT_PROMETHEUS_H
#define RSPB_CLIENT_PROMETHEUS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

/* Print the metrics. answer NULL: slurmctld did not answer, so rspb_up is 0 and the rest is left
 * out. users: also the figures of each user. */
void rspb_prometheus_print(FILE *out, json_object *answer, bool users);

#endif
