/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and prints what a request would like of its nodes, and ranks nodes by it. */
#include "common/request/request.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"

/* Weights and distances are bounded, so that no sum of squares overflows. */
enum { MOST_WEIGHT = 1000, MOST_APART = 1000 * RSPB_PREFER_SCALE };

static int read_mem(struct rspb_liking_term *term, const char *text, size_t len,
		    struct rspb_err *err)
{
	return rspb_text_mib(text, len, &term->wanted, err);
}

static int read_cpus(struct rspb_liking_term *term, const char *text, size_t len,
		     struct rspb_err *err)
{
	return rspb_text_whole(text, len, 1, UINT32_MAX, &term->wanted, err);
}

/* Read the name of a feature. The calling functions have cut the text at commas and '&'. RET 0,
 * or -1 with err. */
static int read_feature(struct rspb_liking_term *term, const char *text, size_t len,
			struct rspb_err *err)
{
	if (!len || len >= sizeof(term->feature) || memchr(text, ' ', len))
		return rspb_fail(err,
				 "no name of a feature; allowed are up to %zu "
				 "characters without blanks",
				 sizeof(term->feature) - 1);
	memcpy(term->feature, text, len);
	term->feature[len] = '\0';
	term->wanted = 1;
	return 0;
}

/* The wishes that a request can have, each with a row and a function; by enum rspb_liked. */
static const struct kind {
	const char *key;
	int (*read)(struct rspb_liking_term *term, const char *text, size_t len,
		    struct rspb_err *err);
} kinds[] = { [RSPB_LIKED_MEM] = { "mem", read_mem },
	      [RSPB_LIKED_CPUS] = { "cpus", read_cpus },
	      [RSPB_LIKED_FEATURE] = { "feature", read_feature } };
enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Read the weight of the wish before it. RET 0, or -1 with err. */
static int read_weight(struct rspb_prefer *out, const char *text, size_t len, struct rspb_err *err)
{
	if (!out->n)
		return rspb_fail(err, "must follow a wish, whose weight it is");
	return rspb_text_whole(text, len, 1, MOST_WEIGHT, &out->terms[out->n - 1].weight, err);
}

/* Read one wish, or the weight of the last one. RET 0, or -1 with err. */
static int read_term(const char *word, size_t len, struct rspb_prefer *out, struct rspb_err *err)
{
	const char *sign = memchr(word, '=', len);
	size_t key = sign ? (size_t) (sign - word) : len;
	struct rspb_liking_term term = { .weight = 1 };
	struct rspb_quote quote;

	/* A weight is no wish and has no row, because it changes the one before it. */
	if (sign && key == 6 && !strncmp(word, "weight", key))
		return read_weight(out, sign + 1, len - key - 1, err) ? rspb_fail_at(err, "weight=")
								      : 0;
	for (term.kind = 0; term.kind < N_KINDS; term.kind++)
		if (strlen(kinds[term.kind].key) == key &&
		    !strncmp(kinds[term.kind].key, word, key))
			break;
	if (!sign || term.kind == N_KINDS)
		return rspb_fail(err,
				 "'%s' cannot be read; allowed are mem=SIZE, cpus=N, "
				 "feature=NAME, and weight=N after one",
				 rspb_text_quote(&quote, word, len));
	if (out->n == RSPB_PREFER_MOST)
		return rspb_fail(err, "more than %d wishes", RSPB_PREFER_MOST);
	if (kinds[term.kind].read(&term, sign + 1, len - key - 1, err))
		return rspb_fail_at(err, "%s=", kinds[term.kind].key);
	out->terms[out->n++] = term;
	return 0;
}

int rspb_prefer_parse(const char *text, struct rspb_prefer *out, struct rspb_err *err)
{
	/* A failure leaves *out as it was. */
	struct rspb_prefer prefer = { .n = 0 };

	for (;;) {
		size_t len = strcspn(text, ",");

		if (read_term(text, len, &prefer, err))
			return -1;
		if (!text[len])
			break;
		text += len + 1;
	}
	*out = prefer;
	return 0;
}

int rspb_prefer_features(const char *text, struct rspb_prefer *out, struct rspb_err *err)
{
	struct rspb_prefer prefer = *out;
	struct rspb_quote quote;

	/* Only the plain forms of Slurm's expression can be a distance: brackets, counts and
	 * "not" are refused. */
	if (text[strcspn(text, "()[]*!")] || (strchr(text, '&') && strchr(text, '|')))
		return rspb_fail(err,
				 "--prefer=%s: with a booking names with '&' "
				 "between them, or with '|', are allowed",
				 rspb_text_quote(&quote, text, strlen(text)));
	for (const char *word = text;; word++) {
		/* With '|' between them the names are one wish: a node with any of them lacks
		 * nothing. */
		size_t len = strcspn(word, "&,");
		struct rspb_liking_term term = { .kind = RSPB_LIKED_FEATURE, .weight = 1 };

		if (prefer.n == RSPB_PREFER_MOST)
			return rspb_fail(err,
					 "--prefer: more than %d wishes, with "
					 "those of --prefer-qos",
					 RSPB_PREFER_MOST);
		if (read_feature(&term, word, len, err))
			return rspb_fail_at(err, "--prefer");
		prefer.terms[prefer.n++] = term;
		word += len;
		if (!*word)
			break;
	}
	*out = prefer;
	return 0;
}

size_t rspb_prefer_print(const struct rspb_prefer *prefer, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	for (uint32_t i = 0; i < prefer->n; i++) {
		const struct rspb_liking_term *term = &prefer->terms[i];

		rspb_text_add(&out, "%s%s=", i ? "," : "", kinds[term->kind].key);
		/* Only features have a name. */
		if (term->feature[0])
			rspb_text_add(&out, "%s", term->feature);
		else
			rspb_text_add(&out, "%" PRId64 "%s", term->wanted,
				      term->kind == RSPB_LIKED_MEM ? "M" : "");
		/* A weight of 1 is the usual one, which the reader takes when none is there. */
		if (term->weight > 1)
			rspb_text_add(&out, ",weight=%" PRId64, term->weight);
	}
	return out.len;
}

/* RET the largest whole number whose square is not above that one. Integers decide, so that all
 * machines rank nodes alike. */
static uint64_t root(uint64_t square)
{
	uint64_t low = 0, high = UINT32_MAX;

	while (low < high) {
		uint64_t half = low + (high - low + 1) / 2;

		if (half * half <= square)
			low = half;
		else
			high = half - 1;
	}
	return low;
}

uint32_t rspb_prefer_distance(const struct rspb_prefer *prefer, const int64_t *offered)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < prefer->n; i++) {
		const struct rspb_liking_term *term = &prefer->terms[i];
		int64_t apart = offered[i] > term->wanted ? offered[i] - term->wanted
							  : term->wanted - offered[i];

		/* The bounds keep the products and the sum within 64 bits. */
		apart = apart < RSPB_MIB_MOST ? apart : RSPB_MIB_MOST;
		apart = apart * RSPB_PREFER_SCALE / term->wanted;
		apart = apart < MOST_APART ? apart : MOST_APART;
		sum += (uint64_t) (apart * apart * term->weight);
	}
	return (uint32_t) root(sum);
}
