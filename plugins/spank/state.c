/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the file of a job. What follows from it is node.c's. */
#include "plugins/spank/node.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STATE_TEXT = RSPB_PATH + 1024 };

static int file_of(char path[RSPB_PATH], const char *dir, const char *node, uint32_t job,
		   struct rspb_err *err)
{
	return rspb_path(path, err, "%s/%s/jobs/%" PRIu32, dir, node, job);
}

int rspb_state_prepare(const char *dir, const char *node, struct rspb_err *err)
{
	char own[RSPB_PATH], jobs[RSPB_PATH], ended[RSPB_PATH];

	if (rspb_path(own, err, "%s/%s", dir, node) ||
	    rspb_path(jobs, err, "%s/" RSPB_STATE_JOBS, own) ||
	    rspb_path(ended, err, "%s/" RSPB_STATE_ENDED, own))
		return -1;
	if (rspb_file_exists(jobs) && rspb_file_exists(ended))
		return 0;
	/* SlurmUser must reach the socket in the folder of the node. The files of jobs are for
	 * root. */
	if (rspb_folder_make(dir, 0755, err) || rspb_folder_make(own, 0755, err) ||
	    rspb_folder_make(ended, 0700, err))
		return -1;
	return rspb_folder_make(jobs, 0700, err);
}

/* Read the four counters that follow a name. RET 0, or -1: they are not there. */
static int parse_use(const char *text, const char *key, struct rspb_cpu_use *use)
{
	size_t len = strlen(key);

	return strncmp(text, key, len) ||
			       sscanf(text + len, "=%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
				      &use->usage_us, &use->periods, &use->throttled,
				      &use->throttled_us) != 4
		       ? -1
		       : 0;
}

/* Print the four counters that parse_use() reads, as a line with a name. */
static int print_use(char *buf, size_t size, const char *key, const struct rspb_cpu_use *use)
{
	return snprintf(buf, size, "%s=%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", key,
			use->usage_us, use->periods, use->throttled, use->throttled_us);
}

/* Read the six lines of a file; the text is lost. RET 0, or -1 with err and *state in part
 * filled in. */
static int parse(char *text, struct rspb_job_state *state, struct rspb_err *err)
{
	char *rest, *grant = strtok_r(text, "\n", &rest), *numbers = strtok_r(NULL, "\n", &rest),
		    *run = strtok_r(NULL, "\n", &rest), *use = strtok_r(NULL, "\n", &rest),
		    *past = strtok_r(NULL, "\n", &rest), *path = strtok_r(NULL, "\n", &rest);

	memset(state, 0, sizeof(*state));
	if (!grant || !numbers || !run || !use || !past || !path ||
	    sscanf(numbers, "own=%" SCNd64 " cpus=%" SCNd64, &state->own_share, &state->n_cpus) !=
		    2 ||
	    sscanf(run, "run=%" SCNd64 " since=%" SCNd64 " force=%" SCNd64 " %" SCNd64, &state->run,
		   &state->since_ms, &state->force.share, &state->force.ceiling) != 4 ||
	    parse_use(use, "use", &state->use) || parse_use(past, "past", &state->past) ||
	    strncmp(path, "path=", 5))
		return rspb_fail(err, "not the state of a job");
	if (rspb_path(state->path, err, "%s", path + 5))
		return -1;
	return strcmp(grant, "none") ? rspb_share_env_parse(grant, &state->grant, err) : 0;
}

int rspb_state_read(const char *dir, const char *node, uint32_t job, struct rspb_job_state *state,
		    struct rspb_err *err)
{
	char file[RSPB_PATH], text[STATE_TEXT];
	struct rspb_job_state found;

	if (file_of(file, dir, node, job, err) || rspb_file_read(file, text, sizeof(text), err) < 0)
		return -1;
	/* The caller's state changes only if all of the file could be read. */
	if (parse(text, &found, err))
		return rspb_fail_at(err, "%s", file);
	*state = found;
	return 0;
}

int rspb_state_write(const char *dir, const char *node, uint32_t job,
		     const struct rspb_job_state *state, struct rspb_err *err)
{
	char file[RSPB_PATH], text[STATE_TEXT], grant[RSPB_SHARE_TEXT] = "none", use[128],
						past[128];

	/* Lines are known by their place, so that a job without a grant has this one, too. */
	if (state->grant.share)
		rspb_share_env_print(&state->grant, grant, sizeof(grant));
	print_use(use, sizeof(use), "use", &state->use);
	print_use(past, sizeof(past), "past", &state->past);
	/* The text always fits: STATE_TEXT is a path and more than all numbers. */
	snprintf(text, sizeof(text),
		 "%s\nown=%" PRId64 " cpus=%" PRId64 "\nrun=%" PRId64 " since=%" PRId64
		 " force=%" PRId64 " %" PRId64 "\n%s%spath=%s\n",
		 grant, state->own_share, state->n_cpus, state->run, state->since_ms,
		 state->force.share, state->force.ceiling, use, past, state->path);
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

void rspb_state_touch(const char *dir, const char *node, uint32_t job)
{
	char file[RSPB_PATH];

	if (!file_of(file, dir, node, job, NULL))
		utimensat(AT_FDCWD, file, NULL, 0);
}

int64_t rspb_state_age(const char *dir, const char *node, uint32_t job)
{
	char file[RSPB_PATH];
	struct stat st;

	if (file_of(file, dir, node, job, NULL) || stat(file, &st))
		return 0;
	return time(NULL) - st.st_mtime;
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
	/* The folder is the lock: it is there whenever a file in it is. */
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
