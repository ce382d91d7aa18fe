/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out what slurmd knows of itself, as it does. It changes nothing there. */
#include "plugins/compat/slurmd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

#include "src/common/parse_config.h"
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

/* RET a text of Slurm's, to be freed with xfree(), or NULL. */
static char *cgroup_mountpoint(char *conf)
{
	s_p_options_t options[] = {
		{ .key = "CgroupMountpoint", .type = S_P_STRING },
		{ .key = NULL },
	};
	s_p_hashtbl_t *table;
	char *found = NULL;

	/* Slurm would wait a minute for a file that is not there. */
	if (!conf || access(conf, R_OK))
		return NULL;
	table = s_p_hashtbl_create(options);
	if (s_p_parse_file(table, NULL, conf, true, NULL) == SLURM_SUCCESS)
		s_p_get_string(&found, "CgroupMountpoint", table);
	s_p_hashtbl_destroy(table);
	return found;
}

bool rspb_slurmd_cgroups(char *path, size_t size)
{
	char *conf = get_extra_conf_path("cgroup.conf");
	char *found = cgroup_mountpoint(conf);
	size_t len = found ? strlen(found) : 0;

	while (len > 1 && found[len - 1] == '/')
		len--;
	if (len && len < size)
		snprintf(path, size, "%.*s", (int) len, found);
	xfree(found);
	xfree(conf);
	return len && len < size;
}
