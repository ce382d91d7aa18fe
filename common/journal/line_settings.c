/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/journal/line_settings.h"

#include <string.h>

#include "common/policy/degrade.h"
#include "common/policy/order.h"
#include "common/policy/when.h"
#include "common/policy/where.h"
#include "common/wire/json_fields.h"

/* The choices of a policy are kept by their names. */

/* RET NULL with err: it is no text. */
static const char *read_name(struct json_object *value, struct rspb_err *err)
{
	if (json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	rspb_fail(err, "is not a text in quotes");
	return NULL;
}

static int give_text(const char *text, struct json_object **value)
{
	*value = json_object_new_string(text);
	return *value ? 0 : -1;
}

/* clang-format off */
#define CHOICE(member, find)						\
	static int read_##member(const struct rspb_json_field *field,	\
				 struct json_object *value, void *record, \
				 uint32_t width, struct rspb_err *err)	\
	{								\
		struct rspb_policy *policy = record;			\
		const char *name = read_name(value, err);		\
		const struct rspb_##member *row;			\
									\
		(void) field;						\
		(void) width;						\
		if (!name)						\
			return -1;					\
		row = find(name);					\
		if (!row)						\
			return rspb_fail(err, "\"%.40s\" is unknown",	\
					 name);				\
		policy->member = row;					\
		return 0;						\
	}								\
	static int write_##member(const struct rspb_json_field *field,	\
				  const void *record,			\
				  struct json_object **value)		\
	{								\
		const struct rspb_policy *policy = record;		\
									\
		(void) field;						\
		return give_text(policy->member->name, value);		\
	}								\
	static const struct rspb_json_kind member##_kind = {		\
		read_##member, write_##member				\
	}
/* clang-format on */

CHOICE(order, rspb_order_named);
CHOICE(when, rspb_when_find);
CHOICE(where, rspb_where_find);
CHOICE(degrade, rspb_degrade_find);

static const char *const open_ends[] = {
	[RSPB_OPEN_DEADLINE] = "deadline",
	[RSPB_OPEN_INFINITE] = "infinite",
	[RSPB_OPEN_LAST] = "last",
	[RSPB_OPEN_DEADLINE_ONLY] = "deadline-only",
	NULL
};

static int read_open_end(const struct rspb_json_field *field,
			 struct json_object *value, void *record,
			 uint32_t width, struct rspb_err *err)
{
	struct rspb_policy *policy = record;
	const char *name = read_name(value, err);

	(void) field;
	(void) width;
	if (!name)
		return -1;
	for (int i = 0; open_ends[i]; i++) {
		if (strcmp(open_ends[i], name))
			continue;
		policy->open_end = (enum rspb_open_end) i;
		return 0;
	}
	return rspb_fail(err,
			 "\"%.40s\" is none of deadline, infinite, last, "
			 "deadline-only",
			 name);
}

static int write_open_end(const struct rspb_json_field *field,
			  const void *record, struct json_object **value)
{
	const struct rspb_policy *policy = record;

	(void) field;
	return give_text(open_ends[policy->open_end], value);
}

static const struct rspb_json_kind open_end_kind = { read_open_end,
						     write_open_end };

#define NUMBER(member)                                                         \
	{                                                                      \
#member, &rspb_json_int64,                                     \
			offsetof(struct rspb_policy, member), true, 0,         \
			INT64_MAX - 1                                          \
	}
#define FLAG(member)                                                           \
	{                                                                      \
#member, &rspb_json_bool,                                      \
			offsetof(struct rspb_policy, member), true, 0, 0       \
	}
#define NAME(member)                                                           \
	{                                                                      \
#member, &member##_kind, 0, true, 0, 0                         \
	}

/* All that struct rspb_policy holds but the batch interval, which is the
 * simulator's: what was decided together stands in the journal. */
/* clang-format off */
static const struct rspb_json_field policy_fields[] = {
	NAME(order), NAME(when), NAME(where), NAME(degrade),
	FLAG(trim), FLAG(distinct), NAME(open_end),
	NUMBER(headroom), NUMBER(long_headroom), NUMBER(long_duration),
	FLAG(crowd_prompt), NUMBER(patience), FLAG(tie_load),
	NUMBER(offer_horizon),
	/* Journals from before there was a choice say nothing. */
	{ "keep_surplus", &rspb_json_bool,
	  offsetof(struct rspb_policy, keep_surplus), false, 0, 0 },
	{ NULL, NULL, 0, false, 0, 0 }
};
/* clang-format on */

struct json_object *rspb_line_write_policy(const struct rspb_policy *policy)
{
	return rspb_json_write(policy_fields, policy);
}

int rspb_line_read_policy(struct json_object *object,
			  struct rspb_policy *policy, struct rspb_err *err)
{
	struct rspb_policy read = *policy;

	if (rspb_json_read(policy_fields, object, &read, 0, err))
		return -1;
	*policy = read;
	return 0;
}

struct json_object *rspb_line_write_settings(const struct rspb_config *config)
{
	struct json_object *object = json_object_new_object(), *text;
	char value[RSPB_CONFIG_LIST + 64];

	for (const struct rspb_option *o = rspb_options; object && o->key;
	     o++) {
		o->get(config, value, sizeof(value));
		text = json_object_new_string(value);
		if (text && !json_object_object_add(object, o->key, text))
			continue;
		json_object_put(text);
		json_object_put(object);
		object = NULL;
	}
	return object;
}

static int read_setting(const char *key, struct json_object *value,
			struct rspb_config *config, struct rspb_err *err)
{
	const struct rspb_option *option = rspb_option_find(key);
	const char *text = read_name(value, err);

	if (!option)
		return rspb_fail(err, "%.40s: is no key of rspb.conf", key);
	if (!text || option->set(config, text, err))
		return rspb_fail_at(err, "%s", option->key);
	return 0;
}

int rspb_line_read_settings(struct json_object *object,
			    struct rspb_config *config, struct rspb_err *err)
{
	struct rspb_config read;

	rspb_config_defaults(&read);
	if (!json_object_is_type(object, json_type_object))
		return rspb_fail(err, "is not an object");
	/* The preset first: other keys replace parts of it. */
	for (int preset = 1; preset >= 0; preset--) {
		json_object_object_foreach(object, key, value)
		{
			if ((rspb_option_find(key) == rspb_options) == preset &&
			    read_setting(key, value, &read, err))
				return -1;
		}
	}
	*config = read;
	return 0;
}
