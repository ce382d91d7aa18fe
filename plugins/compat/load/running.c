/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads of which release the loaded plugins of Slurm are. It trusts no header, and
 * calls nothing of theirs. */
#include "plugins/compat/load/running.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "plugins/compat/slurm.h"

const char rspb_built_for[] = "built for Slurm " SLURM_VERSION_STRING;

static bool is_beside(const struct link_map *map, const struct link_map *own)
{
	const char *end = strrchr(own->l_name, '/');
	size_t n = end ? (size_t) (end - own->l_name) + 1 : 0;

	return !strncmp(map->l_name, own->l_name, n) && !strchr(map->l_name + n, '/');
}

/* RET 0: this is no plugin of Slurm. */
static uint32_t version_of(const struct link_map *map)
{
	void *handle = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
	const uint32_t *version;
	uint32_t value = 0;

	if (!handle)
		return 0;
	version = dlsym(handle, "plugin_version");
	if (version && dlsym(handle, "plugin_type"))
		value = *version;
	dlclose(handle);
	return value;
}

uint32_t rspb_running_version(const void *within)
{
	const struct link_map *own = NULL, *map;
	uint32_t version = 0;
	Dl_info info;

	if (!dladdr1(within, &info, (void **) &own, RTLD_DL_LINKMAP) || !own)
		return 0;
	for (map = own; map->l_prev; map = map->l_prev)
		;
	for (; map && !version; map = map->l_next)
		if (*map->l_name && !is_beside(map, own))
			version = version_of(map);
	return version;
}

int rspb_running_check(uint32_t version, struct rspb_err *err)
{
	if (version == SLURM_VERSION_NUMBER)
		return 0;
	return rspb_fail(err, "it was %s, and this is %u.%02u.%u", rspb_built_for, version >> 16,
			 version >> 8 & 0xff, version & 0xff);
}
