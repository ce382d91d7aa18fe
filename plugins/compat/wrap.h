/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loading the stock plugin whose name one of ours carries.
 *
 * It is opened privately and by absolute path: were it a dependency of ours,
 * its references to symbols that both have (plugin_id, plugin_type) would find
 * ours.
 */
#ifndef RSPB_PLUGINS_COMPAT_WRAP_H
#define RSPB_PLUGINS_COMPAT_WRAP_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/*
 * Open the first `file` in the folders of PluginDir that is not part of this
 * project. type: the plugin_type it must have. RET handle, or NULL with err.
 * Closed by rspb_wrap_close(), which takes NULL.
 */
void *rspb_wrap_open(const char *file, const char *type, struct rspb_err *err);
void rspb_wrap_close(void *handle);

/* Look up n symbols. RET 0, or -1 with err naming the first that is missing
 * and pointers unchanged. */
int rspb_wrap_symbols(void *handle, const char *const *names, void **pointers, size_t n,
		      struct rspb_err *err);

/*
 * The version that Slurm's own plugins have which are loaded already, as
 * SLURM_VERSION_NUMBER. Those in the folder of the shared object at this address
 * do not count. RET 0: none is loaded.
 */
uint32_t rspb_running_version(const void *within);

/* rspb-check looks for this sentence in the file. */
extern const char rspb_built_for[];

/* RET 0: that is the one we are built for; or -1 with err. */
int rspb_running_check(uint32_t version, struct rspb_err *err);

#endif
