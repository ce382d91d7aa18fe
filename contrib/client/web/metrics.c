/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb metrics: what slurmctld has counted, for Prometheus. With --port it answers HTTP on
 * loopback and asks slurmctld at each scrape. It can only be read, and counts nothing itself.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contrib/client/command.h"
#include "contrib/client/prometheus.h"
#include "contrib/client/words.h"

struct wish {
	bool users;
	int64_t port; /* -1: print once */
};

/* Write the page. RET how the question to slurmctld ended; without an answer the page says so. */
static int write_page(FILE *out, const struct rspb_command *command, const struct wish *wish)
{
	json_object *answer = NULL;
	int rc = rspb_command_ask(command, rspb_command_question("stats"), &answer);

	rspb_prometheus_print(out, rc ? NULL : answer, wish->users);
	if (!rc)
		json_object_put(answer);
	return rc;
}

static int set(int option, void *to, struct rspb_err *err)
{
	struct wish *wish = to;

	if (option == 'u') {
		wish->users = true;
		return 0;
	}
	if (!rspb_words_port(optarg, &wish->port, err))
		return 0;
	return rspb_fail(err, "--port=%s: allowed are 0 (any free port) to 65535", optarg);
}

#ifdef HAVE_MICROHTTPD

#include <microhttpd.h>

#include "contrib/client/web/gate.h"
#include "contrib/client/web/listener.h"

enum { SCRAPERS_MOST = 16, PATIENCE_S = 30, KEEP_S = 1 };

/* The exporter belongs to the one thread that answers, while that runs. */
struct exporter {
	const struct rspb_command *command;
	const struct wish *wish;
	char *page; /* owned, NULL: none yet */
	size_t size;
	time_t made; /* by a clock that only goes forward */
};

static enum MHD_Result send_text(struct MHD_Connection *to, unsigned int status, const char *type,
				 const char *text, size_t size)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(size, (void *) text,
									MHD_RESPMEM_MUST_COPY);
	enum MHD_Result rc;

	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", type);
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	rc = MHD_queue_response(to, status, response);
	MHD_destroy_response(response);
	return rc;
}

static enum MHD_Result refuse(struct MHD_Connection *to, unsigned int status, const char *why)
{
	return send_text(to, status, "text/plain; charset=utf-8", why, strlen(why));
}

/* Several scrapers within a second cost slurmctld one question. RET false: out of memory. */
static bool renew(struct exporter *exporter)
{
	struct timespec now;
	FILE *out;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (exporter->page && now.tv_sec < exporter->made + KEEP_S)
		return true;
	free(exporter->page);
	exporter->page = NULL;
	out = open_memstream(&exporter->page, &exporter->size);
	if (!out)
		return false;
	write_page(out, exporter->command, exporter->wish);
	exporter->made = now.tv_sec;
	return !fclose(out) && exporter->page;
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *from, const char *path,
			      const char *method, const char *version, const char *data,
			      size_t *size, void **state)
{
	struct exporter *exporter = arg;

	(void) version;
	(void) data;
	(void) state;
	if (*size || (strcmp(method, "GET") && strcmp(method, "HEAD")))
		return refuse(from, MHD_HTTP_METHOD_NOT_ALLOWED, "Metrics can only be read.\n");
	if (!rspb_gate_is_loopback(MHD_lookup_connection_value(from, MHD_HEADER_KIND, "Host")))
		return refuse(from, MHD_HTTP_FORBIDDEN, "Host must be localhost or 127.0.0.1.\n");
	if (strcmp(path, "/metrics"))
		return refuse(from, MHD_HTTP_NOT_FOUND, "The metrics are at /metrics.\n");
	if (!renew(exporter))
		return refuse(from, MHD_HTTP_INTERNAL_SERVER_ERROR, "Out of memory.\n");
	return send_text(from, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8",
			 exporter->page, exporter->size);
}

static int serve(const struct rspb_command *command, const struct wish *wish)
{
	struct exporter exporter = { .command = command, .wish = wish };
	struct rspb_listener listener;
	struct MHD_Daemon *daemon;
	struct rspb_err err;
	sigset_t ends;
	int which;

	if (rspb_listener_port(&listener, (uint16_t) wish->port, &err))
		return rspb_command_misused(command, "%s", err.text);
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	/* The thread that answers inherits the mask. */
	sigprocmask(SIG_BLOCK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN);
	daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, 0, NULL, NULL,
				  answer, &exporter, MHD_OPTION_LISTEN_SOCKET, listener.fd,
				  MHD_OPTION_CONNECTION_LIMIT, (unsigned int) SCRAPERS_MOST,
				  MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int) PATIENCE_S,
				  MHD_OPTION_END);
	if (!daemon)
		return rspb_command_misused(command, "the server cannot be started");
	printf("http://127.0.0.1:%u/metrics\n", listener.port);
	fflush(stdout);
	sigwait(&ends, &which);
	MHD_stop_daemon(daemon);
	free(exporter.page);
	return RSPB_EXIT_DONE;
}

#else

static int serve(const struct rspb_command *command, const struct wish *wish)
{
	(void) wish;
	return rspb_command_misused(command, "this rspb was built without libmicrohttpd, which "
					     "--port needs");
}

#endif

int rspb_command_metrics(const struct rspb_command *command)
{
	static const struct option options[] = { { "users", no_argument, NULL, 'u' },
						 { "port", required_argument, NULL, 'P' },
						 { NULL } };
	struct wish wish = { .port = -1 };

	if (!rspb_command_options(command, "u", options, set, &wish))
		return RSPB_EXIT_USAGE;
	if (command->json)
		return rspb_command_misused(command, "the format is Prometheus'; rspb stats --json "
						     "prints the same figures");
	return wish.port < 0 ? write_page(stdout, command, &wish) : serve(command, &wish);
}
