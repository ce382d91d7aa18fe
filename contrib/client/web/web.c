/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb web: the calendar as a page in which its user books. It runs as that user and
 * signs as rspb does. Each connection has a thread, so that a question that waits for
 * slurmctld keeps nobody else waiting for the page.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"
#include "contrib/client/command.h"
#include "contrib/client/web/web.h"
#include "contrib/client/words.h"

#ifdef HAVE_MICROHTTPD

#include <microhttpd.h>

#include "contrib/calendar/page.h"
#include "contrib/calendar/web_text.h"
#include "contrib/client/web/gate.h"
#include "contrib/client/web/listener.h"

enum {
	BODY_MOST = 4 << 20,
	CONNECTIONS_MOST = 64,
	STALL_S = 60,
	PING_S = 20,
	LOOK_MS = 100,
	IDLE_S = 12 * 3600,
	LINE_ROOM = 96,
	BLOCK = 16384 /* of a stream; no booking is longer */
};

static const char policy[] =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
	"require-trusted-types-for 'script'";

struct server {
	struct rspb_desk desk;
	struct rspb_gate gate;
	struct rspb_listener listener;
	int64_t idle;
	atomic_bool ends;
	atomic_long used; /* when a request came last, by a monotonic clock */
	atomic_int streams;
};

/* The body of a request, as it comes. */
struct body {
	char *text;
	size_t size;
	bool too_big;
};

/* A stream of events. */
struct stream {
	struct server *server;
	int64_t serial; /* told last */
	uint64_t event; /* told last, of bookings */
	time_t told;
};

static time_t clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* --- answers --------------------------------------------------------------------- */

static enum MHD_Result send_response(struct MHD_Connection *to, unsigned int status,
				     const char *type, struct MHD_Response *response)
{
	const char *const headers[][2] = {
		{ "Cache-Control", "no-store" },
		{ "Content-Security-Policy", policy },
		{ "Content-Type", type },
		{ "Cross-Origin-Opener-Policy", "same-origin" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Referrer-Policy", "no-referrer" },
		{ "X-Accel-Buffering", "no" },
		{ "X-Content-Type-Options", "nosniff" },
	};
	enum MHD_Result rc;

	if (!response)
		return MHD_NO;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	rc = MHD_queue_response(to, status, response);
	MHD_destroy_response(response);
	return rc;
}

static enum MHD_Result send_static(struct MHD_Connection *to, const char *type, const char *text)
{
	return send_response(to, MHD_HTTP_OK, type,
			     MHD_create_response_from_buffer(strlen(text), (void *) text,
							     MHD_RESPMEM_PERSISTENT));
}

/* Send a text that is freed then. */
static enum MHD_Result send_json(struct MHD_Connection *to, unsigned int status, char *text)
{
	return text ? send_response(to, status, "application/json",
				    MHD_create_response_from_buffer(strlen(text), text,
								    MHD_RESPMEM_MUST_FREE))
		    : MHD_NO;
}

static enum MHD_Result refuse(struct MHD_Connection *to, unsigned int status, const char *error,
			      const char *why)
{
	unsigned int usual;

	return send_json(to, status, rspb_desk_refuse(error, why, &usual));
}

/* --- events ------------------------------------------------------------------------ */

static ssize_t write_event(void *arg, uint64_t at, char *to, size_t size)
{
	const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000L };
	struct stream *stream = arg;
	struct server *server = stream->server;
	char line[LINE_ROOM], *booking;
	int64_t serial;
	int n;

	(void) at;
	while (!server->ends) {
		server->used = clock_s();
		serial = rspb_desk_serial(&server->desk);
		booking = rspb_desk_next_event(&server->desk, &stream->event);
		if (booking) {
			n = snprintf(to, size, "event: booking\ndata: %s\n\n", booking);
			free(booking);
			stream->told = clock_s();
			if (n > 0 && (size_t) n < size)
				return n;
			continue;
		}
		if (serial != stream->serial)
			n = snprintf(line, sizeof(line),
				     "event: calendar\ndata: {\"serial\":%lld}\n\n",
				     (long long) serial);
		else if (clock_s() - stream->told >= PING_S)
			n = snprintf(line, sizeof(line), "event: ping\ndata: {}\n\n");
		else
			n = 0;
		if (n && (size_t) n <= size) {
			stream->serial = serial;
			stream->told = clock_s();
			memcpy(to, line, (size_t) n);
			return n;
		}
		nanosleep(&pause, NULL);
	}
	return MHD_CONTENT_READER_END_OF_STREAM;
}

