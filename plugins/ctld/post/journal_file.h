/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file a journal is in. For the writer's thread alone: every call here may
 * take as long as a disk does. */
#ifndef RSPB_CTLD_POST_JOURNAL_FILE_H
#define RSPB_CTLD_POST_JOURNAL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "common/conf/config.h"

struct rspb_journal_file {
	int fd; /* -1: none */
	char path[RSPB_CONFIG_PATH];
	dev_t dev;
	ino_t ino;
	bool torn; /* the last line in it has no end */
};

#define RSPB_JOURNAL_FILE_NONE                                                 \
	{                                                                      \
		.fd = -1                                                       \
	}

/* Open to append, make it if need be: mode 0600, ours, no symbolic link. What
 * was open before is closed. RET 0, or -1 with err and nothing open. */
int rspb_journal_file_open(struct rspb_journal_file *file, const char *path,
			   struct rspb_err *err);
void rspb_journal_file_close(struct rspb_journal_file *file);
/* Whether its path leads to another file by now, or to none. */
bool rspb_journal_file_moved(const struct rspb_journal_file *file);
/* Append whole lines. RET 0, or -1 with err; of what could not be written
 * whole nothing stays, where the file can be cut at all. */
int rspb_journal_file_write(struct rspb_journal_file *file, const char *text,
			    size_t length, struct rspb_err *err);

#endif
