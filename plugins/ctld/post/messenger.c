/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/post/messenger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/worker.h"

enum { TRIES = 4, PAUSE_S = 2 };

struct message {
	struct message *next;
	int tries;
	time_t not_before;
	char *nodes, *socket, *text; /* owned */
};

static void run(void);

static struct rspb_worker worker = RSPB_WORKER("rspb-messenger", run);
static int stop_pipe[2] = { -1, -1 }; /* readable: give up what is under way */
static struct message *first, **last = &first; /* with the worker's mutex */

static void message_free(struct message *message)
{
	if (!message)
		return;
	free(message->nodes);
	free(message->socket);
	free(message->text);
	free(message);
}

static void append(struct message *message)
{
	message->next = NULL;
	*last = message;
	last = &message->next;
}

/* RET the first one that is due, taken out; NULL: to be stopped. */
static struct message *next_message(void)
{
	struct message *message, **at;

	while (!worker.stopping) {
		for (at = &first; *at && (*at)->not_before > time(NULL);
		     at = &(*at)->next)
			;
		message = *at;
		if (message) {
			*at = message->next;
			if (!*at)
				last = at;
			return message;
		}
		rspb_worker_wait(&worker, first ? (time(NULL) + 1) * 1000000
						: INT64_MAX);
	}
	return NULL;
}

/* RET the message, when it has to be tried again. */
static struct message *deliver(struct message *message)
{
	struct rspb_err err;

	if (!rspb_node_send(message->nodes, message->socket, message->text,
			    stop_pipe[0], &err)) {
		rspb_log_debug("%s: %s", message->nodes, message->text);
	} else if (++message->tries < TRIES) {
		message->not_before = time(NULL) + PAUSE_S;
		return message;
	} else {
		rspb_log_error("\"%s\" could not be delivered: %s",
			       message->text, err.text);
	}
	message_free(message);
	return NULL;
}

static void run(void)
{
	struct message *message;

	rspb_worker_lock(&worker);
	while ((message = next_message())) {
		rspb_worker_unlock(&worker);
		message = deliver(message);
		rspb_worker_lock(&worker);
		if (message)
			append(message);
	}
	rspb_worker_unlock(&worker);
}

int rspb_messenger_start(struct rspb_err *err)
{
	if (pipe2(stop_pipe, O_CLOEXEC))
		return rspb_fail(err, "the messenger: %s", strerror(errno));
	if (!rspb_worker_start(&worker, err))
		return 0;
	close(stop_pipe[0]);
	close(stop_pipe[1]);
	return -1;
}

void rspb_messenger_stop(void)
{
	struct message *message;

	if (!rspb_worker_ask_to_stop(&worker))
		return;
	/* Closed for writing, it can be read from: there is its end. */
	close(stop_pipe[1]);
	rspb_worker_join(&worker);
	close(stop_pipe[0]);
	while ((message = first)) {
		first = message->next;
		message_free(message);
	}
	last = &first;
}

void rspb_messenger_send(const char *nodes, const char *socket,
			 const char *text)
{
	struct message *message = calloc(1, sizeof(*message));

	if (!message)
		return;
	message->nodes = strdup(nodes);
	message->socket = strdup(socket);
	message->text = strdup(text);
	if (!message->nodes || !message->socket || !message->text) {
		message_free(message);
		return;
	}
	rspb_worker_lock(&worker);
	if (worker.stopping) {
		message_free(message);
	} else {
		append(message);
		rspb_worker_wake(&worker);
	}
	rspb_worker_unlock(&worker);
}
