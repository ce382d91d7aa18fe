/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread of the socket: it polls, lets munged judge, and passes messages on. It takes none of
 * Slurm's locks. */
#include "plugins/ctld/serve/server.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/serve/state.h"
#include "plugins/wire/credential.h"

/* Opens the sockets at the addresses of the settings. */

/* Slurm itself compares these words without regard to case. */
static bool says(const char *text, const char *word)
{
	return text && strcasestr(text, word);
}

/* Read where to listen, by our settings and Slurm's. If slurm.conf limits slurmctld to one address
 * (NoCtldInAddrAny), the socket keeps to the host's name, too. */
static void listen_read(struct rspb_listen *listen, const struct rspb_config *config)
{
	const struct rspb_slurm_conf conf = rspb_slurm_conf();

	*listen = (struct rspb_listen){ .port = config->listen_port };
	snprintf(listen->auth_info, sizeof(listen->auth_info), "%s",
		 conf.auth_info ? conf.auth_info : "");
	if (config->listen_address[0])
		snprintf(listen->host, sizeof(listen->host), "%s", config->listen_address);
	else if (says(conf.communication, "NoCtldInAddrAny") &&
		 gethostname(listen->host, sizeof(listen->host) - 1))
		listen->host[0] = '\0';
}

/* Compare the places only: after a change of other settings the open sockets are kept, and no
 * connection is refused meanwhile. */
static bool listen_same(const struct rspb_listen *a, const struct rspb_listen *b)
{
	return a->port == b->port && !strcmp(a->host, b->host);
}

