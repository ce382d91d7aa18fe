/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file: lines with checksums, appended or replaced as a whole. Their content does not matter
 * here, apart from the first line. */
#include "plugins/ctld/record/store.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/base/array.h"
#include "common/wire/json.h"
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

void rspb_store_name(struct rspb_store *store, const char *path, const char *cluster)
{
	rspb_store_close(store);
	store->size = 0;
	snprintf(store->path, sizeof(store->path), "%s", path);
	snprintf(store->cluster, sizeof(store->cluster), "%s", cluster);
}

/* --- reading --------------------------------------------------------------- */

/* RET the object of a first line, which the caller puts back; NULL: it is another line. The key
 * is looked for near the beginning, so that other lines need not be parsed. */
static struct json_object *first_of(const char *line, size_t length)
{
	static const char key[] = "\"journal\":{";
	struct json_object *object, *journal = NULL;

	if (!memmem(line, length < 64 ? length : 64, key, sizeof(key) - 1))
		return NULL;
	object = rspb_json_parse(line, length);
	if (json_object_object_get_ex(object, "journal", &journal))
		json_object_get(journal);
	json_object_put(object);
	return journal;
}

/* Check whether a file may be used. A StateSaveLocation that was copied from another cluster
 * must not bring its bookings. RET 0; -1 with err: the file is to be left alone. */
static int look_at_first(struct json_object *first, const char *cluster, struct rspb_err *err)
{
	struct json_object *value;
	const char *name;
	int64_t version = rspb_json_int(first, "version");

	if (version != RSPB_STORE_VERSION)
		return rspb_fail(err,
				 "it has version %" PRId64 "; allowed is %d: remove it, or use "
				 "the release that wrote it",
				 version, RSPB_STORE_VERSION);
	if (!json_object_object_get_ex(first, "cluster", &value))
		return 0; /* older ones do not say */
	name = json_object_get_string(value);
	if (name && *cluster && strcasecmp(name, cluster))
		return rspb_fail(err,
				 "it belongs to cluster %.100s, and this is %.100s: remove it, "
				 "or restore this cluster's StateSaveLocation",
				 name, cluster);
	return 0;
}

/* A file that is read line by line: no more of it is in memory than one line. */
struct reading {
	void (*take)(void *arg, const char *line, size_t length);
	void *arg;
	struct rspb_store_found *found;
	const char *cluster;
	char *text;	     /* what is not yet taken: `length` bytes, the first */
	size_t length, room; /* of which is at `at` of the file */
	int64_t at;
	bool too_long; /* the line's beginning is dropped already */
	int64_t good;  /* behind the last good line */
	size_t broken; /* lines, also those that are not before a good one */
};

/* Take a line if its checksum is right. A broken line is only counted, since later lines may be
 * good. RET 0; -1 with err: the file is not for us. */
static int take_line(struct reading *to, const char *line, size_t length, int64_t at,
		     struct rspb_err *err)
{
	struct json_object *first;
	int rc;

	if (to->too_long || rspb_seal_check(line, length) != 1) {
		to->found->broken_at = to->broken++ ? to->found->broken_at : at;
		return 0;
	}
	first = first_of(line, length);
	rc = first ? look_at_first(first, to->cluster, err) : 0;
	json_object_put(first);
	if (rc)
		return -1;
	/* The file does not begin with its first line, which was lost: nobody knows whose file
	 * it is. */
	to->broken += !first && !to->found->lines && !to->broken;
	to->found->lines++;
	to->found->broken = to->broken;
	to->good = at + (int64_t) length + 1;
	if (!first)
		to->take(to->arg, line, length);
	return 0;
}

/* Take all lines that are complete, and keep the rest for the next piece. from: the first byte
 * that was not searched yet. RET 0, or -1 with err. */
