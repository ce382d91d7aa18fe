/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that is asked for before it is needed. A search is called now and
 * then, by programs that do other things meanwhile: neither what it reads nor
 * its own code is in a cache then, and line after line would be waited for.
 */
#ifndef RSPB_CALENDAR_AHEAD_H
#define RSPB_CALENDAR_AHEAD_H

#include <stddef.h>

/* A cache line, or less than one. */
enum { RSPB_LINE = 64 };

/*
 * Have bytes on their way from memory. Always inline: a compiler may take a
 * call that does nothing else for one that does nothing.
 */
static inline __attribute__((always_inline)) void rspb_expect(const void *at,
							      size_t bytes)
{
	for (size_t i = 0; i < bytes; i += RSPB_LINE)
		__builtin_prefetch((const char *) at + i);
}

/* Functions of the quick search, which stand one behind the other where the
 * linker says where a section begins and ends. */
#ifdef __ELF__
#define RSPB_SEARCH __attribute__((section("rspb_search")))

extern const char rspb_search_begin[] __asm__("__start_rspb_search")
	__attribute__((visibility("hidden")));
extern const char rspb_search_end[] __asm__("__stop_rspb_search")
	__attribute__((visibility("hidden")));

static inline __attribute__((always_inline)) void rspb_expect_search(void)
{
	rspb_expect(rspb_search_begin,
		    (size_t) (rspb_search_end - rspb_search_begin));
}
#else
#define RSPB_SEARCH

static inline void rspb_expect_search(void)
{
}
#endif

#endif
