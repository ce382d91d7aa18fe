/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a submission with --book may become a request: everything that needs
 * the controller to know and can be told at once. What needs other components of
 * the job is told with the decision.
 */
#ifndef RSPB_PLUGINS_JOB_SUBMIT_ADMIT_H
#define RSPB_PLUGINS_JOB_SUBMIT_ADMIT_H

#include "common/wire/flags.h"
#include "plugins/compat/submit/submission.h"

enum { RSPB_ADVICE_TEXT = 512 };

/*
 * RET 0: it becomes a request, with the contract "requested" and one line of advice
 * ("" when there is nothing to say yet), which names contract->start (0: none); 1: it
 * goes on as an ordinary job (Mode=observe), which the advice says with what would
 * have become of it; or -1 with one sentence in err. trial: it is only looked at, and
 * nothing is counted. Takes no slurmctld lock; wants read locks on nodes and partitions.
 */
int rspb_admit(const struct rspb_submission *sub, const struct rspb_flags *flags, int64_t now,
	       bool trial, struct rspb_contract *contract, char *advice, size_t size,
	       struct rspb_err *err);

#endif
