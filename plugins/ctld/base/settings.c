/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rspb.conf and keeps the settings in force; callers may keep a pointer to them. The
 * meaning of the keys is defined in common/conf. */
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/section.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/plan/schedule.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/state.h"

enum { CONF_MAX = 1 << 20 };

/* Settings are never changed or freed once they are in force, because any thread may still use
 * a pointer to them. Memory therefore grows with each change of rspb.conf; a reconfiguration
 * that changes nothing adds none. */
struct rspb_settings {
	struct rspb_config config;
	const struct rspb_settings *read;  /* these before names had numbers */
	const struct rspb_settings *older; /* that were in force before */
};

/* In force as long as nothing was read. */
static const struct rspb_config none;

/* Put settings in force in place of `old`. RET false: out of memory, or other settings have
 * been put there meanwhile, and these are dropped. */
static bool put(const struct rspb_config *config, const struct rspb_settings *read,
		const struct rspb_settings *old)
{
	struct rspb_settings *new = malloc(sizeof(*new));

	if (!new)
		return false;
	*new = (struct rspb_settings){ *config, read ? read : new, old };
	if (atomic_compare_exchange_strong(&rspb_base->settings, &old, new))
		return true;
	free(new);
	return false;
}

/* RET the whole text (the caller frees it), or NULL with err. */
static char *read_all(int fd, const char *path, struct rspb_err *err)
{
	char *text = malloc(CONF_MAX + 1);
	size_t len = 0;
	ssize_t got = 1;

	/* A file of exactly CONF_MAX bytes counts as too long, since nothing tells that it has
	 * ended. */
	while (text && got > 0 && len < CONF_MAX) {
		got = read(fd, text + len, CONF_MAX - len);
		if (got > 0)
			len += (size_t) got;
		else if (got < 0 && errno == EINTR)
			got = 1;
	}
	if (!text || got < 0 || len == CONF_MAX || memchr(text, 0, len)) {
		rspb_fail(err, "%s: %s", path,
			  !text		    ? "out of memory"
			  : got < 0	    ? strerror(errno)
			  : len == CONF_MAX ? "longer than 1 MiB"
					    : "not a text file");
		free(text);
		return NULL;
	}
	text[len] = '\0';
	return text;
}

/* RET the text of rspb.conf (the caller frees it), or NULL with err. Without a file the text is
 * empty, because the defaults alone are a working configuration. */
