/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of the page asks this program, which asks slurmctld: once in RENEW_S
 * seconds, however many look on. Nothing can be changed over it. It is for a
 * tunnel of ssh or a proxy that knows its users: whoever is on this host reaches
 * a port of loopback, so that what a user may see is behind an address that
 * nobody can guess.
 */
#include "contrib/client/draw/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "contrib/client/draw/calendar.h"

#ifdef HAVE_MICROHTTPD

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>

#include "contrib/calendar/page.h"

enum { RENEW_S = 10, LIVE_S = 15, VIEWERS_MOST = 64, PATIENCE_S = 30 };

/* All of it belongs to the one thread that answers, while that runs. */
struct server {
	const struct rspb_command *command;
	const struct rspb_serve *serve;
	char root[40];	       /* "/" or "/KEY/" */
	json_object *document; /* owned: as last read, NULL: not yet */
	bool fresh;	       /* the last time it was read */
	time_t tried;	       /* by a clock that only goes forward */
};

static time_t clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static int read_document(const struct server *server, json_object **document)
{
	const struct rspb_serve *serve = server->serve;

	return serve->file ? rspb_calendar_load(server->command, serve->file, serve->anonymous,
						document)
			   : rspb_calendar_read(server->command, serve->anonymous, document);
}

static void renew(struct server *server)
{
	json_object *document;

	if (server->tried && clock_s() - server->tried < RENEW_S)
		return;
	server->fresh = !read_document(server, &document);
	server->tried = clock_s();
	if (!server->fresh)
		return;
	rspb_json_put_int(document, "live", LIVE_S);
	json_object_put(server->document);
	server->document = document;
}

/* --- answers ------------------------------------------------------------------- */

/* Send a text, which is copied. policy: of a page, NULL: it is none. */
static enum MHD_Result send_text(struct MHD_Connection *to, unsigned int status, const char *type,
				 const char *text, size_t size, const char *policy)
{
	static const char *const headers[][2] = {
		{ "Cache-Control", "no-store" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
	};
	char full[RSPB_PAGE_POLICY + 32];
	struct MHD_Response *response;
	enum MHD_Result rc;

	response = MHD_create_response_from_buffer(size, (void *) text, MHD_RESPMEM_MUST_COPY);
	if (!response)
		return MHD_NO;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	snprintf(full, sizeof(full), "%s; frame-ancestors 'none'",
		 policy ? policy : "default-src 'none'");
	MHD_add_response_header(response, "Content-Security-Policy", full);
	MHD_add_response_header(response, "Content-Type", type);
	rc = MHD_queue_response(to, status, response);
	MHD_destroy_response(response);
	return rc;
}

static enum MHD_Result refuse(struct MHD_Connection *to, unsigned int status, const char *why)
{
	return send_text(to, status, "text/plain; charset=utf-8", why, strlen(why), NULL);
}

static enum MHD_Result send_page(const struct server *server, struct MHD_Connection *to)
{
	struct rspb_page_pass pass;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	enum MHD_Result rc;
	int bad = -1;

	if (out) {
		bad = rspb_page_pass_make(&pass, NULL) ||
		      rspb_page_write(out, server->document, &pass, NULL);
		bad |= fclose(out);
	}
	rc = bad ? refuse(to, MHD_HTTP_INTERNAL_SERVER_ERROR, "There is no memory for this page.\n")
		 : send_text(to, MHD_HTTP_OK, "text/html; charset=utf-8", text, size, pass.policy);
	free(text);
	return rc;
}

static enum MHD_Result send_json(const struct server *server, struct MHD_Connection *to)
{
	size_t size;
	const char *text = json_object_to_json_string_length(server->document,
							     JSON_C_TO_STRING_PLAIN, &size);

	return text ? send_text(to, MHD_HTTP_OK, "application/json", text, size, NULL) : MHD_NO;
}

/* Another site's name that leads here is one by which that site would read this
 * page in a visitor's browser. */
static bool is_local(const char *host)
{
	static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };

	for (size_t i = 0; host && i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i]);

		if (!strncasecmp(host, names[i], len) && (!host[len] || host[len] == ':'))
			return true;
	}
	return false;
}

