/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/web/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACKLOG = 32 };

/* RET 0 if path is a directory that nobody else can enter, made if it is missing. */
static int use_directory(const char *path, struct rspb_err *err)
{
	struct stat at;

	if (mkdir(path, 0700) && errno != EEXIST)
		return rspb_fail(err, "%s cannot be made: %s", path, strerror(errno));
	if (lstat(path, &at) || !S_ISDIR(at.st_mode) || at.st_uid != geteuid() ||
	    (at.st_mode & 077))
		return rspb_fail(err, "%s is not a directory of yours with mode 0700", path);
	return 0;
}

/* Choose a name in the runtime directory, or in a new directory where there is none. */
static int choose_path(struct rspb_listener *listener, struct rspb_err *err)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char folder[RSPB_LISTENER_PATH];
	int n;

	if (runtime && *runtime) {
		n = snprintf(folder, sizeof(folder), "%s/rspb", runtime);
		if (n >= (int) sizeof(folder))
			return rspb_fail(err, "XDG_RUNTIME_DIR is too long; use --socket=PATH");
		if (use_directory(folder, err))
			return -1;
	} else {
		strcpy(folder, "/tmp/rspb-XXXXXX");
		if (!mkdtemp(folder))
			return rspb_fail(err, "/tmp: %s", strerror(errno));
		strcpy(listener->own, folder);
	}
	n = snprintf(listener->path, sizeof(listener->path), "%s/web.sock", folder);
	return n < (int) sizeof(listener->path)
		       ? 0
		       : rspb_fail(err, "%s is too long; use --socket=PATH", folder);
}

/* Bind with the right mode from the first moment. */
static int bind_path(struct rspb_listener *listener, struct rspb_err *err)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct stat old;
	mode_t mask;
	int rc;

	strcpy(at.sun_path, listener->path);
	if (!lstat(listener->path, &old) && (!S_ISSOCK(old.st_mode) || old.st_uid != geteuid()))
		return rspb_fail(err, "%s exists and is not a socket of yours", listener->path);
	listener->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener->fd >= 0 && !connect(listener->fd, (struct sockaddr *) &at, sizeof(at))) {
		close(listener->fd);
		return rspb_fail(err, "another rspb web already listens on %s", listener->path);
	}
	unlink(listener->path);
	mask = umask(listener->is_open ? 0111 : 0177);
	rc = listener->fd < 0 || bind(listener->fd, (struct sockaddr *) &at, sizeof(at)) ||
	     listen(listener->fd, BACKLOG);
	umask(mask);
	return rc ? rspb_fail(err, "%s: %s", listener->path, strerror(errno)) : 0;
}

int rspb_listener_socket(struct rspb_listener *listener, const char *path, bool is_open,
			 struct rspb_err *err)
{
	*listener = (struct rspb_listener){ .fd = -1, .is_open = is_open };
	if (!path)
		return choose_path(listener, err) ? -1 : bind_path(listener, err);
	if (strlen(path) >= sizeof(listener->path))
		return rspb_fail(err, "--socket=%.80s: at most %zu bytes", path,
				 sizeof(listener->path) - 1);
	strcpy(listener->path, path);
	return bind_path(listener, err);
}

int rspb_listener_port(struct rspb_listener *listener, uint16_t port, struct rspb_err *err)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port) };
	socklen_t size = sizeof(at);
	int yes = 1;

	*listener = (struct rspb_listener){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener->fd < 0 ||
	    setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    bind(listener->fd, (struct sockaddr *) &at, sizeof(at)) ||
	    listen(listener->fd, BACKLOG) ||
	    getsockname(listener->fd, (struct sockaddr *) &at, &size))
		return rspb_fail(err, "port %d of 127.0.0.1: %s", port, strerror(errno));
	listener->port = ntohs(at.sin_port);
	return 0;
}

static void token_path(const struct rspb_listener *listener, char path[RSPB_LISTENER_PATH + 8])
{
	snprintf(path, RSPB_LISTENER_PATH + 8, "%s.token", listener->path);
}

int rspb_listener_put_token(const struct rspb_listener *listener, const char *token,
			    struct rspb_err *err)
{
	char path[RSPB_LISTENER_PATH + 8];
	int fd;

	if (!listener->path[0])
		return 0;
	token_path(listener, path);
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || dprintf(fd, "%s\n", token) < 0)
		rspb_fail(err, "%s: %s", path, strerror(errno));
	return fd < 0 || close(fd) ? -1 : 0;
}

void rspb_listener_remove(const struct rspb_listener *listener)
{
	char path[RSPB_LISTENER_PATH + 8];

	if (!listener->path[0])
		return;
	token_path(listener, path);
	unlink(path);
	unlink(listener->path);
	if (listener->own[0])
		rmdir(listener->own);
}

bool rspb_listener_is_own(const struct rspb_listener *listener, int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	/* Loopback does not tell; there the token alone counts. */
	return listener->port || listener->is_open ||
	       (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) && peer.uid == geteuid());
}
