/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a setting of each kind is read and written. What reads sets its result,
 * or leaves it alone and RETs -1 with a few words on what is wrong. */
#include "common/conf/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/names.h"
#include "common/wire/texts.h"

/* The highest percentage of Bookable. The rest of the nodes stays open for long regular jobs. */
enum { MOST_BOOKABLE = 90 };

static const char *const no_yes[] = { "no", "yes", NULL };

/* Set the preset and the four choices that it names. For names that only the simulator knows, the
 * sentence says why. */
static int set_preset(struct rspb_config *config, const char *value, struct rspb_err *err)
{
	const struct rspb_preset *preset = rspb_preset_find(value);

	if (!preset && rspb_preset_other(value))
		return rspb_fail(err, "%s", rspb_preset_other(value));
	if (!preset)
		return rspb_fail(err, "is unknown; did you mean %s?",
				 rspb_names_nearest(rspb_presets, sizeof(rspb_presets[0]), value));
	/* A preset that is not for clusters is accepted here and refused by rspb_config_live(), so
	 * that the simulator can read it. Its choices are in the table of the simulator. */
	config->preset = preset;
	if (!preset->live && config->simulated)
		preset = rspb_names_find(config->simulated, sizeof(*preset), preset->name);
	if (preset->order)
		rspb_policy_from_preset(preset, &config->policy);
	return 0;
}

/* Set a pointer to a row of a table. `high` of the option is the size of a row, because rows differ
 * in their type. */
static int set_row(const struct rspb_option *o, const char *value, void *at, struct rspb_err *err)
{
	size_t size = (size_t) o->high;
	const void *row = rspb_names_find(o->names, size, value);

	if (!row)
		return rspb_fail(err, "is unknown; did you mean %s?",
				 rspb_names_nearest(o->names, size, value));
	memcpy(at, &row, sizeof(row));
	return 0;
}

/* Set the place of a word in a list. Callers pass enumerations, whose values are in the order of
 * the words. */
static int set_word(const char *const *words, const char *value, unsigned *out,
		    struct rspb_err *err)
{
	for (unsigned i = 0; words[i]; i++) {
		if (!rspb_text_same(value, words[i]))
			continue;
		*out = i;
		return 0;
	}
	return rspb_fail(err, "is unknown");
}

/* Set a truth value. `yes` is the value that "yes" means, for a member that says the opposite of
 * its key. */
static int set_bool(bool yes, const char *value, bool *out, struct rspb_err *err)
{
	unsigned word = 0;

	if (set_word(no_yes, value, &word, err) < 0)
		return -1;
	*out = word == yes;
	return 0;
}

/* Set a time in the unit of the option (`step`, in milliseconds). */
static int set_time(const struct rspb_option *o, const char *value, int64_t *out,
		    struct rspb_err *err)
{
	int64_t ms;

	if (o->low == RSPB_GAP_AUTO && !strcmp(value, "auto")) {
		*out = RSPB_GAP_AUTO;
		return 0;
	}
	/* Slurm reads a bare number as minutes, and other programs read it as seconds. The sentence
	 * offers the units to choose from; 0 needs none. */
	if (*value && !value[strspn(value, "0123456789")] && strcmp(value, "0") != 0)
		return rspb_fail(err, "the unit is missing; write %.20sd, %.20sh or %.20sm", value,
				 value, value);
	if (rspb_duration_parse_ms(value, &ms, NULL) < 0)
		return rspb_fail(err, "is not a duration; write a number with its unit, such as "
				      "90s, 15m, 2h or 1d");
	/* The range is that of the option, and fractions of its unit are refused instead of
	 * rounded. */
	if (ms % o->step || ms < o->low * o->step || ms > o->high * o->step)
		return rspb_fail(err, "is out of range");
	*out = ms / o->step;
	return 0;
}

/* Set a whole number up to `high`. The caller adds the allowed range to the sentence. */
static int set_count(int64_t high, const char *value, uint32_t *out, struct rspb_err *err)
{
	int64_t count;

	if (rspb_text_whole(value, strlen(value), 0, high, &count, NULL) < 0)
		return rspb_fail(err, "is not a whole number in the allowed range");
	*out = (uint32_t) count;
	return 0;
}

