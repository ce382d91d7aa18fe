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
 * Check a submission (admit() in admit.c) for that one of its partitions, if it names several,
 * where it is foreseen to begin first; of equals the first it names. The contract has those that
 * would take it in the order in which the decision tries them. -1 also where one does not exist;
 * where none would take it the first one says why.
 */
int rspb_partitions_admit(job_desc_msg_t *desc, const struct rspb_terms *flags,
			  struct rspb_contract *contract, char *advice, size_t size,
			  struct rspb_err *err);

#endif
