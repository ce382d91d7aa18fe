/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/jsonl/out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_real(FILE *out, double value)
{
	char text[400];
	char *end;

	if (isinf(value) || isnan(value)) {
		fputs(isnan(value) ? "null" : value > 0 ? "\"inf\"" : "\"-inf\"", out);
		return;
	}
	snprintf(text, sizeof(text), "%.9f", value);
	end = text + strlen(text);
	while (end[-1] == '0')
		*--end = 0;
	if (end[-1] == '.')
		*--end = 0;
	fputs(!strcmp(text, "-0") ? "0" : text, out);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *) a, *(const char *const *) b);
}

static void print_object(FILE *out, struct json_object *value)
{
	size_t n = (size_t) json_object_object_length(value), i = 0;
	const char **keys = calloc(n + 1, sizeof(*keys));
	struct json_object *name;

	if (!keys)
		return;
	json_object_object_foreach(value, key, ignored)
	{
		(void) ignored;
		keys[i++] = key;
	}
	qsort(keys, n, sizeof(*keys), by_name);
	fputc('{', out);
	for (i = 0; i < n; i++) {
		name = json_object_new_string(keys[i]);
		fprintf(out, "%s%s:", i ? "," : "",
			json_object_to_json_string_ext(name, JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(name);
		sim_print(out, json_object_object_get(value, keys[i]));
	}
	fputc('}', out);
	free(keys);
}

void sim_print(FILE *out, struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_object:
		print_object(out, value);
		return;
	case json_type_array:
		fputc('[', out);
		for (size_t i = 0; i < json_object_array_length(value); i++) {
			if (i)
				fputc(',', out);
			sim_print(out, json_object_array_get_idx(value, i));
		}
		fputc(']', out);
		return;
	case json_type_double:
		print_real(out, json_object_get_double(value));
		return;
	default:
		fputs(json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE), out);
	}
}

void sim_put_real(struct json_object *line, const char *key, double value)
{
	rspb_json_put(line, key, json_object_new_double(value));
}

void sim_put_id(struct json_object *line, const struct sim_record *record)
{
	rspb_json_put(line, "id", json_object_get(sim_get(record, "id")));
}
