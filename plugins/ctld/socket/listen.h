/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the broker's socket is. */
#ifndef RSPB_CTLD_SOCKET_LISTEN_H
#define RSPB_CTLD_SOCKET_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"

enum {
	RSPB_LISTEN_MOST = 4,	/* addresses */
	RSPB_LISTEN_TRIES = 20, /* after which it is an error */
	RSPB_LISTEN_TEXT = RSPB_CONFIG_LIST
};

struct rspb_listen {
	uint32_t port;		     /* 0: none */
	char host[RSPB_LISTEN_TEXT]; /* "": all addresses */
	char auth_info[RSPB_LISTEN_TEXT];
	uint32_t tries;
};

/* Read where to listen, by our settings and Slurm's. */
void rspb_listen_read(struct rspb_listen *listen, const struct rspb_config *config);
bool rspb_listen_same(const struct rspb_listen *a, const struct rspb_listen *b);
/* Open the sockets, non-blocking. RET how many, 0: none, with err. */
size_t rspb_listen_open(const struct rspb_listen *listen, int fds[RSPB_LISTEN_MOST],
			struct rspb_err *err);

#endif
