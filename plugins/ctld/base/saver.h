/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has Slurm save its state at once, as an errand (errand.h): before somebody is told of a
 * booking, and soon after one has started. */
#ifndef RSPB_CTLD_BASE_SAVER_H
#define RSPB_CTLD_BASE_SAVER_H

#include <stdint.h>

#include "common/base/err.h"

/* Start. RET 0, or -1 with err. */
int rspb_saver_start(struct rspb_err *err);
/* Stop, after a save that is under way. */
void rspb_saver_stop(void);
/* Any thread, any locks: save soon. Saves take up at most a fifth of the time,
 * whatever the number of jobs and the speed of the disk. RET by what to ask for
 * it. */
uint64_t rspb_saver_request(void);

enum rspb_saved { RSPB_SAVED_NOT_YET, RSPB_SAVED, RSPB_SAVED_IN_VAIN };
/* RET the state of a request: whether everything that Slurm knew when it was made is in its files,
 * or could not be written. */
enum rspb_saved rspb_saver_look(uint64_t ticket);
/* RET a second: everything that Slurm knew before it is in its files, as far as we know; 0: nothing
 * is known. */
int64_t rspb_saver_saved_at(void);
/* Any thread, any locks: records were made of what those files have otherwise, so that
 * nothing is known until the next save has ended. */
void rspb_saver_outdated(void);

#endif
