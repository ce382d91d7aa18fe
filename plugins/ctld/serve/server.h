/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The broker's socket (doc/protocol.md): a thread that waits for messages of
 * users, has munged judge who sent each, and hands what is genuine to the one
 * function that answers. It holds no lock of slurmctld, and nobody waits for
 * it.
 */
#ifndef RSPB_CTLD_SERVE_SERVER_H
#define RSPB_CTLD_SERVE_SERVER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/wire/frame.h"

/* --- lines.c --- */

/*
 * The connections of the socket, each of them one after the other: a request
 * comes in, is answered, the answer goes out. Nothing here waits, knows what is
 * in a request, or trusts who sends one. For one thread; times are milliseconds
 * of any clock that only goes forward.
 */

enum {
	RSPB_CALLER_RATE = 200,	   /* requests a second that go on for ever */
	RSPB_CALLER_BURST = 2000,  /* and how many at once before that */
	RSPB_CALLER_LINES = 64,	   /* connections */
	RSPB_CALLER_COST_US = 1000 /* processor time that counts as another request */
};

struct rspb_caller {
	uint32_t uid;
	uint32_t lines;	 /* connections that are theirs */
	int64_t credit;	 /* thousandths of a request */
	int64_t seen_ms; /* when the credit was that */
};

struct rspb_callers {
	struct rspb_caller *items; /* owned */
	size_t n, room;
};

/* Another connection is theirs. RET false: they have too many, or there is no
 * memory; nothing is counted. */
bool rspb_callers_join(struct rspb_callers *callers, uint32_t uid, int64_t now_ms);
void rspb_callers_leave(struct rspb_callers *callers, uint32_t uid);
/* Thousandths of a request that a user has left; below 0: a debt, which grows to that of
 * a burst at most. */
int64_t rspb_callers_credit(struct rspb_callers *callers, uint32_t uid, int64_t now_ms);
/* Charge a user with processor time. */
void rspb_callers_use(struct rspb_callers *callers, uint32_t uid, int64_t us, int64_t now_ms);
/* Count a request of somebody who has joined. RET for how many milliseconds
 * nothing more is to be answered or read, 0: they may go on. */
int64_t rspb_callers_charge(struct rspb_callers *callers, uint32_t uid, int64_t now_ms);
void rspb_callers_fini(struct rspb_callers *callers);

enum {
	RSPB_LINES_MOST = 512,		       /* connections at a time */
	RSPB_LINES_ASK_MS = 5000,	       /* from the first byte to the last */
	RSPB_LINES_IDLE_MS = 60000,	       /* between two requests */
	RSPB_LINES_ANSWER_MS = 30000,	       /* until there is an answer */
	RSPB_LINES_SEND_MS = 10000,	       /* until it is taken */
	RSPB_LINES_OUT_MOST = 32 * 1024 * 1024 /* bytes not yet taken, of all */
};

enum rspb_line_state {
	RSPB_LINE_ASKING,  /* a request is to come, or comes */
	RSPB_LINE_WAITING, /* for its answer */
	RSPB_LINE_TAKING   /* it goes out */
};

struct rspb_line {
	int fd;
	enum rspb_line_state state;
	uint64_t serial; /* of this connection, never used again */
	int64_t until;	 /* what it is in must be over */
	int64_t quiet;	 /* nothing is read before */
	bool known;	 /* a credential was good: */
	uint32_t uid;	 /* its user's */
	struct rspb_frame frame;
	char *question; /* owned: a request that waits for its turn */
	size_t question_len;
	uint64_t turn; /* of the requests that came */
	char *out;     /* owned */
	size_t out_size, out_at;
	bool last; /* is closed behind its answer */
};

struct rspb_lines {
	struct rspb_line *items; /* owned, RSPB_LINES_MOST */
	size_t n, most;
	uint64_t serial, turn;
	size_t out; /* bytes not yet taken, of all */
	struct rspb_callers callers;
};

/* RET 0, -1: out of memory. */
int rspb_lines_init(struct rspb_lines *lines);
void rspb_lines_fini(struct rspb_lines *lines);
/* Take over a new connection. Where there are too many, the one of which
 * nothing is known for the longest time goes; if there is none, the new one. */
void rspb_lines_add(struct rspb_lines *lines, int fd, int64_t now);
/* RET NULL: it is gone. */
struct rspb_line *rspb_lines_find(struct rspb_lines *lines, uint64_t serial);

/* Fill in what to poll() for, n entries; *until is lowered to when to look again. */
void rspb_lines_poll(const struct rspb_lines *lines, struct pollfd *polls, int64_t now,
		     int64_t *until);
/* Read or write what can be. RET whether a whole request is there: it waits for
 * its answer, or to be closed. */
bool rspb_lines_serve(struct rspb_lines *lines, struct rspb_line *line, int64_t now);
/* Set the user of a connection, by a good credential. RET false: the user may not have it. */
bool rspb_lines_identify(struct rspb_lines *lines, struct rspb_line *line, uint32_t uid,
			 int64_t now);
/* Have a request, which is taken over, wait for its turn. */
void rspb_lines_hold(struct rspb_lines *lines, struct rspb_line *line, char *question, size_t len);
/* Take the request whose turn it is: of users who are not in debt that of the one who has
 * used least, the earliest first. RET the line, whose question is the caller's now; NULL:
 * none, and *until is lowered to when there may be one. */
struct rspb_line *rspb_lines_next(struct rspb_lines *lines, char **question, size_t *len,
				  int64_t now, int64_t *until);
/* Send a text, which is taken over (NULL: close it). last: close it then. */
void rspb_lines_answer(struct rspb_lines *lines, struct rspb_line *line, char *text, bool last,
		       int64_t now);
/* To be closed with the next sweep. */
void rspb_lines_drop(struct rspb_lines *lines, struct rspb_line *line);
/* Close those that were dropped or are too slow. RET how many were too slow. */
size_t rspb_lines_sweep(struct rspb_lines *lines, int64_t now);

/* --- server.c --- */

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
