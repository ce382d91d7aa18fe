/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers who belongs to an account and who coordinates it, by accounting, and who may use a
 * partition. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_MEMBERS_H
#define RSPB_PLUGINS_COMPAT_LIMIT_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "plugins/compat/job.h"

/* How somebody must belong to an account. */
enum rspb_member { RSPB_MEMBER_COORDINATES, RSPB_MEMBER_HAS };

/* Whether a user coordinates an account, or has it. */
bool rspb_member_of_account(uint32_t uid, const char *account, enum rspb_member how);
/* Whether there is an account that another user (by name) has, of which the same
 * goes for this one. */
bool rspb_member_beside(uint32_t uid, const char *user, enum rspb_member how);
/* The account that a user has without naming one; "": none is known. */
void rspb_member_usual(uint32_t uid, char *account, size_t size);
/* With read locks on partitions: whether a user of an account could use a
 * partition (NULL: the usual one), with so many nodes (0: any) for so many seconds.
 * RET 0, or -1 with err. */
int rspb_member_partition(uint32_t uid, char *account, const char *partition, uint32_t nodes,
			  int64_t seconds, struct rspb_err *err);
/* With at least the read lock. RET 0; -1 with err: accounting has lost whom a job is
 * for (the user, the account, or that one in this), or lets him have its QOS no more.
 * Slurm's scheduler starts no such job. */
int rspb_member_admitted(const struct rspb_job *job, struct rspb_err *err);

#endif
