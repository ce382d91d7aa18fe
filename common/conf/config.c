/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/names.h"
#include "common/base/text.h"

enum { KEY_MAX = 63, MOST_SETTINGS = 64 };

/* A key and its value as they stood in the text. */
struct setting {
	const struct rspb_option *option;
	const char *value; /* in the text, without its quotes */
	size_t len;
	uint32_t line; /* 0: not in a file */
};

struct settings {
	uint32_t n;
	struct setting list[MOST_SETTINGS];
};

void rspb_config_defaults(struct rspb_config *config)
{
	memset(config, 0, sizeof(*config));
	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		int rc = o->fallback
				 ? rspb_option_set(o, config, o->fallback, NULL)
				 : 0;

		assert(!rc);
		(void) rc;
	}
}

/* Note one key=value. RET 0 or -1 with err, without the place. */
static int note(struct settings *settings, const char *key, size_t key_len,
		const char *value, size_t len, uint32_t line,
		struct rspb_err *err)
{
	const struct rspb_option *option;
	struct rspb_quote quote;
	char name[KEY_MAX + 1];

	snprintf(name, sizeof(name), "%.*s",
		 (int) (key_len < KEY_MAX ? key_len : KEY_MAX), key);
	option = key_len <= KEY_MAX ? rspb_option_find(name) : NULL;
	if (!option)
		return rspb_fail(err, "unknown key '%s'; did you mean %s?",
				 rspb_text_quote(&quote, key, key_len),
				 rspb_names_nearest(rspb_options,
						    sizeof(rspb_options[0]),
						    name));
	for (uint32_t i = 0; i < settings->n; i++)
		if (settings->list[i].option == option)
			return rspb_fail(err,
					 "%s is given twice; allowed is "
					 "once",
					 option->key);
	/* No key twice, so there is always room for one more. */
	assert(settings->n < MOST_SETTINGS);
	settings->list[settings->n++] = (struct setting){
		.option = option,
		.value = value,
		.len = len,
		.line = line,
	};
	return 0;
}

static int apply_one(struct rspb_config *config, const struct setting *s,
		     struct rspb_err *err)
{
	struct rspb_quote quote;
	struct rspb_err why;
	char *value = strndup(s->value, s->len);
	int rc;

	if (!value)
		return rspb_fail(err, "out of memory");
	rc = rspb_option_set(s->option, config, value, &why);
	free(value);
	if (rc < 0)
		rspb_fail(err, "%s=%s: %s; allowed is %s", s->option->key,
			  rspb_text_quote(&quote, s->value, s->len), why.text,
			  s->option->range);
	return rc;
}

/* Say where it was. RET -1 */
static int fail_at_line(const char *name, uint32_t line, struct rspb_err *err)
{
	return line ? rspb_fail_at(err, "%s:%" PRIu32, name, line) : -1;
}

/* The preset first: other keys replace parts of it. */
static int apply(struct rspb_config *config, const struct settings *settings,
		 const char *name, struct rspb_err *err)
{
	struct rspb_config changed = *config;

	for (int preset = 1; preset >= 0; preset--) {
		for (uint32_t i = 0; i < settings->n; i++) {
			const struct setting *s = &settings->list[i];

			if ((s->option == rspb_options) != preset)
				continue;
			if (apply_one(&changed, s, err) < 0)
				return fail_at_line(name, s->line, err);
		}
	}
	*config = changed;
	return 0;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Where a value that begins at p ends; *p may be a quote. RET behind it. */
static const char *scan_value(const char *p, const char *end,
			      const char **value, size_t *len)
{
	const char *stop = p;

	if (p < end && *p == '"') {
		stop = memchr(p + 1, '"', (size_t) (end - p - 1));
		if (!stop)
			return NULL;
		*value = p + 1;
		*len = (size_t) (stop - p - 1);
		return stop + 1;
	}
	while (stop < end && !strchr(" \t\r=\"", *stop))
		stop++;
	*value = p;
	*len = (size_t) (stop - p);
	return stop;
}

/* What is left of a line when its first pair does not end at a blank. */
static int trailing(const char *p, const char *end, struct rspb_err *err)
{
	struct rspb_quote quote;

	return rspb_fail(err,
			 "'%s' is not Key=Value; allowed are pairs of "
			 "them and, behind '#', a comment",
			 rspb_text_quote(&quote, p, (size_t) (end - p)));
}

/* One line, of any number of pairs. */
static int scan_line(struct settings *settings, const char *p, const char *end,
		     uint32_t line, struct rspb_err *err)
{
	for (p = skip_blanks(p, end); p < end; p = skip_blanks(p, end)) {
		const char *key = p, *key_end, *value, *next;
		size_t len;

		while (p < end && !strchr(" \t\r=\"", *p))
			p++;
		key_end = p;
		p = skip_blanks(p, end);
		if (key_end == key || p == end || *p != '=')
			return trailing(key, end, err);
		p = skip_blanks(p + 1, end);
		next = scan_value(p, end, &value, &len);
		if (!next)
			return rspb_fail(err, "a quote is not closed; "
					      "allowed is Key=\"Value\"");
		if (next < end && !strchr(" \t\r", *next))
			return trailing(key, end, err);
		if (note(settings, key, (size_t) (key_end - key), value, len,
			 line, err) < 0)
			return -1;
		p = next;
	}
	return 0;
}

/* RET whether the bytes of a line may stand in a file of settings. */
static bool clean(const char *p, const char *end)
{
	for (; p < end; p++)
		if (((unsigned char) *p < 0x20 && !strchr("\t\r", *p)) ||
		    *p == 0x7f)
			return false;
	return true;
}

int rspb_config_read(struct rspb_config *config, const char *text,
		     const char *name, struct rspb_err *err)
{
	struct settings settings = { .n = 0 };
	uint32_t line = 1;

	for (const char *p = text; *p; line++) {
		const char *end = p + strcspn(p, "\n");
		const char *hash = memchr(p, '#', (size_t) (end - p));

		if (!clean(p, end))
			return rspb_fail(err,
					 "%s:%" PRIu32 ": control "
					 "characters; allowed is text",
					 name, line);
		if (scan_line(&settings, p, hash ? hash : end, line, err) < 0)
			return fail_at_line(name, line, err);
		p = *end ? end + 1 : end;
	}
	return apply(config, &settings, name, err);
}

int rspb_config_read_parameters(struct rspb_config *config, const char *text,
				struct rspb_err *err)
{
	static const char prefix[] = "rspb_";
	struct settings settings = { .n = 0 };
	const size_t skip = sizeof(prefix) - 1;

	while (*text) {
		size_t len = strcspn(text, ",");
		const char *equals = memchr(text, '=', len);
		struct rspb_quote quote;

		if (!strncasecmp(text, prefix, skip)) {
			if (!equals)
				return rspb_fail(err,
						 "%s has no value; "
						 "allowed is rspb_key=value",
						 rspb_text_quote(&quote, text,
								 len));
			if (note(&settings, text + skip,
				 (size_t) (equals - text) - skip, equals + 1,
				 len - (size_t) (equals - text) - 1, 0,
				 err) < 0)
				return -1;
		}
		text += len + (text[len] == ',');
	}
	return apply(config, &settings, "", err);
}
