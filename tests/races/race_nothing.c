/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether ThreadSanitizer is in it (or another that was asked for), and starts. */
#include "tests/races/races.h"

static void nothing(unsigned int part)
{
	(void) part;
}

int main(void)
{
	RACE(nothing, nothing);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	puts("sanitized");
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
	puts("sanitized");
#endif
#endif
	return 0;
}