/* Set the most nodes of a booking: a number, or a part of all nodes with a least number, as in
 * "25%:4". The part is calculated later (rspb_limits_nodes), because the number of nodes may
 * change. */
static int set_nodes(const struct rspb_option *o, struct rspb_config *config, const char *value,
		     struct rspb_err *err)
{
	size_t len = strcspn(value, ":");
	uint32_t number = 0, percent = 0;
	bool part = len && value[len - 1] == '%';

	if (part && rspb_text_points(value, len, 1, &percent, err))
		return -1;
	if (part && value[len])
		value += len + 1;
	/* Without a least number, at least one node is allowed. */
	else if (part)
		value = "0";
	if (set_count(o->high, value, &number, err))
		return -1;
	config->max_nodes = number;
	config->max_nodes_percent = percent;
	return 0;
}

/* Set a percentage with its notice, as in "20%/4h". 0% switches it off and needs no notice. */
static int set_bookable(const struct rspb_option *o, struct rspb_config *config, const char *value,
			struct rspb_err *err)
{
	size_t len = strcspn(value, "/");
	uint32_t percent = 0;
	int64_t notice = 0;

	if (rspb_text_points(value, len, 0, &percent, err))
		return -1;
	if (percent > MOST_BOOKABLE)
		return rspb_fail(err, "is more than %d%%", MOST_BOOKABLE);
	if (percent && !value[len])
		return rspb_fail(err, "has no notice; write it as 20%%/4h");
	if (value[len] && set_time(o, value + len + 1, &notice, err))
		return -1;
	config->bookable = percent;
	config->bookable_notice = notice;
	return 0;
}

/* Set one of the words; "bar" alone means "bar:1d". */
static int set_no_show(const struct rspb_option *o, struct rspb_config *config, const char *value,
		       struct rspb_err *err)
{
	const char *colon = strchr(value, ':');
	char word[16] = "";
	int64_t bar = 86400;
	unsigned which = 0;

	/* A word that is too long is cut, and no word of the list is as long as the cut one. */
	snprintf(word, sizeof(word), "%.*s", (int) strcspn(value, ":"), value);
	if (set_word(o->names, word, &which, err))
		return -1;
	if (colon && which != RSPB_NO_SHOW_BAR)
		return rspb_fail(err, "is a word without a time");
	if (colon && set_time(o, colon + 1, &bar, err))
		return -1;
	config->no_show = which;
	config->no_show_bar = bar;
	return 0;
}

/* Set a list in canonical form, separated by commas. Semicolons are accepted, because a comma ends
 * a word of SchedulerParameters. Empty members and blanks are refused. */
static int set_list(const char *value, char out[RSPB_CONFIG_LIST], struct rspb_err *err)
{
	size_t len = strlen(value);
	bool empty = true;

	if (len >= RSPB_CONFIG_LIST)
		return rspb_fail(err, "is longer than %d characters", RSPB_CONFIG_LIST - 1);
	for (size_t i = 0; i < len; i++) {
		bool separator = strchr(",;", value[i]);

		if (value[i] == ' ' || (separator && (empty || i + 1 == len)))
			return rspb_fail(err, "has a blank or an empty "
					      "member");
		empty = separator;
	}
	/* All bytes are set, so that equal settings are equal byte by byte. */
	memset(out, 0, RSPB_CONFIG_LIST);
	for (size_t i = 0; i < len; i++)
		out[i] = value[i] == ';' ? ',' : value[i];
	return 0;
}

/* Set an absolute path. It may be empty only if the default is, that is, if the site can do
 * without. */
static int set_path(const struct rspb_option *o, const char *value, char *out, struct rspb_err *err)
{
	if (*value ? *value != '/' || strlen(value) >= RSPB_CONFIG_PATH : *o->fallback)
		return rspb_fail(err,
				 "is not an absolute path of at most %d "
				 "characters",
				 RSPB_CONFIG_PATH - 1);
	strcpy(out, value);
	return 0;
}

