/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the journal that the last slurmctld has left. Nothing is written, and no promise is judged:
 * that needs Slurm's records, which may not be there yet. */
#include "plugins/ctld/record/left.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/array.h"
#include "common/wire/json.h"
#include "common/wire/seal.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/record/promise.h"
#include "plugins/ctld/record/state.h"

enum {
	READ_S = 60,	  /* for so long what was read may count */
	FEW = 1000,	  /* lines more than count are no reason to write it anew */
	BEGINNING = 64,	  /* bytes of a line within which its kind is said */
	WINDOW = 4 << 20, /* bytes */
	/* Bytes: of what is larger malloc() does not take it, when it is freed, that the
	 * process had better keep as much for next time. */
	APART = 33 << 20
};

static bool is_named(const char *text, size_t length, const char *name)
{
	size_t n = strlen(name);

	return length > n && !memcmp(text, name, n) && text[n] == '"';
}

/* RET the object, which the caller puts back, and its time. The newest time of all lines tells
 * until when the last slurmctld was alive. */
static struct json_object *parse(const char *line, size_t length, int64_t *at)
{
	struct json_object *object = rspb_json_parse(line, length);

	*at = rspb_json_int(object, "at");
	if (*at > rspb_left->is.at)
		rspb_left->is.at = *at;
	return object;
}

/* Take a promise, or the time of a heartbeat, which has no other content. A later line replaces
 * an earlier one of the same key. */
static void take_promise(const char *line, size_t length)
{
	int64_t at;
	struct json_object *object = parse(line, length, &at), *value;
	struct rspb_promise promise;

	if (json_object_object_get_ex(object, "promise", &value) &&
	    rspb_promise_read(value, &promise)) {
		promise.at = at;
		if (rspb_promise_put(&promise))
			rspb_left->is.short_of_memory = true;
	}
	json_object_put(object);
}

/* RET NULL: no kind has this name, as with lines for replays. */
static const struct rspb_durable_kind *kind_of(const char *name, size_t length)
{
	const struct rspb_durable_kind *const *kind = rspb_left->kinds;

	while (kind && *kind && !is_named(name, length, (*kind)->name))
		kind++;
	return kind ? *kind : NULL;
}

/* RET the place where a line names its kind, with the length from there; NULL: nowhere. The
 * second member is the kind, so the line need not be parsed for this. */
static const char *name_in(const char *line, size_t *length)
{
	const char *name = memmem(line, *length, ",\"", 2);

	if (!name)
		return NULL;
	*length -= (size_t) (name + 2 - line);
	return name + 2;
}

/* Sort a line by its kind, in the writer's thread. Lines for replays are most of a file and are
 * skipped. Lines of other modules are only copied: their owners take them in the agent's
 * thread. */
static void take_line(void *arg, const char *line, size_t length)
{
	size_t rest = length;
	const char *name = name_in(line, &rest);

	(void) arg;
	/* A damaged line lies before this one, and may have replaced any promise that was read
	 * so far. */
	if (rspb_left->broken != rspb_left->is.found.broken)
		rspb_promises_doubt();
	rspb_left->broken = rspb_left->is.found.broken;
	if (name && (is_named(name, rest, "promise") || is_named(name, rest, "alive"))) {
		take_promise(line, length);
	} else if (!name || !kind_of(name, rest)) {
		rspb_left->replays = true;
	} else if (rspb_array_grow(&rspb_left->theirs, &rspb_left->room,
				   rspb_left->length + length + 1, 1)) {
		rspb_left->is.short_of_memory = true;
	} else {
		memcpy(rspb_left->theirs + rspb_left->length, line, length);
		rspb_left->length += length;
		rspb_left->theirs[rspb_left->length++] = '\n';
	}
}

void rspb_left_read(void)
{
	struct rspb_err err;

	if (!rspb_left->path[0])
		return;
	rspb_left->broken = 0;
	if (!rspb_store_load(&rspb_left->is.store, rspb_left->path, rspb_left->cluster, take_line,
			     NULL, &rspb_left->is.found, &err)) {
		/* The torn end may have replaced any promise that was read. */
		if (rspb_left->is.found.torn_bytes)
			rspb_promises_doubt();
		return;
	}
	/* Some promises may have been read before the failure. They must not count for jobs of
	 * this cluster. */
	snprintf(rspb_left->is.refused, sizeof(rspb_left->is.refused), "%s", err.text);
	rspb_promises_reset();
}

/* Give each line to its kind, in the thread that asks for what was found. Without newer lines
 * since the last call this does nothing. */
static void give_theirs(void)
{
	const char *line = rspb_left->theirs, *end;

	for (size_t n = rspb_left->length; n;
	     n = rspb_left->length - (size_t) (line - rspb_left->theirs)) {
		size_t rest;
		struct json_object *object, *value;
		const struct rspb_durable_kind *kind;
		const char *name;
		int64_t at;

		end = memchr(line, '\n', n);
		rest = (size_t) (end - line);
		object = parse(line, rest, &at);
		name = name_in(line, &rest);
		kind = kind_of(name, rest);
		if (json_object_object_get_ex(object, kind->name, &value))
			kind->take(value, rspb_left->read_at);
		json_object_put(object);
		line = end + 1;
	}
	free(rspb_left->theirs);
	rspb_left->theirs = NULL;
	rspb_left->length = rspb_left->room = 0;
}

