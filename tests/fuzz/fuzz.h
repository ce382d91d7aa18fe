/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz targets: each reads any bytes without a crash and checks what must
 * hold of what it read. Built with libFuzzer by configure --enable-fuzzing
 * (clang); without it tests/fuzz/driver.c runs the corpus and a bounded number
 * of seeded mutations of it, as part of make check.
 */
#ifndef RSPB_TESTS_FUZZ_FUZZ_H
#define RSPB_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What does not hold is a crash, which every fuzzer notices. */
/* clang-format off */
#define MUST(condition)							\
	do {								\
		if (!(condition)) {					\
			fprintf(stderr, "%s:%d: does not hold: %s\n",	\
				__FILE__, __LINE__, #condition);	\
			abort();					\
		}							\
	} while (0)
/* clang-format on */

/* The bytes up to the first 0 as a string: what text from outside can be.
 * The caller frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	MUST(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* A failure says why, in one sentence that a terminal can show. */
static inline void fuzz_check_sentence(const char *text)
{
	MUST(*text);
	for (; *text; text++)
		MUST((unsigned char) *text >= 0x20 && *text != 0x7f);
}

#endif