/* Set values by feature. The list is checked first, so the reader need not consider empty
 * members. */
static int set_features(enum rspb_by_feature_kind kind, const char *value,
			struct rspb_by_feature *out, struct rspb_err *err)
{
	char list[RSPB_CONFIG_LIST];

	if (set_list(value, list, err) < 0)
		return -1;
	return rspb_by_feature_read(kind, list, out, err);
}

/* Set hours of the week. The longer list is a scratch copy, so its length is checked after its
 * form. */
static int set_hours(const char *value, char out[RSPB_CONFIG_HOURS], struct rspb_err *err)
{
	char list[RSPB_CONFIG_LIST];

	if (set_list(value, list, err) || rspb_hours_check(list, err))
		return -1;
	if (strlen(list) >= RSPB_CONFIG_HOURS)
		return rspb_fail(err, "is longer than %d characters", RSPB_CONFIG_HOURS - 1);
	/* The rest of the list is zero, so the text ends within these bytes. */
	memcpy(out, list, RSPB_CONFIG_HOURS);
	return 0;
}

int rspb_option_set(const struct rspb_option *o, struct rspb_config *config, const char *value,
		    struct rspb_err *err)
{
	/* The kind of an option guarantees the type of its member (options.c). Kinds that set
	 * several members get the whole configuration. */
	void *at = (char *) config + o->offset;

	switch (o->kind) {
	case RSPB_OPTION_PRESET:
		return set_preset(config, value, err);
	case RSPB_OPTION_ROW:
		return set_row(o, value, at, err);
	case RSPB_OPTION_WORD:
		return set_word(o->names, value, at, err);
	case RSPB_OPTION_BOOL:
		return set_bool(o->high, value, at, err);
	case RSPB_OPTION_TIME:
		return set_time(o, value, at, err);
	case RSPB_OPTION_COUNT:
		return set_count(o->high, value, at, err);
	case RSPB_OPTION_PERCENT:
		return rspb_text_points(value, strlen(value), 1, at, err);
	case RSPB_OPTION_NO_SHOW:
		return set_no_show(o, config, value, err);
	case RSPB_OPTION_BOOKABLE:
		return set_bookable(o, config, value, err);
	case RSPB_OPTION_NODES:
		return set_nodes(o, config, value, err);
	case RSPB_OPTION_FEATURES:
		return set_features(o->high, value, at, err);
	case RSPB_OPTION_LIST:
		return set_list(value, at, err);
	case RSPB_OPTION_HOURS:
		return set_hours(value, at, err);
	case RSPB_OPTION_PATH:
		return set_path(o, value, at, err);
	}
	return -1;
}

/* Add the second half of a value that has a time, after the character that separates it. */
static void add_time(const struct rspb_option *o, int64_t value, char before, struct rspb_text *out)
{
	char text[64];

	rspb_duration_print_ms(value * o->step, text, sizeof(text));
	rspb_text_add(out, "%c%s", before, text);
}

