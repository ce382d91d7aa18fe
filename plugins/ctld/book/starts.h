/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs were given nodes lately. A commit asks who came behind its plan, with the
 * write lock held; Slurm would have to be asked for all of its jobs.
 */
#ifndef RSPB_CTLD_BOOK_STARTS_H
#define RSPB_CTLD_BOOK_STARTS_H

#include <stdint.h>

/* Note a job that has been given nodes, or would have been; needs the write lock. */
void rspb_starts_note(uint32_t job);
/* The same of a task of a job array, which gets its own number when it starts: others of
 * that array that wait keep the one that it had. */
void rspb_starts_note_task(uint32_t array, uint32_t task);
/* How many were noted, modulo 2^32. Any lock. */
uint32_t rspb_starts_count(void);
enum { RSPB_STARTS_MOST = 256 };
/* The numbers of those that were noted since there were so many, as they are by now, each
 * once. RET how many, or -1: more than are remembered. Any lock. */
int rspb_starts_since(uint32_t count, uint32_t ids[RSPB_STARTS_MOST]);

#endif
