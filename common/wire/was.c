/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes and reads the terms from before an offer, as a word of a contract. */
#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/flags.h"

enum { N_WAS = sizeof(struct rspb_was) / sizeof(int64_t) };

size_t rspb_was_print(const struct rspb_was *was, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);
	int64_t numbers[N_WAS];

	memcpy(numbers, was, sizeof(numbers));
	rspb_text_add(&out, "%" PRId64, numbers[0]);
	for (size_t i = 1; i < N_WAS; i++)
		rspb_text_add(&out, ":%" PRId64, numbers[i]);
	return out.len;
}

int rspb_was_parse(const char *text, size_t len, struct rspb_was *out, struct rspb_err *err)
{
	int64_t numbers[N_WAS];
	const char *const end = text + len;

	for (size_t i = 0; i < N_WAS; i++) {
		const char *colon = memchr(text, ':', (size_t) (end - text));
		const char *to = i + 1 < N_WAS && colon ? colon : end;

		if (rspb_text_whole(text, (size_t) (to - text), 0, INT64_MAX, &numbers[i], err) < 0)
			return -1;
		text = to + (to < end);
	}
	memcpy(out, numbers, sizeof(numbers));
	return 0;
}
