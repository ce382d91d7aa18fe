/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads words in the formats of Slurm's own commands. RET 0, or -1 with err. */
#ifndef RSPB_CLIENT_WORDS_H
#define RSPB_CLIENT_WORDS_H

#include <stdint.h>

#include "common/base/err.h"

/* 1 to 1000000 */
int rspb_words_count(const char *text, int64_t *out, struct rspb_err *err);
/* A TCP port, 0 for any free one. */
int rspb_words_port(const char *text, int64_t *out, struct rspb_err *err);
/* A --time: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S; in seconds. */
int rspb_words_limit(const char *text, int64_t *out, struct rspb_err *err);
/* Like 90s, 30m, 12h, 7d, or a --time. */
int rspb_words_duration(const char *text, int64_t *out, struct rspb_err *err);
/* The same with its unit: a number alone is refused. */
int rspb_words_span(const char *text, int64_t *out, struct rspb_err *err);

#endif
