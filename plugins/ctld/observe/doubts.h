/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why bookings will not start, and which have a node that has no longer what their jobs
 * ask for: features, memory, CPUs or generic resources. The agent's alone. */
#ifndef RSPB_CTLD_OBSERVE_DOUBTS_H
#define RSPB_CTLD_OBSERVE_DOUBTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"

/* The first one that applies is reported: a limit names what there is too much of, where
 * Slurm's own test of the job says only that it does not fit. */
enum rspb_doubt {
	RSPB_DOUBT_LIMIT,
	RSPB_DOUBT_PARTITION, /* or its nodes, or who it is for */
	RSPB_DOUBT_START,     /* Slurm has refused it one */
	RSPB_N_DOUBTS
};
/* No node. */
#define RSPB_UNFIT_NONE UINT32_MAX

/* Note why, "": not for that cause. RET whether that is news; what is offered instead,
 * behind a semicolon, may be another without being news. */
bool rspb_doubt_note(uint64_t id, enum rspb_doubt cause, const char *text);
/* RET why it will not start, good until it is noted anew; NULL: nothing is known against
 * it. */
const char *rspb_doubt_says(uint64_t id);
/* Tell its owner that; else what else is in its way (doubts.h), or that nothing is any more.
 * Wants the write lock. */
void rspb_doubt_tell(uint64_t id);
/* Whether the last slurmctld told a doubt of a booking, of which nothing is known now. */
bool rspb_doubt_outdated(const struct rspb_booking *booking);
/* Tell its owner that, and remove the doubt from the booking, which is replaced. Wants the write
 * lock. */
void rspb_doubt_withdraw(const struct rspb_booking *booking);

/* A booking has such a node, or none any more. RET whether that is news. */
bool rspb_doubt_unfit(uint64_t id, uint32_t node);
/* RET a number that is another one whenever other bookings have one. */
uint64_t rspb_doubts_mark(void);
/* Put these bookings and nodes, in no order, into *list, which the caller frees. RET how many; 0
 * with *list NULL: none, or out of memory. */
size_t rspb_doubts_unfit(struct rspb_overfull **list);

/* Forget bookings of which nothing is known any more, and those that are not to be
 * looked at. */
void rspb_doubts_tidy(bool (*looked_at)(const struct rspb_booking *b));
void rspb_doubts_reset(void);

enum { RSPB_TROUBLE_OFFERS = 256 };

struct rspb_trouble {
	uint64_t id;
	char text[RSPB_ERR_TEXT];	  /* "": nothing is in the way */
	char was[RSPB_ERR_TEXT];	  /* the same, when it is helped */
	char offers[RSPB_TROUBLE_OFFERS]; /* what it could have instead */
	bool serious;			  /* it had better go elsewhere */
	bool outage;			  /* of a node, which can be back before its start */
	bool untold;
	unsigned int tries; /* to find it another place */
	int64_t tried_ms;   /* the last of them */
	uint64_t freed;	    /* as of the book, then */
	int64_t spared_ms;  /* then nobody was to have less, until that; 0: not so */
};

/* RET NULL: there is none. */
struct rspb_trouble *rspb_trouble_find(uint64_t id);
/* A new one, of a booking that has none; NULL: out of memory. */
struct rspb_trouble *rspb_trouble_add(uint64_t id);
void rspb_trouble_forget(struct rspb_trouble *notice);
/* RET the next one by id, after that of a booking; 0: the first. NULL: there is none. */
struct rspb_trouble *rspb_trouble_next(uint64_t after);

/* --- late bookings --- */

/* Attempts to start a booking that is late. */
struct rspb_attempt {
	uint32_t count; /* 0: none */
	bool refused;	/* at last by Slurm, though its nodes are well */
	bool told;	/* its owner has been told why it waits */
};

/* Count one more attempt for a booking. RET how many there are now. */
uint32_t rspb_attempt_count(uint64_t id);
/* How the last one failed; nothing when there was none. */
void rspb_attempt_refused(uint64_t id, bool refused);
/* Note that its owner is told why it waits. RET whether that is the first time. */
bool rspb_attempt_tell(uint64_t id);
/* Note that its owner cannot read that any more: the next attempt is to tell it again. */
void rspb_attempt_untell(uint64_t id);
/* RET NULL: none. Good until the next change. */
const struct rspb_attempt *rspb_attempt_find(uint64_t id);
void rspb_attempt_forget(uint64_t id);

#endif
