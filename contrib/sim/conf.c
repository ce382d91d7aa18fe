/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim conf: reads settings as slurmctld does, and prints them all. It applies
 * none. */
#include "contrib/sim/conf.h"

#include <stdio.h>
#include <string.h>

#include "common/conf/config.h"
#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/report/options.h"

static int read_settings(const char *path, const char *parameters, struct rspb_config *config,
			 struct rspb_err *err)
{
	int rc = sim_options_conf(path, config, err);

	if (config->gone[0])
		fprintf(stderr, "%s: %s\n", path, config->gone);
	if (!rc && parameters && rspb_config_read_parameters(config, parameters, err))
		rc = rspb_fail_at(err, "SchedulerParameters");
	return rc ? rc : rspb_config_live(config, err);
}

static void print(const struct rspb_config *config)
{
	char value[RSPB_CONFIG_LIST];

	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		rspb_option_get(o, config, value, sizeof(value));
		printf("%s=%s\n", o->key, value);
	}
}

int sim_conf_main(int argc, char **argv)
{
	static struct rspb_config config;
	bool help = argc == 2 && !strcmp(argv[1], "--help");
	struct rspb_err err;

	if (argc < 2 || argc > 3 || help) {
		fputs("usage: rspb-sim conf FILE [SCHEDULERPARAMETERS]\n\n"
		      "Checks whether slurmctld would start with this rspb.conf, "
		      "and prints all settings.\n",
		      help ? stdout : stderr);
		return help ? SIM_OK : SIM_BAD_INPUT;
	}
	if (read_settings(argv[1], argv[2], &config, &err)) {
		fprintf(stderr, "rspb-sim: %s\n", err.text);
		return SIM_BAD_INPUT;
	}
	print(&config);
	return SIM_OK;
}
