/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The difference between two calendars, for pages that have the earlier one. */
#ifndef RSPB_CLIENT_CHANGES_H
#define RSPB_CLIENT_CHANGES_H

#include <json-c/json.h>

/* RET the lists of `now` that differ from those of `before`, which the caller drops; NULL: the
 * calendars differ in more than their lists. A list is an array of its elements, in which
 * [FIRST, COUNT] stands for as many elements of the earlier list from that index on. */
json_object *rspb_changes_make(json_object *before, json_object *now);

#endif
