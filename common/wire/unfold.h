/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short texts of users that stand for much, which Slurm writes out in full before
 * it looks at any of it: how much that would be, without doing so. Never too
 * little; a text that Slurm refuses anyway may count as anything.
 */
#ifndef RSPB_WIRE_UNFOLD_H
#define RSPB_WIRE_UNFOLD_H

#include <stdint.h>

#include "common/base/err.h"

/* Names in a list of nodes, n[1-4,7]x[0-1],m; UINT64_MAX: that or more. */
uint64_t rspb_unfold_names(const char *text);
/* RET 0, or -1 with err where a list has more names than four times `nodes`, which
 * is what the cluster has. what: the flag or setting that it is of. */
int rspb_unfold_names_check(const char *what, const char *text, uint32_t nodes,
			    struct rspb_err *err);

/* Sets of features that meet a constraint, (a|b)&(c|d), of which Slurm makes a
 * list from 23.02 on where nodes change their features; UINT64_MAX: that or
 * more. */
uint64_t rspb_unfold_features(const char *text);
/* RET 0, or -1 with err where they are more than 1,024. */
int rspb_unfold_features_check(const char *what, const char *text, struct rspb_err *err);

#endif
