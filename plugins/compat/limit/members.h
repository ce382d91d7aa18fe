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

/* Whether a user coordinates an account, or has it. account NULL: any account that another user
 * (by name) has. */
bool rspb_member_is(uint32_t uid, enum rspb_member how, const char *account, const char *user);
/* With read locks on partitions: whether a user of an account could use a
 * partition (NULL: the usual one), with so many nodes (0: any) for so many seconds.
 * RET 0, or -1 with err. */
int rspb_member_partition(uint32_t uid, char *account, const char *partition, uint32_t nodes,
			  int64_t seconds, struct rspb_err *err);
/* RSPB_BAR_OWNER of rspb_job_barred(). RET 0, or -1 with err. */
int rspb_member_admitted(const struct rspb_job *job, struct rspb_err *err);

#endif
