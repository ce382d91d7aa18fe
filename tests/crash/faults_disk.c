/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of the files under test is on the disk: see faults.c. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/crash/faults.h"

enum { FILES = 512 };

/* What of a file is written and not yet synced, since this process began. */
static struct dirty {
	ino_t ino;
	off_t from, to;
} dirty[FILES];
static size_t n_dirty;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct dirty *find(ino_t ino)
{
	for (size_t i = 0; i < n_dirty; i++)
		if (dirty[i].ino == ino)
			return &dirty[i];
	return NULL;
}

/* What nobody here has written may still be older writers': all of it. */
static struct dirty *find_or_add(int fd, ino_t ino)
{
	struct dirty *d = find(ino);
	struct stat st;

	if (d || n_dirty == FILES || fstat(fd, &st))
		return d;
	d = &dirty[n_dirty++];
	*d = (struct dirty){ ino, 0, st.st_size };
	return d;
}

void faults_disk_written(int fd, off_t at, ssize_t n)
{
	struct stat st;
	struct dirty *d;

	if (n <= 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	pthread_mutex_lock(&lock);
	d = find_or_add(fd, st.st_ino);
	if (d && d->from == d->to)
		d->from = d->to = at;
	if (d && at < d->from)
		d->from = at;
	if (d && at + n > d->to)
		d->to = at + n;
	pthread_mutex_unlock(&lock);
}

static void copy(int from, int to, off_t at, off_t end)
{
	char buffer[65536];

	while (at < end) {
		size_t want = end - at < (off_t) sizeof(buffer) ? (size_t) (end - at)
								: sizeof(buffer);
		ssize_t n = pread(from, buffer, want, at);

		if (n <= 0 || syscall(SYS_pwrite64, to, buffer, (size_t) n, at) != n)
			return;
		at += n;
	}
}

/* The contents of an inode as the disk has them; made if need be. */
static int data_open(const char *path, ino_t ino)
{
	char data[PATH], hold[PATH];
	int fd = open(faults_below(data, "data", ino), O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (link(path, faults_below(hold, "hold", ino)) && errno != EEXIST)
		return -1;
	return open(data, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static void sync_file(int fd, const char *path)
{
	char self[64];
	struct stat st;
	struct dirty *d;
	int from, to;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (fstat(fd, &st))
		return;
	from = open(self, O_RDONLY | O_CLOEXEC);
	to = data_open(path, st.st_ino);
	d = find_or_add(fd, st.st_ino);
	if (from >= 0 && to >= 0 && d) {
		copy(from, to, d->from, d->to);
		if (!ftruncate(to, st.st_size))
			d->from = d->to = 0;
	}
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
}

static void tree_put(const char *path, const char *name)
{
	char in[PATH + 320], data[PATH], tree[PATH], to[PATH + 640];
	char new[PATH];
	struct stat st;
	int fd;

	snprintf(in, sizeof(in), "%s/%s", path, name);
	snprintf(to, sizeof(to), "%s/%s", faults_below(tree, "tree", 0),
		 in + strlen(getenv("RSPB_FAULTS_STATE")) + 1);
	if (lstat(in, &st))
		return;
	if (S_ISDIR(st.st_mode)) {
		mkdir(to, 0700);
		return;
	}
	fd = data_open(in, st.st_ino);
	if (fd >= 0)
		close(fd);
	/* whole at any time: this process may be killed */
	faults_below(new, "new", 0);
	unlink(new);
	if (link(faults_below(data, "data", st.st_ino), new) || rename(new, to))
		perror(to);
	unlink(new); /* rename() of two links to one file does nothing */
}

/* Names that are no longer there. */
static void tree_prune(const char *path, const char *rest)
{
	char tree[PATH], folder[2 * PATH], there[PATH + 320];
	struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/%s", faults_below(tree, "tree", 0), rest);
	dir = opendir(folder);
	while (dir && (entry = readdir(dir))) {
		snprintf(there, sizeof(there), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] != '.' && access(there, F_OK))
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

static void sync_folder(const char *path, const char *rest)
{
	char tree[PATH];
	struct dirent *entry;
	DIR *dir = opendir(path);

	mkdir(faults_below(tree, "tree", 0), 0700);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && (*rest || !strncmp(entry->d_name, "rspb", 4)))
			tree_put(path, entry->d_name);
	if (dir)
		closedir(dir);
	tree_prune(path, rest);
}

void faults_disk_synced(int fd, const char *path, const char *rest)
{
	struct stat st;

	pthread_mutex_lock(&lock);
	faults_inside = true;
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode))
		sync_folder(path, rest);
	else
		sync_file(fd, path);
	faults_inside = false;
	pthread_mutex_unlock(&lock);
}

void faults_disk_dropped(int fd)
{
	struct dirty *d;
	struct stat st;

	pthread_mutex_lock(&lock);
	d = fstat(fd, &st) ? NULL : find_or_add(fd, st.st_ino);
	if (d)
		d->from = d->to = 0;
	pthread_mutex_unlock(&lock);
}
