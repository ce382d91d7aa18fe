/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs of operations, run on the profile and on its naive twin side by
 * side, every answer compared. A program is an array of plain numbers, so that
 * it can come from a random generator, from a fuzzer's bytes or from a file,
 * and be cut down to a short one that still fails.
 */
#ifndef RSPB_TESTS_NAIVE_DIFFER_H
#define RSPB_TESTS_NAIVE_DIFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct differ_op {
	uint8_t kind;
	uint8_t style; /* how nodes are chosen, policy, open end */
	uint16_t size; /* of node sets, in 1/65536 of the width */
	uint32_t seed;
	int64_t start; /* from now, or absolute for wild ones */
	int64_t length;
};

struct differ_program {
	uint32_t nodes;
	size_t count;
	struct differ_op *ops;
};

/* A random program; horizon: how far from now starts lie. */
struct differ_program differ_random(uint64_t seed, uint32_t nodes, size_t count, int64_t horizon);
/* Decode a fuzzer's bytes; never fails, short input is a short program. */
struct differ_program differ_decode(const uint8_t *bytes, size_t size);
/* RET the program in a file, or one without ops when it can't be read. */
struct differ_program differ_load(const char *path);
int differ_save(const struct differ_program *program, const char *path);
void differ_fini(struct differ_program *program);

/*
 * RET -1 when every answer agreed, else the index of the op whose answer did
 * not, with the reason in text. With validate every invariant and all records
 * are checked after each op.
 */
int64_t differ_run(const struct differ_program *program, bool validate, char *text, size_t size);
/* Leave out every op that the failure doesn't need. */
void differ_shrink(struct differ_program *program);

#endif