static void end_stream(void *arg)
{
	struct stream *stream = arg;

	stream->server->streams--;
	free(stream);
}

static enum MHD_Result send_events(struct server *server, struct MHD_Connection *to)
{
	struct stream *stream = malloc(sizeof(*stream));
	struct MHD_Response *response;

	if (!stream)
		return MHD_NO;
	*stream = (struct stream){ server, -1, rspb_desk_last_event(&server->desk), clock_s() };
	server->streams++;
	response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, write_event, stream,
						     end_stream);
	if (!response)
		end_stream(stream);
	return send_response(to, MHD_HTTP_OK, "text/event-stream", response);
}

/* --- requests ------------------------------------------------------------------------ */

static int64_t since_of(struct MHD_Connection *from)
{
	const char *text = MHD_lookup_connection_value(from, MHD_GET_ARGUMENT_KIND, "since");
	int64_t since;

	return text && !rspb_text_whole(text, strlen(text), 0, INT64_MAX, &since, NULL) ? since
											: -1;
}

static enum MHD_Result answer_get(struct server *server, struct MHD_Connection *from,
				  const char *path)
{
	unsigned int status = 200;
	char *text;

	if (!strcmp(path, "/"))
		return send_static(from, "text/html; charset=utf-8", rspb_web_html);
	if (!strcmp(path, "/app.js"))
		return send_static(from, "text/javascript; charset=utf-8", rspb_web_js);
	if (!strcmp(path, "/app.css"))
		return send_static(from, "text/css; charset=utf-8", rspb_web_css);
	if (!strcmp(path, "/api/v1/events"))
		return send_events(server, from);
	if (!strcmp(path, "/api/v1/calendar")) {
		text = rspb_desk_calendar(&server->desk, since_of(from), &status);
		return send_json(from, status, text);
	}
	if (!strcmp(path, "/api/v1/me")) {
		text = rspb_desk_me(&server->desk, &status);
		return send_json(from, status, text);
	}
	return refuse(from, 404, "unknown", "nothing is at this address");
}

static enum MHD_Result answer_post(struct server *server, struct MHD_Connection *from,
				   const char *path, const struct body *body)
{
	static const char *const actions[] = { "ask", "submit", "cancel", "regular" };
	static const char root[] = "/api/v1/";
	unsigned int status = 200;
	char *text;

	if (body->too_big)
		return refuse(from, 413, "too-big", "the body is larger than 4 MiB");
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strncmp(path, root, sizeof(root) - 1) ||
		    strcmp(path + sizeof(root) - 1, actions[i]))
			continue;
		text = rspb_desk_act(&server->desk, actions[i], body->text ? body->text : "",
				     body->size, &status);
		return send_json(from, status, text);
	}
	return refuse(from, 404, "unknown", "nothing is at this address");
}

static enum MHD_Result add_body(struct body *body, const char *data, size_t *size)
{
	char *text;

	body->too_big |= body->size + *size > BODY_MOST;
	if (!body->too_big) {
		text = realloc(body->text, body->size + *size + 1);
		if (!text)
			return MHD_NO;
		memcpy(text + body->size, data, *size);
		body->text = text;
		body->size += *size;
		text[body->size] = '\0';
	}
	*size = 0;
	return MHD_YES;
}

