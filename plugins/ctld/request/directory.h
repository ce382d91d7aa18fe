/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name service, which may be a network away: each call waits for it. For the
 * thread of users.c alone. */
#ifndef RSPB_CTLD_REQUEST_DIRECTORY_H
#define RSPB_CTLD_REQUEST_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* RET 0, or -1: there is no such group, or it could not be asked, which *failed says. */
int rspb_directory_group(const char *name, gid_t *id, bool *failed);
/* A user's name for the caller to free, and own group. RET NULL: none, or it could
 * not be asked, which *failed says. */
char *rspb_directory_user(uint32_t user, gid_t *own, bool *failed);
/* RET the groups of a user of that name for the caller to free, *n of them; NULL:
 * out of memory. */
gid_t *rspb_directory_groups(const char *name, gid_t own, int *n);

#endif