static int take_lines(struct reading *to, size_t from, struct rspb_err *err)
{
	size_t begin = 0;
	const char *end;

	while ((end = memchr(to->text + from, '\n', to->length - from))) {
		size_t at = (size_t) (end - to->text);

		if (take_line(to, to->text + begin, at - begin, to->at + (int64_t) begin, err))
			return -1;
		to->too_long = false;
		begin = from = at + 1;
	}
	/* No line of ours is that long. Damage that removed line ends must not fill the memory. */
	if (to->length - begin > RSPB_STORE_LINE) {
		to->too_long = true;
		begin = to->length;
	}
	if (begin)
		memmove(to->text, to->text + begin, to->length - begin);
	to->length -= begin;
	to->at += (int64_t) begin;
	return 0;
}

/* RET 0, or -1 with err. */
static int read_lines(struct reading *to, int fd, const char *path, struct rspb_err *err)
{
	enum { PIECE = 1 << 18 };

	for (;;) {
		size_t from = to->length;
		ssize_t got;

		if (rspb_array_grow(&to->text, &to->room, from + PIECE, 1))
			return rspb_fail(err, "%s: out of memory", path);
		got = read(fd, to->text + from, PIECE);
		if (got < 0 && errno != EINTR)
			return fail(path, err);
		if (!got)
			break;
		to->length += got > 0 ? (size_t) got : 0;
		if (take_lines(to, from, err))
			return rspb_fail_at(err, "%s", path);
	}
	/* Broken lines with no good line after them belong to the torn end. */
	to->found->torn_bytes = to->at + (int64_t) to->length - to->good;
	to->found->broken_at = to->broken ? to->found->broken_at : to->good;
	return 0;
}

/* Sync the folder of a file, since a rename is only durable once its folder is. RET 0, or -1
 * with errno. */
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

int rspb_store_load(struct rspb_store *store, const char *path, const char *cluster,
		    void (*take)(void *arg, const char *line, size_t length), void *arg,
		    struct rspb_store_found *found, struct rspb_err *err)
{
	struct reading to = { .take = take, .arg = arg, .found = found, .cluster = store->cluster };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), rc;

	memset(found, 0, sizeof(*found));
	rspb_store_name(store, path, cluster);
	if (fd < 0)
		return errno == ENOENT ? 0 : fail(path, err);
	found->any = true;
	/* A slurmctld that was killed may have written lines, or have renamed the file, and not
	 * have waited for the disk. Others act on these lines from now on, so that a power failure
	 * must not take them. If the disk fails, nothing is lost by that. */
	fsync(fd);
	sync_folder(path);
	if (fstat(fd, &found->file))
		rc = fail(path, err);
	else if (!S_ISREG(found->file.st_mode))
		rc = rspb_fail(err, "%s: it is not a file", path);
	else
		rc = read_lines(&to, fd, path, err);
	free(to.text);
	close(fd);
	return rc;
}

int rspb_store_keep_aside(const struct rspb_store *store, char *name, size_t size,
			  struct rspb_err *err)
{
	for (int i = 1; i <= RSPB_STORE_ASIDE; i++) {
		if (snprintf(name, size, "%s.damaged.%d", store->path, i) >= (int) size)
			return rspb_fail(err, "%s: the path is too long", store->path);
		/* The earliest copies stay; only the last name is used again. */
		if (i == RSPB_STORE_ASIDE)
			unlink(name);
		if (!link(store->path, name))
			return 0;
		if (errno != EEXIST)
			break;
	}
	return fail(name, err);
}

/* --- those that were replaced ------------------------------------------------- */

#define FIVE_DIGITS "[0-9][0-9][0-9][0-9][0-9]"

/* Keep the present file under a second name before the new one replaces it. A failure is
 * ignored: replays lose a file, but promises lose nothing. The name may exist if an earlier
 * replacement failed. */
static void keep_old(const struct rspb_store *store)
{
	char name[PATH_MAX + 24];
	struct stat st;

	if (!store->keep || stat(store->path, &st))
		return;
	snprintf(name, sizeof(name), "%s-%010" PRId64, store->path, (int64_t) st.st_mtime);
	if (link(store->path, name))
		return;
}

/* Remove files that are from before `since`, and the oldest if all have more than `most` bytes.
 * full: remove the oldest in any case. The names end in a second of ten digits, so that their
 * order is that of age. */
