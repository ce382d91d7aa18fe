/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The disk below the broker's files: real files, in a directory of the run, of which is
 * remembered how much was synced. A sync takes its time, and slurmctld may be killed
 * within it. Syncs may fail for a while. After a loss of power, files are cut between what was synced and what was
 * written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/simulated/world.h"

enum { FORGIVE_S = 90, SYNC_US = 1500, SLOW_US = 400000, SLOW_ONE_OF = 500 };

int __wrap_fdatasync(int fd);
int __wrap_fsync(int fd);

/* RET the record of an open file in the state directory; NULL: it is none. */
static struct sim_file *file_of(int fd)
{
	char link[64], path[512];
	const char *name;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return NULL;
	path[len] = '\0';
	name = strrchr(path, '/');
	name = name ? name + 1 : path;
	for (int i = 0; i < SIM_FILES; i++) {
		struct sim_file *file = &sim_world->files[i];

		if (!file->name[0])
			snprintf(file->name, sizeof(file->name), "%.63s", name);
		if (!strcmp(file->name, name))
			return file;
	}
	return NULL;
}

/* A request that could not be decided meanwhile is decided late. */
static void forgive(void)
{
	int64_t until = sim_world->disk_bad_until + FORGIVE_S * SIM_S;

	if (sim_world->calm_at < until)
		sim_world->calm_at = until;
}

static int sync_file(int fd)
{
	bool dies = sim_kill_passes(SIM_KILL_SYNC);
	struct sim_file *file;
	struct stat st;

	sim_world->counts.syncs++;
	if (dies && sim_below(2))
		sim_die();
	if (sim_world->us < sim_world->disk_slow_until)
		sim_sleep(SYNC_US + (int64_t) sim_below(3 * SLOW_US));
	else
		sim_sleep(sim_run.calm || sim_below(SLOW_ONE_OF) ? SYNC_US : SLOW_US);
	if (sim_world->us < sim_world->disk_bad_until) {
		sim_world->counts.bad_syncs++;
		forgive();
		if (dies)
			sim_die();
		errno = sim_below(2) ? EIO : ENOSPC;
		return -1;
	}
	file = file_of(fd);
	if (file && !fstat(fd, &st))
		file->synced = st.st_size;
	if (dies)
		sim_die();
	return 0;
}

int __wrap_fdatasync(int fd)
{
	return sync_file(fd);
}

int __wrap_fsync(int fd)
{
	return sync_file(fd);
}

void sim_disk_fails(int64_t us)
{
	sim_world->disk_bad_until = sim_world->us + us;
	sim_log("DISK fails");
}

void sim_disk_slow(int64_t us)
{
	sim_world->disk_slow_until = sim_world->us + us;
	sim_log("DISK is slow");
}

void sim_disk_begin(void)
{
	memset(sim_world->files, 0, sizeof(sim_world->files));
}

void sim_disk_cut(void)
{
	for (int i = 0; i < SIM_FILES; i++) {
		struct sim_file *file = &sim_world->files[i];
		char path[128];
		struct stat st;
		int64_t keep;

		if (!file->name[0])
			continue;
		snprintf(path, sizeof(path), "state/%s", file->name);
		if (stat(path, &st) || st.st_size <= file->synced)
			continue;
		keep = file->synced + (int64_t) sim_below(st.st_size - file->synced + 1);
		if (truncate(path, keep))
			perror(path);
		sim_world->counts.torn++;
		sim_log("POWER %s is cut from %lld to %lld bytes", file->name,
			(long long) st.st_size, (long long) keep);
	}
}
