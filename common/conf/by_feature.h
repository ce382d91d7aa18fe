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

struct rspb_by_feature {
	uint32_t all; /* whole per cent, 0 to 100, or yes (1) and no (0) */
	char rules[RSPB_BY_FEATURE_LIST]; /* "gpu:0,bigmem:25"; zeros behind */
};

/* Read a list without empty members, of yes and no or of per cent. RET 0, or -1
 * with a few words on what is wrong and nothing changed. */
int rspb_by_feature_read(bool yes_no, const char *list,
			 struct rspb_by_feature *out, struct rspb_err *err);
/* The canonical text. */
void rspb_by_feature_print(bool yes_no, const struct rspb_by_feature *value,
			   struct rspb_text *out);
/* The value for a node with these features (separated by commas, NULL: none); of
 * several that have a rule the one whose rule stands first counts. */
uint32_t rspb_by_feature_value(const struct rspb_by_feature *value,
			       const char *features);

#endif
