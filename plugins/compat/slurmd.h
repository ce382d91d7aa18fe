/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what slurmd knows of itself and tells no plugin. */
#ifndef RSPB_PLUGINS_COMPAT_SLURMD_H
#define RSPB_PLUGINS_COMPAT_SLURMD_H

#include <stdbool.h>
#include <stddef.h>

/* Within slurmd: the name of the node it is when its command line (-N) names
 * none, found as slurmd itself does: by this host's names in slurm.conf. RET
 * false: there is none. */
bool rspb_slurmd_node(char *name, size_t size);
/* Within slurmd and slurmstepd: where cgroup.conf says that control groups are
 * mounted (CgroupMountpoint). RET false: it says nothing. */
bool rspb_slurmd_cgroups(char *path, size_t size);

#endif
