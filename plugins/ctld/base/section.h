/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stretch of work under slurmctld's locks, with a watch on how long it
 * keeps everybody else waiting.
 */
#ifndef RSPB_CTLD_BASE_SECTION_H
#define RSPB_CTLD_BASE_SECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/tally.h"

/* --- section.c --- */

/* No section of ours may hold the locks longer: an error is logged when
 * one does by what it did, worked or slept, and not by waiting for a processor.
 * Work that adds up stops well before and goes on in a new section:
 * what it is about to do counts as well, and the thread may be preempted. */
#define RSPB_SECTION_MAX_US   5000
#define RSPB_SECTION_SPLIT_US 1000

struct rspb_section {
	enum rspb_lock kind;
	const char *what; /* for the log; NULL: it is not entered */
	int64_t asked_us, got_us;
	int64_t got_busy_us; /* of the thread's own processor time */
	int64_t got_sleeps;  /* its voluntary switches */
	uint32_t items;	     /* counted by the holder, or next(), for the log */
};

/* Microseconds of a clock that only goes forward. */
int64_t rspb_section_clock_us(void);
/* Take the locks. RET false, nothing taken: slurmctld is going down. */
bool rspb_section_enter(struct rspb_section *section, enum rspb_lock kind, const char *what);
/* The calling thread may take the locks from here on although slurmctld is shutting down. Slurm
 * does not save its state if it finds them held, so this is only for fini(), after that save. */
void rspb_section_last(void);
/* Whether so much time is gone that the rest belongs into a new section. */
bool rspb_section_spent(const struct rspb_section *section);
void rspb_section_leave(struct rspb_section *section);
/* Before each piece of work that adds up: the locks are held, taken anew where so much
 * time is gone. section: zero before the first. RET false: as enter(). */
bool rspb_section_next(struct rspb_section *section, enum rspb_lock kind, const char *what);
/* Leave the section after the last piece of work, if it is entered. */
void rspb_section_end(struct rspb_section *section);

/* All sections of a kind since slurmctld was started: how long they held the
 * locks. */
void rspb_section_count(enum rspb_lock kind, struct rspb_lengths_sum *out);
/* Write these figures to the log. */
void rspb_section_tell(void);

/* Whether each section is logged (DebugLocks). */
void rspb_section_debug(bool on);

/* Urgent work between any two longer pieces of the agent's work: starts, and windows that end. */

/* Set the function for that work; it must be cheap when nothing is due. It may breathe itself.
 * NULL: nothing. */
void rspb_breath_use(void (*fn)(void));
/* The agent's thread, which holds no pointer into the ledger: do it now, unless
 * it holds locks. */
void rspb_breathe(void);

/* Whether there may be anything new about reservations. */

/* The same as rspb_resv_news(), but this takes the read lock (what: the section's name in the
 * log). RET false also if slurmctld is shutting down. */
bool rspb_news_of_resvs(struct rspb_resv_seen_at *seen, const char *what, int64_t now);

/* RET whether it is time to look at all, whatever is known: every ten seconds, and if the clock was
 * set back to before the last look. */
bool rspb_news_overdue(int64_t looked, int64_t now);

/* --- walk.c --- */

/*
 * A walk over all jobs that Slurm has, of which there may be tens of thousands: a
 * millisecond at a time.
 */

/* Call fn for the mark of each, in Slurm's order, until it returns non-zero. The walk
 * begins in this section, which is left and entered anew each time it is spent; who is
 * submitted meanwhile comes last. Nothing else is done in between. inside is false where
 * it was left for good, as slurmctld is going down. RET what fn returned, else 0. */
int rspb_walk_jobs(struct rspb_section *section, bool *inside, rspb_job_mark_fn fn, void *arg);

/* When to try again what was tried in vain. */

/* RET how long to wait after so many tries, of which there was at least one: `first`
 * after the first, twice as long after each, up to 32 times. In first's unit. */
static inline int64_t rspb_backoff(int64_t first, unsigned int tries)
{
	enum { DOUBLINGS = 5 };

	return first << (tries - 1 < DOUBLINGS ? tries - 1 : DOUBLINGS);
}

#endif