static const char *header(struct MHD_Connection *of, const char *name)
{
	return MHD_lookup_connection_value(of, MHD_HEADER_KIND, name);
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *from, const char *path,
			      const char *method, const char *version, const char *data,
			      size_t *size, void **state)
{
	struct server *server = arg;
	const struct rspb_gate_request request = {
		.method = method,
		.path = path,
		.host = header(from, "Host"),
		.origin = header(from, "Origin"),
		.site = header(from, "Sec-Fetch-Site"),
		.token = header(from, "X-Rspb-Token"),
		.type = header(from, "Content-Type"),
	};
	unsigned int status;
	const char *why;

	(void) version;
	if (!*state) {
		*state = calloc(1, sizeof(struct body));
		return *state ? MHD_YES : MHD_NO;
	}
	status = rspb_gate_judge(&server->gate, &request, &why);
	if (*size && status) {
		/* The body of what is refused is not kept. */
		*size = 0;
		return MHD_YES;
	}
	if (*size)
		return add_body(*state, data, size);
	if (status)
		return refuse(from, status, status == 401 ? "token" : "denied", why);
	server->used = clock_s();
	return strcmp(method, "POST") ? answer_get(server, from, path)
				      : answer_post(server, from, path, *state);
}

static void end_request(void *arg, struct MHD_Connection *of, void **state,
			enum MHD_RequestTerminationCode how)
{
	struct body *body = *state;

	(void) arg;
	(void) of;
	(void) how;
	if (body)
		free(body->text);
	free(body);
	*state = NULL;
}

static enum MHD_Result accept_peer(void *arg, const struct sockaddr *from, socklen_t size)
{
	(void) arg;
	(void) from;
	(void) size;
	return MHD_YES;
}

/* Close a connection of another user before it is read. */
static void greet(void *arg, struct MHD_Connection *from, void **state,
		  enum MHD_ConnectionNotificationCode how)
{
	const union MHD_ConnectionInfo *info;
	struct server *server = arg;

	(void) state;
	if (how != MHD_CONNECTION_NOTIFY_STARTED)
		return;
	info = MHD_get_connection_info(from, MHD_CONNECTION_INFO_CONNECTION_FD);
	if (info && !rspb_listener_is_own(&server->listener, info->connect_fd))
		shutdown(info->connect_fd, SHUT_RDWR);
}

/* --- begin and end ---------------------------------------------------------------------- */

struct wish {
	const char *socket, *host;
	int64_t port, idle; /* -1: no port */
	bool allow_operator;
	struct rspb_desk_view view;
};

static int set(int option, void *to, struct rspb_err *err)
{
	struct wish *wish = to;

	switch (option) {
	case 's':
		wish->socket = optarg;
		break;
	case 'P':
		return rspb_words_port(optarg, &wish->port, err);
	case 'H':
		wish->host = optarg;
		break;
	case 'i':
		return rspb_words_duration(optarg, &wish->idle, err);
	case 'o':
		wish->allow_operator = true;
		break;
	case 'A':
		wish->view.anonymous = wish->view.readonly = true;
		break;
	}
	return 0;
}

static void print_address(const struct server *server)
{
	char host[256] = "LOGIN-NODE";
	int port = server->listener.port;

	if (!port) {
		port = 8765;
		if (gethostname(host, sizeof(host) - 1))
			strcpy(host, "LOGIN-NODE");
		printf("On your computer:  ssh -N -L %d:%s %s\n", port, server->listener.path,
		       host);
	}
	printf("Then open:         http://localhost:%d/%s%s\n", port,
	       server->gate.is_open ? "" : "#t=", server->gate.token);
	fflush(stdout);
}

/* Until a signal, or until nobody has asked for so long. */
static void wait_for_end(struct server *server, const sigset_t *signals)
{
	const struct timespec second = { .tv_sec = 1 };

	while (sigtimedwait(signals, NULL, &second) < 0)
		if (!server->streams && clock_s() - server->used > server->idle)
			break;
	server->ends = true;
}

