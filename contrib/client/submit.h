/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with a booking, by Slurm's own commands. */
#ifndef RSPB_CLIENT_SUBMIT_H
#define RSPB_CLIENT_SUBMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Run a command of Slurm's, what it prints into text (NULL: where ours goes). RET
 * its status. */
int rspb_submit_run(char *const *argv, char *text, size_t size);
/* Run sbatch --parsable with its words, ended by NULL. sbatch does not wait for the end
 * of the job, whatever SBATCH_WAIT or the script say. short_spoken: what it foresees is left
 * out, as somebody sums up later. RET 0 with the number of the job, or
 * -1: sbatch has said why not. */
int rspb_submit(char *const *argv, bool short_spoken, int64_t *job);
/* Whether a word is sbatch's own option -W or --wait, which would wait for the end of the
 * job; the arguments of a script are none. */
bool rspb_submit_is_wait(char *const *words, int i);

#endif
