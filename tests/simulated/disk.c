/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The disk below the broker's files: real files, in a directory of the run, of which is
 * remembered how much was synced. A sync takes its time, and slurmctld may be killed
 * within it, within a write, or before or after a file gets its name. Writes and syncs may
 * fail for a while. After a loss of power, of what was not synced a part is not there, or its
 * blocks are not, or bits of it are others; a name that was not synced may be that of the
 * former file again.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/simulated/world.h"

enum {
	FORGIVE_S = 90,
	SYNC_US = 1500,
	SLOW_US = 400000,
	SLOW_ONE_OF = 500,
	BLOCK = 512,
	FLIPS = 4,
	SAVED_S = 20 /* after a start of slurmctld all has been saved */
};

#define JOURNAL "rspb.journal"
#define FORMER	"former" /* what the journal was until its name is synced */

int __wrap_fdatasync(int fd);
int __wrap_fsync(int fd);
ssize_t __wrap_write(int fd, const void *text, size_t length);
ssize_t __real_write(int fd, const void *text, size_t length);
int __wrap_rename(const char *from, const char *to);
int __real_rename(const char *from, const char *to);

static struct sim_file *file_named(const char *path)
{
	const char *name = strrchr(path, '/');

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

/* RET the record of an open file in the state directory, or of that; NULL: it is none. */
static struct sim_file *file_of(int fd)
{
	char link[64], path[512];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return NULL;
	path[len] = '\0';
	return strstr(path, "/state") ? file_named(path) : NULL;
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
	uint64_t when = dies ? sim_below(3) : 3;
	struct sim_file *file;
	struct stat st;

	sim_world->counts.syncs++;
	if (when == 0)
		sim_die();
	if (sim_world->us < sim_world->disk_slow_until)
		sim_sleep(SYNC_US + (int64_t) sim_below(3 * SLOW_US));
	else
		sim_sleep(sim_run.calm || sim_below(SLOW_ONE_OF) ? SYNC_US : SLOW_US);
	/* Nothing is on the disk yet, and others have gone on meanwhile. */
	if (when == 1)
		sim_die();
	if (sim_world->us < sim_world->disk_bad_until) {
		sim_world->counts.bad_syncs++;
		forgive();
		if (dies)
			sim_die();
		errno = sim_below(2) ? EIO : ENOSPC;
		return -1;
	}
	file = file_of(fd);
	if (file && !fstat(fd, &st)) {
		file->synced = st.st_size;
		if (S_ISDIR(st.st_mode))
			unlink(FORMER);
	}
	if (dies)
		sim_die();
	return 0;
}

/* A file of the broker's: a part of it only where slurmctld is killed meanwhile, or the disk
 * is full. */
ssize_t __wrap_write(int fd, const void *text, size_t length)
{
	struct sim_file *file = length < 2 ? NULL : file_of(fd);
	struct stat st;

	if (!file)
		return __real_write(fd, text, length);
	/* The file may have been emptied. */
	if (!fstat(fd, &st) && st.st_size < file->synced)
		file->synced = st.st_size;
	if (sim_kill_passes(SIM_KILL_WRITE)) {
		if (__real_write(fd, text, sim_below(length + 1)) < 0)
			perror("a write");
		sim_die();
	}
	if (sim_world->us < sim_world->disk_bad_until && sim_below(2)) {
		forgive();
		if (sim_below(2))
			return __real_write(fd, text, length / 2);
		errno = ENOSPC;
		return -1;
	}
	return __real_write(fd, text, length);
}

int __wrap_rename(const char *from, const char *to)
{
	bool dies = sim_kill_passes(SIM_KILL_RENAME);
	bool journal = strstr(to, "/" JOURNAL);
	struct sim_file *file = journal ? file_named(to) : NULL;
	struct sim_file *made = journal ? file_named(from) : NULL;

	if (dies && sim_below(2))
		sim_die();
	if (journal) {
		unlink(FORMER);
		if (link(to, FORMER) && errno != ENOENT)
			perror(FORMER);
	}
	if (__real_rename(from, to))
		return -1;
	if (file && made) {
		file->synced = made->synced;
		made->synced = 0;
	}
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

/* Change a bit somewhere within a part of a file. */
static void flip_bit(int fd, int64_t from, int64_t until)
{
	int64_t at = from + (int64_t) sim_below((uint64_t) (until - from));
	char byte;

	if (pread(fd, &byte, 1, at) != 1)
		return;
	byte ^= (char) (1 << sim_below(8));
	if (pwrite(fd, &byte, 1, at) != 1)
		perror("a bit");
}

/* Of the blocks that were not synced some have never been written. */
static void lose_blocks(int fd, int64_t from, int64_t until)
{
	static const char zeros[BLOCK];

	while (from < until) {
		int64_t end = (from / BLOCK + 1) * BLOCK;

		if (end > until)
			end = until;
		if (sim_below(2) && pwrite(fd, zeros, (size_t) (end - from), from) < 0)
			perror("a block");
		from = end;
	}
}

static void spoil_tail(const struct sim_file *file)
{
	static const char *const ways[] = { "is cut", "has lost blocks", "has other bits" };
	int way = (int) sim_below(4) - 1;
	int64_t keep;
	char path[128];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "state/%s", file->name);
	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size <= file->synced)
		return;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (way < 0)
		way = 0;
	keep = file->synced + (int64_t) sim_below((uint64_t) (st.st_size - file->synced + 1));
	if (way == 0 && ftruncate(fd, keep))
		perror(path);
	else if (way == 1)
		lose_blocks(fd, file->synced, st.st_size);
	else if (way == 2)
		flip_bit(fd, file->synced, st.st_size);
	close(fd);
	sim_world->counts.torn++;
	sim_log("POWER %s %s behind %lld of %lld bytes", file->name, ways[way],
		(long long) file->synced, (long long) st.st_size);
}

void sim_disk_cut(void)
{
	for (int i = 0; i < SIM_FILES; i++)
		if (sim_world->files[i].name[0])
			spoil_tail(&sim_world->files[i]);
	if (!access(FORMER, F_OK) && sim_below(2)) {
		sim_log("POWER journal has its former contents");
		if (__real_rename(FORMER, "state/" JOURNAL))
			perror(FORMER);
	}
	unlink(FORMER);
	/* All that is left is on the disk. */
	for (int i = 0; i < SIM_FILES; i++) {
		struct sim_file *file = &sim_world->files[i];
		char path[128];
		struct stat st;

		snprintf(path, sizeof(path), "state/%s", file->name);
		file->synced = file->name[0] && !stat(path, &st) ? st.st_size : 0;
	}
}

void sim_disk_damage(void)
{
	struct stat st;
	int fd;

	/* The damage would lose what Slurm has not saved yet, and what the journal alone has. */
	if (sim_world->save_due || sim_world->save_resvs_due ||
	    sim_world->us < sim_world->began + SAVED_S * SIM_S)
		return;
	fd = open("state/" JOURNAL, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size > 0) {
		sim_log("DISK bits of the journal are others");
		sim_world->counts.torn++;
		for (int i = 0; i < FLIPS; i++)
			flip_bit(fd, 0, st.st_size);
	}
	close(fd);
}