static void drop_old(const struct rspb_store *store, int64_t since, int64_t most, bool full)
{
	char pattern[PATH_MAX + 64];
	glob_t found;

	/* The pattern matches only names as keep_old() makes them. */
	snprintf(pattern, sizeof(pattern), "%s-" FIVE_DIGITS FIVE_DIGITS, store->path);
	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = found.gl_pathc; i-- > 0;) {
		const char *name = found.gl_pathv[i];
		struct stat st;

		if (!stat(name, &st))
			most -= st.st_size;
		if (most < 0 || (full && !i) ||
		    strtoll(name + strlen(store->path) + 1, NULL, 10) < since)
			unlink(name);
	}
	globfree(&found);
}

/* Called after a failed write, with its errno. Files that only replays need give way to
 * promises; the caller tries the write again later. */
static void make_room(const struct rspb_store *store)
{
	if (errno == ENOSPC || errno == EDQUOT)
		drop_old(store, 0, RSPB_STORE_KEPT, true);
}

/* --- writing --------------------------------------------------------------- */

static int write_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t n = write(fd, text, length);

		if (n < 0 && errno == EINTR)
			continue;
		/* A write of nothing would be tried for ever; it counts as a full disk. */
		if (n <= 0) {
			errno = n ? errno : ENOSPC;
			return -1;
		}
		text += n;
		length -= (size_t) n;
	}
	return 0;
}

/* RET a first line, with its end; NULL: out of memory. */
static char *first_line(const struct rspb_store *store, int64_t now)
{
	struct json_object *o = json_object_new_object();

	o = rspb_json_with(o, "version", json_object_new_int(RSPB_STORE_VERSION));
	if (store->cluster[0])
		o = rspb_json_with(o, "cluster", json_object_new_string(store->cluster));
	return rspb_json_sealed(now, "journal", o);
}

int rspb_store_replace(struct rspb_store *store, const char *lines, size_t length, int64_t now,
		       struct rspb_err *err)
{
	char new[PATH_MAX + 8], *first = first_line(store, now);
	size_t first_length = first ? strlen(first) : 0;
	bool bad;
	int fd;

	rspb_store_close(store);
	if (!first)
		return rspb_fail(err, "%s: out of memory", store->path);
	/* A reader finds either the old file or the complete new one, because the name changes
	 * last. */
	snprintf(new, sizeof(new), "%s.new", store->path);
	/* Whatever is there was never finished. */
	unlink(new);
	fd = open(new, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		free(first);
		return fail(new, err);
	}
	bad = write_all(fd, first, first_length) || write_all(fd, lines, length) || fsync(fd);
	free(first);
	/* The new file is on the disk before the old one loses its name. */
	if (!bad) {
		keep_old(store);
		bad = rename(new, store->path) || sync_folder(store->path);
	}
	if (bad) {
		fail(store->path, err);
		make_room(store);
		close(fd);
		unlink(new);
		return -1;
	}
	drop_old(store, store->keep ? now - store->keep : INT64_MAX, RSPB_STORE_KEPT, false);
	store->fd = fd;
	store->size = (int64_t) (first_length + length);
	return 0;
}

int rspb_store_append(struct rspb_store *store, const char *lines, size_t length,
		      struct rspb_err *err)
{
	struct stat st, there;

	if (store->fd < 0)
		return rspb_fail(err, "%s: it is not open", store->path);
	/* The file was removed, replaced or written by somebody else, such as a second
	 * slurmctld. Lines that were added to it might never be read. */
	if (fstat(store->fd, &st) || stat(store->path, &there) || st.st_ino != there.st_ino ||
	    st.st_dev != there.st_dev || st.st_size != store->size) {
		rspb_store_close(store);
		return rspb_fail(err, "%s: another process has changed it", store->path);
	}
	/* After a failed sync the kernel may take pages for written that are not, so the file
	 * is not used any more. Lines that nobody is told of are removed from it, as far as
	 * possible. */
	if (write_all(store->fd, lines, length) || fdatasync(store->fd)) {
		fail(store->path, err);
		make_room(store);
		if (ftruncate(store->fd, store->size))
			rspb_fail(err, "%.250s; part of it may stay", err->text);
		rspb_store_close(store);
		return -1;
	}
	store->size += (int64_t) length;
	return 0;
}
