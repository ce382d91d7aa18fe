/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what every plugin of slurmctld says about itself. Slurm loads only plugins whose version
 * equals its own to the micro release. */
#ifndef RSPB_PLUGINS_COMPAT_PLUGIN_H
#define RSPB_PLUGINS_COMPAT_PLUGIN_H

#include "plugins/compat/slurm.h"

/* clang-format off */
#define RSPB_PLUGIN(name, type) RSPB_PLUGIN_AS(const uint32_t, name, type)
/* With a version of another type. */
#define RSPB_PLUGIN_AS(number, name, type) \
	extern const char plugin_name[]; \
	extern const char plugin_type[]; \
	extern number plugin_version; \
	extern int init(void); \
	extern void fini(void); \
	const char plugin_name[] = name; \
	const char plugin_type[] = type; \
	number plugin_version = SLURM_VERSION_NUMBER
/* clang-format on */

#endif
