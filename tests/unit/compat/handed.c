/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a draft wants of slurmctld. Without Slurm's headers, in which the
 * parameters differ from release to release: none of them is looked at. */
#include "tests/unit/compat/handed.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int handed;
int lists_destroyed;

/* clang-format off */
#define STAND_IN(type, name, value)					\
	type name(void);						\
	type name(void)							\
	{								\
		return value;						\
	}
/* clang-format on */

int build_feature_list(void);
void list_destroy(void *list);
void slurm_bit_free(void **bits);
void *slurm_xcalloc(size_t n, size_t size);
void slurm_xfree(void **item);
char *xstrdup(const char *text);

int build_feature_list(void)
{
	handed++;
	return 0;
}

STAND_IN(int, gres_job_state_validate, 0)
STAND_IN(_Bool, rspb_abi_gres_ok, 1)
STAND_IN(int, rspb_bits_named, 0)
STAND_IN(int, bit_set_count, 0)
STAND_IN(int, slurm_bit_set_count, 0)
STAND_IN(long, bit_ffs, -1)
STAND_IN(long, slurm_bit_ffs, -1)
STAND_IN(long, bit_fls, -1)
STAND_IN(long, slurm_bit_fls, -1)
STAND_IN(int, part_policy_valid_qos, 0)
STAND_IN(void *, find_part_record, NULL)
STAND_IN(void *, license_validate, NULL)
STAND_IN(const char *, slurm_strerror, "an error")
STAND_IN(void, slurm_init_job_desc_msg, )
STAND_IN(void, assoc_mgr_lock, )
STAND_IN(void, assoc_mgr_unlock, )
STAND_IN(int, assoc_mgr_fill_in_assoc, 0)
STAND_IN(void *, list_find_first, NULL)
STAND_IN(void *, bit_copy, NULL)
STAND_IN(int, xstrcmp, 0)
STAND_IN(int, bit_test, 0)
STAND_IN(int, slurm_bit_test, 0) /* the name from Slurm 24.11 on */
STAND_IN(void, _xstrfmtcat, )

void list_destroy(void *list)
{
	lists_destroyed++;
	free(list);
}

void slurm_bit_free(void **bits)
{
	free(*bits);
}

void *slurm_xcalloc(size_t n, size_t size)
{
	return calloc(n, size);
}

void slurm_xfree(void **item)
{
	free(*item);
	*item = NULL;
}

char *xstrdup(const char *text)
{
	return text ? strdup(text) : NULL;
}
