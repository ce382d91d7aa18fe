/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calendar over HTTP, to be read. */
#ifndef RSPB_CLIENT_WEB_H
#define RSPB_CLIENT_WEB_H

#include <stdint.h>

#include "contrib/client/web/desk.h"

/* Serve a view on a port of loopback, 0: any, until SIGINT or SIGTERM. RET
 * RSPB_EXIT_DONE then; else it was said why not. */
int rspb_web_show(const struct rspb_command *command, uint16_t port,
		  const struct rspb_desk_view *view);

#endif
