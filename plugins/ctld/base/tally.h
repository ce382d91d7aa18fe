/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts decisions and their outcomes since slurmctld was started: in all, and per user for the
 * first RSPB_TALLY_USERS of them. Any thread, any lock: nothing here grows, waits or calls
 * anybody. */
#ifndef RSPB_CTLD_BASE_TALLY_H
#define RSPB_CTLD_BASE_TALLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/request/booking.h"

/* --- lengths.c --- */

/* How long something took, every time since slurmctld was started. Any thread counts, without a
 * lock; the memory does not grow. */

enum {
	/* Powers of two, each in four parts. */
	RSPB_LENGTHS_PARTS = 4,
	RSPB_LENGTHS = 40 * RSPB_LENGTHS_PARTS,
	RSPB_LENGTHS_STEPS = 12
};

/* All zero: nothing yet. */
struct rspb_lengths {
	atomic_uint_fast64_t n, by_length[RSPB_LENGTHS];
	atomic_int_fast64_t sum_us, longest_us;
};

struct rspb_lengths_sum {
	uint64_t n;
	int64_t sum_us, longest_us;
	int64_t most_us; /* of 99 of 100, to a fifth */
	/* How many took less than rspb_lengths_step(i). */
	uint64_t below[RSPB_LENGTHS_STEPS];
};

void rspb_lengths_add(struct rspb_lengths *lengths, int64_t us);
void rspb_lengths_read(struct rspb_lengths *lengths, struct rspb_lengths_sum *out);
/* Microseconds: 64, and four times as much each, up to 268 seconds. */
int64_t rspb_lengths_step(unsigned int i);

/* --- tally.c --- */

enum { RSPB_TALLY_USERS = 1024 };

/* Why there was no booking. */
enum rspb_refusal {
	RSPB_REFUSAL_REQUEST, /* it cannot be booked at all */
	RSPB_REFUSAL_LIMITS,  /* the site does not allow it */
	RSPB_REFUSAL_ROOM,    /* it does not fit */
	RSPB_REFUSAL_SLURM,   /* Slurm would not start it there */
	RSPB_REFUSAL_JOURNAL, /* it could not be made durable */
	RSPB_N_REFUSALS
};
extern const char *const rspb_refusal_names[RSPB_N_REFUSALS];

struct rspb_tally {
	uint64_t booked, refused[RSPB_N_REFUSALS];
	uint64_t completed, terminated, cancelled; /* of what was booked */
	uint64_t no_shows;
	/* With Mode=observe: what would have become of requests. */
	uint64_t would_book, would_refuse[RSPB_N_REFUSALS];
	double benefit; /* sum of what was granted, 0 to 1 each */
	/* Node-seconds of windows that were used, or should have been: as
	 * booked in the end, and as used. */
	double booked_s, used_s, charged_s;
};

struct rspb_tally_user {
	uint32_t uid;
	struct rspb_tally tally;
};

/* Times from a request (to the second) to its decision, of a batch, and of a sync of the
 * journal. */
enum rspb_tally_times {
	RSPB_TALLY_DECISIONS,
	RSPB_TALLY_BATCHES,
	RSPB_TALLY_SYNCS,
	RSPB_N_TALLY_TIMES
};
/* Count one of these, without a lock. */
void rspb_tally_time(enum rspb_tally_times what, int64_t us);
/* Read all of one sort. */
void rspb_tally_times(enum rspb_tally_times what, struct rspb_lengths_sum *out);

/* Counting begins now, from nothing. */
void rspb_tally_begin(int64_t now);
/* Count a request that was booked. */
void rspb_tally_booked(const struct rspb_booking *booking);
/* Count a request that was refused. */
void rspb_tally_refused(const struct rspb_request *request, enum rspb_refusal why);
/* Count a request that was refused at its submission. */
void rspb_tally_turned_away(uint32_t uid, enum rspb_refusal why);
/* A request would have been booked, or not, for that reason (Mode=observe). */
void rspb_tally_observed(uint32_t uid, bool booked, enum rspb_refusal why);
/* Count a booking, as it was, that ends by this event. */
void rspb_tally_ended(const struct rspb_booking *booking, enum rspb_event event, int64_t now);
/* Count a booking, as it was, that was not used by its owner's doing. */
void rspb_tally_no_show(const struct rspb_booking *booking);

/* Count node-seconds that are charged for a booking (ChargePercent). */
void rspb_tally_charged(uint32_t uid, double node_seconds);

/* RET the second in which counting began, with all counts. */
int64_t rspb_tally_read(struct rspb_tally *out);
/* Copy the counts of each user, up to RSPB_TALLY_USERS. RET how many. */
size_t rspb_tally_users(struct rspb_tally_user *out);

/* How many nodes a booking has, shares as the part that they are. */
double rspb_tally_nodes(const struct rspb_booking *booking);

#endif
