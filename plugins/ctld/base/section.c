/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enters and leaves slurmctld's locks and counts how long they are held. The work in between is the
 * caller's. */
#include "plugins/ctld/base/section.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "plugins/compat/clock.h"
#include "plugins/ctld/base/state.h"

/* Slurm offers plugins no way to ask whether a thread holds its locks, so this is noted here. */
static _Thread_local bool inside, last;

int64_t rspb_section_clock_us(void)
{
	return rspb_clock_us(CLOCK_MONOTONIC);
}

/* How often the calling thread has gone to sleep by itself. */
static int64_t sleeps(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nvcsw;
}

bool rspb_section_enter(struct rspb_section *section, enum rspb_lock kind, const char *what)
{
	if (rspb_ctld_stopping() && !last)
		return false;
	/* The time spent waiting for the locks is measured apart: others cause it. */
	*section = (struct rspb_section){ .kind = kind, .what = what };
	section->asked_us = rspb_section_clock_us();
	rspb_ctld_lock(kind);
	inside = true;
	section->got_us = rspb_section_clock_us();
	section->got_busy_us = rspb_clock_us(CLOCK_THREAD_CPUTIME_ID);
	section->got_sleeps = sleeps();
	return true;
}

void rspb_section_last(void)
{
	last = true;
}

bool rspb_section_spent(const struct rspb_section *section)
{
	return rspb_section_clock_us() - section->got_us >= RSPB_SECTION_SPLIT_US;
}

/* Whether a section held the locks longer than it may, by its own doing. The thread computed
 * that long, or slept. A host that gave the thread no processor causes neither. */
static bool too_long(const struct rspb_section *section, int64_t held, int64_t busy)
{
	return held > RSPB_SECTION_MAX_US &&
	       (busy > RSPB_SECTION_MAX_US || sleeps() > section->got_sleeps);
}

void rspb_section_count(enum rspb_lock kind, struct rspb_lengths_sum *out)
{
	rspb_lengths_read(&rspb_base->held_for[kind == RSPB_LOCK_WRITE], out);
}

void rspb_section_tell(void)
{
	struct rspb_lengths_sum read, write;

	rspb_section_count(RSPB_LOCK_READ, &read);
	rspb_section_count(RSPB_LOCK_WRITE, &write);
	rspb_log_info("locks held since the start: to read %" PRIu64 " times, 99 %% within %" PRId64
		      " us, at most %" PRId64 " us; to write %" PRIu64
		      " times, 99 %% within %" PRId64 " us, at most %" PRId64 " us",
		      read.n, read.most_us, read.longest_us, write.n, write.most_us,
		      write.longest_us);
}

/* Log a section after its end, without the locks. A section of ours that held them too long is
 * an error; all others are logged with DebugLocks only. */
static void report(const struct rspb_section *section, int64_t held, int64_t busy, bool ours)
{
	static const char format[] = "locks: %s (%s, %u items) held %" PRId64 " us, busy %" PRId64
				     " us, waited %" PRId64 " us";
	const char *kind = section->kind == RSPB_LOCK_WRITE ? "write" : "read";
	int64_t waited = section->got_us - section->asked_us;

	if (ours)
		rspb_log_error(format, section->what, kind, section->items, held, busy, waited);
	else if (atomic_load(&rspb_base->debug))
		rspb_log_info(format, section->what, kind, section->items, held, busy, waited);
}

void rspb_section_leave(struct rspb_section *section)
{
	/* Everything is measured before the locks are released: afterwards the thread may be
	 * preempted. */
	int64_t held = rspb_section_clock_us() - section->got_us;
	int64_t busy = rspb_clock_us(CLOCK_THREAD_CPUTIME_ID) - section->got_busy_us;
	bool ours = too_long(section, held, busy);

	inside = false;
	rspb_ctld_unlock(section->kind);
	rspb_lengths_add(&rspb_base->held_for[section->kind == RSPB_LOCK_WRITE], held);
	report(section, held, busy, ours);
	/* next() and end() take this to mean that the locks are not held. */
	section->what = NULL;
}

bool rspb_section_next(struct rspb_section *section, enum rspb_lock kind, const char *what)
{
	if (section->what && rspb_section_spent(section))
		rspb_section_leave(section);
	if (!section->what && !rspb_section_enter(section, kind, what))
		return false;
	section->items++;
	return true;
}

void rspb_section_end(struct rspb_section *section)
{
	if (section->what)
		rspb_section_leave(section);
}

void rspb_section_debug(bool on)
{
	atomic_store(&rspb_base->debug, on);
}

/* Urgent work between two pieces of the agent's other work. The agent sets the function, so nothing
 * here knows about starts. */

void rspb_breath_use(void (*fn)(void))
{
	rspb_base->urgent = fn;
}

void rspb_breathe(void)
{
	/* Urgent work takes locks of its own, and slurmctld's locks are not recursive. A caller
	 * that holds them reaches the next yield point after its section. */
	if (rspb_base->urgent && !inside)
		rspb_base->urgent();
}

/* --- whether reservations may have changed; callers find out themselves which ones have --- */

/* Seconds. Slurm stamps no change when a time slot begins or ends, so all is looked at this
 * often in any case. */
enum { ALL_S = 10 };

bool rspb_news_of_resvs(struct rspb_resv_seen_at *seen, const char *what, int64_t now)
{
	struct rspb_section section;
	bool news;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, what))
		return false;
	news = rspb_resv_news(seen, now);
	rspb_section_leave(&section);
	return news;
}

bool rspb_news_overdue(int64_t looked, int64_t now)
{
	/* Aligned seconds let all callers look in the same second, whenever each of them began. */
	return now % ALL_S == 0 || now < looked || now >= looked + ALL_S;
}
