/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings that are read anew, and whose names are looked up, while all ask what
 * they are: either the old ones or the new. */
#include "plugins/ctld/base/settings.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/report.h"
#include "tests/races/races.h"

enum { ROUNDS = 300, SHORT_MS = 1000, SHORT_S = 3600 };

static char folder[] = "/tmp/rspb-race-XXXXXX", path[64], conf[64];
/* Of the thread that reads. */
static unsigned int reads;
static atomic_bool over;

NEVER(rspb_breathe)

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	MUST(fmt || level == RSPB_LOG_ERROR);
}

/* Two numbers that belong to each other. */
struct rspb_slurm_conf rspb_slurm_conf(void)
{
	return (struct rspb_slurm_conf){
		.path = conf,
		.parameters = ++reads % 2 ? "rspb_BatchInterval=1s,rspb_Horizon=1h,rspb_Audit=yes"
					  : "rspb_BatchInterval=2s,rspb_Horizon=2h",
	};
}

void rspb_kept_write(const char *text, const char *parameters)
{
	MUST(text && parameters);
}

bool rspb_kept_read(char **text, char **parameters)
{
	(void) text;
	(void) parameters;
	return false;
}

static void reconfigure(unsigned int part)
{
	struct rspb_err err;

	(void) part;
	for (int i = 0; i < ROUNDS; i++)
		MUST(!rspb_settings_read(&err));
	over = true;
}

static void learn(unsigned int part)
{
	(void) part;
	while (!over)
		rspb_settings_learn();
}

static void ask(unsigned int part)
{
	const struct rspb_config *first = rspb_settings_get(), *config;
	struct rspb_config as_it_was = *first;
	const struct rspb_audit audit = { .action = "cancel", .job = 1, .done = true };

	(void) part;
	while (!over) {
		config = rspb_settings_get();
		MUST(config->horizon / SHORT_S == config->batch_interval_ms / SHORT_MS);
		rspb_audit_log(&audit);
		MUST(strstr(config->rules, "Users="));
		MUST(!memcmp(first, &as_it_was, sizeof(as_it_was)));
	}
}

int main(void)
{
	struct rspb_err err;
	FILE *file;
	int rc;

	MUST(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/rspb.conf", folder);
	snprintf(conf, sizeof(conf), "%s/slurm.conf", folder);
	file = fopen(path, "w");
	MUST(file && fputs("Rule=guests Users=root Allow=no\n", file) >= 0);
	MUST(!fclose(file));
	rc = rspb_settings_read(&err);
	if (!rc)
		RACE(reconfigure, learn, ask, ask);
	remove(path);
	rmdir(folder);
	MUST(!rc);
	return 0;
}
