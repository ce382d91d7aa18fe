/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON as its standard has it, whichever json-c reads it. */
#ifndef RSPB_PLUGINS_WIRE_STRICT_H
#define RSPB_PLUGINS_WIRE_STRICT_H

#include <json-c/json.h>
#include <stddef.h>

/*
 * Parse a text with a tokener that was just made or reset: nothing that JSON
 * does not have, and valid UTF-8. `flags` are more of json-c's. RET what
 * json_tokener_parse_ex() says; the tokener tells about errors as it does.
 */
struct json_object *rspb_strict_parse(struct json_tokener *tok, const char *text, size_t length,
				      int flags);

#endif
