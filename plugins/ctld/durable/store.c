/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/durable/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/wire/seal.h"

static int fail(const char *path, struct rspb_err *err)
{
	return rspb_fail(err, "%s: %s", path, strerror(errno));
}

void rspb_store_close(struct rspb_store *store)
{
	if (store->fd >= 0)
		close(store->fd);
	store->fd = -1;
}

/* --- reading --------------------------------------------------------------- */

/* RET 0 with all of it (the caller frees *text), or -1 with errno. */
static int read_all(int fd, char **text, size_t *length)
{
	struct stat st;
	ssize_t got = 1;

	*text = NULL;
	*length = 0;
	if (fstat(fd, &st))
		return -1;
	*text = malloc((size_t) st.st_size + 1);
	while (*text && got && *length < (size_t) st.st_size) {
		got = read(fd, *text + *length, (size_t) st.st_size - *length);
		if (got < 0 && errno != EINTR)
			return -1;
		*length += got > 0 ? (size_t) got : 0;
	}
	return *text ? 0 : -1;
}

/* RET 1: a first line, 0: another, -1 with err: of a version not known. */
static int look_for_version(const char *line, size_t length,
			    struct rspb_err *err)
{
	static const char key[] = "\"journal\":{\"version\":";
	const char *at = memmem(line, length < 64 ? length : 64, key,
				sizeof(key) - 1);
	long version;

	if (!at)
		return 0;
	version = strtol(at + sizeof(key) - 1, NULL, 10);
	if (version == RSPB_STORE_VERSION)
		return 1;
	return rspb_fail(err,
			 "it is of version %ld; allowed is %d: take it away, "
			 "or go back to the release that wrote it",
			 version, RSPB_STORE_VERSION);
}

struct reading {
	void (*take)(void *arg, const char *line, size_t length);
	void *arg;
	struct rspb_store_found *found;
};

/* RET 0, or -1 with err. */
static int take_line(struct reading *to, const char *line, size_t length,
		     int64_t at, struct rspb_err *err)
{
	int first;

	if (rspb_seal_check(line, length) != 1) {
		if (!to->found->broken++)
			to->found->broken_at = at;
		return 0;
	}
	first = look_for_version(line, length, err);
	if (first < 0)
		return -1;
	to->found->lines++;
	if (!first)
		to->take(to->arg, line, length);
	return 0;
}

/* Broken lines with nothing good behind them are a torn end, too. */
static int take_lines(struct reading *to, const char *text, size_t length,
		      struct rspb_err *err)
{
	size_t at = 0, good = 0, before = 0;
	int rc = 0;

	while (at < length && !rc) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t lines = to->found->lines;

		if (!end)
			break;
		rc = take_line(to, text + at, (size_t) (end - text) - at,
			       (int64_t) at, err);
		at = (size_t) (end - text) + 1;
		if (to->found->lines > lines) {
			good = at;
			before = to->found->broken;
		}
	}
	to->found->broken = before;
	to->found->torn_bytes = (int64_t) (length - good);
	return rc;
}

int rspb_store_load(struct rspb_store *store, const char *path,
		    void (*take)(void *arg, const char *line, size_t length),
		    void *arg, struct rspb_store_found *found,
		    struct rspb_err *err)
{
	struct reading to = { .take = take, .arg = arg, .found = found };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), rc;
	size_t length;
	char *text;

	memset(found, 0, sizeof(*found));
	rspb_store_close(store);
	store->size = 0;
	snprintf(store->path, sizeof(store->path), "%s", path);
	if (fd < 0)
		return errno == ENOENT ? 0 : fail(path, err);
	found->any = true;
	rc = read_all(fd, &text, &length) ? fail(path, err)
					  : take_lines(&to, text, length, err);
	if (rc)
		rspb_fail_at(err, "%s", path);
	free(text);
	close(fd);
	return rc;
}

/* --- writing --------------------------------------------------------------- */

static int write_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t n = write(fd, text, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : ENOSPC;
			return -1;
		}
		text += n;
		length -= (size_t) n;
	}
	return 0;
}

/* The names in the folder of that file are on the disk. */
static int sync_folder(const char *path)
{
	char folder[PATH_MAX];
	char *slash;
	int fd, rc;

	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	if (!slash)
		return 0;
	*slash = '\0';
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	rc = fsync(fd);
	close(fd);
	return rc;
}

/* RET the length of a first line in text. */
static size_t first_line(char *text, size_t size, int64_t now)
{
	int length = snprintf(text, size,
			      "{\"at\":%" PRId64
			      ",\"journal\":{\"version\":%d}}",
			      now, RSPB_STORE_VERSION);
	size_t sealed = rspb_seal_close(text, (size_t) length);

	text[sealed] = '\n';
	return sealed + 1;
}

int rspb_store_replace(struct rspb_store *store, const char *lines,
		       size_t length, int64_t now, struct rspb_err *err)
{
	char new[PATH_MAX + 8], first[128];
	size_t first_length = first_line(first, sizeof(first), now);
	int fd;

	rspb_store_close(store);
	snprintf(new, sizeof(new), "%s.new", store->path);
	/* Whatever is there was never finished. */
	unlink(new);
	fd = open(new,
		  O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC |
			  O_NOFOLLOW,
		  0600);
	if (fd < 0)
		return fail(new, err);
	if (write_all(fd, first, first_length) ||
	    write_all(fd, lines, length) || fsync(fd) ||
	    rename(new, store->path) || sync_folder(store->path)) {
		fail(store->path, err);
		close(fd);
		unlink(new);
		return -1;
	}
	store->fd = fd;
	store->size = (int64_t) (first_length + length);
	return 0;
}

int rspb_store_append(struct rspb_store *store, const char *lines,
		      size_t length, struct rspb_err *err)
{
	struct stat st;

	if (store->fd < 0)
		return rspb_fail(err, "%s: it is not open", store->path);
	/* Taken away, or another one put there. */
	if (fstat(store->fd, &st) || !st.st_nlink ||
	    st.st_size != store->size) {
		rspb_store_close(store);
		return rspb_fail(err, "%s: somebody else has changed it",
				 store->path);
	}
	/* After a sync that failed the kernel may take pages for written that
	 * are not: the file is not used any more. What nobody is told is taken
	 * out of it, as far as that can be had. */
	if (write_all(store->fd, lines, length) || fdatasync(store->fd)) {
		fail(store->path, err);
		if (ftruncate(store->fd, store->size))
			rspb_fail(err, "%.250s; part of it may stay",
				  err->text);
		rspb_store_close(store);
		return -1;
	}
	store->size += (int64_t) length;
	return 0;
}
