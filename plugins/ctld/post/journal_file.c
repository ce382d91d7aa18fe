/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/post/journal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long a pipe or the like may keep a line waiting. */
enum { WRITABLE_MS = 1000, WRITABLE_TRIES = 10 };

static int fail(const char *path, struct rspb_err *err)
{
	return rspb_fail(err, "JournalFile=%s: %s", path,
			 errno == ELOOP ? "it is a symbolic link; allowed is "
					  "a file"
					: strerror(errno));
}

void rspb_journal_file_close(struct rspb_journal_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

/* Whoever was killed while it wrote has left half a line. */
static bool ends_torn(int fd, off_t size)
{
	char last = '\n';

	return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* Nobody but its owner may read what users booked. */
static int keep_private(int fd, const struct stat *st, const char *path,
			struct rspb_err *err)
{
	if (!S_ISREG(st->st_mode))
		return 0;
	if (st->st_uid != geteuid())
		return rspb_fail(err,
				 "JournalFile=%s: it belongs to uid %u; "
				 "allowed is a file of SlurmUser, uid %u",
				 path, (unsigned int) st->st_uid,
				 (unsigned int) geteuid());
	if ((st->st_mode & 07777) != 0600 && fchmod(fd, 0600))
		return fail(path, err);
	return 0;
}

int rspb_journal_file_open(struct rspb_journal_file *file, const char *path,
			   struct rspb_err *err)
{
	struct stat st;
	int fd;

	rspb_journal_file_close(file);
	snprintf(file->path, sizeof(file->path), "%s", path);
	fd = open(path,
		  O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
			  O_NONBLOCK | O_NOCTTY,
		  0600);
	if (fd < 0)
		return fail(path, err);
	if (fstat(fd, &st)) {
		fail(path, err);
		close(fd);
		return -1;
	}
	if (keep_private(fd, &st, path, err)) {
		close(fd);
		return -1;
	}
	file->fd = fd;
	file->dev = st.st_dev;
	file->ino = st.st_ino;
	file->torn = S_ISREG(st.st_mode) && ends_torn(fd, st.st_size);
	return 0;
}

bool rspb_journal_file_moved(const struct rspb_journal_file *file)
{
	struct stat st;

	if (file->fd < 0)
		return false;
	return stat(file->path, &st) || st.st_dev != file->dev ||
	       st.st_ino != file->ino;
}

/* RET how many bytes were written; fewer than length with errno. */
static size_t write_all(int fd, const char *text, size_t length)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };
	size_t done = 0;
	int tries = 0;

	while (done < length) {
		ssize_t n = write(fd, text + done, length - done);

		if (n > 0)
			done += (size_t) n;
		else if (n < 0 && errno == EAGAIN && tries++ < WRITABLE_TRIES)
			poll(&wait, 1, WRITABLE_MS);
		else if (n == 0 || errno != EINTR)
			break;
	}
	return done;
}

int rspb_journal_file_write(struct rspb_journal_file *file, const char *text,
			    size_t length, struct rspb_err *err)
{
	struct stat st = { .st_size = 0 };
	size_t done;
	int why;

	if (file->torn && write_all(file->fd, "\n", 1) != 1)
		return fail(file->path, err);
	file->torn = false;
	fstat(file->fd, &st);
	done = write_all(file->fd, text, length);
	if (done == length)
		return 0;
	why = errno;
	file->torn = done &&
		     (!S_ISREG(st.st_mode) || ftruncate(file->fd, st.st_size));
	errno = why;
	return fail(file->path, err);
}
