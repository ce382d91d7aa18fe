/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs `rspb-sim run ALGORITHM` over every vector of INDEX.tsv and compares
 * what it prints with what is kept: numbers within 1e-9, all else exactly.
 * Where it differs from the vectors it names the line.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double);
}

static bool same(struct json_object *a, struct json_object *b);

static bool same_array(struct json_object *a, struct json_object *b)
{
	size_t n = json_object_array_length(a);

	if (n != json_object_array_length(b))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same(json_object_array_get_idx(a, i), json_object_array_get_idx(b, i)))
			return false;
	return true;
}

static bool same_object(struct json_object *a, struct json_object *b)
{
	struct json_object *other;

	if (json_object_object_length(a) != json_object_object_length(b))
		return false;
	json_object_object_foreach(a, key, value) if (!json_object_object_get_ex(b, key, &other) ||
						      !same(value, other)) return false;
	return true;
}

static bool same(struct json_object *a, struct json_object *b)
{
	double x, y;

	if (is_number(a) && is_number(b)) {
		x = json_object_get_double(a);
		y = json_object_get_double(b);
		return fabs(x - y) <= 1e-9 * fmax(1, fmax(fabs(x), fabs(y)));
	}
	if (json_object_get_type(a) != json_object_get_type(b))
		return false;
	if (json_object_is_type(a, json_type_array))
		return same_array(a, b);
	if (json_object_is_type(a, json_type_object))
		return same_object(a, b);
	return json_object_equal(a, b);
}

/* The next line that is not empty, as JSON; NULL at the end. */
static struct json_object *next_line(FILE *in, char **line, size_t *size)
{
	while (getline(line, size, in) >= 0)
		if (**line != '\n' && **line != '#')
			return json_tokener_parse(*line);
	return NULL;
}

/* RET the number of the first line that differs, 0: none does. */
static int compare(FILE *got, FILE *want)
{
	char *line = NULL;
	size_t size = 0;
	int number = 0;
	bool equal = true, more = true;

	while (equal && more) {
		struct json_object *a = next_line(got, &line, &size);
		struct json_object *b = next_line(want, &line, &size);

		number++;
		more = a && b;
		equal = more ? same(a, b) : !a && !b;
		json_object_put(a);
		json_object_put(b);
	}
	free(line);
	return equal ? 0 : number;
}

static bool check(const char *program, const char *folder, const char *name, const char *algorithm)
{
	char command[2048], path[1024];
	FILE *got, *want;
	int differs, status;

	snprintf(command, sizeof(command), "'%s' run '%s' < '%s/%s.in.jsonl'", program, algorithm,
		 folder, name);
	snprintf(path, sizeof(path), "%s/%s.out.jsonl", folder, name);
	want = fopen(path, "r");
	got = popen(command, "r");
	if (!want || !got) {
		perror(want ? command : path);
		return false;
	}
	differs = compare(got, want);
	status = pclose(got);
	fclose(want);
	if (differs || status)
		printf("FAIL %s (%s): line %d, status %d\n", name, algorithm, differs, status);
	return !differs && !status;
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : getenv("GOLDEN_DIR");
	const char *program = argc > 2 ? argv[2] : getenv("RSPB_SIM");
	char path[1024], name[256], algorithm[64];
	int passed = 0, failed = 0;
	FILE *index;

	if (!folder || !program) {
		fputs("usage: check_golden FOLDER RSPB-SIM\n", stderr);
		return EXIT_FAILURE;
	}
	snprintf(path, sizeof(path), "%s/INDEX.tsv", folder);
	index = fopen(path, "r");
	if (!index) {
		perror(path);
		return EXIT_FAILURE;
	}
	while (fscanf(index, "%255s %63s", name, algorithm) == 2) {
		if (check(program, folder, name, algorithm))
			passed++;
		else
			failed++;
	}
	fclose(index);
	printf("%d passed, %d failed\n", passed, failed);
	return failed || !passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
