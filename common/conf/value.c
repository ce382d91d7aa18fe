/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/value.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"
#include "common/conf/config.h"
#include "common/wire/duration.h"

int rspb_value_duration(const char *value, int64_t unit_ms, int64_t low,
			int64_t high, int64_t *out, struct rspb_err *err)
{
	int64_t ms;

	if (rspb_duration_parse_ms(value, &ms, NULL) < 0)
		return rspb_fail(err, "is not a duration");
	if (ms % unit_ms || ms < low * unit_ms || ms > high * unit_ms)
		return rspb_fail(err, "is out of range");
	*out = ms / unit_ms;
	return 0;
}

int rspb_value_count(const char *value, int64_t low, int64_t high,
		     uint32_t *out, struct rspb_err *err)
{
	int64_t count;

	if (rspb_text_whole(value, strlen(value), low, high, &count, NULL) < 0)
		return rspb_fail(err, "is not such a number");
	*out = (uint32_t) count;
	return 0;
}

int rspb_value_word(const char *value, const char *const *words,
		    struct rspb_err *err)
{
	for (int i = 0; words[i]; i++)
		if (rspb_text_same(value, words[i]))
			return i;
	return rspb_fail(err, "is unknown");
}

int rspb_value_bool(const char *value, bool *out, struct rspb_err *err)
{
	static const char *const words[] = { "no", "yes", NULL };
	int word = rspb_value_word(value, words, err);

	if (word < 0)
		return -1;
	*out = word;
	return 0;
}

int rspb_value_list(const char *value, char *out, struct rspb_err *err)
{
	size_t len = strlen(value);
	bool empty = true;

	if (len >= RSPB_CONFIG_LIST)
		return rspb_fail(err, "is longer than %d characters",
				 RSPB_CONFIG_LIST - 1);
	for (size_t i = 0; i < len; i++) {
		bool separator = strchr(",;", value[i]);

		if (value[i] == ' ' || (separator && (empty || i + 1 == len)))
			return rspb_fail(err, "has a blank or an empty "
					      "member");
		empty = separator;
	}
	memset(out, 0, RSPB_CONFIG_LIST);
	for (size_t i = 0; i < len; i++)
		out[i] = value[i] == ';' ? ',' : value[i];
	return 0;
}

int rspb_value_path(const char *value, bool may_be_empty, char *out,
		    size_t size, struct rspb_err *err)
{
	bool fits = *value ? *value == '/' && strlen(value) < size
			   : may_be_empty;

	if (!fits)
		return rspb_fail(err,
				 "is not an absolute path of at most %zu "
				 "characters",
				 size - 1);
	strcpy(out, value);
	return 0;
}

size_t rspb_value_print(char *buf, size_t size, const char *word)
{
	struct rspb_text out = rspb_text_over(buf, size);

	rspb_text_add(&out, "%s", word);
	return out.len;
}

size_t rspb_value_print_count(char *buf, size_t size, uint32_t count,
			      const char *unit)
{
	struct rspb_text out = rspb_text_over(buf, size);

	rspb_text_add(&out, "%" PRIu32 "%s", count, unit);
	return out.len;
}
