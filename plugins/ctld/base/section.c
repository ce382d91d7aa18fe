/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/base/section.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

static atomic_bool debug;
static _Thread_local bool inside;

static int64_t clock_us(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

int64_t rspb_section_clock_us(void)
{
	return clock_us(CLOCK_MONOTONIC);
}

/* How often the calling thread has gone to sleep by itself. */
static int64_t sleeps(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nvcsw;
}

bool rspb_section_enter(struct rspb_section *section, enum rspb_lock kind,
			const char *what)
{
	if (rspb_ctld_stopping())
		return false;
	*section = (struct rspb_section){ .kind = kind, .what = what };
	section->asked_us = rspb_section_clock_us();
	rspb_ctld_lock(kind);
	inside = true;
	section->got_us = rspb_section_clock_us();
	section->got_busy_us = clock_us(CLOCK_THREAD_CPUTIME_ID);
	section->got_sleeps = sleeps();
	return true;
}

bool rspb_section_inside(void)
{
	return inside;
}

bool rspb_section_spent(const struct rspb_section *section)
{
	return rspb_section_clock_us() - section->got_us >=
	       RSPB_SECTION_SPLIT_US;
}

/* Time without a processor that we did not give away is the host's affair. */
static bool too_long(const struct rspb_section *section, int64_t held,
		     int64_t busy)
{
	return held > RSPB_SECTION_MAX_US &&
	       (busy > RSPB_SECTION_MAX_US || sleeps() > section->got_sleeps);
}

/* Lengths are counted by powers of two, each in four parts. */
enum { PARTS = 4, LENGTHS = 40 * PARTS };

static struct {
	atomic_uint_fast64_t n, by_length[LENGTHS];
	atomic_int_fast64_t longest;
} counts[2]; /* read, write */

static size_t length_of(int64_t us)
{
	size_t length = 0;

	while (us >= 2 * PARTS) {
		us /= 2;
		length += PARTS;
	}
	return us < 0 ? 0 : length + (size_t) us;
}

/* RET the most microseconds that are counted there. */
static int64_t most_of(size_t length)
{
	size_t doubled = length < 2 * PARTS ? 0 : length / PARTS - 1;

	return ((int64_t) (length - doubled * PARTS + 1) << doubled) - 1;
}

static void count(enum rspb_lock kind, int64_t held)
{
	size_t w = kind == RSPB_LOCK_WRITE, length = length_of(held);
	int_fast64_t longest = atomic_load(&counts[w].longest);

	atomic_fetch_add(&counts[w].n, 1);
	atomic_fetch_add(
		&counts[w].by_length[length < LENGTHS ? length : LENGTHS - 1],
		1);
	while (held > longest &&
	       !atomic_compare_exchange_weak(&counts[w].longest, &longest,
					     held))
		;
}

void rspb_section_count(enum rspb_lock kind, struct rspb_section_count *out)
{
	size_t w = kind == RSPB_LOCK_WRITE, i;
	uint64_t n = atomic_load(&counts[w].n), below = 0;

	*out = (struct rspb_section_count){
		.n = n,
		.longest_us = atomic_load(&counts[w].longest),
	};
	for (i = 0; i < LENGTHS && below * 100 < n * 99; i++)
		below += atomic_load(&counts[w].by_length[i]);
	if (i)
		out->most_us = most_of(i - 1);
	if (out->most_us > out->longest_us)
		out->most_us = out->longest_us;
}

static void report(const struct rspb_section *section, int64_t held,
		   int64_t busy, bool ours)
{
	static const char format[] = "locks: %s (%s, %u items) held %" PRId64
				     " us, busy %" PRId64 " us, waited %" PRId64
				     " us";
	const char *kind = section->kind == RSPB_LOCK_WRITE ? "write" : "read";
	int64_t waited = section->got_us - section->asked_us;

	if (ours)
		rspb_log_error(format, section->what, kind, section->items,
			       held, busy, waited);
	else if (atomic_load(&debug))
		rspb_log_info(format, section->what, kind, section->items, held,
			      busy, waited);
}

void rspb_section_leave(struct rspb_section *section)
{
	int64_t held = rspb_section_clock_us() - section->got_us;
	int64_t busy = clock_us(CLOCK_THREAD_CPUTIME_ID) - section->got_busy_us;
	bool ours = too_long(section, held, busy);

	inside = false;
	rspb_ctld_unlock(section->kind);
	count(section->kind, held);
	report(section, held, busy, ours);
}

void rspb_section_debug(bool on)
{
	atomic_store(&debug, on);
}
