/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that answers lines: each line to its standard input is followed by one line of
 * its standard output. Its standard error is that of the simulator. */
#ifndef RSPB_SIM_REPLAY_PROGRAM_H
#define RSPB_SIM_REPLAY_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct sim_program_run;

/* Start a command of sh(1) that has `patience` seconds for each answer. RET NULL with err. */
struct sim_program_run *sim_program_start(const char *command, int64_t patience,
					  struct rspb_err *err);
/* Send a line of `length` bytes, which ends with a newline. RET 0 or -1 with err. */
int sim_program_send(struct sim_program_run *run, const char *line, size_t length,
		     struct rspb_err *err);
/* RET the next line without its newline, valid until the next call, or NULL with err: the
 * program has ended, or does not answer in time. */
const char *sim_program_answer(struct sim_program_run *run, size_t *length, struct rspb_err *err);
/* Put "policy "COMMAND", answer N: " in front of the sentence. RET -1. */
int sim_program_at(const struct sim_program_run *run, struct rspb_err *err);
/* Close its input, and wait for its end; a program that stays is killed after `patience`. RET
 * 0, or -1 with err: its status is not 0. */
int sim_program_end(struct sim_program_run *run, struct rspb_err *err);
/* The same, after an error, without waiting for more than its end. NULL is none. */
void sim_program_kill(struct sim_program_run *run);

#endif
