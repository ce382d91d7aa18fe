/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that writes the journal, and the bounded queue to it. */
#ifndef RSPB_CTLD_POST_JOURNAL_WRITER_H
#define RSPB_CTLD_POST_JOURNAL_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/ctld/post/notes.h"

/* Bytes of notes that may wait. */
enum { RSPB_JOURNAL_WAITING_MAX = 32 << 20 };

/* RET whether the thread is there; why not is in the log. */
bool rspb_journal_writer_start(void);
/* Queue a note. It is not woken for it: it had better not run while Slurm's
 * locks are held. RET false: there is no room for the note, which is gone (as
 * when it is NULL). */
bool rspb_journal_writer_put(struct rspb_note *note);
/* Have what waits be written. RET how many bytes do. */
size_t rspb_journal_writer_wake(void);
/* From when on it needs the whole state, seconds; INT64_MAX: it does not. */
int64_t rspb_journal_writer_wants(void);
/* Write what waits, for two seconds at most, and end. */
void rspb_journal_writer_stop(void);

#endif
