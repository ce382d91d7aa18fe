/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the socket where the settings say. It accepts nobody. */
#include "plugins/ctld/socket/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"

void rspb_listen_read(struct rspb_listen *listen, const struct rspb_config *config)
{
	*listen = (struct rspb_listen){ .port = config->listen_port };
	rspb_ctld_auth_info(listen->auth_info, sizeof(listen->auth_info));
	if (config->listen_address[0])
		snprintf(listen->host, sizeof(listen->host), "%s", config->listen_address);
	else if (rspb_ctld_one_address() && gethostname(listen->host, sizeof(listen->host) - 1))
		listen->host[0] = '\0';
}

bool rspb_listen_same(const struct rspb_listen *a, const struct rspb_listen *b)
{
	return a->port == b->port && !strcmp(a->host, b->host);
}

static int open_one(const struct addrinfo *at)
{
	const int one = 1;
	int fd = socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (at->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (!bind(fd, at->ai_addr, at->ai_addrlen) && !listen(fd, SOMAXCONN))
		return fd;
	close(fd);
	return -1;
}

size_t rspb_listen_open(const struct rspb_listen *where, int fds[RSPB_LISTEN_MOST],
			struct rspb_err *err)
{
	struct addrinfo *list, hints = { .ai_family = AF_UNSPEC,
					 .ai_socktype = SOCK_STREAM,
					 .ai_flags = AI_PASSIVE };
	char port[16];
	size_t n = 0;
	int rc;

	if (!rspb_ctld_ipv6())
		hints.ai_family = AF_INET;
	snprintf(port, sizeof(port), "%u", where->port);
	rc = getaddrinfo(where->host[0] ? where->host : NULL, port, &hints, &list);
	if (rc)
		return rspb_fail(err, "ListenAddress=%s: %s", where->host, gai_strerror(rc)), 0;
	for (const struct addrinfo *at = list; at && n < RSPB_LISTEN_MOST; at = at->ai_next) {
		fds[n] = open_one(at);
		if (fds[n] >= 0)
			n++;
		else
			rspb_fail(err, "ListenPort=%u: %s", where->port, strerror(errno));
	}
	freeaddrinfo(list);
	return n;
}
