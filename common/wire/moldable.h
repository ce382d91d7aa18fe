/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of --work (common/request/forms.h). */
#ifndef RSPB_WIRE_MOLDABLE_H
#define RSPB_WIRE_MOLDABLE_H

#include <stddef.h>

#include "common/base/err.h"
#include "common/request/forms.h"

/* Read "64h", "64h:5%" (what one node takes 64 hours for, a twentieth of it serial) or
 * "2@9h,4@5h,8@3h". RET 0, or -1 with err and out unchanged. */
int rspb_moldable_parse(const char *text, struct rspb_moldable *out, struct rspb_err *err);
/* The text of a work; RET its length, as snprintf does. */
size_t rspb_moldable_print(const struct rspb_moldable *work, char *buf, size_t size);

#endif
