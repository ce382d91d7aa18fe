/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/contender.h"

#include <stdlib.h>
#include <string.h>

#include "contrib/sim/policy/preset.h"

bool sim_contender_is_file(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length > 5 && !strcmp(name + length - 5, ".conf"));
}

static int read_file(struct sim_contender *contender, const char *file, struct rspb_err *err)
{
	struct rspb_config *config = malloc(sizeof(*config));

	if (!config)
		return rspb_fail(err, "out of memory");
	if (sim_options_conf(file, config, err)) {
		free(config);
		return -1;
	}
	contender->config = config;
	contender->policy = config->policy;
	contender->own = true;
	return 0;
}

int sim_contender_read(struct sim_contender *contender, const struct sim_options *options, size_t p,
		       int (*known)(const char *, struct rspb_err *), struct rspb_err *err)
{
	const char *name = options->presets[p];
	bool is_file = options->conf || (!options->commands[p] && sim_contender_is_file(name));

	*contender = (struct sim_contender){ .command = options->commands[p] };
	/* --conf has always been taken by models of their own policies, which ignore it. */
	if ((contender->command || (is_file && !options->conf)) && known != sim_preset_known)
		return rspb_fail(err,
				 "%s: programs and files of settings decide on bookings: trace, "
				 "models lublin, parts and min",
				 name);
	if (is_file)
		return read_file(contender, name, err);
	if (contender->command) {
		/* The preset decides nothing but when requests are decided. */
		contender->own = true;
		return sim_preset_policy("li-ff", &contender->policy, err);
	}
	if (known(name, err))
		return -1;
	return known == sim_preset_known ? sim_preset_policy(name, &contender->policy, err) : 0;
}

void sim_contender_fini(struct sim_contender *contender)
{
	free(contender->config);
	contender->config = NULL;
}
