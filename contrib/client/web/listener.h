/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the server listens: a socket that its user alone can open, or loopback. */
#ifndef RSPB_CLIENT_LISTENER_H
#define RSPB_CLIENT_LISTENER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "common/base/err.h"

enum { RSPB_LISTENER_PATH = sizeof(((struct sockaddr_un *) 0)->sun_path) };

struct rspb_listener {
	int fd;
	uint16_t port;		       /* of loopback, 0: a socket */
	char path[RSPB_LISTENER_PATH]; /* of the socket, "": none */
	char own[RSPB_LISTENER_PATH];  /* a directory to remove, "": none */
	bool is_open;		       /* for processes of other users, too */
};

/* Listen on a socket of mode 0600, or 0666 if it is open; path NULL: in the user's runtime
 * directory. RET 0, or -1 with err. */
int rspb_listener_socket(struct rspb_listener *listener, const char *path, bool is_open,
			 struct rspb_err *err);
/* Listen on a port of 127.0.0.1, 0: any that is free. RET 0, or -1 with err. */
int rspb_listener_port(struct rspb_listener *listener, uint16_t port, struct rspb_err *err);
/* Write the token into PATH.token, for programs of the same user. RET 0, or -1 with err. */
int rspb_listener_put_token(const struct rspb_listener *listener, const char *token,
			    struct rspb_err *err);
/* Remove the socket, the file of the token and a directory that was made. The one
 * that closes fd is the server. */
void rspb_listener_remove(const struct rspb_listener *listener);
/* Whether the other end of a connection is a process of this user. */
bool rspb_listener_is_own(const struct rspb_listener *listener, int fd);

#endif
