/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policies of a command line: presets, files of settings, and programs. */
#ifndef RSPB_SIM_REPORT_CONTENDER_H
#define RSPB_SIM_REPORT_CONTENDER_H

#include "contrib/sim/report/options.h"

struct sim_contender {
	struct rspb_policy policy;
	bool own;		    /* it is no preset: the policy counts, not the name */
	const char *command;	    /* of a program that decides, NULL: none */
	struct rspb_config *config; /* owned, of a file of settings, NULL: none */
};

/* RET whether a name of --compare is a file of settings. */
bool sim_contender_is_file(const char *name);
/* Resolve the p-th policy of the options; known: as of sim_choose_presets(). RET 0, or -1
 * with err and nothing to free. */
int sim_contender_read(struct sim_contender *contender, const struct sim_options *options, size_t p,
		       int (*known)(const char *, struct rspb_err *), struct rspb_err *err);
void sim_contender_fini(struct sim_contender *contender);

#endif
