/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects what bookings of parts of nodes (cores.h) keep of these within a window. */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_PARTS_H
#define RSPB_PLUGINS_COMPAT_PARTS_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"

struct rspb_parts_room {
	uint64_t key;  /* of a room (limit/quota.h) */
	int64_t *left; /* of each node: what they leave */
};

struct rspb_parts {
	struct rspb_nodeset *nodes; /* where there are any */
	int64_t *cores;		    /* of each node, at most at a time */
	int64_t *next;		    /* of each: when the next booking begins there */
	size_t n;
	struct rspb_parts_room *rooms; /* of what somebody takes besides */
};

#endif
