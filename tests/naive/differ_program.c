/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs of operations: made up, read, written, cut down. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/naive/differ.h"
#include "tests/naive/rng.h"

struct differ_program differ_random(uint64_t seed, uint32_t nodes, size_t count, int64_t horizon)
{
	struct differ_program program = { nodes, count, NULL };
	uint64_t rng = seed;

	program.ops = calloc(count + 1, sizeof(*program.ops));
	for (size_t i = 0; program.ops && i < count; i++) {
		struct differ_op *op = &program.ops[i];

		op->kind = (uint8_t) rng_next(&rng);
		/* Wild times say little; keep them rare. */
		if (op->kind >= 240 && rng_below(&rng, 8))
			op->kind &= 15;
		op->style = (uint8_t) rng_next(&rng);
		op->size = (uint16_t) (65535 / rng_log(&rng, nodes + 1));
		op->seed = (uint32_t) rng_next(&rng);
		op->start = (int64_t) rng_below(&rng, (uint64_t) horizon) - 2;
		op->length = (int64_t) rng_log(&rng, (uint64_t) horizon / 8 + 4);
		if (op->kind >= 240) {
			op->start = (int64_t) rng_next(&rng) >> rng_below(&rng, 8);
			op->length = (int64_t) rng_next(&rng) >> rng_below(&rng, 64);
		}
	}
	if (!program.ops)
		program.count = 0;
	return program;
}

void differ_fini(struct differ_program *program)
{
	free(program->ops);
	program->ops = NULL;
	program->count = 0;
}

struct differ_program differ_decode(const uint8_t *bytes, size_t size)
{
	enum { OP = 14 };
	struct differ_program program = { 1, 0, NULL };

	if (size < 1)
		return program;
	program.nodes = (uint32_t) bytes[0] + 1;
	bytes++;
	program.count = (size - 1) / OP;
	program.ops = calloc(program.count + 1, sizeof(*program.ops));
	if (!program.ops)
		program.count = 0;
	for (size_t i = 0; i < program.count; i++, bytes += OP) {
		struct differ_op *op = &program.ops[i];
		int shift = bytes[13] & 63;

		op->kind = bytes[0];
		op->style = bytes[1];
		op->size = (uint16_t) (bytes[2] << 8 | bytes[3]);
		op->seed = (uint32_t) (bytes[4] << 8 | bytes[5]);
		op->start = bytes[6] << 8 | bytes[7];
		op->length = bytes[8] << 8 | bytes[9];
		if (op->kind < 240)
			continue;
		op->start = (int64_t) (((uint64_t) op->start << shift) -
				       (uint64_t) (bytes[10] << 8) - bytes[11]);
		op->length = (int64_t) (((uint64_t) op->length << shift) - bytes[12]);
	}
	return program;
}

struct differ_program differ_load(const char *path)
{
	struct differ_program program = { 1, 0, NULL };
	FILE *file = fopen(path, "r");
	struct differ_op op;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		struct differ_op *grown;

		if (sscanf(line, "nodes %" SCNu32, &program.nodes) == 1)
			continue;
		if (sscanf(line,
			   "%" SCNu8 " %" SCNu8 " %" SCNu16 " %" SCNu32 " %" SCNd64 " %" SCNd64,
			   &op.kind, &op.style, &op.size, &op.seed, &op.start, &op.length) != 6)
			continue;
		grown = realloc(program.ops, (program.count + 1) * sizeof(*grown));
		if (!grown)
			break;
		program.ops = grown;
		program.ops[program.count++] = op;
	}
	if (file)
		fclose(file);
	return program;
}

int differ_save(const struct differ_program *program, const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return -1;
	fprintf(file, "# kind style size seed start length\nnodes %" PRIu32 "\n", program->nodes);
	for (size_t i = 0; i < program->count; i++) {
		const struct differ_op *op = &program->ops[i];

		fprintf(file, "%u %u %u %" PRIu32 " %" PRId64 " %" PRId64 "\n", op->kind, op->style,
			op->size, op->seed, op->start, op->length);
	}
	return fclose(file);
}

void differ_shrink(struct differ_program *program)
{
	char text[400];
	int64_t failed = differ_run(program, true, text, sizeof(text));

	if (failed < 0)
		return;
	if ((size_t) failed < program->count)
		program->count = (size_t) failed + 1;
	for (size_t part = program->count / 2; part; part /= 2) {
		for (size_t at = 0; at + part <= program->count;) {
			struct differ_program less = *program;
			size_t behind = program->count - at - part;

			less.count -= part;
			less.ops = malloc((less.count + 1) * sizeof(*less.ops));
			if (!less.ops)
				return;
			memcpy(less.ops, program->ops, at * sizeof(*less.ops));
			memcpy(less.ops + at, program->ops + at + part, behind * sizeof(*less.ops));
			if (differ_run(&less, true, text, sizeof(text)) < 0) {
				differ_fini(&less);
				at += part;
				continue;
			}
			differ_fini(program);
			*program = less;
		}
	}
}
