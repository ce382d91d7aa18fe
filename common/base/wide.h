/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that are made twice, the second time for AVX2; which one runs is
 * chosen at run time, and both give the same answers. Where the compiler can't,
 * or RSPB_WIDE_STATIC is defined as nothing, there is the first alone: the choice
 * comes before ThreadSanitizer can start.
 */
#ifndef RSPB_BASE_WIDE_H
#define RSPB_BASE_WIDE_H

#if !defined(RSPB_WIDE_STATIC) && defined(__x86_64__) && defined(__GLIBC__) &&                     \
	defined(__has_attribute)
#if __has_attribute(target_clones)
#define RSPB_WIDE_STATIC __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef RSPB_WIDE_STATIC
#define RSPB_WIDE_STATIC
#endif

/* For functions that other files call: they don't find the clones that clang
 * makes (rspb_row_or.ifunc). */
#ifdef __clang__
#define RSPB_WIDE
#else
#define RSPB_WIDE RSPB_WIDE_STATIC
#endif

#endif
