/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb-sim run on any lines: the first one names the algorithm, the others are
 * its input. What is accepted gives JSON lines, the same ones again; what
 * is not is refused in one sentence.
 */
#include "tests/fuzz/fuzz.h"

#include <json-c/json.h>

#include "contrib/sim/alg/alg.h"

static void check_lines(char *text)
{
	struct json_object *line;
	char *rest = text, *one;

	while ((one = strsep(&rest, "\n"))) {
		if (!*one)
			continue;
		line = json_tokener_parse(one);
		MUST(json_object_is_type(line, json_type_object));
		json_object_put(line);
	}
}

/* RET what is printed, NULL when the input is refused. */
static char *run(const struct sim_algorithm *algorithm, const char *text, size_t size)
{
	struct rspb_err err = { "" };
	char *printed = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&printed, &length);
	int rc;

	MUST(out);
	rc = sim_run_text(algorithm, text, size, "fuzz", out, &err);
	MUST(!fclose(out));
	if (!rc)
		return printed;
	fuzz_check_sentence(err.text);
	free(printed);
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *printed, *again;
	const struct sim_algorithm *algorithm;
	size_t first = strcspn(text, "\n");
	struct rspb_err err;

	if (text[first])
		text[first++] = '\0';
	algorithm = sim_algorithm_find(text, &err);
	if (!algorithm)
		fuzz_check_sentence(err.text);
	printed = algorithm ? run(algorithm, text + first, size - first) : NULL;
	if (printed) {
		again = run(algorithm, text + first, size - first);
		MUST(again && !strcmp(printed, again));
		check_lines(printed);
		free(again);
	}
	free(printed);
	free(text);
	return 0;
}
