/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb request --clusters: a job where it is worth most of several clusters, or
 * parts of one task on several of them, all or none. */
#ifndef RSPB_CLIENT_BEYOND_CLUSTERS_H
#define RSPB_CLIENT_BEYOND_CLUSTERS_H

#include <stdbool.h>

#include "contrib/client/command.h"

/* Whether a line asks for it. */
bool rspb_clusters_are(const struct rspb_command *command);
/* Ask. RET how it ended; unless RSPB_EXIT_DONE nothing of it is booked. */
int rspb_clusters_ask(const struct rspb_command *command);

#endif
