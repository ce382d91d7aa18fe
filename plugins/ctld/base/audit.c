/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes audit lines. It keeps nothing, and no decision depends on it. */
#include "plugins/ctld/base/report.h"

#include <inttypes.h>
#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/settings.h"

enum { LINE = 768 };

static bool is_said(const char *text)
{
	return text && *text;
}

/* Name what the line is about. A reservation is named first, because bookings of operators and
 * groups have no job. The subject is never empty. */
static void add_subject(const struct rspb_audit *audit, char *buf, size_t size)
{
	if (is_said(audit->reservation))
		snprintf(buf, size, "reservation=%s", audit->reservation);
	else if (audit->job)
		snprintf(buf, size, "job=%" PRIu64, audit->job);
	else
		snprintf(buf, size, "job=-");
}

static void print_line(const struct rspb_audit *audit, char *buf, size_t size)
{
	char subject[320], uid[16] = "-";

	add_subject(audit, subject, sizeof(subject));
	if (audit->uid != RSPB_AUDIT_UNKNOWN)
		snprintf(uid, sizeof(uid), "%" PRIu32, audit->uid);
	/* The address is cut, so that the result still has room in the line. A long text is cut
	 * at the end. */
	snprintf(buf, size, "audit: action=%s %s uid=%s from=%.255s result=%s%s%s", audit->action,
		 subject, uid, is_said(audit->from) ? audit->from : "-",
		 audit->done ? "done" : "refused", is_said(audit->text) ? ": " : "",
		 is_said(audit->text) ? audit->text : "");
	/* A text of a user may contain line breaks, which must not look like further lines of
	 * the log. */
	for (char *at = buf; *at; at++)
		if ((unsigned char) *at < ' ' || *at == 127)
			*at = '?';
}

void rspb_audit_log(const struct rspb_audit *audit)
{
	char line[LINE];

	/* The settings are read each time, so that a reconfiguration counts from the next line
	 * on. */
	if (!rspb_settings_get()->audit)
		return;
	print_line(audit, line, sizeof(line));
	rspb_log_info("%s", line);
}
