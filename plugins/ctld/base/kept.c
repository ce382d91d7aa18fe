/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the settings in force beside Slurm's state and reads them back. It does not
 * judge them: settings.c does. */
#include "plugins/ctld/base/kept.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"

enum { LONGEST = 2 << 20 };

/* When a process began, in the kernel's ticks; 0: there is none. It stays over
 * exec(), and no later process of that number has it. */
static uint64_t began(long pid)
{
	char path[64], line[1024];
	uint64_t ticks = 0;
	const char *at;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	/* Field 22; the second is a name in brackets, with what it likes. */
	at = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		ticks = strtoull(at, NULL, 10);
	fclose(file);
	return ticks;
}

void rspb_kept_write(const char *text, const char *parameters)
{
	char path[PATH_MAX], new[PATH_MAX + 4];
	FILE *file;
	int fd;

	if (!rspb_ctld_in_state("rspb_conf", path, sizeof(path)))
		return;
	snprintf(new, sizeof(new), "%s.new", path);
	/* A link that somebody has put there is not followed. */
	unlink(new);
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	file = fdopen(fd, "w");
	if (!file) {
		close(fd);
		return;
	}
	fprintf(file, "%ld %" PRIu64 "\n%s\n%s", (long) getpid(), began(getpid()),
		parameters ? parameters : "", text);
	if (fclose(file) || rename(new, path))
		unlink(new);
}

static char *read_whole(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *text = file ? malloc(LONGEST + 1) : NULL;
	size_t length;

	if (!text) {
		if (file)
			fclose(file);
		else if (fd >= 0)
			close(fd);
		return NULL;
	}
	length = fread(text, 1, LONGEST, file);
	text[length] = '\0';
	fclose(file);
	return text;
}

/* RET what follows the first line, NULL: its writer is gone. */
static char *after_writer(char *whole)
{
	uint64_t ticks;
	long pid;
	char *end = strchr(whole, '\n');

	if (!end || sscanf(whole, "%ld %" SCNu64, &pid, &ticks) != 2 || !ticks ||
	    began(pid) != ticks)
		return NULL;
	return end + 1;
}

bool rspb_kept_read(char **text, char **parameters)
{
	char path[PATH_MAX], *whole = NULL, *line, *rest;

	*text = *parameters = NULL;
	if (rspb_ctld_in_state("rspb_conf", path, sizeof(path)))
		whole = read_whole(path);
	line = whole ? after_writer(whole) : NULL;
	rest = line ? strchr(line, '\n') : NULL;
	if (rest) {
		*parameters = strndup(line, (size_t) (rest - line));
		*text = strdup(rest + 1);
	}
	free(whole);
	return *text && *parameters;
}
