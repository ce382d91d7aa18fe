/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions that a picture answers. */
#ifndef RSPB_CTLD_SERVE_READS_H
#define RSPB_CTLD_SERVE_READS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/request/request.h"
#include "plugins/ctld/serve/inquiry.h"
#include "plugins/ctld/serve/picture.h"

/* --- reads.c --- */

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

/* --- slots.c --- */

/* The time slots that are free for a question. */

/* --- slots.c --- */

/*
 * Add "slots" to the answer: ranges of starts, by time, at each of which a user could book that,
 * whole nodes or parts of them, within the site's limits, and how many nodes are free at the first;
 * and "leads", as below, but within the limits and from the same begin on. Numbers of nodes are
 * left out for who may not see nodes or partitions. As of the last plan (rspb_published_get). RET
 * 0, or -1 with err.
 */
int rspb_slots_answer(const struct rspb_inquiry *inquiry, const struct rspb_caller_view *who,
		      const struct rspb_picture *picture, json_object *answer,
		      struct rspb_err *err);

/* How far ahead one must ask: add "leads" to `to`, of one node, a quarter, half and all
 * of the eligible ones (NULL: of the machine, of `all` nodes) that are ever free until the horizon,
 * how many `nodes`, and in how many `seconds` the first start is at which they are for
 * so long; without these there is none. Limits on users do not count. */
void rspb_slots_leads(const struct rspb_profile *calendar, uint32_t all,
		      const struct rspb_nodeset *eligible, int64_t now, int64_t duration,
		      int64_t horizon, json_object *to);

/* --- slot_filter.c --- */

/* GPUs as --gpus-per-node takes them: "2", "a100:2". */
struct rspb_eligible_gpus {
	int64_t count;		 /* 0: none are asked for */
	char type[RSPB_ASK_TAG]; /* "": any */
};
/* RET 0, or -1 with err. */
int rspb_eligible_read_gpus(const char *text, struct rspb_eligible_gpus *out, struct rspb_err *err);

/* Remove from nodes those that nodelist, features and gpus of the question rule out. RET 0, or
 * -1 with err. */
int rspb_eligible_keep(const struct rspb_inquiry *inquiry, const struct rspb_picture *picture,
		       const struct rspb_eligible_gpus *gpus, struct rspb_nodeset *nodes,
		       struct rspb_err *err);

/* Have a part ask for licenses, as --licenses takes them. RET 0, or -1 with err: there is
 * none of that name, or not as many. */
int rspb_licensed_ask(const struct rspb_picture *picture, const char *text, struct rspb_part *part,
		      struct rspb_err *err);
/* RET a copy of a calendar in which no node is free while a request, of one part, could not
 * have its licenses within the ledger, until `last`; NULL: out of memory. */
struct rspb_profile *rspb_licensed_calendar(const struct rspb_profile *calendar,
					    const struct rspb_ledger *ledger,
					    const struct rspb_request *request, int64_t last);

#endif
