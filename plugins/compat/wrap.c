/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the stock plugin behind ours and fetches its functions. None is called here. */
#include "plugins/compat/wrap.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins/compat/slurm.h"

/* Every plugin of ours depends on librspb.so and so shows its symbols. */
static bool is_ours(void *handle)
{
	return dlsym(handle, "rspb_wrap_open") != NULL;
}

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

	rspb_fail(err, "no stock %s in PluginDir=%s: name Slurm's own plugin folder after ours",
		  file, folders);
	for (; *folders; folders = *end ? end + 1 : end) {
		end = strchrnul(folders, ':');
		if (snprintf(path, sizeof(path), "%.*s/%s", (int) (end - folders), folders, file) >=
		    (int) sizeof(path))
			continue;
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
	for (size_t i = 0; i < n; i++)
		if (!dlsym(handle, names[i]))
			return rspb_fail(err, "the stock plugin has no symbol %s", names[i]);
	for (size_t i = 0; i < n; i++)
		pointers[i] = dlsym(handle, names[i]);
	return 0;
}
