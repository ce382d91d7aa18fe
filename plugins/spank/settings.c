/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the words behind the plugin's name. It applies none of them. */
#include "plugins/spank/node.h"

#include <pwd.h>
#include <string.h>

static int set_shares(struct rspb_spank_settings *settings, const char *value)
{
	if (strcmp(value, "on") && strcmp(value, "off"))
		return -1;
	/* "on" and "off" differ in the second letter. */
	settings->shares = value[1] == 'n';
	return 0;
}

static int set_state(struct rspb_spank_settings *settings, const char *value)
{
	if (*value != '/')
		return -1;
	return rspb_path(settings->state, NULL, "%s", value);
}

static int set_user(struct rspb_spank_settings *settings, const char *value)
{
	/* This may ask the name service, in slurmd and in each slurmstepd. */
	const struct passwd *pw = getpwnam(value);

	if (!pw)
		return -1;
	settings->user = pw->pw_uid;
	return 0;
}

static const struct {
	const char *key, *allowed;
	int (*set)(struct rspb_spank_settings *settings, const char *value);
} rows[] = {
	{ "shares", "on or off", set_shares },
	{ "state", "an absolute path", set_state },
	{ "user", "the name of SlurmUser", set_user },
};

static int set_word(struct rspb_spank_settings *settings, const char *word, struct rspb_err *err)
{
	const char *equals = strchr(word, '=');
	size_t len = equals ? (size_t) (equals - word) : 0;

	for (size_t i = 0; equals && i < sizeof(rows) / sizeof(*rows); i++) {
		if (strncmp(rows[i].key, word, len) || rows[i].key[len])
			continue;
		if (!rows[i].set(settings, equals + 1))
			return 0;
		return rspb_fail(err, "plugstack.conf: %.80s: expected %s", word, rows[i].allowed);
	}
	return rspb_fail(err,
			 "plugstack.conf: %.80s: not a setting; allowed "
			 "are shares=, state=, user=",
			 word);
}

int rspb_spank_settings_read(struct rspb_spank_settings *settings, int ac, char **argv,
			     struct rspb_err *err)
{
	struct rspb_err other;
	int rc = 0;

	*settings = (struct rspb_spank_settings){
		.shares = true,
		.state = RSPB_SHARE_STATE_DIR,
	};
	for (int i = 0; i < ac; i++)
		if (set_word(settings, argv[i], rc ? &other : err))
			rc = -1;
	return rc;
}
