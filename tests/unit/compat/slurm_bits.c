/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bits.c wants of slurmctld: its bitmaps by those of libslurm, where their names
 * begin otherwise, and its ways to a node. Without Slurm's headers, in which the
 * parameters differ from release to release. */
#include "tests/unit/compat/slurm_bits.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int slow_ways;

/* clang-format off */
#define FORWARD(type, name, parameters, arguments)			\
	type slurm_##name parameters;					\
	type name parameters;						\
	type name parameters						\
	{								\
		return slurm_##name arguments;				\
	}
/* clang-format on */

FORWARD(void *, bit_alloc, (int64_t n), (n))
FORWARD(void *, bit_copy, (void *bits), (bits))
FORWARD(void, bit_clear, (void *bits, int64_t n), (bits, n))
FORWARD(void, bit_set, (void *bits, int64_t n), (bits, n))
FORWARD(int, bit_test, (void *bits, int64_t n), (bits, n))
FORWARD(int64_t, bit_ffs, (void *bits), (bits))
FORWARD(int64_t, bit_fls, (void *bits), (bits))
FORWARD(int32_t, bit_set_count_range, (void *bits, int32_t from, int32_t to), (bits, from, to))
FORWARD(char *, xstrdup, (const char *text), (text))

void *slurm_hostlist_create(const char *text);
char *slurm_hostlist_shift(void *list);
void slurm_hostlist_destroy(void *list);
void *find_node_record(const char *name);
/* Slurm 24.11 and later also return the unknown names. */
#ifdef RSPB_HAVE_INVALID_NAMES
#define UNKNOWN_NAMES , void **unknown
#else
#define UNKNOWN_NAMES
#endif
int node_name2bitmap(const char *names, bool rest, void **out UNKNOWN_NAMES);

void *find_node_record(const char *name)
{
	return node_find(name, NULL);
}

/* Slurm's reader of names loses some bytes of a text that it refuses. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:slurm_hostlist_create\n";
}

/* As Slurm does it: each name is written out, and looked up. */
int node_name2bitmap(const char *names, bool rest, void **out UNKNOWN_NAMES)
{
	void *list = slurm_hostlist_create(names);
	int rc = list ? 0 : -1, at;
	char *name;

	(void) rest;
#ifdef RSPB_HAVE_INVALID_NAMES
	(void) unknown;
#endif
	slow_ways++;
	*out = bit_alloc(nodes_there());
	while (list && (name = slurm_hostlist_shift(list))) {
		if (node_find(name, &at))
			bit_set(*out, at);
		else
			rc = -1;
		free(name);
	}
	if (list)
		slurm_hostlist_destroy(list);
	return rc;
}
