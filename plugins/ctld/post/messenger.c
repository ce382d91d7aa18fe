/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/post/messenger.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"

enum { TRIES = 4, PAUSE_S = 2 };

struct letter {
	struct letter *next;
	int tries;
	time_t not_before;
	char *nodes, *socket, *text; /* owned */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool running, stopping;
static int stop_pipe[2] = { -1, -1 }; /* readable: give up what is under way */
static struct letter *first, **last = &first;

static void letter_free(struct letter *letter)
{
	if (!letter)
		return;
	free(letter->nodes);
	free(letter->socket);
	free(letter->text);
	free(letter);
}

static void append(struct letter *letter)
{
	letter->next = NULL;
	*last = letter;
	last = &letter->next;
}

static void wait_for_post(void)
{
	struct timespec at = { .tv_sec = time(NULL) + 1 };

	if (first)
		pthread_cond_timedwait(&cond, &mutex, &at);
	else
		pthread_cond_wait(&cond, &mutex);
}

/* RET the first one that is due, taken out; NULL: to be stopped. */
static struct letter *next_letter(void)
{
	struct letter *letter, **at;

	while (!stopping) {
		for (at = &first; *at && (*at)->not_before > time(NULL);
		     at = &(*at)->next)
			;
		letter = *at;
		if (letter) {
			*at = letter->next;
			if (!*at)
				last = at;
			return letter;
		}
		wait_for_post();
	}
	return NULL;
}

/* RET the letter, when it has to be tried again. */
static struct letter *deliver(struct letter *letter)
{
	struct rspb_err err;

	if (!rspb_node_send(letter->nodes, letter->socket, letter->text,
			    stop_pipe[0], &err)) {
		rspb_log_debug("%s: %s", letter->nodes, letter->text);
	} else if (++letter->tries < TRIES) {
		letter->not_before = time(NULL) + PAUSE_S;
		return letter;
	} else {
		rspb_log_error("\"%s\" could not be delivered: %s",
			       letter->text, err.text);
	}
	letter_free(letter);
	return NULL;
}

static void *messenger_main(void *arg)
{
	struct letter *letter;

	pthread_mutex_lock(&mutex);
	while ((letter = next_letter())) {
		pthread_mutex_unlock(&mutex);
		letter = deliver(letter);
		pthread_mutex_lock(&mutex);
		if (letter)
			append(letter);
	}
	pthread_mutex_unlock(&mutex);
	return arg;
}

int rspb_messenger_start(struct rspb_err *err)
{
	int rc;

	stopping = false;
	if (pipe2(stop_pipe, O_CLOEXEC))
		return rspb_fail(err, "the messenger: %s", strerror(errno));
	rc = pthread_create(&thread, NULL, messenger_main, NULL);
	if (rc) {
		close(stop_pipe[0]);
		close(stop_pipe[1]);
		return rspb_fail(err, "the messenger's thread: %s",
				 strerror(rc));
	}
	running = true;
	return 0;
}

void rspb_messenger_stop(void)
{
	struct letter *letter;

	if (!running)
		return;
	pthread_mutex_lock(&mutex);
	stopping = true;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	/* Closed for writing, it can be read from: there is its end. */
	close(stop_pipe[1]);
	pthread_join(thread, NULL);
	close(stop_pipe[0]);
	running = false;
	while ((letter = first)) {
		first = letter->next;
		letter_free(letter);
	}
	last = &first;
}

void rspb_messenger_send(const char *nodes, const char *socket,
			 const char *text)
{
	struct letter *letter = calloc(1, sizeof(*letter));

	if (!letter)
		return;
	letter->nodes = strdup(nodes);
	letter->socket = strdup(socket);
	letter->text = strdup(text);
	if (!letter->nodes || !letter->socket || !letter->text) {
		letter_free(letter);
		return;
	}
	pthread_mutex_lock(&mutex);
	if (stopping) {
		letter_free(letter);
	} else {
		append(letter);
		pthread_cond_signal(&cond);
	}
	pthread_mutex_unlock(&mutex);
}
