/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values as sacct(1) prints them: whole numbers, times, and what a job has of nodes. */
#ifndef RSPB_SIM_REPLAY_SACCT_VALUES_H
#define RSPB_SIM_REPLAY_SACCT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* RET a whole number, -1: the text is none, or is above most. */
int64_t sim_sacct_whole(const char *text, int64_t most);

/* A text that stands for no time (Unknown, None, nothing); any other text that is none, or a time
 * that no calendar has. */
enum { SIM_NO_TIME = -1, SIM_BAD_TIME = -2 };

/*
 * RET seconds since 1970 of a time in seconds, or of one such as 2026-03-01T10:00:00, with
 * a blank for the T, a fraction of a second (which is dropped) and an offset (Z, +01, +0100,
 * +01:00, also after a blank) as in ISO 8601; without an offset the time is UTC. RET SIM_NO_TIME or
 * SIM_BAD_TIME, the latter also for times before 1970.
 */
int64_t sim_sacct_time(const char *text);

/*
 * Read the MB of memory in a list such as "cpu=8,mem=16G", rounded up; a number alone is MB.
 * RET 0 with *mb (0: the list has none), or -1: the amount can't be read.
 */
int sim_sacct_memory(const char *list, uint32_t *mb);

/*
 * Read the GPUs in such a list: gres/gpu=4, else the sum of gres/gpu:TYPE=2; also gpu:4,
 * gres:gpu:4 and gpu:TYPE:4 as AllocGRES had them. RET 0 with *gpus (0: the list has none),
 * or -1: a number of GPUs can't be read.
 */
int sim_sacct_gpus(const char *list, uint32_t *gpus);

#endif
