/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps letters until they are delivered, in the durable journal, too. A letter is sent when its
 * line is on the disk. After a crash the next slurmctld sends it, unless the journal says that it
 * was delivered. For the agent.
 */
#ifndef RSPB_CTLD_POST_OUTBOX_H
#define RSPB_CTLD_POST_OUTBOX_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugins/ctld/record/durable.h"

/* Write one: gets its number and is noted. Those of the same job that are not on their
 * way yet go, if replaces or if everybody whom they were to reach gets this one. One with a
 * series waits some seconds, and becomes one with others of it that say the same. Takes the
 * letter. keep: until then it is known that it was written; 0: until it is delivered. */
void rspb_outbox_put(json_object *letter, uint32_t job, bool replaces, int64_t keep, int64_t now);
/* Whether one of that job with this event is not on its way yet. */
bool rspb_outbox_waits(uint32_t job, const char *event);
/* Whether one of that job with this event is, or was, known until then. */
bool rspb_outbox_has(uint32_t job, const char *event, int64_t keep);
/* Whether one of that job that is remembered for a time is known. */
bool rspb_outbox_knows(uint32_t job);
/* Whether any is to be posted; those that have been delivered are noted. */
bool rspb_outbox_look(int64_t now);
/* Have the notes written, and post some letters that are on the disk, the users in turn. */
void rspb_outbox_post(const char *program, const char *mail, int64_t now);

extern const struct rspb_durable_kind rspb_letters_durable;

#endif
