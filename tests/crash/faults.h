/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests/crash/faults.c and faults_disk.c share. */
#ifndef RSPB_TESTS_FAULTS_H
#define RSPB_TESTS_FAULTS_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum { PATH = PATH_MAX + 64 };

/* Set while calls of this library itself are to be as they are. */
extern _Thread_local bool faults_inside;

/* NAME or NAME.NUMBER in the folder RSPB_FAULTS, in out, of PATH bytes. */
char *faults_below(char *out, const char *name, unsigned long number);

/* So many bytes were written there. */
void faults_disk_written(int fd, off_t at, ssize_t n);
/* A sync has failed: what was written before it is gone for good. */
void faults_disk_dropped(int fd);
/* It has succeeded, of a file or a folder at that path, of which rest is the part
 * below StateSaveLocation. */
void faults_disk_synced(int fd, const char *path, const char *rest);

#endif
