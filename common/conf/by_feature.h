/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings that differ with the features of nodes: a value for all, then others,
 * as in "50%,gpu:0,bigmem:25" or "no,batch:yes".
 */
#ifndef RSPB_CONF_BY_FEATURE_H
#define RSPB_CONF_BY_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/text.h"

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

#endif
