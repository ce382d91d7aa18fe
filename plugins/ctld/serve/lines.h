/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The connections of the socket, each of them one after the other: a request
 * comes in, is answered, the answer goes out. Nothing here waits, knows what is
 * in a request, or trusts who sends one. For one thread; times are milliseconds
 * of any clock that only goes forward.
 */
#ifndef RSPB_CTLD_SERVE_LINES_H
#define RSPB_CTLD_SERVE_LINES_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/wire/frame.h"

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

#endif
