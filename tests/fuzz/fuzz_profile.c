/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes as operations on the availability profile, beside its naive twin. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/naive/differ.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct differ_program program = differ_decode(data, size);
	char text[400];

	if (differ_run(&program, program.count < 64, text, sizeof(text)) >= 0) {
		fprintf(stderr, "profile and twin differ: %s\n", text);
		abort();
	}
	differ_fini(&program);
	return 0;
}
