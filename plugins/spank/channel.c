/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listens for grants, and gives them to node.c. It believes nobody but root and
 * SlurmUser, and judges no grant. */
#include "plugins/spank/node.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <slurm/spank.h>

/* Longest message that is looked at, how long to wait for the rest of one. */
enum { MESSAGE = 1024, PATIENCE_S = 2, BACKLOG = 64, FORKS_OF_DAEMON = 2 };
/* Where a connection cannot be taken (no descriptor is left, as a rule) it goes on
 * waiting, and poll() would say so again at once. */
enum { ACCEPT_AGAIN_MS = 200 };

static struct {
	struct rspb_node node;
	uid_t user;
	int listener, stop[2]; /* -1: none */
	bool running;
	int forks_left; /* until this process is the daemon; 0: is */
	pthread_t thread;
} channel = { .listener = -1, .stop = { -1, -1 } };

/* RET the user at the other end; -1, whom nobody believes, if the kernel does not say. */
static uid_t peer_of(int fd)
{
	struct ucred peer = { .uid = (uid_t) -1 };
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return (uid_t) -1;
	return peer.uid;
}

static void serve(int fd)
{
	const struct timeval patience = { .tv_sec = PATIENCE_S };
	char data[MESSAGE];
	struct rspb_err err;
	size_t len = 0;
	ssize_t got;
	int rc;

	/* Messages are served in turn: a silent sender would hold up all others. */
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	while (len < sizeof(data) && (got = read(fd, data + len, sizeof(data) - len)) > 0)
		len += (size_t) got;
	/* A message ends when its sender closes the connection. */
	rc = rspb_node_take(&channel.node, channel.user, peer_of(fd), data, len, &err);
	if (rc < 0)
		slurm_error("rspb: refused: %s", err.text);
	else
		slurm_info("rspb: %.*s%s", (int) (len - RSPB_MESSAGE_HEADER),
			   data + RSPB_MESSAGE_HEADER,
			   rc == RSPB_NODE_LATER
				   ? ": no step of that job is known here, the share is "
				     "kept for its first one"
				   : "");
}

static void *listen_to(void *arg)
{
	struct pollfd fds[] = {
		{ .fd = channel.listener, .events = POLLIN },
		{ .fd = channel.stop[0], .events = POLLIN },
	};
	int fd;

	/* This thread takes no signals, and threads inherit that. */
	rspb_reporter_start(&channel.node);
	while (poll(fds, 2, -1) >= 0 || errno == EINTR) {
		if (fds[1].revents)
			break;
		if (!fds[0].revents)
			continue;
		fd = accept4(channel.listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0) {
			if (errno != EINTR)
				poll(&fds[1], 1, ACCEPT_AGAIN_MS);
			continue;
		}
		serve(fd);
		close(fd);
	}
	rspb_reporter_stop();
	return arg;
}

/* Without any signal: they are slurmd's. */
static int start_thread(void)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&channel.thread, NULL, listen_to, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	channel.running = !rc;
	return rc;
}

/* In the child of any fork of slurmd. Only the first two make the daemon, and
 * only when nothing runs yet. */
static void after_fork(void)
{
	if (channel.forks_left && !--channel.forks_left)
		start_thread();
	else if (!channel.forks_left)
		channel.running = false;
}

static int make_socket(const char *path, uid_t user, struct rspb_err *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = -1, rc = -1;
	mode_t mask;

	if (strlen(path) >= sizeof(address.sun_path))
		return rspb_fail(err,
				 "%s: too long for a socket, at most %zu "
				 "characters are allowed",
				 path, sizeof(address.sun_path) - 1);
	strcpy(address.sun_path, path);
	unlink(path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0) {
		/* Nobody but root may connect before the socket is SlurmUser's. */
		mask = umask(0177);
		rc = bind(fd, (struct sockaddr *) &address, sizeof(address));
		umask(mask);
	}
	if (rc || chown(path, user, (gid_t) -1) || listen(fd, BACKLOG)) {
		rspb_fail(err, "listening on %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

int rspb_channel_open(const struct rspb_node *node, uid_t user, bool foreground,
		      struct rspb_err *err)
{
	char path[RSPB_PATH];

	if (channel.listener >= 0)
		return 0;
	if (rspb_path(path, err, "%s/%s/%s", node->dir, node->name, RSPB_SHARE_SOCKET))
		return -1;
	channel.listener = make_socket(path, user, err);
	if (channel.listener < 0)
		return -1;
	channel.node = *node;
	channel.user = user;
	channel.forks_left = foreground ? 0 : FORKS_OF_DAEMON;
	/* In the background after_fork() starts the thread. */
	if (!pipe2(channel.stop, O_CLOEXEC) &&
	    (foreground ? !start_thread() : !pthread_atfork(NULL, NULL, after_fork)))
		return 0;
	close(channel.listener);
	channel.listener = -1;
	unlink(path);
	return rspb_fail(err, "listening on %s: no thread could be started", path);
}

void rspb_channel_close(void)
{
	if (channel.running) {
		if (write(channel.stop[1], "", 1) == 1)
			pthread_join(channel.thread, NULL);
		channel.running = false;
	}
	if (channel.listener >= 0)
		close(channel.listener);
	channel.listener = -1;
}
