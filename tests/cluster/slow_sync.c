/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A disk that takes its time for rspb.journal: LD_PRELOAD; how many milliseconds each
 * fdatasync() takes stands in the file that RSPB_SYNC_MS names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long pause_ms(int fd)
{
	const char *from = getenv("RSPB_SYNC_MS");
	char link[64], path[4096];
	long ms = 0;
	ssize_t length;
	FILE *in;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	if (!from || !strstr(path, "/rspb.journal") || !(in = fopen(from, "r")))
		return 0;
	if (fscanf(in, "%ld", &ms) != 1)
		ms = 0;
	fclose(in);
	return ms;
}

int fdatasync(int fd)
{
	int (*real)(int) = (int (*)(int)) dlsym(RTLD_NEXT, "fdatasync");
	long ms = pause_ms(fd);
	const struct timespec pause = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&pause, NULL);
	return real(fd);
}
