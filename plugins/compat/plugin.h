/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every plugin of slurmctld says about itself. Slurm loads only plugins
 * whose version equals its own to the micro release.
 */
#ifndef RSPB_PLUGINS_COMPAT_PLUGIN_H
#define RSPB_PLUGINS_COMPAT_PLUGIN_H

#include "plugins/compat/slurm.h"

/* clang-format off */
#define RSPB_PLUGIN(name, type) \
	extern const char plugin_name[]; \
	extern const char plugin_type[]; \
	extern const uint32_t plugin_version; \
	extern int init(void); \
	extern void fini(void); \
	const char plugin_name[] = name; \
	const char plugin_type[] = type; \
	const uint32_t plugin_version = SLURM_VERSION_NUMBER
/* clang-format on */

#endif
