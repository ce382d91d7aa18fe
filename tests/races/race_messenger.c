/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages to nodes of which some do not answer: one holds up its own alone, and more
 * than there are threads hold up the others for no longer than a first try takes. */
#include "plugins/ctld/post/letters.h"

#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "tests/races/races.h"

enum { DEAD = 8, POSTERS = 4, EACH = 50, TIMEOUT_MS = 15000, SOON_MS = 1500 };

static atomic_int delivered, tried_dead, wrong_order;
/* By poster; its own messages come in order, so without a lock. */
static atomic_int last[POSTERS];

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) level;
	(void) fmt;
}

/* As it does: a dead node is waited for, until it is to stop. */
int rspb_node_send(const char *names, const char *socket, const char *data, int wait_s, int stop,
		   struct rspb_err *err)
{
	struct pollfd end = { .fd = stop, .events = POLLIN };
	int poster = names[1] - '0', number = atoi(data);

	(void) socket;
	if (names[0] == 'd') {
		tried_dead++;
		poll(&end, 1, wait_s ? 1000 * wait_s : TIMEOUT_MS);
		return rspb_fail(err, "%s: no answer", names);
	}
	wrong_order += atomic_exchange(&last[poster], number) != number - 1;
	delivered++;
	return 0;
}

static void post(unsigned int part)
{
	char nodes[] = { 'n', (char) ('0' + (int) part), '\0' }, text[16];

	for (int i = 1; i <= EACH; i++) {
		snprintf(text, sizeof(text), "%d", i);
		rspb_messenger_send(nodes, "socket", text);
	}
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int64_t began = now_ms();
	struct rspb_err err;

	MUST(!rspb_messenger_start(&err));
	for (int i = 0; i < DEAD; i++)
		rspb_messenger_send(i % 2 ? "d1" : "d[1-2]", "socket", "1");
	RACE(post, post, post, post);
	while (delivered < POSTERS * EACH && now_ms() < began + TIMEOUT_MS)
		nanosleep(&pause, NULL);
	MUST(now_ms() < began + SOON_MS);
	MUST(delivered == POSTERS * EACH && !wrong_order);
	/* One at a time to the same nodes. */
	MUST(tried_dead == 2);
	rspb_messenger_stop();
	MUST(now_ms() < began + TIMEOUT_MS);
	/* It can begin again; then as many nodes are dead as there are threads. */
	MUST(!rspb_messenger_start(&err));
	for (int i = 0; i < DEAD; i++) {
		char node[] = { 'd', (char) ('1' + i), '\0' };

		rspb_messenger_send(node, "socket", "1");
	}
	last[0] = 0;
	began = now_ms();
	rspb_messenger_send("n0", "socket", "1");
	while (delivered == POSTERS * EACH)
		nanosleep(&pause, NULL);
	MUST(now_ms() < began + TIMEOUT_MS / 2);
	rspb_messenger_stop();
	return 0;
}
