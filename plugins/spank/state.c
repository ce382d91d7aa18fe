/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/spank/state.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { STATE_TEXT = RSPB_PATH + 256 };

static int file_of(char path[RSPB_PATH], const char *dir, const char *node,
		   uint32_t job, struct rspb_err *err)
{
	return rspb_path(path, err, "%s/%s/jobs/%" PRIu32, dir, node, job);
}

int rspb_state_prepare(const char *dir, const char *node,
		       struct rspb_err *err)
{
	char own[RSPB_PATH], jobs[RSPB_PATH];

	if (rspb_path(own, err, "%s/%s", dir, node) ||
	    rspb_path(jobs, err, "%s/jobs", own))
		return -1;
	if (rspb_file_exists(jobs))
		return 0;
	if (rspb_folder_make(dir, 0755, err) ||
	    rspb_folder_make(own, 0755, err))
		return -1;
	return rspb_folder_make(jobs, 0700, err);
}

static int parse(char *text, struct rspb_job_state *state,
		 struct rspb_err *err)
{
	char *rest, *grant = strtok_r(text, "\n", &rest),
	     *numbers = strtok_r(NULL, "\n", &rest),
	     *use = strtok_r(NULL, "\n", &rest),
	     *path = strtok_r(NULL, "\n", &rest);

	memset(state, 0, sizeof(*state));
	if (!grant || !numbers || !use || !path ||
	    sscanf(numbers, "own=%" SCNd64 " cpus=%" SCNd64,
		   &state->own_share, &state->n_cpus) != 2 ||
	    sscanf(use, "use=%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
		   &state->use.usage_us, &state->use.periods,
		   &state->use.throttled, &state->use.throttled_us) != 4 ||
	    strncmp(path, "path=", 5))
		return rspb_fail(err, "not the state of a job");
	if (rspb_path(state->path, err, "%s", path + 5))
		return -1;
	return strcmp(grant, "none") ?
	       rspb_share_env_parse(grant, &state->grant, err) : 0;
}

int rspb_state_read(const char *dir, const char *node, uint32_t job,
		    struct rspb_job_state *state, struct rspb_err *err)
{
	char file[RSPB_PATH], text[STATE_TEXT];
	struct rspb_job_state found;

	if (file_of(file, dir, node, job, err) ||
	    rspb_file_read(file, text, sizeof(text), err) < 0)
		return -1;
	if (parse(text, &found, err))
		return rspb_fail_at(err, "%s", file);
	*state = found;
	return 0;
}

int rspb_state_write(const char *dir, const char *node, uint32_t job,
		     const struct rspb_job_state *state, struct rspb_err *err)
{
	char file[RSPB_PATH], text[STATE_TEXT], grant[RSPB_SHARE_TEXT] = "none";

	if (state->grant.share)
		rspb_share_env_print(&state->grant, grant, sizeof(grant));
	snprintf(text, sizeof(text), "%s\nown=%" PRId64 " cpus=%" PRId64
		 "\nuse=%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
		 "\npath=%s\n", grant, state->own_share, state->n_cpus,
		 state->use.usage_us, state->use.periods,
		 state->use.throttled, state->use.throttled_us, state->path);
	if (file_of(file, dir, node, job, err))
		return -1;
	return rspb_file_replace(file, text, err);
}

void rspb_state_remove(const char *dir, const char *node, uint32_t job)
{
	char file[RSPB_PATH];

	if (!file_of(file, dir, node, job, NULL))
		unlink(file);
}

bool rspb_state_exists(const char *dir, const char *node, uint32_t job)
{
	char file[RSPB_PATH];

	return !file_of(file, dir, node, job, NULL) && rspb_file_exists(file);
}

int rspb_state_lock(const char *dir, const char *node)
{
	char file[RSPB_PATH];
	int fd;

	if (rspb_path(file, NULL, "%s/%s/jobs", dir, node))
		return -1;
	fd = open(file, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		flock(fd, LOCK_EX);
	return fd;
}

void rspb_state_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}
