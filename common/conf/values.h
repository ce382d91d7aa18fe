/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of rspb.conf: pairs of a line, values by features of nodes, and hours of the week. */
#ifndef RSPB_CONF_VALUES_H
#define RSPB_CONF_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/text.h"

/* --- settings that differ with the features of nodes: a value for all, then others, as in
 * "50%,gpu:0,bigmem:25" or "no,batch:yes" --- */

enum { RSPB_BY_FEATURE_LIST = 1024 };
/* The kinds of values: 0 to 100 per cent, yes (1) and no (0), or of a usual node's speed between
 * SLOWEST and FASTEST per cent. */
enum rspb_by_feature_kind {
	RSPB_BY_FEATURE_PERCENT,
	RSPB_BY_FEATURE_YES_NO,
	RSPB_BY_FEATURE_SPEED
};
enum { RSPB_SPEED_SLOWEST = 10, RSPB_SPEED_FASTEST = 1000 };

struct rspb_by_feature {
	uint32_t all;			  /* of a node that no rule is for */
	char rules[RSPB_BY_FEATURE_LIST]; /* "gpu:0,bigmem:25"; zeros behind */
};

/* Read a list without empty members. RET 0, or -1 with a few words on what is wrong and
 * nothing changed. */
int rspb_by_feature_read(enum rspb_by_feature_kind kind, const char *list,
			 struct rspb_by_feature *out, struct rspb_err *err);
/* The canonical text. */
void rspb_by_feature_print(enum rspb_by_feature_kind kind, const struct rspb_by_feature *value,
			   struct rspb_text *out);
/* The value for a node with these features (separated by commas, NULL: none); of
 * several that have a rule the one whose rule stands first counts. */
uint32_t rspb_by_feature_value(const struct rspb_by_feature *value, const char *features);

/* --- hours of the week, by whatever clock: "Mon-Fri/09:00-17:00,Sat/10:00-12:00". A day, or
 * the first and last of some, is followed by the begin and the end of the hours; these end at
 * 24:00 at most, or, if the end is earlier than the begin, on the next day --- */

enum { RSPB_HOURS_DAY = 24 * 60, RSPB_HOURS_WEEK = 7 * RSPB_HOURS_DAY };

/* RET 0, or -1 with a few words on what is wrong. */
int rspb_hours_check(const char *hours, struct rspb_err *err);
/* In how many minutes a minute of the week, from Sunday 00:00 on, is followed by
 * one that is within the hours (open) or without. RET 0: it is so itself; -1:
 * never. No hours are all hours. */
int rspb_hours_next(const char *hours, int minute, int open);
/* RET the first second from `at` on that is within the hours (open) or without, in the local time
 * zone; INT64_MAX: there is none. */
int64_t rspb_hours_from(const char *hours, int64_t at, bool open);

/* --- lines of Key=Value pairs as Slurm's files have them: blanks between, also around '=',
 * and quotes around a value that has blanks --- */

/* Both lie in the line; the value is without its quotes. */
struct rspb_pair {
	const char *key, *value;
	size_t key_len, len;
};

/* Read the next pair of a line, from *p to its end, and put *p behind it. RET 1;
 * 0: there is none; -1 with a sentence without its place. */
int rspb_pair_next(const char **p, const char *end, struct rspb_pair *pair, struct rspb_err *err);

#endif
