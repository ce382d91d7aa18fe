/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calendar as one document, of all pages of the socket. */
#ifndef RSPB_CLIENT_CALENDAR_H
#define RSPB_CLIENT_CALENDAR_H

#include "contrib/client/command.h"

/* RET RSPB_EXIT_DONE with the document of contrib/calendar/page.h, which the
 * caller drops; else it was said why not. anonymous: as somebody sees it who is
 * no user of the cluster: nothing is his, and where PrivateData names jobs or
 * reservations there are windows alone. */
int rspb_calendar_read(const struct rspb_command *command, bool anonymous, json_object **document);
/* The same of a document that was kept in a file, "-": standard input. */
int rspb_calendar_load(const struct rspb_command *command, const char *path, bool anonymous,
		       json_object **document);

#endif
