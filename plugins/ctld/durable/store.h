/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that outlives slurmctld: lines of JSON, each with a seal
 * (common/wire/seal.h). What append() or replace() has said is there is on the
 * disk. Every call takes as long as the disk does: no lock may be held.
 */
#ifndef RSPB_CTLD_DURABLE_STORE_H
#define RSPB_CTLD_DURABLE_STORE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* Of the format, in the first line of a file: {"at":S,"journal":{"version":1}}.
 */
enum { RSPB_STORE_VERSION = 1 };

struct rspb_store {
	char path[PATH_MAX];
	int fd;	      /* -1: not open to be written */
	int64_t size; /* bytes of whole lines */
};

#define RSPB_STORE_NONE                                                        \
	{                                                                      \
		.fd = -1                                                       \
	}

/* What was found in a file. */
struct rspb_store_found {
	bool any;	    /* there is a file */
	size_t lines;	    /* good ones */
	size_t broken;	    /* not as their seals say */
	int64_t broken_at;  /* where the first of them begins, bytes */
	int64_t torn_bytes; /* at the end, behind the last whole line */
};

/*
 * Give each good line at that path, without its end, to take(). Nothing is
 * written. RET 0, also where there is no file; -1 with err: it can't be read,
 * or is of a version that is not known, and must be left alone.
 */
int rspb_store_load(struct rspb_store *store, const char *path,
		    void (*take)(void *arg, const char *line, size_t length),
		    void *arg, struct rspb_store_found *found,
		    struct rspb_err *err);
/* Put a file of these lines, a first one added, in the place of the old one, at
 * once. RET 0, or -1 with err and the old one there, or the new one, of which
 * either is whole. */
int rspb_store_replace(struct rspb_store *store, const char *lines,
		       size_t length, int64_t now, struct rspb_err *err);
/* Add whole lines. RET 0; -1 with err, and only replace() is allowed from then
 * on: nobody knows what is on the disk. */
int rspb_store_append(struct rspb_store *store, const char *lines,
		      size_t length, struct rspb_err *err);
void rspb_store_close(struct rspb_store *store);

#endif
