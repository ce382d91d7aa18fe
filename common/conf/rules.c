/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the rules of rspb.conf, and finds the settings that they make for a request. */
#include "common/conf/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/names.h"

/* The digits of the largest uid, and more than the name of a user has. */
enum { UID_MOST = 10, NAME_MOST = 256 };

/* The request and machine that a value is compared with. */
struct asked {
	const struct rspb_request *request;
	uint32_t nodes; /* of the machine */
};

/* The name of a rule is for readers of the file and selects nothing. */
static bool is_any(const struct asked *asked, const struct rspb_pair *pair)
{
	(void) asked;
	return pair->len;
}

/* Compare by uid. rspb_rules_users() has replaced names by uids before; a name that is left belongs
 * to no user. */
static bool is_user(const struct asked *asked, const struct rspb_pair *pair)
{
	char uid[UID_MOST + 1];

	snprintf(uid, sizeof(uid), "%" PRIu32, asked->request->user);
	return rspb_text_listed_within(pair->value, pair->len, uid);
}

/* Tell whether a label of the request, such as "qos=", has one of the values. A request without the
 * label matches no rule that names it. */
static bool is_label(const struct asked *asked, const char *label, const struct rspb_pair *pair)
{
	const char *at = strstr(rspb_text_kept(asked->request->labels), label);
	char own[RSPB_REQUEST_LABELS];
	size_t len;

	if (!at)
		return false;
	at += strlen(label);
	/* A label is shorter than all labels together, so it fits into `own`. */
	len = strcspn(at, ",");
	memcpy(own, at, len);
	own[len] = '\0';
	return rspb_text_listed_within(pair->value, pair->len, own);
}

static bool is_account(const struct asked *asked, const struct rspb_pair *pair)
{
	return is_label(asked, "account=", pair);
}

static bool is_qos(const struct asked *asked, const struct rspb_pair *pair)
{
	return is_label(asked, "qos=", pair);
}

static bool is_partition(const struct asked *asked, const struct rspb_pair *pair)
{
	return is_label(asked, "partition=", pair);
}

/* Compare the nodes that a request asks for with a number or a percentage of the machine, which is
 * rounded up. */
static bool is_large(const struct asked *asked, const struct rspb_pair *pair)
{
	const char *value = pair->value;
	size_t len = pair->len;
	uint32_t percent = 0;
	int64_t least = 0;

	if (len && value[len - 1] == '%') {
		if (rspb_text_points(value, len, 1, &percent, NULL))
			return false;
		least = ((int64_t) asked->nodes * percent + 99) / 100;
	} else if (rspb_text_whole(value, len, 1, UINT32_MAX, &least, NULL)) {
		return false;
	}
	return rspb_request_nodes(asked->request) >= (uint64_t) least;
}

/* The words that select requests: a table for names.h. "Rule" must be the first row
 * (rspb_rule_begins). */
static const struct rspb_rule_key {
	const char *key, *alias;
	bool (*is)(const struct asked *asked, const struct rspb_pair *pair);
} keys[] = {
	{ "Rule", NULL, is_any },
	{ "Users", "User", is_user },
	{ "Accounts", "Account", is_account },
	{ "Qos", NULL, is_qos },
	{ "Partitions", "Partition", is_partition },
	{ "NodesFrom", NULL, is_large },
	{ NULL, NULL, NULL },
};

/* Return the row of a word that selects requests, or NULL: it is a setting, or unknown. */
static const struct rspb_rule_key *key_of(const struct rspb_pair *pair)
{
	char name[16];

	if (pair->key_len >= sizeof(name))
		return NULL;
	memcpy(name, pair->key, pair->key_len);
	name[pair->key_len] = '\0';
	return rspb_names_find(keys, sizeof(keys[0]), name);
}

bool rspb_rule_begins(const struct rspb_pair *pair)
{
	return key_of(pair) == keys;
}

/* Check a word that selects requests, as far as its value shows mistakes. Names of users and
 * accounts are not checked, since common/ does not know which exist. */
static int check_key(const struct rspb_rule_key *key, const struct rspb_pair *pair,
		     struct rspb_err *err)
{
	static const struct rspb_request none;
	const struct rspb_part all = { .nodes = UINT32_MAX };
	struct rspb_request most = none;

