/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the numbers of Slurm's jobs that have nodes. They are listed once, and then kept
 * up to date by the starts that are noted below. The agent does that under the read lock, and
 * others read the list under the write lock, which keeps the agent out.
 */
#ifndef RSPB_CTLD_BOOK_PLACED_H
#define RSPB_CTLD_BOOK_PLACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/compat/job.h"
#include "plugins/ctld/base/section.h"

/* See who has come; the first time all jobs are looked at, in sections of which this is the
 * first, and inside is as of rspb_walk_jobs(). RET 0, or -1: out of memory. */
int rspb_placed_see(struct rspb_section *section, bool *inside);
/* Their numbers as of then, in rising order, and some that have no nodes any more. No lock
 * is held; they are good until it is seen again. */
const uint32_t *rspb_placed_ids(size_t *n);
/* See it, in a section of its own, if so many have got nodes since that soon some would not
 * be remembered: nobody may plan for long. */
void rspb_placed_keep_up(void);
/* Call fn for each that has nodes, by number, until it returns non-zero; only where it was
 * never seen, or long ago, all of Slurm's jobs are walked over. RET that, else 0. Write lock,
 * Slurm's threads as well: the agent cannot see to it meanwhile. */
int rspb_placed_each(rspb_job_fn fn, void *arg);
/* Forget all at the end of the agent, because Slurm may read its jobs anew before the next one
 * begins. Takes the write lock itself. */
void rspb_placed_reset(void);

/* Note a job that has been given nodes, or would have been; needs the write lock. */
void rspb_starts_note(uint32_t job);
/* The same of a task of a job array, which gets its own number when it starts: others of
 * that array that wait keep the one that it had. */
void rspb_starts_note_task(uint32_t array, uint32_t task);
/* How many were noted, modulo 2^32. Any thread. */
uint32_t rspb_starts_count(void);
enum { RSPB_STARTS_MOST = 256 };
/* The numbers of those that were noted since there were so many, as they are by now, each
 * once. RET how many, or -1: more than are remembered. Any lock. */
int rspb_starts_since(uint32_t count, uint32_t ids[RSPB_STARTS_MOST]);

#endif
