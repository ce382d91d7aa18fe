/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the last slurmctld has left in rspb.journal: read() is for the thread that has the
 * file, while Slurm reads its own ones. Promises are in the table (promise.h) when it has come
 * back; nobody may use that, or anything else here, before. For one thread at a time. */
#ifndef RSPB_CTLD_RECORD_LEFT_H
#define RSPB_CTLD_RECORD_LEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/base/err.h"
#include "plugins/ctld/record/store.h"

/* Others' records, kept for as long as they say. */
struct rspb_durable_kind {
	const char *name;
	/* The file is about to be read, again maybe; NULL: nothing to do. */
	void (*reset)(void);
	/* Take one that was found in the file. */
	void (*take)(struct json_object *value, int64_t now);
	/* All that still count, each by rspb_durable_note(). */
	void (*tell)(int64_t now);
};

struct rspb_left {
	struct rspb_store store; /* where it is */
	struct rspb_store_found found;
	char refused[RSPB_ERR_TEXT]; /* why it is left alone; "" */
	int64_t at;		     /* when somebody of us had looked last, as it says; 0 */
	bool short_of_memory;	     /* something of it is missing */
};

/* Begin to read; kinds: the kinds of others, ended by NULL, or NULL. RET the highest number of a
 * job in it, 0: none. */
uint32_t rspb_left_begin(const struct rspb_durable_kind *const *kinds, int64_t now);
/* Read the file, after begin(). */
void rspb_left_read(void);
/* Call after read(): give each kind its records. RET the findings, which are kept until
 * forget(). */
const struct rspb_left *rspb_left_found(void);
/* The same, and read it again, the table anew, unless it was read within a minute and
 * nobody has written since. */
const struct rspb_left *rspb_left_now(int64_t now);
/* Its lines as they are, but for the first: malloc'ed, the caller frees them. NULL: it
 * was damaged or is another, what counts is much less than that, or there is no memory. */
char *rspb_left_lines(size_t *length);
/* Free everything; the table of promises is empty then. */
void rspb_left_forget(void);

#endif