/* Open one listening socket. RET the descriptor, or -1 with errno. */
static int open_one(const struct addrinfo *at)
{
	const int one = 1;
	int fd = socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	/* A slurmctld that is restarted could not bind while old connections are in TIME_WAIT. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	/* An IPv6 socket would take the IPv4 port as well, and the next address in the list would
	 * fail. */
	if (at->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (!bind(fd, at->ai_addr, at->ai_addrlen) && !listen(fd, SOMAXCONN))
		return fd;
	close(fd);
	return -1;
}

/* Open the sockets, non-blocking. RET how many, 0: none, with err. */
static size_t listen_open(const struct rspb_listen *where, int fds[RSPB_LISTEN_MOST],
			  struct rspb_err *err)
{
	struct addrinfo *list, hints = { .ai_family = AF_UNSPEC,
					 .ai_socktype = SOCK_STREAM,
					 .ai_flags = AI_PASSIVE };
	char port[16];
	size_t n = 0;
	int rc;

	if (!says(rspb_slurm_conf().communication, "EnableIPv6"))
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

enum {
	ACCEPT_MOST = 64, /* a round */
	/* If a connection cannot be accepted, as when no descriptor is left, it keeps waiting, and
	 * poll() would report it again at once. */
	ACCEPT_AGAIN_MS = 200,
	LISTEN_AGAIN_MS = 500 /* where the port is still taken */
};

static void run(void);

static struct rspb_worker worker = RSPB_WORKER("rspb-socket", run);

/* The clock never goes back, so a corrected system time ends no connection early. */
static int64_t now_ms(void)
{
	return rspb_section_clock_us() / 1000;
}

static const char *munge_socket(void)
{
	return rspb_server->munge[0] ? rspb_server->munge : NULL;
}

/* --- listening --------------------------------------------------------------- */

/* Open the sockets, or plan another try. This thread may resolve a name here; nothing of Slurm
 * waits for it. */
static void try_to_listen(int64_t now)
{
	struct rspb_err err = { "" };

	rspb_server->listen_at = INT64_MAX;
	if (!rspb_server->listen.port)
		return;
	rspb_server->n_fds = listen_open(&rspb_server->listen, rspb_server->fds, &err);
	if (rspb_server->n_fds) {
		rspb_log_info("the socket for rspb(1) listens on port %u",
			      rspb_server->listen.port);
		return;
	}
	/* The slurmctld that this one replaces may still have the port. One log entry says so, and
	 * an error follows only when it stays taken. */
	if (!rspb_server->listen.tries++)
		rspb_log_info("%s; this is tried again", err.text);
	else if (rspb_server->listen.tries == RSPB_LISTEN_TRIES)
		rspb_log_error("%s; rspb(1) cannot be used", err.text);
	rspb_server->listen_at = now + LISTEN_AGAIN_MS;
}

static void stop_listening(void)
{
	while (rspb_server->n_fds)
		close(rspb_server->fds[--rspb_server->n_fds]);
}

/* Take over new settings and a request to stop from the worker's mutex. The sockets are opened
 * after the mutex is released, as this may take long. RET false: the thread is to end. */
static bool look_at_orders(int64_t now)
{
	bool changed, stopping;

	rspb_worker_lock(&worker);
	stopping = worker.stopping;
	changed = rspb_serve->wanted.changed &&
		  !(rspb_server->n_fds &&
		    listen_same(&rspb_server->listen, &rspb_serve->wanted.listen));
	if (rspb_serve->wanted.changed)
		memcpy(rspb_server->munge, rspb_serve->wanted.munge, sizeof(rspb_server->munge));
	rspb_serve->wanted.changed = false;
	if (changed) {
		stop_listening();
		rspb_server->listen = rspb_serve->wanted.listen;
	}
	rspb_worker_unlock(&worker);
	if (!stopping && (changed || now >= rspb_server->listen_at))
		try_to_listen(now);
	return !stopping;
}

/* Accept new connections, a bounded number each round, so that a flood of them does not keep those
 * that are open from being served. */
static void accept_some(int fd, int64_t now)
{
	for (int i = 0; i < ACCEPT_MOST; i++) {
		int new = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (new < 0) {
			/* Errors of one connection say nothing about the next. */
			if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
				rspb_server->accept_at = now + ACCEPT_AGAIN_MS;
			return;
		}
		rspb_server->counts.opened++;
		rspb_lines_add(&rspb_server->lines, new, now);
	}
}

/* --- messages ---------------------------------------------------------------- */

/* Send an answer as a credential that only its user can open. If munged refuses, the connection is
 * closed, since an answer must not go out unsigned. Takes over the text. */
static void answer(struct rspb_line *line, char *text)
{
	struct rspb_err err = { "" };
	char *credential = NULL;

	if (text)
		credential = rspb_credential_make(munge_socket(), text, strlen(text), line->uid,
						  &err);
	if (text && !credential)
		rspb_log_error("socket: %s", err.text);
	free(text);
	rspb_lines_answer(&rspb_server->lines, line, credential, false, now_ms());
}

/* Write the numeric address of a connection's other end, "" if there is none. */
static void name_peer(int fd, char from[NI_MAXHOST])
{
	struct sockaddr_storage peer;
	socklen_t size = sizeof(peer);

	if (getpeername(fd, (struct sockaddr *) &peer, &size) ||
	    getnameinfo((struct sockaddr *) &peer, size, from, NI_MAXHOST, NULL, 0, NI_NUMERICHOST))
		from[0] = '\0';
}

/* Let munged say who sent a message before anything in it is read. A credential of another user on
 * the same connection is refused: the counts of a connection belong to one user. */
static void judge(struct rspb_line *line, int64_t now)
{
	struct rspb_credential credential;
	struct rspb_err err;

	if (rspb_credential_open(munge_socket(), line->frame.text, &credential, &err) ||
	    !rspb_lines_identify(&rspb_server->lines, line, credential.uid, now)) {
		rspb_log_verbose("socket: a message was refused: %s",
				 credential.text ? "too many connections" : err.text);
		free(credential.text);
		rspb_server->counts.refused++;
		rspb_lines_drop(&rspb_server->lines, line);
		return;
	}
	rspb_frame_fini(&line->frame);
	rspb_lines_hold(&rspb_server->lines, line, credential.text, credential.len);
}

/* Answer the next question, of the user whose turn it is. The processor time of the answer is
 * charged to the user, so that expensive questions of one user do not delay others for long. RET
 * when there may be another, ms. */
static int64_t ask_next(void)
{
	int64_t now = now_ms(), until = INT64_MAX, began = rspb_worker_cpu_us();
	char from[NI_MAXHOST], *question, *text;
	size_t len;
	struct rspb_line *line = rspb_lines_next(&rspb_server->lines, &question, &len, now, &until);

	if (!line)
		return until;
	rspb_server->counts.questions++;
	name_peer(line->fd, from);
	text = rspb_serve->use->asked(line->serial, line->uid, from, question, len);
	free(question);
	rspb_server_used(line->uid, rspb_worker_cpu_us() - began);
	/* Without a text, the answer comes later by rspb_server_answer(). */
	if (text)
		answer(line, text);
	return now;
}

void rspb_server_used(uint32_t uid, int64_t us)
{
	rspb_callers_use(&rspb_server->lines.callers, uid, us, now_ms());
}

int64_t rspb_server_turn(uint64_t serial)
{
	const struct rspb_line *line = rspb_lines_find(&rspb_server->lines, serial);

	return line && line->state == RSPB_LINE_WAITING
		       ? rspb_callers_credit(&rspb_server->lines.callers, line->uid, now_ms())
		       : RSPB_SERVER_GONE;
}

void rspb_server_answer(uint64_t serial, char *text)
{
	struct rspb_line *line = rspb_lines_find(&rspb_server->lines, serial);

	if (line && line->state == RSPB_LINE_WAITING)
		answer(line, text);
	else
		free(text);
}

/* --- the thread -------------------------------------------------------------- */

/* Serve what poll() has reported. The entries have the order of serve_some(): the wake-up, the
 * connections, the listening sockets. Nothing is moved in the table of connections before
 * rspb_lines_sweep(). */
static void serve(size_t n_polls, size_t n_lines)
{
	const struct pollfd *at = rspb_server->polls;
	eventfd_t count;

	if (at++->revents)
		eventfd_read(rspb_serve->wake_fd, &count);
	for (size_t i = 0; i < n_lines; i++)
		if (at[i].revents &&
		    rspb_lines_serve(&rspb_server->lines, &rspb_server->lines.items[i], now_ms()))
			judge(&rspb_server->lines.items[i], now_ms());
	at += n_lines;
	for (size_t i = 0; at < rspb_server->polls + n_polls; i++)
		if (at++->revents)
			accept_some(rspb_server->fds[i], now_ms());
}

/* Wait for work and do it. The wait ends at the earliest of all deadlines: of a connection, a
 * question's turn (next), the port, a pause in accepting, and due_us of woken(). Each wait is at
 * most an hour, as poll() takes an int. */
static void serve_some(int64_t due_us, int64_t next)
{
	int64_t now = now_ms(),
		until = rspb_server->listen_at < next ? rspb_server->listen_at : next;
	size_t n = rspb_server->lines.n, n_polls = 1 + n;

	rspb_server->polls[0] = (struct pollfd){ .fd = rspb_serve->wake_fd, .events = POLLIN };
	rspb_lines_poll(&rspb_server->lines, rspb_server->polls + 1, now, &until);
	for (size_t i = 0; i < rspb_server->n_fds && now >= rspb_server->accept_at; i++)
		rspb_server->polls[n_polls++] = (struct pollfd){ .fd = rspb_server->fds[i],
								 .events = POLLIN };
	if (now < rspb_server->accept_at && rspb_server->accept_at < until)
		until = rspb_server->accept_at;
	if (due_us / 1000 + 1 < until)
		until = due_us / 1000 + 1;
	if (until > now + 3600000)
		until = now + 3600000;
	/* After an error or a signal the entries are not valid. */
	if (poll(rspb_server->polls, n_polls, until > now ? (int) (until - now) : 0) < 0)
		for (size_t i = 0; i < n_polls; i++)
			rspb_server->polls[i].revents = 0;
	serve(n_polls, n);
}

/* The thread. Each pass polls, answers one question, lets woken() work, and closes slow
 * connections. Without memory it ends at once, and rspb(1) cannot be used. */
static void run(void)
{
	int64_t due = 0, next = INT64_MAX;

	if (rspb_lines_init(&rspb_server->lines))
		return;
	rspb_server->listen_at = INT64_MAX;
	while (look_at_orders(now_ms())) {
		serve_some(due, next);
		/* Answer a single question in each pass: a user with more credit who asks meanwhile
		 * comes before the others. */
		next = ask_next();
		due = rspb_serve->use->woken(rspb_section_clock_us());
		rspb_server->counts.slow += rspb_lines_sweep(&rspb_server->lines, now_ms());
	}
	stop_listening();
	rspb_lines_fini(&rspb_server->lines);
	rspb_serve->use->over();
}

void rspb_server_count(struct rspb_server_counts *out)
{
	*out = rspb_server->counts;
	out->open = rspb_server->lines.n;
}

/* Set the descriptor by which others wake the thread. The agent may wake it while it ends, and must
 * not write into another file that got the same number by then. */
static void set_wake_fd(int fd)
{
	rspb_worker_lock(&worker);
	if (rspb_serve->wake_fd >= 0)
		close(rspb_serve->wake_fd);
	rspb_serve->wake_fd = fd;
	rspb_worker_unlock(&worker);
}

int rspb_server_start(const struct rspb_server_use *its_use, struct rspb_err *err)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (fd < 0)
		return rspb_fail(err, "the socket: %s", strerror(errno));
	set_wake_fd(fd);
	rspb_serve->use = its_use;
	if (!rspb_worker_start(&worker, err))
		return 0;
	set_wake_fd(-1);
	return -1;
}

void rspb_server_configure(const struct rspb_config *config)
{
	struct rspb_listen listen;
	char munge[RSPB_CONFIG_PATH];

	listen_read(&listen, config);
	/* AuthInfo= of slurm.conf may name another socket of munged than the usual one. */
	if (!rspb_credential_socket(listen.auth_info, munge, sizeof(munge)))
		munge[0] = '\0';
	rspb_worker_lock(&worker);
	rspb_serve->wanted.changed = true;
	rspb_serve->wanted.listen = listen;
	memcpy(rspb_serve->wanted.munge, munge, sizeof(munge));
	rspb_worker_unlock(&worker);
	/* The thread may be in poll() for up to an hour. */
	rspb_server_hand(NULL);
}

void rspb_server_stop(void)
{
	if (!rspb_worker_ask_to_stop(&worker))
		return;
	rspb_server_hand(NULL);
	rspb_worker_join(&worker);
	set_wake_fd(-1);
}

void rspb_server_hand(struct rspb_task *task)
{
	rspb_worker_lock(&worker);
	if (task)
		rspb_queue_put(&rspb_serve->handed, &task->link);
	if (rspb_serve->wake_fd >= 0)
		eventfd_write(rspb_serve->wake_fd, 1);
	rspb_worker_unlock(&worker);
}

struct rspb_task *rspb_server_next(void)
{
	struct rspb_task *task;

	rspb_worker_lock(&worker);
	task = rspb_queue_take(&rspb_serve->handed);
	rspb_worker_unlock(&worker);
	return task;
}