static char *read_file(const char *path, struct rspb_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;

	if (fd < 0 && errno == ENOENT)
		return strdup("");
	if (fd < 0) {
		rspb_fail(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	text = read_all(fd, path, err);
	close(fd);
	return text;
}

/* Read defaults, file and SchedulerParameters, in the order in which each replaces the one
 * before. `out` is written only if all of it is good. */
static int load(const char *path, const char *text, const char *parameters, struct rspb_config *out,
		struct rspb_err *err)
{
	struct rspb_config config;

	rspb_config_defaults(&config);
	if (rspb_config_read(&config, text, path, err))
		return -1;
	if (parameters && rspb_config_read_parameters(&config, parameters, err))
		return rspb_fail_at(err, "SchedulerParameters");
	/* A key of an earlier release is reported and ignored, so that an upgrade does not stop
	 * bookings. */
	if (config.gone[0])
		rspb_log_error("%s: %s", path, config.gone);
	if (rspb_config_live(&config, err))
		return -1;
	*out = config;
	return 0;
}

/* From the site's files; good ones are kept. */
static int load_new(struct rspb_config *out, struct rspb_err *err)
{
	const struct rspb_slurm_conf conf = rspb_slurm_conf();
	const char *slash = conf.path ? strrchr(conf.path, '/') : NULL;
	char path[PATH_MAX], *text, *parameters;
	int rc;

	if (snprintf(path, sizeof(path), "%.*srspb.conf", slash ? (int) (slash - conf.path + 1) : 0,
		     conf.path) >= (int) sizeof(path))
		return rspb_fail(err, "rspb.conf: its path is too long");
	text = read_file(path, err);
	if (!text)
		return -1;
	/* A copy, because a reconfiguration replaces the text. */
	parameters = conf.parameters ? strdup(conf.parameters) : NULL;
	rc = load(path, text, parameters, out, err);
	if (!rc)
		/* Only settings that were accepted are kept, for a successor that finds bad
		 * ones. */
		rspb_kept_write(text, parameters);
	free(parameters);
	free(text);
	return rc;
}

/* Load the settings that were in force in the slurmctld from which this one takes over. */
static int load_kept(struct rspb_config *out)
{
	char *text, *parameters;
	struct rspb_err err;
	int rc = -1;

	if (rspb_kept_read(&text, &parameters))
		rc = load("rspb.conf", text, parameters, out, &err);
	free(parameters);
	free(text);
	return rc;
}

int rspb_settings_read(struct rspb_err *err)
{
	const struct rspb_settings *old = rspb_base->settings;
	struct rspb_config new;

	/* At the first reading bad settings are an error unless a running slurmctld is taken
	 * over from. Later the settings in force simply stay. */
	if (load_new(&new, err)) {
		if (old || load_kept(&new))
			return -1;
		rspb_log_error("%s; the old settings stay in force", err->text);
	}
	/* The comparison is with the settings as they were read, before names of users became
	 * numbers. */
	if (old && !memcmp(&new, &old->read->config, sizeof(new)))
		return 0;
	/* rspb_settings_learn() may have put the same settings with numbers there meanwhile,
	 * and does so once. The second try replaces these. */
	if (put(&new, NULL, old) || put(&new, NULL, rspb_base->settings))
		return 0;
	return rspb_fail(err, "rspb.conf: out of memory");
}

/* Names of users for which there is no number. */
struct unknown {
	bool any, failed;
};

/* RET whether the name was replaced by a number. Numbers stay as they are. An unknown name is
 * logged, and stays in the rule. */
static bool find_user(const char *name, uint32_t *uid, void *arg)
{
	struct unknown *unknown = arg;
	char buffer[1 << 14];
	struct passwd entry, *found = NULL;
	int rc;

	if (strspn(name, "0123456789") == strlen(name))
		return false;
	do
		rc = getpwnam_r(name, &entry, buffer, sizeof(buffer), &found);
	while (rc == EINTR);
	if (found) {
		*uid = found->pw_uid;
		return true;
	}
	rspb_log_error("Rule: %s \"%s\"",
		       rc ? "the name service cannot be asked for user" : "there is no user", name);
	unknown->any = true;
	unknown->failed |= rc;
	return false;
}

int rspb_settings_learn(void)
{
	const struct rspb_settings *before = rspb_base->settings;
	struct unknown unknown = { .any = false };
	struct rspb_config learned;

	if (!before || !rspb_rules_name(&before->config, "Users"))
		return 0;
	/* The name service is asked while other threads use the old settings, and may take
	 * seconds. */
	learned = before->config;
	rspb_rules_users(&learned, find_user, &unknown);
	/* If other settings came meanwhile, these are dropped. Whoever put the others asks for
	 * numbers again. */
	if (strcmp(learned.rules, before->config.rules))
		put(&learned, before->read, before);
	return unknown.failed ? -1 : unknown.any;
}

const struct rspb_config *rspb_settings_get(void)
{
	const struct rspb_settings *now = atomic_load(&rspb_base->settings);

	return now ? &now->config : &none;
}

void rspb_settings_policy(const struct rspb_config *config, struct rspb_policy *policy)
{
	*policy = config->policy;
	/* Only the agent plans with this policy, because no other thread may reach its yield
	 * points. The advice at submission copies config->policy itself. */
	policy->offer_horizon = config->horizon;
	policy->offer_notice = RSPB_OFFER_NOTICE_S;
	policy->breathe = rspb_breathe;
	policy->allows = rspb_limits_move;
	policy->allows_config = config;
	/* Nobody has a count in place of nodes here. */
	if (!policy->shift)
		policy->patience = 0;
}
