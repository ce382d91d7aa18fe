/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps: its member of struct rspb_controller (controller.h). All zeros:
 * nothing yet. */
#ifndef RSPB_CTLD_BASE_STATE_H
#define RSPB_CTLD_BASE_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/base/tally.h"

/* Counts of decisions and their outcomes (tally.c). */
struct rspb_tally_state {
	struct rspb_lengths times[RSPB_N_TALLY_TIMES]; /* without a lock */
	/* Guards the counts: the agent counts, the server's thread reads them. */
	pthread_mutex_t mutex;
	int64_t since;
	struct rspb_tally all;
	/* In the order they came; places: 1 + where one of that hash is. */
	struct rspb_tally_user users[RSPB_TALLY_USERS];
	size_t n_users;
	uint16_t places[2 * RSPB_TALLY_USERS];
};

struct rspb_base_state {
	/* The function for urgent work. The agent sets it before its first round and clears it
	 * after its last one. No lock guards it. */
	void (*urgent)(void);
	/* Any thread: whether each section is logged; how long they held the locks, to read and to
	 * write; the settings in force, NULL: none yet. */
	atomic_bool debug;
	struct rspb_lengths held_for[2];
	_Atomic(const struct rspb_settings *) settings;

	/* With the mutex of its errands: how many saves were asked for, have ended, and went
	 * well. */
	struct {
		uint64_t asked, done, good;
		int64_t saved_at; /* the second in which the last good one began */
		bool outdated;	  /* a save that is under way may not have all of them */
		struct rspb_errand errand;
	} saver;
	/* With the mutex of the agent's worker: the reasons for which it was woken and has not
	 * looked yet, and the tasks that it has not taken. */
	unsigned int woken;
	struct rspb_queue handed;

	struct rspb_tally_state tally;
};

extern struct rspb_base_state *const rspb_base;
extern struct rspb_tally_state *const rspb_tally;

#endif
