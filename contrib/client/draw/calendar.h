/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calendar as one document, of all pages of the socket. */
#ifndef RSPB_CLIENT_CALENDAR_H
#define RSPB_CLIENT_CALENDAR_H

#include "contrib/client/command.h"

/* RET RSPB_EXIT_DONE with the document of contrib/calendar/page.h, which the
 * caller drops; else it was said why not. */
int rspb_calendar_read(const struct rspb_command *command,
		       json_object **document);

#endif