size_t rspb_option_get(const struct rspb_option *o, const struct rspb_config *config, char *buf,
		       size_t size)
{
	const void *at = (const char *) config + o->offset;
	const uint32_t *count = at;
	const char *const *words = o->names, *const * row;
	struct rspb_text out = rspb_text_over(buf, size);

	switch (o->kind) {
	case RSPB_OPTION_PRESET:
	case RSPB_OPTION_ROW:
		/* A row of any table begins with its name, so a pointer to the row points to a
		 * pointer to the name. */
		memcpy(&row, at, sizeof(row));
		rspb_text_add(&out, "%s", *row);
		break;
	case RSPB_OPTION_WORD:
		rspb_text_add(&out, "%s", words[*(const unsigned *) at]);
		break;
	case RSPB_OPTION_BOOL:
		rspb_text_add(&out, "%s", no_yes[*(const bool *) at == o->high]);
		break;
	case RSPB_OPTION_TIME:
		if (*(const int64_t *) at == RSPB_GAP_AUTO) {
			rspb_text_add(&out, "auto");
			break;
		}
		return rspb_duration_print_ms(*(const int64_t *) at * o->step, buf, size);
	case RSPB_OPTION_COUNT:
		rspb_text_add(&out, "%" PRIu32, *count);
		break;
	case RSPB_OPTION_PERCENT:
		rspb_text_add(&out, "%" PRIu32 "%%", *count);
		break;
	case RSPB_OPTION_NO_SHOW:
		rspb_text_add(&out, "%s", words[config->no_show]);
		if (config->no_show == RSPB_NO_SHOW_BAR)
			add_time(o, config->no_show_bar, ':', &out);
		break;
	case RSPB_OPTION_BOOKABLE:
		rspb_text_add(&out, "%" PRIu32 "%%", *count);
		if (*count)
			add_time(o, config->bookable_notice, '/', &out);
		break;
	case RSPB_OPTION_NODES:
		/* A least number of 0 is not printed after a percentage, and so "25%" stays
		 * "25%". */
		if (config->max_nodes_percent)
			rspb_text_add(&out, "%" PRIu32 "%%%s", config->max_nodes_percent,
				      *count ? ":" : "");
		if (*count || !config->max_nodes_percent)
			rspb_text_add(&out, "%" PRIu32, *count);
		break;
	case RSPB_OPTION_FEATURES:
		rspb_by_feature_print(o->high, at, &out);
		break;
	case RSPB_OPTION_LIST:
	case RSPB_OPTION_HOURS:
	case RSPB_OPTION_PATH:
		rspb_text_add(&out, "%s", (const char *) at);
		break;
	}
	return out.len;
}

enum { KEY_MOST = 64 };

/* Copy the key of a pair into `name`, cut if it is too long. RET whether it is short enough to be a
 * key at all. */
static bool key_of(const struct rspb_pair *pair, char name[KEY_MOST])
{
	size_t len = pair->key_len < KEY_MOST ? pair->key_len : KEY_MOST - 1;

	memcpy(name, pair->key, len);
	name[len] = '\0';
	return len == pair->key_len;
}

bool rspb_option_is_gone(const struct rspb_pair *pair, struct rspb_err *said)
{
	const struct rspb_option_gone *gone = NULL;
	char name[KEY_MOST];

	if (key_of(pair, name))
		gone = rspb_names_find(rspb_options_gone, sizeof(rspb_options_gone[0]), name);
	if (gone)
		rspb_fail(said, "%s is no longer a key: %s", gone->key, gone->instead);
	return gone;
}

const struct rspb_option *rspb_option_of(const struct rspb_pair *pair, struct rspb_err *err)
{
	const struct rspb_option *option = NULL;
	struct rspb_quote quote;
	char name[KEY_MOST];

	/* A cut key must not match, but its beginning is good enough to suggest the nearest key. */
	if (key_of(pair, name))
		option = rspb_option_find(name);
	if (!option)
		rspb_fail(err, "unknown key '%s'; did you mean %s?",
			  rspb_text_quote(&quote, pair->key, pair->key_len),
			  rspb_names_nearest(rspb_options, sizeof(rspb_options[0]), name));
	return option;
}

int rspb_option_apply(const struct rspb_option *option, struct rspb_config *config,
		      const char *value, size_t len, struct rspb_err *err)
{
	/* The value is part of a line, and the setters want a text that ends. */
	char *copy = strndup(value, len);
	struct rspb_quote quote;
	struct rspb_err why;
	int rc;

	if (!copy)
		return rspb_fail(err, "out of memory");
	/* The reason is formatted into a sentence with the key, the value and the range; therefore
	 * it has its own buffer. */
	rc = rspb_option_set(option, config, copy, &why);
	free(copy);
	if (rc < 0)
		rspb_fail(err, "%s=%s: %s; allowed is %s", option->key,
			  rspb_text_quote(&quote, value, len), why.text, option->range);
	return rc;
}
