/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb conf: whether slurmctld would start with an rspb.conf, and all settings then. It
 * asks nobody. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/config.h"
#include "contrib/client/command.h"

/* RET the whole of a file, the caller's; NULL with err. */
static char *read_file(const char *path, struct rspb_err *err)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;
	ssize_t n = 0;

	errno = file ? 0 : errno;
	if (file)
		n = getdelim(&text, &room, '\0', file);
	if (file && n < 0 && !errno) {
		free(text);
		text = strdup("");
	} else if (n < 0 || !file) {
		rspb_fail(err, "%s: %s", path, strerror(errno));
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	return text;
}

static int read_settings(const struct rspb_command *command, struct rspb_config *config,
			 struct rspb_err *err)
{
	char *text = read_file(command->argv[1], err);
	int rc;

	if (!text)
		return -1;
	rspb_config_defaults(config);
	rc = rspb_config_read(config, text, command->argv[1], err);
	free(text);
	if (!rc && command->argc > 2 && rspb_config_read_parameters(config, command->argv[2], err))
		rc = rspb_fail_at(err, "SchedulerParameters");
	return rc ? rc : rspb_config_live(config, err);
}

int rspb_command_conf(const struct rspb_command *command)
{
	static struct rspb_config config;
	char value[RSPB_CONFIG_LIST];
	struct rspb_err err;

	if (command->argc < 2 || command->argc > 3)
		return rspb_command_misused(command, "give a file, and SchedulerParameters if "
						     "there are any");
	if (read_settings(command, &config, &err)) {
		fprintf(stderr, "rspb conf: %s\n", err.text);
		return RSPB_EXIT_NO;
	}
	if (config.gone[0])
		fprintf(stderr, "%s: %s\n", command->argv[1], config.gone);
	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		rspb_option_get(o, &config, value, sizeof(value));
		printf("%s=%s\n", o->key, value);
	}
	return RSPB_EXIT_DONE;
}
