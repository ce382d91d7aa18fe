/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/slurmd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

#include "src/common/read_config.h"
#include "src/common/xmalloc.h"

bool rspb_slurmd_node(char *name, size_t size)
{
	char host[256] = "", *found;

	if (gethostname(host, sizeof(host) - 1))
		return false;
	host[strcspn(host, ".")] = '\0';
	found = slurm_conf_get_nodename(host);
	if (!found)
		found = slurm_conf_get_aliased_nodename();
	if (!found)
		found = slurm_conf_get_nodename("localhost");
	if (!found)
		return false;
	snprintf(name, size, "%s", found);
	xfree(found);
	return *name;
}
