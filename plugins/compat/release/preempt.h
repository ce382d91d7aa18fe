/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preemption: 23.02 moved its header, 23.11 has PreemptParameters. */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_PREEMPT_H
#define RSPB_PLUGINS_COMPAT_RELEASE_PREEMPT_H

#include "plugins/compat/release/headers.h"

#include "src/slurmctld/acct_policy.h"
#if __has_include("src/interfaces/preempt.h")
#include "src/interfaces/preempt.h"
#else
#include "src/slurmctld/preempt.h"
#endif

/* RET whether jobs of that priority are left alone (min_exempt_priority). */
static inline bool rspb_release_exempt(uint32_t priority)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	static const char key[] = "min_exempt_priority=";
	const char *text = xstrcasestr(slurm_conf.preempt_params, key);

	return text && strtoul(text + sizeof(key) - 1, NULL, 10) < priority;
#else
	(void) priority;
	return false;
#endif
}

#endif
