/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/web/changes.h"

/* How far an element is sought in the earlier list, beyond the one that it should be. */
enum { SEEK_MOST = 64 };

/* Add `count` elements of the earlier list to a list of changes. */
static void add_run(json_object *changes, size_t first, size_t count)
{
	json_object *run;

	if (!count)
		return;
	run = json_object_new_array();
	json_object_array_add(run, json_object_new_int64((int64_t) first));
	json_object_array_add(run, json_object_new_int64((int64_t) count));
	json_object_array_add(changes, run);
}

/* RET the index of an element of a list, from an index on; the length: it is not near. */
static size_t seek(json_object *list, size_t from, json_object *wanted)
{
	size_t length = json_object_array_length(list);
	size_t end = length - from < SEEK_MOST ? length : from + SEEK_MOST;

	for (size_t i = from; i < end; i++)
		if (json_object_equal(json_object_array_get_idx(list, i), wanted))
			return i;
	return length;
}

static json_object *compare_lists(json_object *before, json_object *now)
{
	json_object *changes = json_object_new_array();
	size_t length = json_object_array_length(before), first = 0, next = 0;

	for (size_t i = 0; i < json_object_array_length(now); i++) {
		json_object *one = json_object_array_get_idx(now, i);
		size_t found = seek(before, next, one);

		if (found == next && found < length) {
			next++;
			continue;
		}
		add_run(changes, first, next - first);
		if (found < length) {
			first = found;
			next = found + 1;
		} else {
			json_object_array_add(changes, json_object_get(one));
			first = next;
		}
	}
	add_run(changes, first, next - first);
	return changes;
}

json_object *rspb_changes_make(json_object *before, json_object *now)
{
	json_object *changes;

	if (json_object_object_length(before) != json_object_object_length(now))
		return NULL;
	changes = json_object_new_object();
	json_object_object_foreach(now, key, value)
	{
		json_object *old = NULL;

		json_object_object_get_ex(before, key, &old);
		if (json_object_equal(old, value))
			continue;
		if (!json_object_is_type(old, json_type_array) ||
		    !json_object_is_type(value, json_type_array)) {
			json_object_put(changes);
			return NULL;
		}
		json_object_object_add(changes, key, compare_lists(old, value));
	}
	return changes;
}
