/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that outlives slurmctld: lines of JSON, each with a seal
 * (common/wire/seal.h). What append() or replace() has said is there is on the
 * disk. Every call takes as long as the disk does: no lock may be held.
 */
#ifndef RSPB_CTLD_RECORD_STORE_H
#define RSPB_CTLD_RECORD_STORE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "common/base/err.h"

/* The version of the format, in the first line of a file:
 * {"at":S,"journal":{"version":1,"cluster":"NAME"}}. */
enum { RSPB_STORE_VERSION = 1 };
/* Bytes of a cluster's name; of the longest line, by far: what is longer is broken;
 * files that were kept aside. */
enum {
	RSPB_STORE_CLUSTER = 256,
	RSPB_STORE_LINE = 16 << 20,
	RSPB_STORE_ASIDE = 9,
	RSPB_STORE_KEPT = 1 << 30 /* bytes of files that were replaced */
};

struct rspb_store {
	char path[PATH_MAX];
	char cluster[RSPB_STORE_CLUSTER]; /* whose it is; "": anybody's */
	int fd;				  /* -1: not open to be written */
	int64_t size;			  /* bytes of whole lines */
	int64_t keep;			  /* seconds for which replaced files stay; 0: they go */
};

#define RSPB_STORE_NONE                                                                            \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Set the path of the file and the name of its cluster; an open file is closed. */
void rspb_store_name(struct rspb_store *store, const char *path, const char *cluster);

/* The findings of reading a file. */
struct rspb_store_found {
	bool any;	    /* there is a file */
	size_t lines;	    /* good ones */
	size_t broken;	    /* not as their seals say, or a first that is missing */
	int64_t broken_at;  /* where the first of them, else the end, begins, bytes */
	int64_t torn_bytes; /* at the end, behind the last good line */
	struct stat file;   /* as it was when it was opened, where there is one */
};

/* Whether what was found there is there still. */
static inline bool rspb_store_same(const struct rspb_store *store,
				   const struct rspb_store_found *found)
{
	const struct stat *was = &found->file;
	struct stat is;

	return found->any && !stat(store->path, &is) && is.st_dev == was->st_dev &&
	       is.st_ino == was->st_ino && is.st_size == was->st_size &&
	       is.st_mtim.tv_sec == was->st_mtim.tv_sec &&
	       is.st_mtim.tv_nsec == was->st_mtim.tv_nsec;
}

/*
 * Give each good line at that path, without its end, to take(); the file of a cluster
 * of that name. Nothing is written. RET 0, also where there is no file; -1 with
 * err: it can't be read, or is another cluster's, or of a version that is not
 * known, and must be left alone.
 */
int rspb_store_load(struct rspb_store *store, const char *path, const char *cluster,
		    void (*take)(void *arg, const char *line, size_t length), void *arg,
		    struct rspb_store_found *found, struct rspb_err *err);
/* Put a file of these lines, a first one added, in the place of the old one, at
 * once; which stays for `keep` as <path>-<second of its last line>. Of those that stayed
 * the oldest go when all of them have more than RSPB_STORE_KEPT bytes, or the disk is
 * full. RET 0, or -1 with err and the old one there, or the new one, of which
 * either is whole. */
int rspb_store_replace(struct rspb_store *store, const char *lines, size_t length, int64_t now,
		       struct rspb_err *err);
/* Add whole lines. RET 0; -1 with err, and only replace() is allowed from then
 * on: nobody knows what is on the disk. */
int rspb_store_append(struct rspb_store *store, const char *lines, size_t length,
		      struct rspb_err *err);
/* Keep the file that was read under another name, beside the one that replace() puts
 * in its place; of more than RSPB_STORE_ASIDE the last gives way. RET 0 with the
 * name, or -1 with err. */
int rspb_store_keep_aside(const struct rspb_store *store, char *name, size_t size,
			  struct rspb_err *err);
void rspb_store_close(struct rspb_store *store);

#endif
