/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What travels with a job to SPANK plugins, before and after it is a job. */
#include <stdio.h>
#include <string.h>

#include "plugins/compat/job_edit.h"
#include "plugins/compat/slurm.h"
#include "plugins/compat/submission.h"

/* With this in front, slurmctld keeps the names that a client sends. */
#define KEPT_PREFIX "SPANK_"

static bool names(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return entry && !strncmp(entry, name, len) && entry[len] == '=';
}

/* RET how many entries of that name went. */
static uint32_t drop(char **env, uint32_t *size, const char *name)
{
	uint32_t kept = 0, gone;

	for (uint32_t i = 0; i < *size; i++) {
		if (names(env[i], name))
			xfree(env[i]);
		else
			env[kept++] = env[i];
	}
	gone = *size - kept;
	for (uint32_t i = kept; i < *size; i++)
		env[i] = NULL;
	*size = kept;
	return gone;
}

bool rspb_submission_drop_env(job_desc_msg_t *desc, const char *name)
{
	const char *bare = strncmp(name, KEPT_PREFIX, strlen(KEPT_PREFIX)) ?
			   name : name + strlen(KEPT_PREFIX);
	uint32_t gone;

	gone = drop(desc->spank_job_env, &desc->spank_job_env_size, name);
	return drop(desc->spank_job_env, &desc->spank_job_env_size, bare) ||
	       gone;
}

int rspb_job_set_env(uint32_t id, const char *name, const char *value,
		     struct rspb_err *err)
{
	job_record_t *job = find_job_record(id);
	uint32_t n;

	if (!job)
		return rspb_fail(err, "job %u is gone", id);
	drop(job->spank_job_env, &job->spank_job_env_size, name);
	if (!value)
		return 0;
	n = job->spank_job_env_size;
	xrealloc(job->spank_job_env, (n + 2) * sizeof(*job->spank_job_env));
	job->spank_job_env[n] = xstrdup_printf("%s=%s", name, value);
	job->spank_job_env[n + 1] = NULL;
	job->spank_job_env_size = n + 1;
	return 0;
}
