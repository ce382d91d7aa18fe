/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a request may be, from what its jobs ask for. */
#ifndef RSPB_CTLD_REQUEST_WINDOW_H
#define RSPB_CTLD_REQUEST_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/request.h"

struct rspb_job;
struct rspb_submission_part;

/*
 * The window of a request in whole seconds: the latest begin, the longest limit
 * and the earliest deadline of all components, each given to add() with its
 * own --book=asap, then close() once. Of the job only these are looked at.
 */
void rspb_window_add(struct rspb_request *request, const struct rspb_job *job, bool asap,
		     int64_t now);
/* Refuse a begin that lies more than RSPB_BEGIN_PAST_S before now; 0: none was given. option: how
 * the user gave it ("--begin"). RET 0, or -1 with a sentence for the user. */
int rspb_window_begin(int64_t begin, int64_t now, const char *option, struct rspb_err *err);
/* In between: whether its partition allows as much, and its deadline leaves it, or the
 * least time of --time-min (0: none). RET 0, or -1 with a sentence for the user. */
int rspb_window_check(const struct rspb_request *request, int64_t least,
		      const struct rspb_submission_part *part, struct rspb_err *err);
/* The window ends, and is what MinNotice, Horizon and StartHours leave of it. */
void rspb_window_close(struct rspb_request *request, const struct rspb_config *config, int64_t now);

/* Whether it may be asked for when it was, and start then. RET 0, or -1 with a
 * sentence for the user. */
int rspb_hours_judge(const struct rspb_request *request, const struct rspb_config *config,
		     struct rspb_err *err);

#endif
