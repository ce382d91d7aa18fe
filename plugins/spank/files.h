/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small files, read and written whole: those of the kernel's control groups
 * and our own state. All functions: RET 0 (or what they say), or -1 with a
 * sentence that names the file and the reason.
 */
#ifndef RSPB_PLUGINS_SPANK_FILES_H
#define RSPB_PLUGINS_SPANK_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

enum { RSPB_PATH = 512 };

/* Put together a path. -1 when it does not fit into RSPB_PATH. */
int rspb_path(char path[RSPB_PATH], struct rspb_err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Up to size - 1 bytes, ended by '\0'. RET their number. */
int rspb_file_read(const char *path, char *buf, size_t size, struct rspb_err *err);
/* Into an existing file, in one write(), as the kernel's files want it. */
int rspb_file_put(const char *path, struct rspb_err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A new file (mode 0600) in place of an old one: readers see one or the
 * other, also when the disk fills up half way. */
int rspb_file_replace(const char *path, const char *text, struct rspb_err *err);
/* A folder, which may exist already. */
int rspb_folder_make(const char *path, unsigned int mode, struct rspb_err *err);
bool rspb_file_exists(const char *path);

/* Call f for each job by whose number something in a folder is named, with
 * `before` before it. */
void rspb_folder_each_job(const char *folder, const char *before,
			  void (*f)(void *arg, uint32_t job), void *arg);

#endif
