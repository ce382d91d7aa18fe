/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings that differ with the features of nodes: a value for all, then others,
 * as in "50,gpu:0,bigmem:25" or "no,batch:yes".
 */
#ifndef RSPB_CONF_BY_FEATURE_H
#define RSPB_CONF_BY_FEATURE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* A kind of value; the two there are: whole per cent, 0 to 100, and yes (1) or
 * no (0). */
struct rspb_by_feature;
extern const struct rspb_by_feature rspb_by_feature_percent,
	rspb_by_feature_yes;

/*
 * Read a list without empty members. *all: the first; features, of `size` bytes:
 * the others in their canonical form, all zero behind its end. RET 0, or -1 with
 * a few words on what is wrong and nothing changed.
 */
int rspb_by_feature_read(const struct rspb_by_feature *kind, const char *list,
			 uint32_t *all, char *features, size_t size,
			 struct rspb_err *err);
/* The value of the first rule in `rules` (canonical) that is about one of a
 * node's features (separated by commas, NULL: none). RET NULL: none is. */
const char *rspb_by_feature_find(const char *rules, const char *features);

#endif
