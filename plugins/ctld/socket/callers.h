/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The users who ask, and how much each of them may: requests a second, processor
 * time, and connections at a time. For one thread.
 */
#ifndef RSPB_CTLD_SOCKET_CALLERS_H
#define RSPB_CTLD_SOCKET_CALLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
