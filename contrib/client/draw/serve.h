/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calendar as a page that renews itself, over HTTP on loopback. */
#ifndef RSPB_CLIENT_SERVE_H
#define RSPB_CLIENT_SERVE_H

#include <stdint.h>

#include "contrib/client/command.h"

struct rspb_serve {
	uint16_t port; /* 0: any that is free */
	/* To all who reach the port, as somebody sees it who is no user of the
	 * cluster; else to who knows the address that is printed. */
	bool anonymous;
	const char *file; /* a calendar in a file, NULL: slurmctld's */
};

/* Until SIGINT or SIGTERM. RET RSPB_EXIT_DONE then; else it was said why not.
 * Built without libmicrohttpd it always says so. */
int rspb_serve_run(const struct rspb_command *command, const struct rspb_serve *serve);

#endif
