/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random_profile [--ops N] [--seed S] [--no-validate] [CASE...]
 *
 * Runs random programs on the profile and its naive twin, over many shapes;
 * with CASE files runs these, without any first those kept in
 * tests/naive/cases. The seed is printed; a program that fails is
 * shrunk and written to failed.case in the current folder.
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/naive/differ.h"
#include "tests/naive/rng.h"

/* Nodes, operations in a program of that width, horizon. */
static const struct {
	uint32_t nodes;
	size_t ops;
	int64_t horizon;
} shapes[] = {
	{ 1, 400, 50 },	      { 5, 1000, 60 },	    { 31, 1500, 3000 }, { 32, 1000, 40 },
	{ 33, 2000, 9000 },   { 64, 3000, 20000 },  { 65, 1000, 80 },	{ 100, 5000, 50000 },
	{ 1024, 1500, 9000 }, { 10240, 300, 3000 },
};

static int fail(struct differ_program *program, const char *text)
{
	char last[400] = "";

	printf("differs at %s\n", text);
	differ_shrink(program);
	differ_run(program, true, last, sizeof(last));
	differ_save(program, "failed.case");
	printf("shrunk to %zu ops: %s; see failed.case\n", program->count, last);
	differ_fini(program);
	return EXIT_FAILURE;
}

static int run_cases(char **paths, int count)
{
	for (int i = 0; i < count; i++) {
		struct differ_program program = differ_load(paths[i]);
		char text[400];

		if (!program.count) {
			printf("%s: no operations in it\n", paths[i]);
			return EXIT_FAILURE;
		}
		if (differ_run(&program, true, text, sizeof(text)) >= 0) {
			printf("%s: ", paths[i]);
			return fail(&program, text);
		}
		differ_fini(&program);
		printf("%s: agrees\n", paths[i]);
	}
	return EXIT_SUCCESS;
}

/* The cases kept from earlier failures. */
static int run_kept(void)
{
	const char *folder = getenv("srcdir");
	char pattern[1024];
	glob_t found;
	int rc = EXIT_FAILURE;

	snprintf(pattern, sizeof(pattern), "%s/tests/naive/cases/*.case", folder ? folder : ".");
	if (glob(pattern, 0, NULL, &found)) {
		printf("no cases at %s\n", pattern);
		return folder ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	rc = run_cases(found.gl_pathv, (int) found.gl_pathc);
	globfree(&found);
	return rc;
}

static int run_random(uint64_t seed, uint64_t ops, bool validate)
{
	uint64_t rng = seed, done = 0;
	size_t kinds = sizeof(shapes) / sizeof(shapes[0]);

	for (size_t i = 0; done < ops; i++) {
		size_t shape = i % kinds;
		struct differ_program program = differ_random(rng_next(&rng), shapes[shape].nodes,
							      shapes[shape].ops,
							      shapes[shape].horizon);
		char text[400];

		if (differ_run(&program, validate, text, sizeof(text)) >= 0)
			return fail(&program, text);
		done += program.count;
		differ_fini(&program);
	}
	printf("seed %" PRIu64 ": %" PRIu64 " operations agree\n", seed, done);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	uint64_t seed = 20240607, ops = 25000;
	bool validate = true;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--no-validate"))
			validate = false;
		else if (i + 1 < argc && !strcmp(argv[i], "--ops"))
			ops = strtoull(argv[++i], NULL, 10);
		else if (i + 1 < argc && !strcmp(argv[i], "--seed"))
			seed = strtoull(argv[++i], NULL, 10);
		else
			return 2;
	}
	printf("seed %" PRIu64 "\n", seed);
	if (i < argc)
		return run_cases(argv + i, argc - i);
	if (run_kept())
		return EXIT_FAILURE;
	return run_random(seed, ops, validate);
}
