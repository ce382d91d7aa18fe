/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings of jobs that are over, and what is left to do then. */
#ifndef RSPB_CTLD_OBSERVE_FINISH_H
#define RSPB_CTLD_OBSERVE_FINISH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/request/ask.h"

/* Why one that ran is terminated. */
#define RSPB_END_STOPPED "its job was cancelled"
/* Why a job goes on without its booking, as a regular one: the begin of the reason. */
#define RSPB_END_RELEASED "released by "
#define RSPB_END_MOVED	  "its job was taken out of its reservation"

struct rspb_end_jobs {
	uint32_t n, pending, running, cancelled;
	uint32_t ids[RSPB_MAX_PARTS];
	bool by_owner;	   /* cancelled one of them */
	uint32_t ended_by; /* uid of the user who cancelled one, UINT32_MAX: nobody did */
	bool dependent;	   /* one waits for other jobs */
	bool tied;	   /* all that wait do so in their own reservation */
};
/* Find the states of the jobs of a booking; call with at least the read lock. */
void rspb_end_look(const struct rspb_booking *b, struct rspb_end_jobs *jobs);

/* All of these want the write lock, and may free the booking. */

/* Let a booking end: ledger, contracts, reservations. reason may be NULL. */
void rspb_end_booking(const struct rspb_booking *b, enum rspb_event event, enum rspb_state state,
		      int64_t now, const char *reason);
/* Log which user cancelled the jobs of a booking (Audit=yes). */
void rspb_end_audit(const struct rspb_booking *b);
/* Somebody gives it back: so shortly before its start that it counts as unused
 * (LateCancel), that is noted and charged as the site says, but not against its owner
 * where an operator does so. RET what the owner should know of that, "", which stands in
 * text behind the reason. */
const char *rspb_end_given_back(const struct rspb_booking *b, bool by_owner,
				const struct rspb_config *config, int64_t now,
				struct rspb_err *text);
/* Its jobs are no more, and have never run. */
void rspb_end_gone(const struct rspb_booking *b, const struct rspb_config *config, int64_t now);
/* A job, whatever component of which, that was over before anybody looked, also one that
 * ran, with a booking that no ledger has: its contract says so. Write lock. */
void rspb_end_unseen(const struct rspb_job *job);
/* The same while jobs may still wait, which go the way of OnDecline; if they wait for another
 * job, their owner is charged as for a late cancellation. */
void rspb_end_give_up(const struct rspb_booking *b, const char *reason,
		      const struct rspb_config *config, int64_t now);
/* Likewise after rspb_end_given_back(), which has charged it. */
void rspb_end_released(const struct rspb_booking *b, const char *reason,
		       const struct rspb_config *config, int64_t now);

/* Charges of a booking to its account (ChargePercent, ChargeUnused), in the contracts of its jobs,
 * from which accounting gets them. */

/* RET what a node-second of such a request is charged, in node-seconds; 0: bookings are
 * not. config: its own (request/ask.h). */
double rspb_charge_rate(const struct rspb_request *request, const struct rspb_config *config);
/* With the write lock: a booking, as it was, is over, and was used until then; 0: not at all.
 * The caller writes into its contracts, before the lock is released, that it is over: the
 * journal has both in one line or neither, whenever slurmctld is killed. */
void rspb_charge(const struct rspb_booking *booking, int64_t used_until);
/* The same for one of its parts. */
void rspb_charge_part(const struct rspb_booking *booking, uint32_t part, int64_t used_until);
/* Likewise: one that runs has fewer nodes from now on. Those it had are charged up to
 * then, the others when it is over. */
void rspb_charge_given_back(const struct rspb_booking *old, const struct rspb_booking *booking,
			    int64_t now);

/* Offers that are held: bookings that are given up unless they are accepted. For the agent. */

/* Seconds before its start up to which one can be held. */
enum { RSPB_HELD_BEFORE_S = 5 };

/* Whether its user may have one more beside those that are booked and asked for
 * (asks), and its time is not over yet; one that is for good may. RET 0, or -1 with err. */
int rspb_held_allow(const struct rspb_ask *ask, const struct rspb_asks *asks, int64_t now,
		    struct rspb_err *err);
/* Give up those whose time is over: their jobs wait, held. Takes locks. */
void rspb_held_expire(int64_t now);

#endif
