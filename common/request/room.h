/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory and generic resources, which are counted on each node besides cores. Each kind has a
 * name, "memory", "gpu" or "gpu:a100", and a quota of it has that name. */
#ifndef RSPB_REQUEST_ROOM_H
#define RSPB_REQUEST_ROOM_H

#include <stddef.h>
#include <stdint.h>

#include "common/request/quota.h"

#define RSPB_ROOM_MEMORY "memory"

/* The key of a kind, by that name. */
uint64_t rspb_room_key(const char *kind);
/* Print the generic resources among quotas, per_node, as --gres takes them:
 * "gpu:a100:2,shard:1". What is too long for the text is left out. */
void rspb_devices_print(const struct rspb_quota *quotas, size_t n, char *text, size_t size);

#endif