static int listen_at(struct server *server, const struct wish *wish, struct rspb_err *err)
{
	struct rspb_page_pass pass;

	if (rspb_page_pass_make(&pass, err))
		return -1;
	if (!server->gate.is_open)
		strcpy(server->gate.token, pass.nonce);
	if (wish->port >= 0)
		return rspb_listener_port(&server->listener, (uint16_t) wish->port, err);
	if (rspb_listener_socket(&server->listener, wish->socket, server->gate.is_open, err))
		return -1;
	return server->gate.is_open
		       ? 0
		       : rspb_listener_put_token(&server->listener, server->gate.token, err);
}

static int serve(const struct rspb_command *command, struct server *server)
{
	struct MHD_Daemon *daemon;
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	/* Threads inherit the mask. */
	sigprocmask(SIG_BLOCK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN);
	server->used = clock_s();
	daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
					  MHD_USE_POLL,
				  0, accept_peer, NULL, answer, server, MHD_OPTION_LISTEN_SOCKET,
				  server->listener.fd, MHD_OPTION_CONNECTION_LIMIT,
				  (unsigned int) CONNECTIONS_MOST, MHD_OPTION_CONNECTION_TIMEOUT,
				  (unsigned int) STALL_S, MHD_OPTION_NOTIFY_COMPLETED, end_request,
				  NULL, MHD_OPTION_NOTIFY_CONNECTION, greet, server,
				  MHD_OPTION_END);
	if (!daemon) {
		rspb_listener_remove(&server->listener);
		return rspb_command_misused(command, "the server cannot be started");
	}
	print_address(server);
	wait_for_end(server, &ends);
	MHD_stop_daemon(daemon);
	rspb_listener_remove(&server->listener);
	return RSPB_EXIT_DONE;
}

static int run(const struct rspb_command *command, const struct wish *wish)
{
	struct server server = { .idle = wish->idle,
				 .gate = { .host = wish->host, .is_open = wish->view.anonymous } };
	struct rspb_err err;
	int rc = RSPB_EXIT_USAGE;

	if (rspb_desk_init(&server.desk, command, &wish->view, &err))
		rspb_command_misused(command, "%s", err.text);
	else if (rspb_desk_is_operator(&server.desk) && !wish->allow_operator)
		rspb_command_misused(command, "this user may change everybody's bookings; run it "
					      "as yourself, or add --allow-operator");
	else if (listen_at(&server, wish, &err))
		rspb_command_misused(command, "%s", err.text);
	else
		rc = serve(command, &server);
	rspb_desk_fini(&server.desk);
	return rc;
}

int rspb_command_web(const struct rspb_command *command)
{
	static const struct option options[] = { { "socket", required_argument, NULL, 's' },
						 { "port", required_argument, NULL, 'P' },
						 { "host", required_argument, NULL, 'H' },
						 { "idle", required_argument, NULL, 'i' },
						 { "allow-operator", no_argument, NULL, 'o' },
						 { "anonymous", no_argument, NULL, 'A' },
						 { NULL } };
	struct wish wish = { .port = -1, .idle = IDLE_S };

	if (!rspb_command_options(command, "", options, set, &wish))
		return RSPB_EXIT_USAGE;
	if (wish.socket && wish.port >= 0)
		return rspb_command_misused(command, "use either --socket or --port");
	/* A site's page stays, whether or not somebody looks at it. */
	if (wish.view.anonymous && wish.idle == IDLE_S)
		wish.idle = INT64_MAX;
	return run(command, &wish);
}

int rspb_web_show(const struct rspb_command *command, uint16_t port,
		  const struct rspb_desk_view *view)
{
	return run(command, &(struct wish){ .port = port, .idle = INT64_MAX, .view = *view });
}

#else

int rspb_command_web(const struct rspb_command *command)
{
	return rspb_command_misused(command, "this rspb was built without libmicrohttpd, which "
					     "rspb web needs");
}

int rspb_web_show(const struct rspb_command *command, uint16_t port,
		  const struct rspb_desk_view *view)
{
	(void) port;
	(void) view;
	return rspb_command_web(command);
}

#endif
