/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment of a batch script that waits: sbatch wrote its options there long ago;
 * what is supplemented here takes the place of that when the script starts.
 */
#ifndef RSPB_PLUGINS_COMPAT_JOB_ENV_H
#define RSPB_PLUGINS_COMPAT_JOB_ENV_H

#include <string.h>

#include "plugins/compat/slurm.h"

/* RET its place among the supplements; env_cnt: it is none of them. */
static inline uint32_t rspb_job_env_at(const job_details_t *details, const char *name)
{
	size_t len = strlen(name);
	uint32_t i;

	for (i = 0; i < details->env_cnt; i++)
		if (!strncmp(details->env_sup[i], name, len) && details->env_sup[i][len] == '=')
			break;
	return i;
}

static inline void rspb_job_env_set(job_details_t *details, const char *name, const char *value)
{
	uint32_t i = rspb_job_env_at(details, name);

	if (i == details->env_cnt)
		xrecalloc(details->env_sup, ++details->env_cnt, sizeof(details->env_sup[0]));
	else
		xfree(details->env_sup[i]);
	xstrfmtcat(details->env_sup[i], "%s=%s", name, value);
}

static inline void rspb_job_env_number(job_details_t *details, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	rspb_job_env_set(details, name, text);
}

/* As the script has it. */
static inline void rspb_job_env_drop(job_details_t *details, const char *name)
{
	uint32_t i = rspb_job_env_at(details, name);

	if (i == details->env_cnt)
		return;
	xfree(details->env_sup[i]);
	details->env_sup[i] = details->env_sup[--details->env_cnt];
	details->env_sup[details->env_cnt] = NULL;
}

#endif
