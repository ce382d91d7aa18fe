/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts what short texts stand for without writing it out. */
#include "common/wire/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A list that names each node more than four times is not meant to name nodes. Slurm would expand
 * all of it under its locks. */
enum { NAMES_PER_NODE = 4, SETS_MOST = 1024 };

/* Sums and products stay at the highest number instead of wrapping around to a small one. */
static uint64_t plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Return how many numbers "3" or "1-4" has. Slurm reads them in this way, too, and accepts blanks
 * and signs before each. */
static uint64_t range_size(const char *text, size_t len)
{
	const char *dash = memchr(text, '-', len);
	uint64_t low = strtoull(text, NULL, 10), high;

	if (!dash)
		return 1;
	high = strtoull(dash + 1, NULL, 10);
	return high > low ? plus(high - low, 1) : 1;
}

/* RET the factor by which a bracket and those after it multiply a name; *text moves to the end of
 * the name. */
static uint64_t name_size(const char **text)
{
	/* `bracket` is how many numbers the open bracket has so far; 0 means that none is open. */
	uint64_t all = 1, bracket = 0;
	const char *at = *text;
	size_t len;

	for (; *at && (bracket || !strchr(",\t\n ", *at)); at++) {
		/* Each number or range of a bracket follows its opening or a comma. */
		if (*at == '[' || (bracket && *at == ',')) {
			/* A bracket that is not closed counts, too. */
			if (*at == '[' && bracket)
				all = times(all, bracket);
			if (*at == '[')
				bracket = 0;
			len = strcspn(at + 1, ",]");
			bracket = plus(bracket, range_size(at + 1, len));
		} else if (*at == ']' && bracket) {
			all = times(all, bracket);
			bracket = 0;
		}
	}
	*text = at;
	/* A bracket that is still open at the end of the text counts, too. */
	return bracket ? times(all, bracket) : all;
}

uint64_t rspb_unfold_names(const char *text)
{
	uint64_t all = 0;

	for (text += strspn(text, ",\t\n "); *text; text += strspn(text, ",\t\n "))
		all = plus(all, name_size(&text));
	return all;
}

int rspb_unfold_names_check(const char *what, const char *text, uint32_t nodes,
			    struct rspb_err *err)
{
	uint64_t names = rspb_unfold_names(text);
	struct rspb_quote quote;

	/* A short text such as n[0-199999] keeps slurmctld busy for a second while it holds its
	 * locks, and users can send it. */
	if (names <= (uint64_t) nodes * NAMES_PER_NODE)
		return 0;
	return rspb_fail(err,
			 "%s=%s: has %" PRIu64
			 " names; allowed are %d times the %u nodes there are",
			 what, rspb_text_quote(&quote, text, strlen(text)), names, NAMES_PER_NODE,
			 nodes);
}

/* Count the features in each pair of parentheses multiplied with those of the other pairs, and
 * those outside by themselves. */
uint64_t rspb_unfold_features(const char *text)
{
	uint64_t inside = 1, outside = 1, all = 1;
	bool within = false;

	for (; *text; text++) {
		if (*text == '|')
			/* Each "|" adds an alternative to the pair of parentheses, or to the whole
			 * constraint outside of them. */
			*(within ? &inside : &outside) += 1;
		else if (*text == '(')
			within = true;
		/* At the end of a pair, or of the text, the alternatives inside are multiplied with
		 * those before. */
		if (*text != ')' && text[1])
			continue;
		all = times(all, inside);
		inside = 1;
		within = false;
	}
	return times(all, outside);
}

int rspb_unfold_features_check(const char *what, const char *text, struct rspb_err *err)
{
	struct rspb_quote quote;

	if (rspb_unfold_features(text) <= SETS_MOST)
		return 0;
	return rspb_fail(err,
			 "%s=%s: can be met by more than %d sets of features, "
			 "which is the most that is allowed",
			 what, rspb_text_quote(&quote, text, strlen(text)), SETS_MOST);
}
