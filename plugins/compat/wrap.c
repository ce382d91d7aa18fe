/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the stock plugin that has the same name as ours and fetches its functions. None is called
 * here. */
#include "plugins/compat/wrap.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins/compat/slurm.h"

/* Every plugin of ours depends on librspb.so and so shows its symbols. */
static bool is_ours(void *handle)
{
	return dlsym(handle, "rspb_wrap_open") != NULL;
}

/* RET a handle, or NULL. A plugin of ours leaves err as it was, since the search simply goes on. */
static void *open_stock(const char *path, const char *type, struct rspb_err *err)
{
	const char *found;
	void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

	if (!handle) {
		rspb_fail(err, "cannot load the stock plugin: %s", dlerror());
		return NULL;
	}
	if (is_ours(handle)) {
		dlclose(handle);
		return NULL;
	}
	found = dlsym(handle, "plugin_type");
	/* A file of the right name may still be another plugin, whose functions take other
	 * arguments. */
	if (!found || strcmp(found, type)) {
		rspb_fail(err, "%s is a plugin of type %s instead of %s", path,
			  found ? found : "(none)", type);
		dlclose(handle);
		return NULL;
	}
	return handle;
}

void *rspb_wrap_open(const char *file, const char *type, struct rspb_err *err)
{
	const char *folders = slurm_conf.plugindir, *end;
	char path[PATH_MAX];
	struct stat st;
	void *handle;

	/* This sentence remains if no folder has such a file; a file that cannot be used replaces
	 * it. */
	rspb_fail(err, "no stock %s in PluginDir=%s: name Slurm's own plugin folder after ours",
		  file, folders);
	for (; *folders; folders = *end ? end + 1 : end) {
		end = strchrnul(folders, ':');
		if (snprintf(path, sizeof(path), "%.*s/%s", (int) (end - folders), folders, file) >=
		    (int) sizeof(path))
			continue;
		/* Most folders do not have the file, which is no error. */
		if (stat(path, &st) || !S_ISREG(st.st_mode))
			continue;
		handle = open_stock(path, type, err);
		if (handle)
			return handle;
	}
	return NULL;
}

void rspb_wrap_close(void *handle)
{
	if (handle)
		dlclose(handle);
}

int rspb_wrap_symbols(void *handle, const char *const *names, void **pointers, size_t n,
		      struct rspb_err *err)
{
	/* All are looked up before any is stored: a failure leaves the pointers as they were. */
	for (size_t i = 0; i < n; i++)
		if (!dlsym(handle, names[i]))
			return rspb_fail(err, "the stock plugin has no symbol %s", names[i]);
	for (size_t i = 0; i < n; i++)
		pointers[i] = dlsym(handle, names[i]);
	return 0;
}

/* The functions below read the release of the plugins of Slurm that are loaded. They trust no
 * header, and call nothing of these plugins. */

const char rspb_built_for[] = "built for Slurm " SLURM_VERSION_STRING;

/* Whether an object is in the folder of our own plugins, which have the version of the headers. */
static bool is_beside(const struct link_map *map, const struct link_map *own)
{
	const char *end = strrchr(own->l_name, '/');
	size_t n = end ? (size_t) (end - own->l_name) + 1 : 0;

	return !strncmp(map->l_name, own->l_name, n) && !strchr(map->l_name + n, '/');
}

/* RET the version of a plugin of Slurm that is loaded, 0: the object is no such plugin. */
static uint32_t version_of(const struct link_map *map)
{
	/* NOLOAD only finds what is loaded already. */
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
	/* The list is walked from its first object. */
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