	if (!pair->len)
		return rspb_fail(err, "%s has no value", key->key);
	/* A request for all nodes satisfies every valid NodesFrom, so a refusal means that the
	 * value cannot be read. */
	most.n_parts = 1;
	most.parts = (struct rspb_part *) &all;
	if (key->is == is_large && !is_large(&(struct asked){ &most, 1 }, pair))
		return rspb_fail(err,
				 "%s=%.*s: allowed is a number of nodes, or 1%% "
				 "to 100%% of all",
				 key->key, (int) pair->len, pair->value);
	return 0;
}

/* Set one setting of a rule in *on. It serves both to check a rule when it is read and to apply it
 * to a request. RET 0 or -1 with err. */
static int check_setting(const struct rspb_pair *pair, struct rspb_config *on, struct rspb_err *err)
{
	const struct rspb_option *option;

	/* A key of an earlier release is ignored, as outside of rules; the sentence in err is not
	 * used. */
	if (rspb_option_is_gone(pair, err))
		return 0;
	option = rspb_option_of(pair, err);
	if (!option)
		return -1;
	if (!option->by_rule)
		return rspb_fail(err,
				 "%s cannot differ by rule; allowed are those "
				 "that limit requests (rspb.conf(5))",
				 option->key);
	return rspb_option_apply(option, on, pair->value, pair->len, err);
}

/* Return the length of a line, with its end, once rspb_rules_users() has put uids in the place of
 * names. A short name becomes longer then, and its uid is not known before. */
static size_t longest(const char *p, const char *end)
{
	size_t len = (size_t) (end - p) + 1;
	struct rspb_pair pair;

	while (rspb_pair_next(&p, end, &pair, NULL) > 0) {
		const struct rspb_rule_key *key = key_of(&pair);
		size_t name = 0;

		for (size_t i = 0; key && key->is == is_user && i <= pair.len; i++)
			if (i < pair.len && pair.value[i] != ',') {
				name++;
			} else {
				len += name < UID_MOST ? UID_MOST - name : 0;
				name = 0;
			}
	}
	return len;
}

/* The line at *text, which is moved to the next. RET its end, NULL: none. */
static const char *next_line(const char **text, const char **line)
{
	const char *end = strchr(*text, '\n');

	*line = *text;
	if (end)
		*text = end + 1;
	return end;
}

int rspb_rules_add(char rules[RSPB_CONFIG_RULES], const char *p, const char *end,
		   struct rspb_err *err)
{
	size_t used = strlen(rules), len = (size_t) (end - p), most = longest(p, end);
	const char *from = p, *text = rules, *line, *stop;
	/* Settings are tried on a scratch copy, since rules are stored as text and applied to each
	 * request. */
	struct rspb_config scratch = { .horizon = 0 };
	struct rspb_pair pair;
	bool first = true;
	int rc;

	while ((rc = rspb_pair_next(&p, end, &pair, err)) > 0) {
		const struct rspb_rule_key *key = key_of(&pair);

		/* "Rule" has to come first, and only once. */
		if (first != (key == keys))
			return rspb_fail(err, "a rule begins a line with "
					      "Rule=NAME, once");
		if (key ? check_key(key, &pair, err) : check_setting(&pair, &scratch, err))
			return -1;
		first = false;
	}
	if (rc)
		return rc;
	while ((stop = next_line(&text, &line)))
		most += longest(line, stop);
	if (most >= RSPB_CONFIG_RULES)
		return rspb_fail(err,
				 "all rules together are longer than %d characters, "
				 "%d at least for each user",
				 RSPB_CONFIG_RULES - 2, UID_MOST);
	/* Nothing is added before the whole line has been checked. */
	memcpy(rules + used, from, len);
	strcpy(rules + used + len, "\n");
	return 0;
}

int rspb_rules_read(const char *text, char rules[RSPB_CONFIG_RULES], struct rspb_err *err)
{
	const char *end;

	rules[0] = '\0';
	for (; (end = strchr(text, '\n')); text = end + 1)
		if (rspb_rules_add(rules, text, end, err))
			return -1;
	return 0;
}

/* --- what counts ------------------------------------------------------------ */

/* Tell whether a request matches every word of a rule that selects requests. A rule without such
 * words applies to all. */
static bool holds(const char *p, const char *end, const struct asked *asked)
{
	struct rspb_pair pair;

	while (rspb_pair_next(&p, end, &pair, NULL) > 0) {
		const struct rspb_rule_key *key = key_of(&pair);

		if (key && !key->is(asked, &pair))
			return false;
	}
	return true;
}

