/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/by_feature.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 64 };

static int read_one(enum rspb_by_feature_kind kind, const char *text, size_t len, uint32_t *out,
		    struct rspb_err *err)
{
	char word[8] = "";
	int64_t speed;

	if (kind == RSPB_BY_FEATURE_PERCENT)
		return rspb_text_points(text, len, 0, out, err);
	if (kind == RSPB_BY_FEATURE_SPEED) {
		len -= len && text[len - 1] == '%';
		if (rspb_text_whole(text, len, RSPB_SPEED_SLOWEST, RSPB_SPEED_FASTEST, &speed,
				    NULL))
			return rspb_fail(err, "has a speed that is none of %d%% to %d%%",
					 RSPB_SPEED_SLOWEST, RSPB_SPEED_FASTEST);
		*out = (uint32_t) speed;
		return 0;
	}
	if (len < sizeof(word))
		memcpy(word, text, len);
	*out = rspb_text_same(word, "yes");
	return *out || rspb_text_same(word, "no") ? 0 : rspb_fail(err, "is neither yes nor no");
}

static void print_one(enum rspb_by_feature_kind kind, uint32_t value, const char *unit,
		      struct rspb_text *out)
{
	if (kind == RSPB_BY_FEATURE_YES_NO)
		rspb_text_add(out, "%s", value ? "yes" : "no");
	else
		rspb_text_add(out, "%" PRIu32 "%s", value, unit);
}

static int add_rule(enum rspb_by_feature_kind kind, const char *member, size_t len,
		    struct rspb_text *out, struct rspb_err *err)
{
	const char *colon = memchr(member, ':', len);
	size_t name = colon ? (size_t) (colon - member) : 0;
	uint32_t value = 0;

	if (!name || name > NAME_MAX_LENGTH)
		return rspb_fail(err, "has a member that is not %s",
				 kind == RSPB_BY_FEATURE_YES_NO ? "FEATURE:yes or FEATURE:no"
								: "FEATURE:PCT");
	if (read_one(kind, colon + 1, len - name - 1, &value, err) < 0)
		return -1;
	rspb_text_add(out, "%s%.*s:", out->len ? "," : "", (int) name, member);
	print_one(kind, value, "", out);
	return 0;
}

int rspb_by_feature_read(enum rspb_by_feature_kind kind, const char *list,
			 struct rspb_by_feature *out, struct rspb_err *err)
{
	struct rspb_by_feature read = { .all = 0 };
	struct rspb_text rules = rspb_text_over(read.rules, sizeof(read.rules));
	size_t len = strcspn(list, ",");

	if (read_one(kind, list, len, &read.all, err) < 0)
		return -1;
	for (; list[len]; len = strcspn(list, ",")) {
		list += len + 1;
		if (add_rule(kind, list, strcspn(list, ","), &rules, err) < 0)
			return -1;
	}
	if (rules.len >= sizeof(read.rules))
		return rspb_fail(err, "is too long");
	*out = read;
	return 0;
}

void rspb_by_feature_print(enum rspb_by_feature_kind kind, const struct rspb_by_feature *value,
			   struct rspb_text *out)
{
	print_one(kind, value->all, "%", out);
	rspb_text_add(out, "%s%s", *value->rules ? "," : "", value->rules);
}

uint32_t rspb_by_feature_value(const struct rspb_by_feature *value, const char *features)
{
	const char *rules = value->rules;

	while (features && *rules) {
		char name[NAME_MAX_LENGTH + 1] = "";
		size_t len = strcspn(rules, ":");
		const char *rule = rules + len + 1;

		memcpy(name, rules, len);
		if (rspb_text_listed(features, name))
			return *rule == 'y' ? 1 : (uint32_t) strtoul(rule, NULL, 10);
		rules = rule + strcspn(rule, ",");
		rules += *rules == ',';
	}
	return value->all;
}
