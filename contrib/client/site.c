/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/site.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/text.h"

/* "head(10.0.0.1)" is known by its address, "head" by its name. */
static void add_host(struct rspb_site *site, const char *value)
{
	const char *address = strchr(value, '(');
	size_t len = strcspn(value, "(");

	if (site->n_hosts == RSPB_SITE_HOSTS)
		return;
	if (address) {
		value = address + 1;
		len = strcspn(value, ")");
	}
	snprintf(site->hosts[site->n_hosts++], RSPB_SITE_TEXT, "%.*s", (int) len, value);
}

/* rspb_listen_port=N among SchedulerParameters, case, '_' and '-' as there. */
static void find_port(struct rspb_site *site, const char *value)
{
	static const char *const spellings[] = { "rspb_listenport=", "rspb_listen_port=" };

	for (int i = 0; i < 2; i++) {
		const char *at = strcasestr(value, spellings[i]);

		if (at)
			site->port = (uint32_t) strtoul(at + strlen(spellings[i]), NULL, 10);
	}
}

/* "slurm(64030)" */
static void find_user(struct rspb_site *site, const char *value)
{
	const char *at = strchr(value, '(');

	if (at)
		site->slurm_user = (uint32_t) strtoul(at + 1, NULL, 10);
}

/* "jobs,nodes" */
static void take_private(struct rspb_site *site, const char *text)
{
	bool all = rspb_text_listed(text, "all");

	site->hides_others = all || rspb_text_listed(text, "jobs") ||
			     rspb_text_listed(text, "reservations");
	site->hides_nodes = all || rspb_text_listed(text, "nodes");
}

/* Take one line of the output of scontrol show config. */
static void take_line(struct rspb_site *site, const char *line)
{
	size_t key = strcspn(line, " \t=[");
	const char *value = strchr(line, '=');
	char text[4096];

	if (!value)
		return;
	value += 1 + strspn(value + 1, " \t");
	snprintf(text, sizeof(text), "%.*s", (int) strcspn(value, "\n"), value);
	if (key == 13 && !strncmp(line, "SlurmctldHost", key))
		add_host(site, text);
	else if (key == 9 && !strncmp(line, "SlurmUser", key))
		find_user(site, text);
	else if (key == 19 && !strncmp(line, "SchedulerParameters", key))
		find_port(site, text);
	else if (key == 8 && !strncmp(line, "AuthType", key))
		snprintf(site->auth, sizeof(site->auth), "%.*s", RSPB_SITE_TEXT - 1, text);
	else if (key == 9 && !strncmp(line, "PluginDir", key))
		snprintf(site->plugins, sizeof(site->plugins), "%s", text);
	else if (key == 8 && !strncmp(line, "AuthInfo", key) && strcmp(text, "(null)"))
		snprintf(site->auth_info, sizeof(site->auth_info), "%.*s", RSPB_SITE_TEXT - 1,
			 text);
	else if (key == 11 && !strncmp(line, "PrivateData", key))
		take_private(site, text);
	else if (key == 11 && !strncmp(line, "ClusterName", key))
		snprintf(site->cluster, sizeof(site->cluster), "%.*s", RSPB_SITE_TEXT - 1, text);
	else if (key == 13 && !strncmp(line, "SLURM_VERSION", key))
		snprintf(site->release, sizeof(site->release), "%.*s", RSPB_SITE_TEXT - 1, text);
}

/* "HOST:PORT", "HOST", "[ADDRESS]:PORT", ":PORT" */
static int take_server(struct rspb_site *site, const char *server, struct rspb_err *err)
{
	const char *end = *server == '[' ? strchr(server, ']') : NULL;
	const char *port = strchr(end ? end : server, ':');
	size_t len = port ? (size_t) (port - server) : strlen(server);
	unsigned long number = port ? strtoul(port + 1, NULL, 10) : site->port;

	if (len >= RSPB_SITE_TEXT || !number || number > 65535)
		return rspb_fail(err,
				 "server %s: allowed is HOST, HOST:PORT or "
				 ":PORT, with a port from 1 to 65535",
				 server);
	site->port = (uint32_t) number;
	if (!len)
		return 0;
	if (end) {
		server++;
		len = (size_t) (end - server);
	}
	site->n_hosts = 1;
	snprintf(site->hosts[0], RSPB_SITE_TEXT, "%.*s", (int) len, server);
	return 0;
}

int rspb_site_read(struct rspb_site *site, const char *server, struct rspb_err *err)
{
	FILE *from = popen("exec scontrol show config 2>&1", "r");
	char line[8192], said[160] = "";
	int rc;

	*site = (struct rspb_site){ .port = RSPB_SITE_PORT };
	if (!from)
		return rspb_fail(err, "scontrol: %s", strerror(errno));
	while (fgets(line, sizeof(line), from)) {
		if (!said[0])
			snprintf(said, sizeof(said), "%.*s", (int) strcspn(line, "\n"), line);
		take_line(site, line);
	}
	rc = pclose(from);
	if (rc || !site->n_hosts)
		return rspb_fail(err,
				 "scontrol show config does not say where "
				 "slurmctld is: %s",
				 said);
	return server ? take_server(site, server, err) : 0;
}
