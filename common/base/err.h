/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports a failure in one line. The caller owns the text; a function that fails fills it
 * with one sentence that names what was given, what is wrong with it and what
 * is allowed, returns -1 and has changed nothing.
 */
#ifndef RSPB_BASE_ERR_H
#define RSPB_BASE_ERR_H

enum { RSPB_ERR_TEXT = 320 };

struct rspb_err {
	char text[RSPB_ERR_TEXT];
};

/*
 * Format a sentence into err (NULL: discard). Control characters that came in
 * with the arguments become '?', a text that is too long is cut with "...".
 * RET -1 always, so that `return rspb_fail(err, ...)` is a whole failure.
 */
int rspb_fail(struct rspb_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Put "where: " in front of the sentence in err (NULL: nothing). RET -1. */
int rspb_fail_at(struct rspb_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
