/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines into a file of plugins/ctld/record/store.h, while its disk fails
 * (faults.c): store_writer PATH [BATCHES]. First prints "line N" of each good line
 * that was left, then "told N" when all lines below N are said to be on the
 * disk. As the journal does, it writes a new file after an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/wire/seal.h"
#include "plugins/ctld/record/store.h"

enum { LINE = 128, BATCH = 5 };

static char *all; /* lines, sealed */
static size_t length;
static int n_lines;

static void add(const char *line, size_t size)
{
	all = realloc(all, length + size + 1);
	if (!all)
		exit(2);
	memcpy(all + length, line, size);
	length += size;
	all[length++] = '\n';
}

static void take(void *arg, const char *line, size_t size)
{
	(void) arg;
	n_lines = atoi(line + strlen("{\"line\":"));
	printf("line %d\n", n_lines++);
	add(line, size);
}

static void add_next(void)
{
	char line[LINE + RSPB_SEAL_ROOM];
	int n = snprintf(line, LINE, "{\"line\":%d,\"text\":\"%0*d\"}", n_lines, n_lines % 60 + 1,
			 n_lines);

	n_lines++;
	add(line, rspb_seal_close(line, (size_t) n));
}

int main(int argc, char **argv)
{
	struct rspb_store store = RSPB_STORE_NONE;
	struct rspb_store_found found;
	struct rspb_err err;
	int more = argc > 2 ? atoi(argv[2]) : 0;

	if (argc < 2 || rspb_store_load(&store, argv[1], "", take, NULL, &found, &err))
		return 2;
	fflush(stdout);
	while (more-- > 0) {
		size_t before = length;

		for (int i = n_lines % BATCH; i < BATCH; i++)
			add_next();
		if (store.fd >= 0 ? !rspb_store_append(&store, all + before, length - before, &err)
				  : !rspb_store_replace(&store, all, length, 0, &err))
			printf("told %d\n", n_lines), fflush(stdout);
		usleep(300);
	}
	rspb_store_close(&store);
	free(all);
	return 0;
}