/* Set the settings of a rule. They were checked when the rule was read, so errors cannot occur
 * except for lack of memory. */
static void apply(const char *p, const char *end, struct rspb_config *config)
{
	struct rspb_pair pair;

	while (rspb_pair_next(&p, end, &pair, NULL) > 0)
		if (!key_of(&pair))
			check_setting(&pair, config, NULL);
}

const struct rspb_config *rspb_rules_for(const struct rspb_config *config,
					 const struct rspb_request *request, uint32_t nodes,
					 struct rspb_config *space)
{
	const struct asked asked = { request, nodes };
	const struct rspb_config *in_force = config;
	const char *text = config->rules, *line, *end;

	/* Bookings of operators without a user are not limited by rules. */
	if (request->user == RSPB_USER_NONE)
		return config;
	while ((end = next_line(&text, &line))) {
		if (!holds(line, end, &asked))
			continue;
		/* The settings are copied only if a rule applies, because the structure has many
		 * kilobytes. */
		if (in_force == config)
			*space = *config;
		in_force = space;
		apply(line, end, space);
	}
	return in_force;
}

static int64_t farthest(const struct rspb_config *config)
{
	return config->horizon > config->series_horizon ? config->horizon : config->series_horizon;
}

int64_t rspb_rules_farthest(const struct rspb_config *config)
{
	const char *text = config->rules, *line, *end;
	int64_t most = farthest(config);

	while ((end = next_line(&text, &line))) {
		struct rspb_config own = *config;

		apply(line, end, &own);
		if (farthest(&own) > most)
			most = farthest(&own);
	}
	return most;
}

/* Aliases of a key count, too: "User" and "Users" are the same word. */
static bool is_called(const struct rspb_pair *pair, const char *name)
{
	const struct rspb_rule_key *key = key_of(pair);
	const struct rspb_option *option = key ? NULL : rspb_option_of(pair, NULL);

	return (key && rspb_text_same(key->key, name)) ||
	       (option && rspb_text_same(option->key, name));
}

/* Callers use this to skip work that only some rules need, such as looking up users or waiting for
 * the QOS. */
bool rspb_rules_name(const struct rspb_config *config, const char *key)
{
	const char *text = config->rules, *line, *end;
	struct rspb_pair pair;

	while ((end = next_line(&text, &line)))
		while (rspb_pair_next(&line, end, &pair, NULL) > 0)
			if (is_called(&pair, key))
				return true;
	return false;
}

/* --- users ------------------------------------------------------------------ */

/* Add the value of "Users" with uids in place of names. Names that are not found stay, so that a
 * later call can resolve them. */
static void add_users(struct rspb_text *out, const struct rspb_pair *pair, rspb_rules_find *find,
		      void *arg)
{
	const char *at = pair->value, *end = at + pair->len;

	while (at < end) {
		const char *comma = memchr(at, ',', (size_t) (end - at));
		size_t len = (size_t) ((comma ? comma : end) - at);
		char name[NAME_MOST];
		uint32_t uid;

		snprintf(name, sizeof(name), "%.*s", (int) len, at);
		if (len && len < sizeof(name) && find(name, &uid, arg))
			rspb_text_add(out, "%" PRIu32, uid);
		else
			rspb_text_add(out, "%.*s", (int) len, at);
		if (comma)
			rspb_text_add(out, ",");
		at += len + 1;
	}
}

void rspb_rules_users(struct rspb_config *config, rspb_rules_find *find, void *arg)
{
	const char *text = config->rules, *line, *end;
	/* rspb_rules_add() has refused rules that might not fit here. */
	char rules[RSPB_CONFIG_RULES];
	struct rspb_text out = rspb_text_over(rules, sizeof(rules));
	struct rspb_pair pair;

	rules[0] = '\0';
	while ((end = next_line(&text, &line))) {
		const char *copied = line;

		while (rspb_pair_next(&line, end, &pair, NULL) > 0) {
			const struct rspb_rule_key *key = key_of(&pair);

			if (!key || key->is != is_user)
				continue;
			rspb_text_add(&out, "%.*s", (int) (pair.value - copied), copied);
			add_users(&out, &pair, find, arg);
			copied = pair.value + pair.len;
		}
		rspb_text_add(&out, "%.*s\n", (int) (end - copied), copied);
	}
	memcpy(config->rules, rules, out.len + 1);
}