/* In a time that does not tell how much of it was right. */
static bool same_path(const char *root, const char *path, size_t len)
{
	unsigned char differ = 0;

	for (size_t i = 0; i < len && path[i]; i++)
		differ |= (unsigned char) (root[i] ^ path[i]);
	return !differ && strnlen(path, len) == len;
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *from, const char *path,
			      const char *method, const char *version, const char *data,
			      size_t *size, void **state)
{
	struct server *server = arg;
	size_t root = strlen(server->root);

	(void) version;
	(void) data;
	(void) state;
	if (*size || (strcmp(method, "GET") && strcmp(method, "HEAD")))
		return refuse(from, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "This calendar can only be read.\n");
	if (!is_local(MHD_lookup_connection_value(from, MHD_HEADER_KIND, "Host")))
		return refuse(from, MHD_HTTP_FORBIDDEN,
			      "Host has to be localhost or 127.0.0.1, also "
			      "behind a proxy.\n");
	if (!same_path(server->root, path, root) ||
	    (path[root] && strcmp(path + root, "calendar.json")))
		return refuse(from, MHD_HTTP_NOT_FOUND,
			      "There is nothing here; rspb timeline --serve "
			      "has printed the whole address.\n");
	renew(server);
	if (!server->document || (path[root] && !server->fresh))
		return refuse(from, MHD_HTTP_SERVICE_UNAVAILABLE, "slurmctld does not answer");
	return path[root] ? send_json(server, from) : send_page(server, from);
}

/* --- begin and end ---------------------------------------------------------------- */

static int set_root(struct server *server, struct rspb_err *err)
{
	struct rspb_page_pass key;

	strcpy(server->root, "/");
	if (server->serve->anonymous)
		return 0;
	if (rspb_page_pass_make(&key, err))
		return -1;
	snprintf(server->root, sizeof(server->root), "/%s/", key.nonce);
	return 0;
}

static struct MHD_Daemon *start(struct server *server, struct rspb_err *err)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_port = htons(server->serve->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct MHD_Daemon *daemon;

	if (set_root(server, err))
		return NULL;
	errno = 0;
	daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, 0, NULL, NULL,
				  answer, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *) &at,
				  MHD_OPTION_CONNECTION_LIMIT, (unsigned int) VIEWERS_MOST,
				  MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int) PATIENCE_S,
				  MHD_OPTION_END);
	if (!daemon)
		rspb_fail(err, "port %d of 127.0.0.1 cannot be served: %s", server->serve->port,
			  errno ? strerror(errno) : "no reason is known");
	return daemon;
}

int rspb_serve_run(const struct rspb_command *command, const struct rspb_serve *serve)
{
	struct server server = { .command = command, .serve = serve };
	const union MHD_DaemonInfo *info;
	struct MHD_Daemon *daemon;
	struct rspb_err err;
	sigset_t ends;
	int which;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	/* Before the thread is there, which has the same mask. */
	sigprocmask(SIG_BLOCK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN);
	daemon = start(&server, &err);
	if (!daemon)
		return rspb_command_misused(command, "%s", err.text);
	info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
	printf("http://127.0.0.1:%u%s\n", info ? (unsigned int) info->port : serve->port,
	       server.root);
	fflush(stdout);
	sigwait(&ends, &which);
	MHD_stop_daemon(daemon);
	json_object_put(server.document);
	return RSPB_EXIT_DONE;
}

#else

int rspb_serve_run(const struct rspb_command *command, const struct rspb_serve *serve)
{
	(void) serve;
	return rspb_command_misused(command, "this rspb was built without "
					     "libmicrohttpd, which --serve needs");
}

#endif
