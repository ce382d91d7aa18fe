/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The broker's socket (doc/protocol.md): a thread that waits for messages of
 * users, has munged judge who sent each, and hands what is genuine to the one
 * function that answers. It holds no lock of slurmctld, and nobody waits for
 * it.
 */
#ifndef RSPB_CTLD_SERVE_SERVER_H
#define RSPB_CTLD_SERVE_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "plugins/ctld/base/wake.h"

struct rspb_server_use {
	/* Answer a message of uid, from that address. RET the answer, malloc'ed; NULL: it
	 * comes by rspb_server_answer(), from within woken() too. */
	char *(*asked)(uint64_t line, uint32_t uid, const char *from, const char *text, size_t len);
	/* The thread was woken, or `due` has come. RET when to be called next,
	 * microseconds of a clock that only goes forward, INT64_MAX: when
	 * woken. */
	int64_t (*woken)(int64_t now_us);
	/* The thread ends: forget all. */
	void (*over)(void);
};

/* Connections, and since the start: connections, questions, messages that were
 * not good, connections that were too slow. For the thread itself. */
struct rspb_server_counts {
	uint64_t open, opened, questions, refused, slow;
};
void rspb_server_count(struct rspb_server_counts *out);

/* Start the thread. RET 0, or -1 with err. An address at which it cannot listen is found out later,
 * and logged. */
int rspb_server_start(const struct rspb_server_use *use, struct rspb_err *err);
/* Listen as these settings say from now on; before or after the start. */
void rspb_server_configure(const struct rspb_config *config);
/* Wait for its end. */
void rspb_server_stop(void);
/* Any thread: have woken() called, with this to be taken then (NULL: nothing). */
void rspb_server_hand(struct rspb_task *task);
/* The thread itself, in woken(), and when it ends: the next that was handed to it, in
 * their order; NULL: there is none. */
struct rspb_task *rspb_server_next(void);
/* The thread itself: answer what was asked on a line, if it is still there.
 * Takes over the text. */
void rspb_server_answer(uint64_t line, char *text);
/* The thread itself: return a user's turn. If several questions can be answered, the one with the
 * highest number is first. RET RSPB_SERVER_GONE: nobody waits there any more. */
#define RSPB_SERVER_GONE INT64_MIN
int64_t rspb_server_turn(uint64_t line);
/* The thread itself: charge a user with processor time, beside that of asked(), which is
 * counted. */
void rspb_server_used(uint32_t uid, int64_t us);

enum {
	RSPB_LISTEN_MOST = 4,	/* addresses */
	RSPB_LISTEN_TRIES = 20, /* after which it is an error */
	RSPB_LISTEN_TEXT = RSPB_CONFIG_LIST
};

struct rspb_listen {
	uint32_t port;		     /* 0: none */
	char host[RSPB_LISTEN_TEXT]; /* "": all addresses */
	char auth_info[RSPB_LISTEN_TEXT];
	uint32_t tries;
};

#endif
