/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_CTLD_OPERATORS_INTERNAL_H
#define RSPB_CTLD_OPERATORS_INTERNAL_H

#include "common/wire/tag.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/operators/operator.h"

enum { RSPB_DOOR_NAME = 256 };

/* A reservation as it was when it was asked about. */
struct rspb_door {
	uint32_t id;
	int64_t start, end;
	char name[RSPB_DOOR_NAME];
	char tag[RSPB_TAG_TEXT];
};

/* RET false: its name or text is too long to be one of ours. */
bool rspb_door_snap(const struct rspb_resv *resv, struct rspb_door *out);
/* Whether it is still the same. */
bool rspb_door_same(const struct rspb_door *door, const struct rspb_resv *resv);

/* What is to be done about a reservation that is meant for us, or about a
 * booking. */
enum rspb_door_verdict {
	RSPB_DOOR_KEEP,
	RSPB_DOOR_WAITS,   /* a request */
	RSPB_DOOR_CHANGED, /* is no longer as it was booked */
	RSPB_DOOR_ADOPT,   /* says that it is booked, the ledger does not */
	RSPB_DOOR_ODD,	   /* a request that can be none */
	RSPB_DOOR_GONE,	   /* deleted, or its tag was */
	RSPB_DOOR_OVER	   /* its window has passed */
};
/* The booking: that of the reservation (NULL: none). Neither is KEEP. */
enum rspb_door_verdict rspb_door_judge(const struct rspb_resv *resv,
				       const struct rspb_booking *booking,
				       int64_t now);

/* Slurm's number of the reservation that holds a booking. */
uint32_t rspb_door_number(uint64_t id);
/* RET an id that no booking of this ledger has. */
uint64_t rspb_door_new_id(const struct rspb_ledger *ledger,
			  uint32_t reservation);
/*
 * The request that a reservation makes, by its tag, or by its contract when it
 * has been answered before. Wants the read lock. RET 0, or -1 with a sentence
 * in err; the caller destroys *out, if any, either way.
 */
int rspb_door_request(const struct rspb_resv *resv, uint32_t width,
		      const struct rspb_config *config, int64_t now,
		      struct rspb_request **out, struct rspb_err *err);
/* Look again which nodes a part may have, in the reservation's partition. RET
 * 0, or -1 with err. */
int rspb_door_refresh(const struct rspb_resv *resv, uint32_t width,
		      struct rspb_part *part, struct rspb_err *err);
/* RET the booking that a reservation with nodes says it holds; NULL: none. */
struct rspb_booking *rspb_door_rebuild(const struct rspb_resv *resv,
				       uint32_t width, int64_t now);
/* What is written into the text field. text: RSPB_CONTRACT_TEXT bytes. */
void rspb_door_text(const struct rspb_booking *booking, char *text);
/* Make a reservation what its booking says. Wants the write lock. */
int rspb_door_place(const char *name, const struct rspb_booking *booking,
		    struct rspb_err *err);
/* A booking is not any more as its reservation: decide which follows which. */
void rspb_door_change(uint32_t reservation, const struct rspb_config *config,
		      int64_t now);

#endif
