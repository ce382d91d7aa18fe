/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs of the site, run by a thread of ours. */
#ifndef RSPB_CTLD_POST_PROGRAM_H
#define RSPB_CTLD_POST_PROGRAM_H

#include <stdbool.h>

#include "common/base/err.h"

/*
 * Run argv[0], an absolute path, in an environment, and wait for its end, with no lock
 * held. It reads input, writes nowhere, has no other file open and a process
 * group of its own, which is killed after so many seconds, or once stop() says
 * so. RET 0: it ended with 0; else -1 with err.
 */
int rspb_program_run(char *const argv[], char *const env[], const char *input, int seconds,
		     bool (*stop)(void), struct rspb_err *err);

#endif
