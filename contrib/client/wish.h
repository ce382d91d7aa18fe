/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request as it would be typed for sbatch, without a job. */
#ifndef RSPB_CLIENT_WISH_H
#define RSPB_CLIENT_WISH_H

#include "contrib/client/command.h"

/* Add what was typed to a question; *hold: seconds for which to hold an offer, 0: not
 * wanted. RET the job that was named instead, 0: none; -1: it is wrong, which was
 * said. */
int64_t rspb_wish_take(const struct rspb_command *command,
		       json_object *question, int64_t *hold);

#endif
