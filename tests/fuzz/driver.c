/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs a fuzz target in make check: every file of its corpus, then
 * mutations of them. A run is told by its seed:
 *   RSPB_FUZZ_RUNS=N (20000) RSPB_FUZZ_SEED=N (1) tests/fuzz/fuzz_NAME [FILE...]
 * With files named, only these are run, to see a failure again.
 */
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

enum { MOST_INPUTS = 256, LONGEST = 4096 };

struct input {
	size_t size;
	uint8_t data[LONGEST];
};

static struct input corpus[MOST_INPUTS];
static size_t n_inputs;
static struct input now; /* for the handler of a crash */
static uint64_t state;

/* Marsaglia's xorshift64. */
static uint64_t chance(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : otherwise;
}

/* The input that failed goes to a file, to be run alone. */
static void on_abort(int sig)
{
	FILE *f = fopen("fuzz-failure", "wb");

	if (f) {
		fwrite(now.data, 1, now.size, f);
		fclose(f);
		fprintf(stderr, "the input is in fuzz-failure\n");
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

static void read_input(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct input *in = &corpus[n_inputs];

	if (!f || n_inputs == MOST_INPUTS) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	in->size = fread(in->data, 1, LONGEST, f);
	fclose(f);
	n_inputs++;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *) a, *(char *const *) b);
}

/* All files of a folder, by name, so that a seed means the same everywhere. */
static void read_folder(const char *path)
{
	char *names[MOST_INPUTS], *file;
	size_t n = 0;
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	while ((entry = readdir(dir)) && n < MOST_INPUTS)
		if (entry->d_name[0] != '.')
			names[n++] = strdup(entry->d_name);
	closedir(dir);
	qsort(names, n, sizeof(names[0]), by_name);
	for (size_t i = 0; i < n; i++) {
		MUST(asprintf(&file, "%s/%s", path, names[i]) > 0);
		read_input(file);
		free(file);
		free(names[i]);
	}
}

static void run(const struct input *in)
{
	/* A copy of the very size, so that a checker sees what is beyond. */
	uint8_t *data = malloc(in->size ? in->size : 1);

	MUST(data);
	memcpy(data, in->data, in->size);
	LLVMFuzzerTestOneInput(data, in->size);
	free(data);
}

/* Put `with` in place of `cut` bytes at `at`. */
static void replace(struct input *in, size_t at, size_t cut, const uint8_t *with, size_t len)
{
	size_t tail = in->size - at - cut;

	if (at + len + tail > LONGEST)
		return;
	memmove(in->data + at + len, in->data + at + cut, tail);
	memcpy(in->data + at, with, len);
	in->size = at + len + tail;
}

static void mutate(struct input *in)
{
	static const char *const words[] = {
		"0",
		"-1",
		"99999999999999999999",
		"1e999",
		"nan",
		"inf",
		"0x10",
		"%",
		":",
		",",
		"@",
		"=",
		"/",
		".",
		"\"",
		"\\",
		"\n",
		"\t",
		" ",
		"\x1b",
		"\xc3\xa9",
		"\xff",
		"{",
		"}",
		"[",
		"]",
		"9223372036854775807",
		"-9223372036854775808",
		"#",
		"'",
	};
	const struct input *other = &corpus[chance(n_inputs)];
	size_t at = chance(in->size + 1);
	size_t cut = chance(in->size - at + 1) % 8;
	size_t from = other->size ? chance(other->size) : 0;
	uint8_t byte = (uint8_t) chance(256);
	const char *word = words[chance(sizeof(words) / sizeof(words[0]))];

	switch (chance(5)) {
	case 0:
		replace(in, at, cut, &byte, 1);
		break;
	case 1:
		replace(in, at, cut, &byte, 0);
		break;
	case 2:
		replace(in, at, cut % 2, (const uint8_t *) word, strlen(word));
		break;
	case 3:
		replace(in, at, in->size - at, other->data + from, other->size - from);
		break;
	default:
		replace(in, at, 0, other->data + from, (other->size - from) % 16);
	}
}

/* tests/fuzz/fuzz_NAME, or libtool's lt-fuzz_NAME: $srcdir's corpus NAME. */
static void read_own_corpus(const char *program)
{
	const char *name = strstr(program, "fuzz_"), *next;
	const char *srcdir = getenv("srcdir");
	char path[4096];

	while (name && (next = strstr(name + 1, "fuzz_")))
		name = next;
	MUST(name);
	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", srcdir ? srcdir : ".",
		 name + strlen("fuzz_"));
	read_folder(path);
}

int main(int argc, char **argv)
{
	uint64_t runs = setting("RSPB_FUZZ_RUNS", 20000);
	uint64_t seed = setting("RSPB_FUZZ_SEED", 1);

	signal(SIGABRT, on_abort);
	for (int i = 1; i < argc; i++)
		read_input(argv[i]);
	if (argc == 1)
		read_own_corpus(argv[0]);
	MUST(n_inputs);
	for (size_t i = 0; i < n_inputs; i++) {
		now = corpus[i];
		run(&now);
	}
	if (argc > 1)
		return EXIT_SUCCESS;
	state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	printf("%zu inputs, %" PRIu64 " mutations, seed %" PRIu64 "\n", n_inputs, runs, seed);
	for (uint64_t i = 0; i < runs; i++) {
		now = corpus[chance(n_inputs)];
		for (uint64_t n = 1 + chance(6); n; n--)
			mutate(&now);
		run(&now);
	}
	return EXIT_SUCCESS;
}
