/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes letters to MailProg and to NoticeProgram, one after the other, as errands
 * (base/errand.h); whoever posts one does not wait. */
#ifndef RSPB_CTLD_POST_POSTMAN_H
#define RSPB_CTLD_POST_POSTMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* Seconds that a program may take. */
enum { RSPB_POSTMAN_PATIENCE_S = 30 };

/* "to" of a letter whose owner is mailed by the name that he has. */
#define RSPB_POSTMAN_OWNER "owner"

int rspb_postman_start(struct rspb_err *err);
/* Give the delivery under way two seconds. Undelivered letters do not count as done; done() tells
 * of the rest. */
void rspb_postman_stop(void);

/*
 * text: the letter as a JSON object (doc/man/rspb.conf.5 names what is in it);
 * program: of the site, "": none; mail: MailProg, "": none. All is copied. RET
 * false: out of memory, or it ends.
 */
bool rspb_postman_post(uint64_t id, const char *text, const char *program, const char *mail);
/* Get the id of the next letter that was delivered or given up. RET false: there is none. */
bool rspb_postman_done(uint64_t *id);

/* Programs of the site, run by a thread of ours. */

/*
 * Run argv[0], an absolute path, in an environment, and wait for its end, with no lock
 * held. It reads input, writes nowhere, has no other file open and a process
 * group of its own, which is killed after so many seconds, or once stop() says
 * so. RET 0: it ended with 0; else -1 with err.
 */
int rspb_program_run(char *const argv[], char *const env[], const char *input, int seconds,
		     bool (*stop)(void), struct rspb_err *err);

#endif
