/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds of value in rspb.conf: how one is read and written. What reads sets its
 * result, or leaves it alone and RETs -1 with err, which says what is wrong
 * and leaves key and range to the caller.
 */
#ifndef RSPB_CONF_VALUE_H
#define RSPB_CONF_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* Whole units of unit_ms milliseconds, from low to high of them. */
int rspb_value_duration(const char *value, int64_t unit_ms, int64_t low,
			int64_t high, int64_t *out, struct rspb_err *err);
int rspb_value_count(const char *value, int64_t low, int64_t high,
		     uint32_t *out, struct rspb_err *err);
/* RET the place of value in a NULL-ended list of words. */
int rspb_value_word(const char *value, const char *const *words,
		    struct rspb_err *err);
int rspb_value_bool(const char *value, bool *out, struct rspb_err *err);
/* Commas or semicolons in, commas out, to out[RSPB_CONFIG_LIST]; no empty
 * member, no blanks. */
int rspb_value_list(const char *value, char *out, struct rspb_err *err);

/* An absolute path that fits into out[size], or, where that may be, "". */
int rspb_value_path(const char *value, bool may_be_empty, char *out,
		    size_t size, struct rspb_err *err);

/* As snprintf(): RET the whole length, cut at size. */
size_t rspb_value_print(char *buf, size_t size, const char *word);
size_t rspb_value_print_count(char *buf, size_t size, uint32_t count,
			      const char *unit);

#endif
