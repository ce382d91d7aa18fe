/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/jsonl/lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/wire/json.h"
#include "plugins/wire/strict.h"

enum { MAX_DEPTH = 16 };

/* RET how many members a text of JSON has: each has its colon. */
static size_t members_written(const char *text, size_t length)
{
	size_t count = 0;
	bool quoted = false;

	for (size_t i = 0; i < length; i++) {
		if (quoted && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			quoted = !quoted;
		else if (text[i] == ':')
			count += !quoted;
	}
	return count;
}

/* RET how many of them json-c kept, the last of each name. Not deeper than
 * MAX_DEPTH. */
static size_t members_kept(struct json_object *value)
{
	size_t count = 0;

	if (json_object_is_type(value, json_type_array))
		for (size_t i = 0; i < json_object_array_length(value); i++)
			count += members_kept(json_object_array_get_idx(value, i));
	if (!json_object_is_type(value, json_type_object))
		return count;
	json_object_object_foreach(value, key, member)
	{
		(void) key;
		count += 1 + members_kept(member);
	}
	return count;
}

/* Read one line into *object. RET 1, 0 for a line without one, -1. */
static int parse_line(struct json_tokener *tok, const char *text, size_t length,
		      struct json_object **object, struct rspb_err *err)
{
	enum json_tokener_error problem;

	while (length && isspace((unsigned char) text[length - 1]))
		length--;
	while (length && isspace((unsigned char) *text)) {
		text++;
		length--;
	}
	if (!length || *text == '#')
		return 0;
	if (memchr(text, 0, length))
		return rspb_fail(err, "a NUL character; lines are JSON text");
	json_tokener_reset(tok);
	*object = rspb_strict_parse(tok, text, length, JSON_TOKENER_ALLOW_TRAILING_CHARS);
	problem = json_tokener_get_error(tok);
	if (problem == json_tokener_success && json_tokener_get_parse_end(tok) < length)
		problem = json_tokener_error_parse_unexpected;
	if (problem != json_tokener_success) {
		json_object_put(*object);
		return rspb_fail(err,
				 "not a JSON object in one line: %s at "
				 "character %zu",
				 problem == json_tokener_continue
					 ? "it ends too early"
					 : json_tokener_error_desc(problem),
				 json_tokener_get_parse_end(tok) + 1);
	}
	if (!json_object_is_type(*object, json_type_object)) {
		json_object_put(*object);
		return rspb_fail(err, "not a JSON object, such as {\"id\":1}");
	}
	if (members_written(text, length) != members_kept(*object)) {
		json_object_put(*object);
		return rspb_fail(err, "an object has two members of the same name");
	}
	return 1;
}

static bool is_config(struct json_object *object)
{
	struct json_object *type = json_object_object_get(object, "type");

	return json_object_is_type(type, json_type_string) &&
	       !strcmp(json_object_get_string(type), "config");
}

static void add_config(struct sim_lines *lines, struct json_object *object, size_t line)
{
	json_object_object_foreach(object, key, value)
		rspb_json_put(lines->config.object, key, json_object_get(value));
	lines->config.line = line;
	json_object_put(object);
}

static int add_record(struct sim_lines *lines, struct json_object *object, size_t line,
		      struct rspb_err *err)
{
	if (rspb_array_grow(&lines->records, &lines->room, lines->n + 1, sizeof(*lines->records))) {
		json_object_put(object);
		return rspb_fail(err, "out of memory");
	}
	lines->records[lines->n++] = (struct sim_record){
		.file = lines->file,
		.line = line,
		.within = "",
		.object = object,
	};
	return 0;
}

static int take_line(struct sim_lines *lines, struct json_tokener *tok, const char *text,
		     size_t length, size_t line, struct rspb_err *err)
{
	struct json_object *object = NULL;
	int rc = parse_line(tok, text, length, &object, err);

	if (rc < 0)
		return rspb_fail_at(err, "%s:%zu", lines->file, line);
	if (rc == 0)
		return 0;
	if (!is_config(object))
		return add_record(lines, object, line, err);
	if (lines->n) {
		json_object_put(object);
		rspb_fail(err, "config lines come before all others");
		return rspb_fail_at(err, "%s:%zu", lines->file, line);
	}
	add_config(lines, object, line);
	return 0;
}

int sim_line_parse(const char *text, size_t length, struct sim_record *record, struct rspb_err *err)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	int rc;

	record->object = NULL;
	if (!tok)
		return rspb_fail(err, "out of memory");
	rc = length > INT32_MAX ? rspb_fail(err, "the line is too long")
				: parse_line(tok, text, length, &record->object, err);
	json_tokener_free(tok);
	if (rc < 0)
		record->object = NULL;
	return rc < 0 ? sim_at(record, err) : rc;
}

int sim_lines_parse(struct sim_lines *lines, const char *text, size_t length, const char *file,
		    struct rspb_err *err)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	const char *end = text + length, *stop;
	size_t line = 0;
	int rc = 0;

	*lines = (struct sim_lines){ .file = file };
	lines->config = (struct sim_record){ .file = file,
					     .within = "",
					     .object = json_object_new_object() };
	if (!tok || !lines->config.object)
		rc = rspb_fail(err, "out of memory");
	for (; !rc && text < end; text = stop + 1) {
		stop = memchr(text, '\n', (size_t) (end - text));
		if (!stop)
			stop = end;
		rc = take_line(lines, tok, text, (size_t) (stop - text), ++line, err);
	}
	if (tok)
		json_tokener_free(tok);
	if (rc)
		sim_lines_fini(lines);
	return rc;
}

int sim_lines_slurp(const char *file, char **text, size_t *length, struct rspb_err *err)
{
	FILE *in = file ? fopen(file, "re") : stdin, *all;
	char part[1 << 16];
	size_t got;
	bool bad;

	*text = NULL;
	if (!in)
		return rspb_fail(err, "%s: %s", file, strerror(errno));
	all = open_memstream(text, length);
	if (!all) {
		if (file)
			fclose(in);
		return rspb_fail(err, "out of memory");
	}
	while ((got = fread(part, 1, sizeof(part), in)) > 0)
		fwrite(part, 1, got, all);
	bad = ferror(in) || ferror(all);
	if (file)
		fclose(in);
	if (!fclose(all) && !bad)
		return 0;
	free(*text);
	*text = NULL;
	return rspb_fail(err, "%s: cannot be read", file ? file : "stdin");
}

void sim_lines_fini(struct sim_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		json_object_put(lines->records[i].object);
	free(lines->records);
	json_object_put(lines->config.object);
	memset(lines, 0, sizeof(*lines));
}

int sim_lines_unique(const struct sim_lines *lines, struct rspb_err *err)
{
	struct json_object *seen = json_object_new_object(), *first, *id;
	int rc = 0;

	for (size_t i = 0; seen && !rc && i < lines->n; i++) {
		const struct sim_record *record = &lines->records[i];
		const char *text;

		id = sim_need(record, "id", err);
		if (!id) {
			rc = -1;
			break;
		}
		text = json_object_to_json_string_ext(id, JSON_C_TO_STRING_PLAIN);
		if (json_object_object_get_ex(seen, text, &first))
			rc = sim_bad(record, "id", err, "%.60s is already used by line %lld", text,
				     (long long) json_object_get_int64(first));
		else
			rspb_json_put_int(seen, text, record->line);
	}
	json_object_put(seen);
	return rc;
}
