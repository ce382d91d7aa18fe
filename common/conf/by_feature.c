/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/by_feature.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/text.h"

enum { NAME_MAX_LENGTH = 64 };

struct rspb_by_feature {
	const char *member; /* what one of the others looks like */
	int (*read)(const char *text, size_t len, uint32_t *out,
		    struct rspb_err *err);
	const char *words[2]; /* what 0 and 1 are called; NULL: numbers */
};

static int read_percent(const char *text, size_t len, uint32_t *out,
			struct rspb_err *err)
{
	return rspb_text_points(text, len, 0, out, err);
}

static int read_yes(const char *text, size_t len, uint32_t *out,
		    struct rspb_err *err)
{
	char word[8] = "";

	if (len < sizeof(word))
		memcpy(word, text, len);
	*out = rspb_text_same(word, "yes");
	return *out || rspb_text_same(word, "no")
		       ? 0
		       : rspb_fail(err, "is neither yes nor no");
}

const struct rspb_by_feature rspb_by_feature_percent = { "FEATURE:PCT",
							 read_percent,
							 { NULL, NULL } };
const struct rspb_by_feature rspb_by_feature_yes = {
	"FEATURE:yes or FEATURE:no", read_yes, { "no", "yes" }
};

static int add_rule(const struct rspb_by_feature *kind, const char *member,
		    size_t len, struct rspb_text *out, struct rspb_err *err)
{
	const char *colon = memchr(member, ':', len);
	size_t name = colon ? (size_t) (colon - member) : 0;
	uint32_t value = 0;

	if (!name || name > NAME_MAX_LENGTH)
		return rspb_fail(err, "has a member that is not %s",
				 kind->member);
	if (kind->read(colon + 1, len - name - 1, &value, err) < 0)
		return -1;
	rspb_text_add(out, "%s%.*s:", out->len ? "," : "", (int) name, member);
	if (kind->words[0])
		rspb_text_add(out, "%s", kind->words[value]);
	else
		rspb_text_add(out, "%" PRIu32, value);
	return 0;
}

int rspb_by_feature_read(const struct rspb_by_feature *kind, const char *list,
			 uint32_t *all, char *features, size_t size,
			 struct rspb_err *err)
{
	char rules[1024] = "";
	struct rspb_text out = rspb_text_over(rules, sizeof(rules));
	size_t len = strcspn(list, ",");
	uint32_t first = 0;

	if (kind->read(list, len, &first, err) < 0)
		return -1;
	for (; list[len]; len = strcspn(list, ",")) {
		list += len + 1;
		if (add_rule(kind, list, strcspn(list, ","), &out, err) < 0)
			return -1;
	}
	if (out.len >= sizeof(rules) || out.len >= size)
		return rspb_fail(err, "is too long");
	*all = first;
	memset(features, 0, size);
	memcpy(features, rules, out.len);
	return 0;
}

const char *rspb_by_feature_find(const char *rules, const char *features)
{
	while (features && *rules) {
		size_t name = strcspn(rules, ":"), len;

		for (const char *f = features; *f; f += len + (f[len] == ',')) {
			len = strcspn(f, ",");
			if (len == name && !strncmp(f, rules, len))
				return rules + name + 1;
		}
		rules += strcspn(rules, ",");
		rules += *rules == ',';
	}
	return NULL;
}
