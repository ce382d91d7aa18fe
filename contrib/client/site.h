/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where this cluster's slurmctld is, and by what its messages are known. */
#ifndef RSPB_CLIENT_SITE_H
#define RSPB_CLIENT_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

enum { RSPB_SITE_HOSTS = 4, RSPB_SITE_TEXT = 256, RSPB_SITE_PATHS = 4096, RSPB_SITE_PORT = 6821 };

struct rspb_site {
	char hosts[RSPB_SITE_HOSTS][RSPB_SITE_TEXT]; /* the primary first */
	uint32_t n_hosts;
	uint32_t port;
	uint32_t slurm_user;
	char auth_info[RSPB_SITE_TEXT]; /* "": none */
	char auth[RSPB_SITE_TEXT];	/* AuthType */
	char plugins[RSPB_SITE_PATHS];	/* PluginDir: folders, ':' between */
	bool hides_others;		/* PrivateData: jobs or reservations */
	bool hides_nodes;		/* PrivateData: nodes */
	char release[RSPB_SITE_TEXT];	/* of Slurm */
	char cluster[RSPB_SITE_TEXT];
};

/* Read the site by scontrol's output; server "HOST[:PORT]" (NULL: none) takes precedence. RET 0, or
 * -1 with err. */
int rspb_site_read(struct rspb_site *site, const char *server, struct rspb_err *err);

#endif
