/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LD_PRELOAD for a slurmctld under test: faults of the disk below
 * StateSaveLocation, for files whose names begin with "rspb", and what a power
 * cut would leave of them.
 *
 * RSPB_FAULTS_STATE	StateSaveLocation, as an absolute path without links
 * RSPB_FAULTS		a folder on the same file system:
 *   control	"MODE PERCENT", read at each call; MODE is none, short, eio,
 *		enospc, erofs or fsync
 *   struck	one byte for each fault that was dealt
 *   tree/	what is on the disk: files as their last fsync() left them,
 *		under the names that the last fsync() of their folder found. A
 *		power cut is: this in place of what stands there.
 *   data.N	contents of inode N, hold.N: a link that keeps its number
 *
 * A failed fsync() drops what was written before it, as Linux does: only what
 * is written anew comes to the disk with the next one. Writes by mmap() are not
 * seen.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/crash/faults.h"

_Thread_local bool faults_inside;

char *faults_below(char *out, const char *name, unsigned long number)
{
	if (number)
		snprintf(out, PATH, "%s/%s.%lu", getenv("RSPB_FAULTS"), name, number);
	else
		snprintf(out, PATH, "%s/%s", getenv("RSPB_FAULTS"), name);
	return out;
}

static const char *state(void)
{
	const char *at = getenv("RSPB_FAULTS_STATE");

	return at && getenv("RSPB_FAULTS") && !faults_inside ? at : NULL;
}

/* The part of a path below StateSaveLocation, "" for itself; NULL: not ours. */
static const char *part(const char *path)
{
	const char *top = state();
	size_t n = top ? strlen(top) : 0;

	if (!top || !path || strncmp(path, top, n))
		return NULL;
	if (!path[n])
		return "";
	return strncmp(path + n, "/rspb", 5) ? NULL : path + n + 1;
}

/* Likewise of an open file, whose path is put into out. */
static const char *part_of(int fd, char out[PATH])
{
	char link[64];
	ssize_t n;

	if (!state())
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, out, PATH_MAX);
	if (n <= 0)
		return NULL;
	out[n] = '\0';
	return part(out);
}

static int said_no(int error)
{
	char path[PATH];
	long fd = syscall(SYS_openat, AT_FDCWD, faults_below(path, "struck", 0),
			  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd >= 0) {
		if (syscall(SYS_write, (int) fd, "x", (size_t) 1) != 1)
			error = EIO;
		syscall(SYS_close, (int) fd);
	}
	errno = error;
	return error;
}

/* Whether a mode is on, and it is its turn. */
static bool struck(const char *mode)
{
	char path[PATH], text[64] = "", word[32] = "";
	static unsigned int seed = 1;
	int percent = 0;
	long fd = syscall(SYS_openat, AT_FDCWD, faults_below(path, "control", 0),
			  O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return false;
	syscall(SYS_read, (int) fd, text, sizeof(text) - 1);
	syscall(SYS_close, (int) fd);
	return sscanf(text, "%31s %d", word, &percent) == 2 && !strcmp(word, mode) &&
	       (int) (rand_r(&seed) % 100) < percent;
}

/* RET an error for what changes names or opens to write, 0: none. */
static int refusal(bool grows)
{
	if (struck("erofs"))
		return said_no(EROFS);
	if (grows && struck("enospc"))
		return said_no(ENOSPC);
	return struck("eio") ? said_no(EIO) : 0;
}

/* RET how much of n bytes may be written, -1: none, with errno. */
static ssize_t allowed(size_t n)
{
	int error = 0;

	if (struck("erofs"))
		error = EROFS;
	else if (struck("eio"))
		error = EIO;
	else if (struck("enospc"))
		error = n % 2 ? ENOSPC : 0;
	else if (!struck("short"))
		return (ssize_t) n;
	said_no(error);
	return error ? -1 : (ssize_t) (n > 1 ? n / 2 : n);
}

static int do_sync(int fd, long number)
{
	char path[PATH];
	const char *rest = part_of(fd, path);
	int rc;

	if (rest && (struck("fsync") || struck("erofs"))) {
		faults_disk_dropped(fd);
		said_no(EIO);
		return -1;
	}
	rc = (int) syscall(number, fd);
	if (rest && !rc)
		faults_disk_synced(fd, path, rest);
	return rc;
}

/* --- the calls ------------------------------------------------------------ */

int fsync(int fd)
{
	return do_sync(fd, SYS_fsync);
}

int fdatasync(int fd)
{
	return do_sync(fd, SYS_fdatasync);
}

/* at < 0: where the file stands. */
static ssize_t do_write(int fd, const void *data, size_t n, off_t at)
{
	char path[PATH];
	const char *rest = part_of(fd, path);
	off_t from = at;
	ssize_t most = rest ? allowed(n) : (ssize_t) n, done;

	if (most < 0)
		return -1;
	if (rest && at < 0)
		from = lseek(fd, 0, fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
	done = at < 0 ? syscall(SYS_write, fd, data, (size_t) most)
		      : syscall(SYS_pwrite64, fd, data, (size_t) most, at);
	if (rest)
		faults_disk_written(fd, from, done);
	return done;
}

ssize_t write(int fd, const void *data, size_t n)
{
	return do_write(fd, data, n, -1);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
	return do_write(fd, data, n, at);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
	return do_write(fd, data, n, at);
}

/* One piece of it: fewer bytes than asked for are no error. */
ssize_t writev(int fd, const struct iovec *piece, int n)
{
	char path[PATH];

	if (!part_of(fd, path))
		return syscall(SYS_writev, fd, piece, n);
	while (n > 1 && !piece->iov_len)
		piece++, n--;
	return n > 0 ? do_write(fd, piece->iov_base, piece->iov_len, -1) : 0;
}

static int do_open(int at, const char *path, int flags, mode_t mode)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;

	if (writes && part(path) && refusal(flags & O_CREAT))
		return -1;
	return (int) syscall(SYS_openat, at, path, flags, mode);
}

static mode_t mode_of(int flags, va_list *more)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(*more, mode_t) : 0;
}

#define OPEN(name, parameters, at)                                                                 \
	int name parameters                                                                        \
	{                                                                                          \
		va_list more;                                                                      \
		mode_t mode;                                                                       \
                                                                                                   \
		va_start(more, flags);                                                             \
		mode = mode_of(flags, &more);                                                      \
		va_end(more);                                                                      \
		return do_open(at, path, flags, mode);                                             \
	}
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

int rename(const char *from, const char *to)
{
	if ((part(from) || part(to)) && refusal(true))
		return -1;
	return (int) syscall(SYS_rename, from, to);
}

int unlink(const char *path)
{
	if (part(path) && refusal(false))
		return -1;
	return (int) syscall(SYS_unlink, path);
}

int ftruncate(int fd, off_t size)
{
	char path[PATH];

	if (part_of(fd, path) && refusal(false))
		return -1;
	return (int) syscall(SYS_ftruncate, fd, size);
}
