/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/breath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/conf/rules.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/kept.h"

enum { CONF_MAX = 1 << 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct rspb_config in_force;
static bool any_in_force;

/* RET the whole text (the caller frees it), or NULL with err. */
static char *read_all(int fd, const char *path, struct rspb_err *err)
{
	char *text = malloc(CONF_MAX + 1);
	size_t len = 0;
	ssize_t got = 1;

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

/* RET the text of rspb.conf, "" where there is none (the caller frees it), or
 * NULL with err. */
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

/* Algorithms that this cluster cannot run. */
static int check_live(const struct rspb_config *config, struct rspb_err *err)
{
	if (config->preset && !config->preset->live)
		return rspb_fail(
			err, "Algorithm=%s is for rspb-sim only: %s",
			config->preset->name,
			config->preset->instead
				? config->preset->instead
				: "it changes grants until they start");
	if (config->policy.headroom &&
	    config->priority_source == RSPB_PRIORITY_JOB)
		return rspb_fail(err,
				 "Algorithm=%s wants priorities from 0 to "
				 "100, which a job's own are not; set "
				 "PrioritySource=qos and such priorities of "
				 "the QOS, or use Algorithm=ff-headroom",
				 config->preset->name);
	return 0;
}

static int load(const char *path, const char *text, const char *parameters,
		struct rspb_config *out, struct rspb_err *err)
{
	struct rspb_config config;

	rspb_config_defaults(&config);
	if (rspb_config_read(&config, text, path, err))
		return -1;
	if (parameters && rspb_config_read_parameters(&config, parameters, err))
		return rspb_fail_at(err, "SchedulerParameters");
	if (check_live(&config, err))
		return -1;
	*out = config;
	return 0;
}

/* From the site's files; good ones are kept. */
static int load_new(struct rspb_config *out, struct rspb_err *err)
{
	char path[PATH_MAX], *text, *parameters;
	int rc;

	if (!rspb_ctld_beside_conf("rspb.conf", path, sizeof(path)))
		return rspb_fail(err, "rspb.conf: its path is too long");
	text = read_file(path, err);
	if (!text)
		return -1;
	parameters = rspb_ctld_parameters();
	rc = load(path, text, parameters, out, err);
	if (!rc)
		rspb_kept_write(text, parameters);
	free(parameters);
	free(text);
	return rc;
}

/* Those that were in force in the slurmctld this one takes over from. */
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
	struct rspb_config new;

	if (load_new(&new, err)) {
		if (any_in_force || load_kept(&new))
			return -1;
		rspb_log_error("%s; the settings in force stay", err->text);
	}
	pthread_mutex_lock(&mutex);
	in_force = new;
	any_in_force = true;
	pthread_mutex_unlock(&mutex);
	return 0;
}

static bool find_user(const char *name, uint32_t *uid)
{
	char buffer[1 << 14];
	struct passwd entry, *found = NULL;

	if (strspn(name, "0123456789") == strlen(name))
		return false;
	if (getpwnam_r(name, &entry, buffer, sizeof(buffer), &found) || !found)
		rspb_log_error("Rule: there is no user \"%s\"", name);
	else
		*uid = found->pw_uid;
	return found;
}

void rspb_settings_learn(void)
{
	struct rspb_config before, learned;

	rspb_settings_get(&before);
	if (!rspb_rules_name(&before, "Users"))
		return;
	learned = before;
	rspb_rules_users(&learned, find_user);
	pthread_mutex_lock(&mutex);
	if (!strcmp(in_force.rules, before.rules))
		memcpy(in_force.rules, learned.rules, sizeof(in_force.rules));
	pthread_mutex_unlock(&mutex);
}

void rspb_settings_get(struct rspb_config *out)
{
	pthread_mutex_lock(&mutex);
	*out = in_force;
	pthread_mutex_unlock(&mutex);
}

void rspb_settings_policy(const struct rspb_config *config,
			  struct rspb_policy *policy)
{
	*policy = config->policy;
	policy->offer_horizon = config->horizon;
	policy->breathe = rspb_breathe;
	/* What has been promised to somebody on this cluster is not moved. */
	policy->patience = 0;
}
