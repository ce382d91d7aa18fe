/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the settings in force beside Slurm's state and reads them back. It does not
 * judge them: settings.c does. */
#include "plugins/ctld/base/settings.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"

/* Bytes: rspb.conf may have 1 MiB, and SchedulerParameters and the first line come in addition. */
enum { LONGEST = 2 << 20 };

/* RET when a process began, in the kernel's ticks; 0: there is no such process. The number
 * survives exec(), with which slurmctld reconfigures from Slurm 23.11 on. A later process with
 * the same id has another one. */
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
	/* The start time is field 22. Field 2 is the name in brackets, which may itself contain
	 * brackets and spaces, so the search begins after the last bracket. */
	at = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		ticks = strtoull(at, NULL, 10);
	fclose(file);
	return ticks;
}

/* RET false: the path is too long. */
static bool path_of(char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/rspb_conf", rspb_slurm_conf().state) < PATH_MAX;
}

void rspb_kept_write(const char *text, const char *parameters)
{
	char path[PATH_MAX], new[PATH_MAX + 4];
	FILE *file;
	int fd;

	if (!path_of(path))
		return;
	/* The text goes to a new file first, so that a crash leaves the old one whole. Nothing
	 * is synced: the file is only read while its writer still runs. */
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
	/* SchedulerParameters are one line of slurm.conf. The text of rspb.conf comes last,
	 * because it may have any number of lines. */
	fprintf(file, "%ld %" PRIu64 "\n%s\n%s", (long) getpid(), began(getpid()),
		parameters ? parameters : "", text);
	if (fclose(file) || rename(new, path))
		unlink(new);
}

/* Links, pipes and devices in place of the file must not make slurmctld follow or wait for
 * them. RET the text, cut to LONGEST, which the caller frees; NULL: none. */
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

/* RET the text after the first line; NULL: its writer does not run any more. Then slurmctld was
 * stopped in between, and the site's own settings count. */
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
	if (path_of(path))
		whole = read_whole(path);
	line = whole ? after_writer(whole) : NULL;
	/* A file that was cut before its second line end counts as none. */
	rest = line ? strchr(line, '\n') : NULL;
	if (rest) {
		*parameters = strndup(line, (size_t) (rest - line));
		*text = strdup(rest + 1);
	}
	free(whole);
	return *text && *parameters;
}
