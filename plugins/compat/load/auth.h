/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text signed as Slurm signs its own messages, by the cluster's AuthType: who
 * wrote it, unchanged, for one user, good for a minute. Unlike MUNGE's, such a
 * credential can be read by who sees it, as all that Slurm sends, and is not told
 * from a copy of it. From Slurm 23.11 on; before, AuthType is MUNGE or has no room
 * for a text.
 *
 * In librspb.so for slurmctld, and alone in rspb_auth.so for rspb(1), which finds
 * these functions by name.
 */
#ifndef RSPB_PLUGINS_COMPAT_LOAD_AUTH_H
#define RSPB_PLUGINS_COMPAT_LOAD_AUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* The functions below, if the cluster's AuthType is something else than MUNGE that can sign; NULL:
 * it is not. */
struct rspb_auth_way {
	char *(*make)(const char *text, size_t len, uint32_t for_uid, struct rspb_err *err);
	int (*open)(const char *credential, uint32_t *uid, char **text, size_t *len,
		    struct rspb_err *err);
};
const struct rspb_auth_way *rspb_auth_way(void);
/* In a program that is no part of Slurm: read its configuration, load its AuthType.
 * RET 0, or -1 with err. Slurm itself ends the program without a slurm.conf. */
int rspb_auth_begin(struct rspb_err *err);
/* RET the credential of a text for that user (UINT32_MAX: any), one line,
 * malloc'ed; NULL with err. Asks Slurm's daemon on this host, but in daemons. */
char *rspb_auth_make(const char *text, size_t len, uint32_t for_uid, struct rspb_err *err);
/* RET 0 with who wrote it and what, malloc'ed, ending in a NUL; -1 with err: it
 * is not genuine, not for us, too old, or nobody is there to say so. */
int rspb_auth_open(const char *credential, uint32_t *uid, char **text, size_t *len,
		   struct rspb_err *err);

#endif
