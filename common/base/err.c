/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void tidy(char *text, int wanted)
{
	for (char *p = text; *p; p++)
		if ((unsigned char) *p < 0x20 || *p == 0x7f)
			*p = '?';
	if (wanted >= RSPB_ERR_TEXT)
		strcpy(text + RSPB_ERR_TEXT - 4, "...");
}

int rspb_fail(struct rspb_err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	tidy(err->text, vsnprintf(err->text, sizeof(err->text), fmt, ap));
	va_end(ap);
	return -1;
}

int rspb_fail_at(struct rspb_err *err, const char *fmt, ...)
{
	char where[RSPB_ERR_TEXT], old[RSPB_ERR_TEXT];
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(where, sizeof(where), fmt, ap);
	va_end(ap);
	memcpy(old, err->text, sizeof(old));
	return rspb_fail(err, "%s: %s", where, old);
}
