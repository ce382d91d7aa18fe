/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"

enum { CONF_MAX = 1 << 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct rspb_config in_force;

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

static int read_file(struct rspb_config *config, struct rspb_err *err)
{
	char path[PATH_MAX], *text;
	int fd, rc;

	if (!rspb_ctld_beside_conf("rspb.conf", path, sizeof(path)))
		return rspb_fail(err, "rspb.conf: its path is too long");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return rspb_fail(err, "%s: %s", path, strerror(errno));
	text = read_all(fd, path, err);
	close(fd);
	if (!text)
		return -1;
	rc = rspb_config_read(config, text, path, err);
	free(text);
	return rc;
}

static int load(struct rspb_config *out, struct rspb_err *err)
{
	struct rspb_config config;
	char *parameters;
	int rc = 0;

	rspb_config_defaults(&config);
	if (read_file(&config, err))
		return -1;
	parameters = rspb_ctld_parameters();
	if (parameters)
		rc = rspb_config_read_parameters(&config, parameters, err);
	free(parameters);
	if (rc)
		return rspb_fail_at(err, "SchedulerParameters");
	if (config.preset && !config.preset->live)
		return rspb_fail(err, "Algorithm=%s is for rspb-sim only: %s",
				 config.preset->name,
				 config.preset->instead ? config.preset->instead
							: "it changes grants "
							  "until they start");
	if (config.policy.headroom &&
	    config.priority_source == RSPB_PRIORITY_JOB)
		return rspb_fail(err,
				 "Algorithm=%s wants priorities from 0 to "
				 "100, which a job's own are not; set "
				 "PrioritySource=qos and such priorities of "
				 "the QOS, or use Algorithm=ff-headroom",
				 config.preset->name);
	*out = config;
	return 0;
}

int rspb_settings_read(struct rspb_err *err)
{
	struct rspb_config new;

	if (load(&new, err))
		return -1;
	pthread_mutex_lock(&mutex);
	in_force = new;
	pthread_mutex_unlock(&mutex);
	return 0;
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
	/* What has been promised to somebody on this cluster is not moved. */
	policy->patience = 0;
}
