/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When Slurm chooses nodes for somebody's reservation. Until 23.02 it asks an
 * operation of its own, with the whole description; from 23.11 on it asks where
 * a job could run that is none (select_p_job_test() with job id 0), which knows
 * its window but neither its name nor whether it returns.
 */
#ifndef RSPB_PLUGINS_COMPAT_SELECT_RESV_H
#define RSPB_PLUGINS_COMPAT_SELECT_RESV_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "plugins/compat/select_call.h"

struct rspb_select_resv {
	const char *name;   /* "": not known, or Slurm is to find one */
	int64_t start, end; /* its first window; end INT64_MAX: for ever */
	int64_t period;	    /* seconds after which it returns at the least; 0: never */
};

/* The plugin's answer: it takes nodes out of `available`. */
typedef void (*rspb_select_resv_fn)(const struct rspb_select_resv *resv,
				    struct rspb_nodeset *available);

/* Whether a question about a job is one about a reservation; fills out. */
bool rspb_select_resv_asked(const struct rspb_select_call *call, struct rspb_select_resv *out);

/* The plugin's entry point for the older way, where there is one, which lets
 * prepare() have its way before the stock plugin is asked. */
#ifdef RSPB_SLURM_SELECT_resv_test
void rspb_select_resv_prepare(const resv_desc_msg_t *desc, bitstr_t *available,
			      rspb_select_resv_fn prepare);
/* clang-format off */
#define RSPB_SELECT_RESV_TEST(prepare, stock) \
bitstr_t *select_p_resv_test(resv_desc_msg_t *desc, uint32_t count, \
			     bitstr_t *available, bitstr_t **cores) \
{ \
	rspb_select_resv_prepare(desc, available, prepare); \
	return (stock).resv_test(desc, count, available, cores); \
}
/* clang-format on */
#else
#define RSPB_SELECT_RESV_TEST(prepare, stock)
#endif

#endif
