/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What compat/limit/members.c wants of slurmctld beside its lists. Without Slurm's
 * headers, in which the parameters differ from release to release. */
#include <stddef.h>

#include "plugins/compat/ctld.h"

struct rspb_slurm_conf rspb_slurm_conf(void)
{
	return (struct rspb_slurm_conf){ .by_account = false };
}

/* clang-format off */
#define STAND_IN(type, name, value)					\
	type name(void);						\
	type name(void)							\
	{								\
		return value;						\
	}
/* clang-format on */

STAND_IN(void *, rspb_draft_part, NULL)
STAND_IN(void, rspb_submission_account, )
STAND_IN(int, validate_group, 0)
STAND_IN(int, part_policy_valid_acct, 0)
STAND_IN(void, assoc_mgr_lock, )
STAND_IN(void, assoc_mgr_unlock, )
STAND_IN(int, bit_test, 0)
STAND_IN(int, slurm_bit_test, 0)
STAND_IN(long, bit_size, 0)
STAND_IN(long, slurm_bit_size, 0)

/* Slurm's library has its lists, under longer names than slurmctld. */
void *slurm_list_find_first(void *list, int (*match)(void *item, void *key), void *key);
int slurm_list_for_each(void *list, int (*visit)(void *item, void *arg), void *arg);
void *list_find_first(void *list, int (*match)(void *item, void *key), void *key);
int list_for_each(void *list, int (*visit)(void *item, void *arg), void *arg);

void *list_find_first(void *list, int (*match)(void *item, void *key), void *key)
{
	return slurm_list_find_first(list, match, key);
}

int list_for_each(void *list, int (*visit)(void *item, void *arg), void *arg)
{
	return slurm_list_for_each(list, visit, arg);
}
