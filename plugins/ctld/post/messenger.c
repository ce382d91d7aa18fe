/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends messages to sockets on nodes, as errands that may wait for the nodes. The content of a
 * message does not matter here. */
#include "plugins/ctld/post/letters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/post/state.h"

enum {
	TRIES = 4,
	PAUSE_US = 2000000,
	/* A first try waits so long, in seconds, since nodes that die at one time
	 * hold up all lanes. Further ones wait for MessageTimeout. */
	FIRST_WAIT_S = 2,
	LANES = 8,
	LANES_AGAIN = 2
};

struct message {
	struct rspb_errand errand;
	int tries;
	char *nodes, *socket, *text; /* owned */
};

static void drop(struct rspb_errand *errand)
{
	struct message *message = (struct message *) errand;

	free(message->nodes);
	free(message->socket);
	free(message->text);
	free(message);
}

/* Send a message in a thread of the messenger, without locks. Some of the nodes may get a
 * message again when it is repeated for the others. */
static enum rspb_errand_end deliver(struct rspb_errand *errand)
{
	struct message *message = (struct message *) errand;
	struct rspb_err err;

	if (!rspb_node_send(message->nodes, message->socket, message->text,
			    message->tries ? 0 : FIRST_WAIT_S, rspb_post->stop_pipe[0], &err)) {
		rspb_log_debug("%s: %s", message->nodes, message->text);
	} else if (++message->tries < TRIES) {
		errand->at = rspb_clock_us(CLOCK_MONOTONIC) + PAUSE_US;
		return RSPB_ERRAND_AGAIN;
	} else {
		rspb_log_error("\"%s\" could not be delivered: %s", message->text, err.text);
	}
	return RSPB_ERRAND_OVER;
}

/* The key of a message is its list of nodes: messages for the same list keep their order. Lists
 * that merely overlap have no order. */
static struct rspb_errands messages = {
	.guard = RSPB_WORKER("rspb-messenger", NULL),
	.most = LANES,
	.most_again = LANES_AGAIN,
	.run = deliver,
	.drop = drop,
};

int rspb_messenger_start(struct rspb_err *err)
{
	if (pipe2(rspb_post->stop_pipe, O_CLOEXEC))
		return rspb_fail(err, "the messenger: %s", strerror(errno));
	return rspb_errands_begin(&messages, err);
}

void rspb_messenger_stop(void)
{
	/* stop() may be called without start(). */
	if (rspb_post->stop_pipe[1] < 0)
		return;
	/* When the pipe is closed for writing, its other end becomes readable. That ends all
	 * sends under way. */
	close(rspb_post->stop_pipe[1]);
	rspb_errands_end(&messages, INT64_MAX);
	close(rspb_post->stop_pipe[0]);
	rspb_post->stop_pipe[1] = -1;
}

void rspb_messenger_send(const char *nodes, const char *socket, const char *text)
{
	struct message *message = calloc(1, sizeof(*message));
	bool posted;

	if (!message)
		return;
	message->nodes = strdup(nodes);
	message->socket = strdup(socket);
	message->text = strdup(text);
	message->errand.key = message->nodes;
	/* The message belongs to the queue once it is posted, and its thread may free it at
	 * once. */
	rspb_worker_lock(&messages.guard);
	posted = message->nodes && message->socket && message->text &&
		 rspb_errand_post(&messages, &message->errand);
	rspb_worker_unlock(&messages.guard);
	if (!posted)
		drop(&message->errand);
}
