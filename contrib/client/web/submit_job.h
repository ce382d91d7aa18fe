/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submits and cancels jobs for the page, by Slurm's commands and without a shell. */
#ifndef RSPB_CLIENT_SUBMIT_JOB_H
#define RSPB_CLIENT_SUBMIT_JOB_H

#include <json-c/json.h>

/* Answer a question with "flags" of sbatch and one of "script", "path" and
 * "hold_nodes"; with "dry" nothing is run. The answer has the equivalent "command",
 * and the "job" that was submitted; or "error" and "text". */
json_object *rspb_submit_job(json_object *question);
/* Cancel the "job" of a question, or release a declined one as a regular job. */
json_object *rspb_cancel_job(json_object *question);
json_object *rspb_release_job(json_object *question);
/* The names of the accounts of this user, by Slurm's accounting; empty if there is none. */
json_object *rspb_web_accounts(void);
/* An answer that refuses. */
json_object *rspb_web_refusal(const char *error, const char *text);

#endif
