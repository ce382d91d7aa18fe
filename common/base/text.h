/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small text helpers that the grammars share: a bounded writer, lenient
 * comparison of names, how far two are apart, and strict numbers.
 */
#ifndef RSPB_BASE_TEXT_H
#define RSPB_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* The most digits that an exact number may have before and after the dot. */
enum { RSPB_DIGITS_WHOLE = 9, RSPB_DIGITS_DECIMAL = 6 };

/*
 * A writer over the caller's buffer. len is the length the whole text has, as
 * snprintf counts it, so that a caller can tell that it was cut.
 */
struct rspb_text {
	char *buf; /* NULL with size 0: only count */
	size_t size, len;
};

/* The buffer is made an empty text. */
struct rspb_text rspb_text_over(char *buf, size_t size);
void rspb_text_add(struct rspb_text *text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Add the number by which users name a job: of a task of an array "12_3", as its own number
 * may be that of the whole array. array: 0: none. */
void rspb_text_add_job(struct rspb_text *text, uint64_t id, uint32_t array, uint32_t task);

/* Let *at be an own copy of a text, freed, NULL for "" or NULL. RET 0, -1: out of memory
 * and *at is NULL. */
int rspb_text_keep(char **at, const char *text);
/* RET the text, or "" for NULL. */
static inline const char *rspb_text_kept(const char *text)
{
	return text ? text : "";
}

/* Whether two names are the same when case, '_' and '-' do not count. */
bool rspb_text_same(const char *a, const char *b);
/* Whether two texts name the same host: numeric addresses as they are, names without their
 * domain and without regard to case. NULL or "" is no host. */
bool rspb_text_same_host(const char *a, const char *b);
/* Whether a word is a member of a list, separated by commas. */
bool rspb_text_listed(const char *list, const char *word);
/* The same for a list of so many characters, which need not end with a zero byte. */
bool rspb_text_listed_within(const char *list, size_t len, const char *word);
/* Whether a member of a list, separated by commas, begins with these letters.
 * Empty members count as none, as in Slurm's own lists. */
bool rspb_text_list_begins(const char *list, const char *with);
/* How many letters must be changed, added or dropped to make a of b, case,
 * '_' and '-' aside; names longer than 63 letters count as far as that. */
uint32_t rspb_text_distance(const char *a, const char *b);

/*
 * The text as it may stand in a sentence: at most 40 bytes of it, then "...".
 * RET out. Control characters are left to rspb_fail.
 */
struct rspb_quote {
	char text[48];
};
const char *rspb_text_quote(struct rspb_quote *out, const char *text, size_t len);

/* RET false when any byte is a control character. Bytes of UTF-8 are not. */
bool rspb_text_printable(const char *text, size_t len);

/*
 * A whole number, digits only, in [low, high]. RET 0, or -1 with a sentence
 * that says what is allowed; *out is left alone then.
 */
int rspb_text_whole(const char *text, size_t len, int64_t low, int64_t high, int64_t *out,
		    struct rspb_err *err);
/* A size as --mem of Slurm takes it, in MiB: "65536", or with K, M, G or T, up to RSPB_MIB_MOST KiB
 * (1 PiB). RET 0 or -1 with err. */
int rspb_text_mib(const char *text, size_t len, int64_t *out, struct rspb_err *err);
#define RSPB_MIB_MOST (INT64_C(1) << 40)
/*
 * An exact decimal, "12" or "12.5": no sign, exponent, hex, nan or inf, at most
 * RSPB_DIGITS_WHOLE digits before and RSPB_DIGITS_DECIMAL after the dot.
 * The value is *num / *den, den a power of ten. RET 0 or -1 with err.
 */
int rspb_text_decimal(const char *text, size_t len, int64_t *num, int64_t *den,
		      struct rspb_err *err);
/* A percentage with or without '%', but with it below 1, in 1/100 of a percent, at
 * most two digits after the dot. RET 0 or -1 with err. */
int rspb_text_percent(const char *text, size_t len, int64_t low, int64_t high, int64_t *out,
		      struct rspb_err *err);
/* A whole percentage from low to 100. RET 0, or -1 with a few words on what is
 * wrong, without the text and what is allowed. */
int rspb_text_points(const char *text, size_t len, int64_t low, uint32_t *out,
		     struct rspb_err *err);
/* The reverse: "35%", "35.5%". */
void rspb_text_add_percent(struct rspb_text *text, int64_t hundredths);

/* Seconds since 1970 as "2026-11-24T09:00:00Z", or "@N" beyond year 9999. */
void rspb_text_add_time(struct rspb_text *text, int64_t seconds);
/* Reads exactly what add_time writes. RET 0 or -1 with err. */
int rspb_text_time(const char *text, size_t len, int64_t *seconds, struct rspb_err *err);

/* How many bytes the character of UTF-8 has that begins there; 0: none does. */
size_t rspb_text_character(const char *at);
/* Copy a text of any bytes as far as there is room for whole characters: what steers
 * a screen, or is no character, becomes '?'. */
void rspb_text_clean(char *out, size_t size, const char *text);

/* RET the entity for '<', '>' and '&' in XML and HTML; RET NULL: c for itself. */
const char *rspb_text_entity(char c);

#endif
