/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings and requests as JSON objects of the protocol. */
#ifndef RSPB_CTLD_SERVE_LISTING_H
#define RSPB_CTLD_SERVE_LISTING_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugins/ctld/serve/picture.h"

/* RET a new object, NULL: out of memory. The names of its nodes are left out
 * where they are longer than `most`. */
json_object *rspb_listing_booking(const struct rspb_picture *picture,
				  const struct rspb_booking *booking, size_t most);
/* Likewise; NULL also when its contract cannot be read. */
json_object *rspb_listing_asked(const struct rspb_asked *asked);
/* Say what a booking takes of its nodes, of one of which no more is shown: part, cores, generic
 * resources, GPUs. */
void rspb_listing_taken(json_object *to, const struct rspb_picture *picture,
			const struct rspb_booking *booking);

#endif
