/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions that a picture answers. */
#ifndef RSPB_CTLD_SERVE_READS_H
#define RSPB_CTLD_SERVE_READS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/base/err.h"
#include "plugins/ctld/serve/inquiry.h"
#include "plugins/ctld/serve/picture.h"

/* --- reads.c --- */

/* The caller, and what Slurm would let them see and do. */
enum { RSPB_CALLER_FROM = 64 };
struct rspb_caller_view {
	uint32_t uid;
	char from[RSPB_CALLER_FROM]; /* the address or host of the request, "": unknown */
	bool privileged;
	bool sees_all; /* also what is others' */
	bool sees_nodes, sees_partitions;
};

/* Whether there is what a question is about. */
bool rspb_reads_knows(const struct rspb_picture *picture, const struct rspb_inquiry *query);
/* Whether that still waits for a decision. */
bool rspb_reads_undecided(const struct rspb_picture *picture, const struct rspb_inquiry *query);
/* Add to the answer. RET 0, or -1 with err: there is no such booking that they
 * may see. */
int rspb_reads_answer(const struct rspb_inquiry *query, const struct rspb_caller_view *who,
		      const struct rspb_picture *picture, json_object *answer,
		      struct rspb_err *err);

/* --- calendar.c --- */

/* Add bookings with the numbers of their nodes, and, on the first page, the
 * nodes and what stands on them from outside. What may not be seen is there
 * without what it is. RET 0, or -1 with err. */
int rspb_calendar_answer(const struct rspb_inquiry *query, const struct rspb_caller_view *who,
			 const struct rspb_picture *picture, json_object *answer,
			 struct rspb_err *err);

/* --- figures.c --- */

/* Add "stats" (doc/protocol.md): of users, those that may be seen. For the
 * thread of the socket. RET 0, or -1 with err. */
int rspb_figures_answer(const struct rspb_inquiry *inquiry, const struct rspb_caller_view *who,
			const struct rspb_picture *picture, json_object *answer,
			struct rspb_err *err);

/* Add "settings" (doc/protocol.md): paths on slurmctld's host and rules,
 * which name users, for operators alone.
 * For the thread of the socket. */
void rspb_in_force_answer(const struct rspb_caller_view *who, const struct rspb_picture *picture,
			  json_object *answer);

/* Bookings and requests as JSON objects of the protocol. */

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
