/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request as it would be typed for sbatch, without a job. */
#ifndef RSPB_CLIENT_WISH_H
#define RSPB_CLIENT_WISH_H

#include "contrib/client/command.h"

/* The question for offers. */
struct rspb_wish {
	bool named;	  /* by which; else the question has it all */
	const char *name; /* what was typed for it; NULL: nothing */
	struct rspb_which which;
	const char *offer; /* to be held, NULL: the first */
	int64_t hold;	   /* seconds, 0: none is to be held */
};
/* Add what was typed to a question. RET 0, or -1: it is wrong, which was said. */
int rspb_wish_take(const struct rspb_command *command, json_object *question,
		   struct rspb_wish *wish);
/* The options for what each node must have, as rows of a table. */
/* clang-format off */
#define RSPB_WISH_SIZE \
	{ "ntasks", required_argument, NULL, 'n' }, \
	{ "cpus-per-task", required_argument, NULL, 'c' }, \
	{ "mem", required_argument, NULL, 'm' }, \
	{ "mem-per-cpu", required_argument, NULL, 'M' }, \
	{ "gres", required_argument, NULL, 'R' }, \
	{ "gpus", required_argument, NULL, 'G' }, \
	{ "gpus-per-node", required_argument, NULL, 'g' }, \
	{ "gpus-per-task", required_argument, NULL, 'k' }
/* clang-format on */
/* Add one option of a request, with optarg. RET 0, or -1 with err. */
int rspb_wish_term(int option, json_object *question, struct rspb_err *err);
/* How long an offer is to be held, s: as long as the site lets it, where text is
 * NULL. RET 0, or -1 with err. */
int rspb_wish_hold(const char *text, int64_t *hold, struct rspb_err *err);

#endif
