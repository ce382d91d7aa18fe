/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps: its member of struct rspb_controller (controller.h). All zeros:
 * nothing yet, but for the descriptor, which is not open. */
#ifndef RSPB_CTLD_SERVE_STATE_H
#define RSPB_CTLD_SERVE_STATE_H

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/serve/server.h"

/* The server's thread's own. */
struct rspb_server_state {
	struct rspb_lines lines;
	struct rspb_listen listen;
	char munge[RSPB_CONFIG_PATH];
	int fds[RSPB_LISTEN_MOST];
	size_t n_fds;
	struct rspb_server_counts counts;
	int64_t listen_at; /* ms: try again, INT64_MAX: no need */
	int64_t accept_at; /* ms: not before */
	struct pollfd polls[RSPB_LINES_MOST + RSPB_LISTEN_MOST + 1];
};

struct rspb_serve_state {
	/* Any thread: changes by scontrol, changes by messages and changes of shares that are on
	 * their way to the agent. */
	atomic_uint owners_under_way, works_under_way, shares_waiting;

	const struct rspb_server_use *use; /* set before the thread starts */
	/* With the mutex of the server's worker; its thread reads the descriptor without it. */
	int wake_fd;
	struct rspb_queue handed; /* what others want the thread to take */
	struct {
		bool changed;
		struct rspb_listen listen;
		char munge[RSPB_CONFIG_PATH]; /* "": the usual one */
	} wanted;
	struct rspb_server_state server;
};

extern struct rspb_serve_state *const rspb_serve;
extern struct rspb_server_state *const rspb_server;

#endif
