/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which users are members of the groups that may book. What the system says is
 * remembered for ten minutes, since to look it up may take long; slurmctld does
 * the same with groups of jobs. Any thread, any locks.
 */
#ifndef RSPB_CTLD_REQUESTS_GROUPS_H
#define RSPB_CTLD_REQUESTS_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

/* Find the groups of a list, separated by commas; tell() gets each name that is
 * no group's. What was remembered is forgotten. */
void rspb_groups_learn(const char *list, void (*tell)(const char *name));
/* Whether a user is in one of the groups of such a list; in an empty one
 * everybody is. now: seconds. */
bool rspb_groups_have(const char *list, uint32_t user, int64_t now);

#endif
