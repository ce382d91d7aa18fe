/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A word from slurmd to our plugins in slurmctld. Slurm has no message for
 * that. What comes nearest is the question when a job could start
 * (REQUEST_JOB_WILL_RUN, of sbatch --test-only): its sender is authenticated,
 * it goes to job_submit plugins under read locks, and when one of them has
 * answered it nothing is kept, saved or scheduled, nor logged. An update of
 * the job would end there, too, but not for a job that is over.
 *
 * The text travels as the job's admin comment, which Slurm takes from
 * administrators alone. job_submit_rspb answers RSPB_CONTROLLER_TAKEN.
 */
#ifndef RSPB_PLUGINS_COMPAT_CONTROLLER_H
#define RSPB_PLUGINS_COMPAT_CONTROLLER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"
#include "common/base/text.h"

/* "rspb", no number of Slurm's own. */
enum { RSPB_CONTROLLER_TAKEN = 0x72737062 };

/* Tell the controller, or its backup. Ends early when `stop` can be read from;
 * at most some seconds. RET 0 when it was taken, else -1 with err. */
int rspb_controller_tell(const char *text, int stop, struct rspb_err *err);
/* Whether a value of JobSubmitPlugins names our plugin; Slurm takes the name with and without the
 * type. */
static inline bool rspb_controller_names_ours(const char *plugins)
{
	return plugins &&
	       (rspb_text_listed(plugins, "rspb") || rspb_text_listed(plugins, "job_submit/rspb"));
}
/* In a command: whether slurmctld hands submissions to our plugin, by slurm.conf
 * of this host, or else its own word. Also true when it does not say. */
bool rspb_controller_admits(void);
/* In sbatch, salloc and srun, their options being read: whether --test-only is
 * among them, which Slurm hands to no plugin. */
bool rspb_controller_asked_only(void);

/* Within slurmd: the name of the node it is when its command line (-N) names
 * none, found as slurmd itself does: by this host's names in slurm.conf. RET
 * false: there is none. */
bool rspb_slurmd_node(char *name, size_t size);
/* Within slurmd and slurmstepd: where cgroup.conf says that control groups are
 * mounted (CgroupMountpoint). RET false: it says nothing. */
bool rspb_slurmd_cgroups(char *path, size_t size);

#endif
