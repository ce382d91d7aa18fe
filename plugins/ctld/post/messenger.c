/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends messages to sockets on nodes, by threads that may wait for them. What they
 * say is not looked at. */
#include "plugins/ctld/post/messenger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/worker.h"

enum {
	TRIES = 4,
	PAUSE_S = 2,
	LANES = 8,
	/* A first try waits so long, in seconds, since nodes that die at one time
	 * hold up all lanes. Further ones wait for MessageTimeout. */
	FIRST_WAIT_S = 2,
	/* Of these at most so many are for what has failed before. */
	LANES_AGAIN = 2
};

struct message {
	struct message *next;
	int tries;
	time_t not_before;
	char *nodes, *socket, *text; /* owned */
};

static void run(void);

/* All of them wait by the first one's mutex and condition, which guard all below. */
static struct rspb_worker lanes[LANES] = {
	[0 ... LANES - 1] = RSPB_WORKER("rspb-messenger", run)
};
/* Its mutex guards the messages that wait and those that are sent. */
static struct rspb_worker *const worker = &lanes[0];
static int stop_pipe[2] = { -1, -1 }; /* readable: give up what is under way */
static struct message *first, **last = &first;
static struct {
	struct message *messages[LANES];
	int n, again; /* of which have failed before */
} sending;

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

static bool is_for(const struct message *message, const struct message *other)
{
	return !strcmp(message->nodes, other->nodes);
}

/* Whether nothing hinders it: what was posted for the same nodes before goes first,
 * and what has failed before may not take up all lanes. */
static bool may_go(const struct message *message)
{
	if (message->not_before > time(NULL) ||
	    (message->tries && sending.again == LANES_AGAIN))
		return false;
	for (const struct message *at = first; at != message; at = at->next)
		if (is_for(at, message))
			return false;
	for (int i = 0; i < sending.n; i++)
		if (is_for(sending.messages[i], message))
			return false;
	return true;
}

/* RET the first one that may go, taken out; NULL: to be stopped. */
static struct message *next_message(void)
{
	struct message *message, **at;

	while (!worker->stopping) {
		for (at = &first; *at && !may_go(*at); at = &(*at)->next)
			;
		message = *at;
		if (message) {
			*at = message->next;
			if (!*at)
				last = at;
			sending.messages[sending.n++] = message;
			sending.again += message->tries > 0;
			/* Maybe another one may, too. */
			rspb_worker_wake(worker);
			return message;
		}
		rspb_worker_wait(worker,
				 first ? rspb_clock_us(CLOCK_MONOTONIC) +
						 1000000
				       : INT64_MAX);
	}
	/* So that the others hear of it. */
	rspb_worker_wake(worker);
	return NULL;
}

static void sent(const struct message *message, bool again)
{
	int i = 0;

	while (sending.messages[i] != message)
		i++;
	sending.messages[i] = sending.messages[--sending.n];
	sending.again -= again;
}

/* Before what is for the same nodes, which is not to overtake it. */
static void put_back(struct message *message)
{
	struct message **at = &first;

	while (*at && !is_for(*at, message))
		at = &(*at)->next;
	if (!*at)
		at = last;
	message->next = *at;
	*at = message;
	if (!message->next)
		last = &message->next;
}

/* RET whether it has to be tried again. */
static bool deliver(struct message *message)
{
	struct rspb_err err;

	if (!rspb_node_send(message->nodes, message->socket, message->text,
			    message->tries ? 0 : FIRST_WAIT_S, stop_pipe[0],
			    &err)) {
		rspb_log_debug("%s: %s", message->nodes, message->text);
	} else if (++message->tries < TRIES) {
		message->not_before = time(NULL) + PAUSE_S;
		return true;
	} else {
		rspb_log_error("\"%s\" could not be delivered: %s",
			       message->text, err.text);
	}
	return false;
}

static void run(void)
{
	struct message *message;
	bool before, again;

	rspb_worker_lock(worker);
	while ((message = next_message())) {
		before = message->tries;
		rspb_worker_unlock(worker);
		again = deliver(message);
		rspb_worker_lock(worker);
		sent(message, before);
		if (again)
			put_back(message);
		else
			message_free(message);
		rspb_worker_wake(worker);
	}
	rspb_worker_unlock(worker);
}

static void stop_lanes(int n)
{
	rspb_worker_ask_to_stop(worker);
	/* Closed for writing, it can be read from: there is its end. */
	close(stop_pipe[1]);
	while (n)
		rspb_worker_join(&lanes[--n]);
	close(stop_pipe[0]);
}

int rspb_messenger_start(struct rspb_err *err)
{
	if (pipe2(stop_pipe, O_CLOEXEC))
		return rspb_fail(err, "the messenger: %s", strerror(errno));
	for (int n = 0; n < LANES; n++)
		if (rspb_worker_start(&lanes[n], err)) {
			stop_lanes(n);
			return -1;
		}
	return 0;
}

void rspb_messenger_stop(void)
{
	struct message *message;

	if (!worker->running)
		return;
	stop_lanes(LANES);
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
	rspb_worker_lock(worker);
	if (worker->stopping) {
		message_free(message);
	} else {
		append(message);
		rspb_worker_wake(worker);
	}
	rspb_worker_unlock(worker);
}
