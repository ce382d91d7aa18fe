/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows bookings after they are made: the events and edits that change them. */
#ifndef RSPB_CTLD_OBSERVE_FOLLOWING_H
#define RSPB_CTLD_OBSERVE_FOLLOWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"
#include "plugins/compat/job.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/book/book.h"

/* --- lifecycle.c --- */

/* Close windows that are over, by the site's Overrun rule. RET the next
 * second in which one ends, or has waited StartWithin for its start; INT64_MAX:
 * none. Cheap when nothing is due. */
int64_t rspb_lifecycle_ends(const struct rspb_config *config, int64_t now);
/* Compare all bookings with their jobs and reservations, and follow. */
void rspb_lifecycle_watch(const struct rspb_config *config, int64_t now);

enum rspb_verdict {
	RSPB_VERDICT_KEEP,
	RSPB_VERDICT_STARTED, /* Slurm's own scheduler was quicker */
	RSPB_VERDICT_GONE,    /* its job ended before it started */
	RSPB_VERDICT_DONE,    /* its job has ended */
	RSPB_VERDICT_STOPPED, /* its job was cancelled while it ran */
	RSPB_VERDICT_STUCK,   /* its job cannot start, and had time enough */
	RSPB_VERDICT_MISSED,  /* the window is over and the job did not start */
	RSPB_VERDICT_MOVED,   /* the job was taken out of its reservation */
	RSPB_VERDICT_DELETED  /* the reservation was deleted */
};

/* Whether it has its reservations. keys: of all there are, taken before; NULL:
 * Slurm is asked for each, which is dear for many. */
bool rspb_verdict_resv_there(const struct rspb_booking *booking, const struct rspb_resv_keys *keys,
			     int64_t now);

/* --- recheck.c --- */

/* Go on looking, every second; takes locks. */
void rspb_recheck_run(int64_t now);
/* A booking that is due was refused a start by Slurm's limits or for licenses, as
 * the text says; "": by neither. Its owner is told; wants the write lock. */
void rspb_recheck_refused(uint64_t id, const char *text);
/* A booking has another place, and its owner was told so. */
void rspb_recheck_moved(uint64_t id);
/* End a pass over the bookings; the next second begins another. */
void rspb_recheck_end(void);

/* --- update.c --- */

/* Any thread, with the write lock: a booked job is about to be updated. Once that is done
 * the agent looks again which nodes it may have, and whether Slurm would start it on its
 * own; if not, its owner is told. */
void rspb_update_note(uint32_t job);

/* Fill in why Slurm would not start the jobs of a booking that wait on its very nodes, else err is
 * as it was; and *unfit, a node that has not what they ask for (doubts.c). Wants the write lock. */
void rspb_update_judge(const struct rspb_booking *booking, uint32_t *unfit, struct rspb_err *err);
/* The nodes that a booking may have are others now: the ledger has them then; fit: of
 * those that it has, too, those alone that its jobs could be given anew. Wants the write
 * lock. */
void rspb_update_refresh(const struct rspb_booking *booking, bool fit, int64_t now);
/* Whether nodes have other features than when this was asked last; takes locks. */
bool rspb_update_features(int64_t now);

/* --- edit.c --- */

struct rspb_proposal;
struct rspb_proposed;

/* With the write lock: the reservations of a booking's jobs become as it is to be
 * (proposal.h, place); jobs that run follow. RET 0, or -1 with err. */
int rspb_edit_place(struct rspb_proposed *one, const struct rspb_booking *booking,
		    const struct rspb_proposal *proposal, struct rspb_err *err);
/* Where Slurm says that reservations have changed: take over what fits, undo
 * the rest, and say so. Takes locks. */
void rspb_edit_watch(const struct rspb_config *config, int64_t now);
/* With the read lock: whether a reservation of a booking is not as it is
 * booked, which is to be seen to first. */
bool rspb_edit_waits(const struct rspb_booking *booking, int64_t now);

/* --- late.c --- */

/* Each second; takes locks. */
void rspb_late_run(const struct rspb_config *config, int64_t now);
/* The ledger was built from what Slurm has kept, at the start if fresh: reservations that differ
 * become as the book has them; takes locks. */
void rspb_late_compare(const struct rspb_config *config, bool fresh, int64_t now);
/* Make the reservations of a booking as the book has them; takes the write lock. RET false: Slurm
 * refuses. The booking stands, and if it waits, the next look tries again. */
bool rspb_late_make(uint64_t id, const struct rspb_config *config, int64_t now);

/* --- dependents.c --- */

/* Anything may have changed: the next run looks at them. */
void rspb_dependents_expect(void);
/* Agent, every second; takes locks. To move one is a plan, so that it is not done
 * where starts wait, and what is urgent comes between any two of them. */
void rspb_dependents_run(int64_t now);

/* When what a job waits for (--dependency) is over, by what is booked. */

/* With at least the read lock: whether all that a job waits for are ends of jobs
 * that are booked; *end: of the last of these windows, 0: it waits for nothing. */
bool rspb_after_booked(const struct rspb_job *job, int64_t *end);

/* Likewise: whether it can never begin, as one of them has ended otherwise. */
bool rspb_after_never(const struct rspb_job *job);
#define RSPB_AFTER_NEVER "a job on which it depends ended in another way (DependencyNeverSatisfied)"

/* Jobs with a booking, or a request for one, that wait for others. The agent's. */
struct rspb_after {
	uint32_t id;
	bool told; /* that it may start late */
	/* Tries in vain to place it behind that second, and when the last was. */
	unsigned int tries;
	int64_t behind, tried;
};
/* Note that the booking could not be placed after that second. */
void rspb_after_failed(struct rspb_after *after, int64_t behind, int64_t now);
/* Whether that is not to be tried yet: each try looks at all that is booked, and
 * neither that second nor its booking has changed since the last. */
bool rspb_after_rests(const struct rspb_after *after, const struct rspb_booking *booking,
		      int64_t behind, int64_t now);
void rspb_after_note(uint32_t id);
/* RET those noted, *n of them; good until the next note() or forget(). */
struct rspb_after *rspb_after_noted(size_t *n);
void rspb_after_forget(uint32_t id);

/* Why bookings will not start, and which have a node that has no longer what their jobs
 * ask for: features, memory, CPUs or generic resources. The agent's alone. */

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
/* Tell its owner that; else what else is in its way (doubts.c), or that nothing is any more.
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