/* RET the file to read from, and its size, 0: it is none; -1: it can't be read. */
static int open_file(int64_t *size)
{
	int fd = open(rspb_left->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	*size = 0;
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		*size = st.st_size;
	return fd;
}

/* RET the file, malloc'ed; NULL: it cannot be read. A text that is incomplete is returned, too;
 * the caller compares its length with the file's size. */
static char *whole_file(size_t *length)
{
	int64_t size;
	int fd = open_file(&size);
	char *text = size ? malloc((size_t) (size < APART ? APART : size)) : NULL;
	ssize_t got = 0;

	*length = 0;
	while (text && *length < (size_t) size &&
	       ((got = read(fd, text + *length, (size_t) size - *length)) > 0 ||
		(got < 0 && errno == EINTR)))
		*length += got > 0 ? (size_t) got : 0;
	if (fd >= 0)
		close(fd);
	return text;
}

/* The number of a job that is higher than last, of the lines that end in a text, from its
 * end on. whole: it begins with a line. RET the length of what is no such line. */
static size_t last_in(const char *text, size_t length, bool whole, uint32_t *last)
{
	static const char key[] = "\"promise\":{\"job\":";
	const char *end;

	while ((end = memrchr(text, '\n', length))) {
		char *before = memrchr(text, '\n', (size_t) (end - text));
		const char *line = before ? before + 1 : text, *number;
		size_t n = (size_t) (end - line);
		uint64_t id;

		/* The rest of this line is in the window before. */
		if (!before && !whole)
			return n + 1;
		length = (size_t) (line - text);
		number = memmem(line, n < BEGINNING ? n : BEGINNING, key, sizeof(key) - 1);
		id = number ? strtoull(number + sizeof(key) - 1, NULL, 10) : 0;
		/* The checksum is the expensive part, and only needed for a line that would
		 * raise the number. */
		if (id > *last && id <= UINT32_MAX && rspb_seal_check(line, n) == 1)
			*last = (uint32_t) id;
	}
	return 0;
}

/* RET the highest number of a job, which Slurm needs before it reads its own jobs. The file is
 * read from its end, where the highest numbers are, so that few checksums are needed. Memory
 * holds one window of the file at a time, in which any promise has room. */
static uint32_t last_job(void)
{
	char *window = malloc(WINDOW);
	int64_t end = 0;
	int fd = open_file(&end);
	uint32_t last = 0;

	while (window && end > 0) {
		size_t n = (size_t) (end < WINDOW ? end : WINDOW), kept;

		if (pread(fd, window, n, end - (int64_t) n) != (ssize_t) n)
			break;
		/* The next window ends with the line that was cut. A window without a line end
		 * is skipped as a whole. */
		kept = last_in(window, n, (int64_t) n == end, &last);
		end -= (int64_t) (kept < n ? n - kept : n);
	}
	free(window);
	if (fd >= 0)
		close(fd);
	return last;
}

/* Forget what an earlier reading left with the other kinds, and note the path. RET false: the
 * path is too long. */
static bool prepare(int64_t now)
{
	const struct rspb_durable_kind *const *kind = rspb_left->kinds;
	const struct rspb_slurm_conf conf = rspb_slurm_conf();

	rspb_left->read_at = now;
	rspb_left->is.refused[0] = '\0';
	rspb_left->replays = false;
	snprintf(rspb_left->cluster, sizeof(rspb_left->cluster), "%s",
		 conf.cluster ? conf.cluster : "");
	for (; kind && *kind; kind++)
		if ((*kind)->reset)
			(*kind)->reset();
	if (snprintf(rspb_left->path, sizeof(rspb_left->path), "%s/rspb.journal", conf.state) <
	    (int) sizeof(rspb_left->path))
		return true;
	rspb_left->path[0] = '\0';
	snprintf(rspb_left->is.refused, sizeof(rspb_left->is.refused),
		 "rspb.journal: its path is too long");
	return false;
}

uint32_t rspb_left_begin(const struct rspb_durable_kind *const *kinds, int64_t now)
{
	rspb_left->kinds = kinds;
	return prepare(now) ? last_job() : 0;
}

const struct rspb_left *rspb_left_found(void)
{
	give_theirs();
	return &rspb_left->is;
}

const struct rspb_left *rspb_left_now(int64_t now)
{
	rspb_left_found();
	/* A file that has changed since was still written by another slurmctld. */
	if (now >= rspb_left->read_at && now <= rspb_left->read_at + READ_S &&
	    rspb_store_same(&rspb_left->is.store, &rspb_left->is.found))
		return &rspb_left->is;
	rspb_promises_reset();
	if (prepare(now))
		rspb_left_read();
	return rspb_left_found();
}

/* Copying lines costs much less than making them from the table, so that a start with many
 * promises is quick. Files with lines that must not survive are excluded. */
char *rspb_left_lines(size_t *length)
{
	const struct rspb_store_found *found = &rspb_left->is.found;
	size_t count = rspb_promises_count();
	char *text, *end;

	/* A file in which few lines still count is made shorter instead. */
	if (!found->any || found->torn_bytes || found->broken || rspb_left->replays ||
	    rspb_left->is.short_of_memory || rspb_left->is.refused[0] ||
	    found->lines > count + count / 4 + FEW)
		return NULL;
	text = whole_file(length);
	/* The first line names the version; the new file gets its own. */
	end = text ? memchr(text, '\n', *length) : NULL;
	if (!end || *length != (size_t) found->file.st_size ||
	    !rspb_store_same(&rspb_left->is.store, found)) {
		free(text);
		return NULL;
	}
	*length -= (size_t) (end + 1 - text);
	memmove(text, end + 1, *length);
	return text;
}

void rspb_left_forget(void)
{
	free(rspb_left->theirs);
	memset(rspb_left, 0, sizeof(*rspb_left));
	rspb_left->is.store = (struct rspb_store) RSPB_STORE_NONE;
	rspb_promises_reset();
}
