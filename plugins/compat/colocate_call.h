/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same (colocate.h), of the job in a question to the select plugin. */
#ifndef RSPB_PLUGINS_COMPAT_COLOCATE_CALL_H
#define RSPB_PLUGINS_COMPAT_COLOCATE_CALL_H

#include "common/base/nodeset.h"
#include "plugins/compat/job.h"
#include "plugins/compat/select_call.h"

/* Whether the job of the question may be beside shares. */
bool rspb_colocate_asks(const struct rspb_select_call *call);
/* Find the nodes of `beside` that lack the memory for the job, as far as is known: beside all
 * running jobs, as each() knows them, or if it were alone (NULL). */
void rspb_colocate_short(const struct rspb_select_call *call, const struct rspb_nodeset *beside,
			 const uint8_t *dedicated, rspb_job_placed_fn each,
			 struct rspb_nodeset *out);
/* RET what the question excludes, and of cores all that are kept on `beside`,
 * too, and parts, of all nodes (NULL: none); the caller frees it with
 * rspb_colocate_drop(). later: the start is not the one that Slurm asked about, so
 * that what it says of bookings does not count. */
rspb_release_exclusion *rspb_colocate_keep(const struct rspb_select_call *call,
					   const struct rspb_nodeset *beside,
					   const uint8_t *dedicated, bitstr_t *parts, bool later);
/* Free some cores; NULL: nothing. */
void rspb_colocate_forget(bitstr_t **cores);
void rspb_colocate_drop(rspb_release_exclusion *own);

#endif
