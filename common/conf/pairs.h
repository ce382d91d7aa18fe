/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of Key=Value pairs as Slurm's files have them: blanks between, also
 * around '=', and quotes around a value that has blanks.
 */
#ifndef RSPB_CONF_PAIRS_H
#define RSPB_CONF_PAIRS_H

#include <stddef.h>

#include "common/base/err.h"

/* Both lie in the line; the value is without its quotes. */
struct rspb_pair {
	const char *key, *value;
	size_t key_len, len;
};

/* Read the next pair of a line, from *p to its end, and put *p behind it. RET 1;
 * 0: there is none; -1 with a sentence without its place. */
int rspb_pair_next(const char **p, const char *end, struct rspb_pair *pair, struct rspb_err *err);

#endif
