/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads, writes and replaces small files as wholes. What is in them is not looked at. */
#include "plugins/spank/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int rspb_path(char path[RSPB_PATH], struct rspb_err *err, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(path, RSPB_PATH, fmt, ap);
	va_end(ap);
	/* A path that was cut could be that of another file. */
	if (n < 0 || n >= RSPB_PATH)
		return rspb_fail(err,
				 "%.200s...: a path of %d characters, at "
				 "most %d are allowed",
				 path, n, RSPB_PATH - 1);
	return 0;
}

static int fail_errno(struct rspb_err *err, const char *doing, const char *path)
{
	return rspb_fail(err, "%s %s: %s", doing, path, strerror(errno));
}

int rspb_file_read(const char *path, char *buf, size_t size, struct rspb_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got;

	if (fd < 0)
		return fail_errno(err, "opening", path);
	/* The kernel may hand out its files in pieces. */
	while ((got = read(fd, buf + n, size - 1 - n)) > 0)
		n += (size_t) got;
	if (got < 0)
		fail_errno(err, "reading", path);
	close(fd);
	buf[n] = '\0';
	return got < 0 ? -1 : (int) n;
}

/* Write a text by a single call. RET 0, or -1 with err; a new file may be incomplete then. */
static int put(const char *path, int flags, const char *text, struct rspb_err *err)
{
	size_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0600);
	ssize_t put;

	if (fd < 0)
		return fail_errno(err, "opening", path);
	/* A short write sets no errno: the disk is full then. */
	errno = 0;
	put = write(fd, text, len);
	if (put != (ssize_t) len) {
		errno = errno ? errno : ENOSPC;
		fail_errno(err, "writing", path);
	}
	close(fd);
	return put == (ssize_t) len ? 0 : -1;
}

int rspb_file_put(const char *path, struct rspb_err *err, const char *fmt, ...)
{
	char text[RSPB_PATH];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return put(path, 0, text, err);
}

int rspb_file_replace(const char *path, const char *text, struct rspb_err *err)
{
	char fresh[RSPB_PATH];

	if (rspb_path(fresh, err, "%s.new", path))
		return -1;
	/* A process that died may have left the file, which O_EXCL would refuse. */
	unlink(fresh);
	if (put(fresh, O_CREAT | O_EXCL | O_NOFOLLOW, text, err)) {
		unlink(fresh);
		return -1;
	}
	if (rename(fresh, path)) {
		fail_errno(err, "renaming to", path);
		unlink(fresh);
		return -1;
	}
	return 0;
}

int rspb_folder_make(const char *path, unsigned int mode, struct rspb_err *err)
{
	if (mkdir(path, mode) && errno != EEXIST)
		return fail_errno(err, "making", path);
	return 0;
}

bool rspb_file_exists(const char *path)
{
	return !access(path, F_OK);
}

/* A job's number from a name that is one, with what comes before it; else 0. */
static uint32_t job_number(const char *name, const char *before)
{
	size_t len = strlen(before);
	unsigned long n;
	char *end;

	if (strncmp(name, before, len) || name[len] < '1' || name[len] > '9')
		return 0;
	n = strtoul(name + len, &end, 10);
	return *end || n > UINT32_MAX ? 0 : (uint32_t) n;
}

void rspb_folder_each_job(const char *folder, const char *before,
			  void (*f)(void *arg, uint32_t job), void *arg)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	uint32_t job;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if ((job = job_number(entry->d_name, before)))
			f(arg, job);
	closedir(dir);
}
