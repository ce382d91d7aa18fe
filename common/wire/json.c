/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/json.h"

#include <stdlib.h>

#include "common/base/times.h"
#include "common/wire/json_fields.h"

#define FIELD(type, member, kind, needed, low, high)                           \
	{                                                                      \
#member, &rspb_json_##kind, offsetof(struct type, member),     \
			needed, low, high                                      \
	}
#define TIME(type, member)                                                     \
	FIELD(type, member, int64, true, RSPB_TIME_MIN + 1, RSPB_TIME_MAX - 1)
#define END                                                                    \
	{                                                                      \
		NULL, NULL, 0, false, 0, 0                                     \
	}

/* The benefit function of a part, which may have none of its own. */

static int read_own_benefit(const struct rspb_json_field *field,
			    struct json_object *value, void *record,
			    uint32_t width, struct rspb_err *err)
{
	struct rspb_part *part = record;

	part->has_benefit = true;
	return rspb_json_benefit.read(field, value, record, width, err);
}

static int write_own_benefit(const struct rspb_json_field *field,
			     const void *record, struct json_object **value)
{
	const struct rspb_part *part = record;

	return part->has_benefit ? rspb_json_benefit.write(field, record, value)
				 : 0;
}

static const struct rspb_json_kind own_benefit_kind = { read_own_benefit,
							write_own_benefit };

static const struct rspb_json_field part_fields[] = {
	FIELD(rspb_part, nodes, uint32, true, 1, UINT32_MAX),
	FIELD(rspb_part, nodes_min, uint32, true, 1, UINT32_MAX),
	FIELD(rspb_part, share, int64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_part, share_min, int64, false, 0, RSPB_TIME_MAX - 1),
	{ "benefit", &own_benefit_kind, offsetof(struct rspb_part, benefit),
	  false, 0, 0 },
	FIELD(rspb_part, fixed, nodes, false, 0, 0),
	FIELD(rspb_part, eligible, nodes, false, 0, 0),
	END
};

static int read_array(struct json_object *value, uint32_t most, uint32_t *n,
		      struct rspb_err *err)
{
	size_t len;

	if (!json_object_is_type(value, json_type_array))
		return rspb_fail(err, "is not an array");
	len = json_object_array_length(value);
	if (len > most)
		return rspb_fail(err, "%zu members; allowed are up to %u", len,
				 most);
	*n = (uint32_t) len;
	return 0;
}

/* An array of the objects of n records of `size` bytes. */
static int write_array(const struct rspb_json_field *fields,
		       const void *records, size_t size, uint32_t n,
		       struct json_object **value)
{
	struct json_object *array = json_object_new_array();

	for (uint32_t i = 0; array && i < n; i++) {
		struct json_object *object = rspb_json_write(
			fields, (const char *) records + i * size);

		if (object && !json_object_array_add(array, object))
			continue;
		json_object_put(object);
		json_object_put(array);
		array = NULL;
	}
	*value = array;
	return array ? 0 : -1;
}

/* Read the members of an array into n records, which are there already. */
static int read_records(const struct rspb_json_field *fields,
			struct json_object *array, void *records, size_t size,
			uint32_t n, uint32_t width, struct rspb_err *err)
{
	for (uint32_t i = 0; i < n; i++)
		if (rspb_json_read(fields, json_object_array_get_idx(array, i),
				   (char *) records + i * size, width, err) < 0)
			return rspb_fail_at(err, "[%u]", i);
	return 0;
}

static int read_parts(const struct rspb_json_field *field,
		      struct json_object *value, void *record, uint32_t width,
		      struct rspb_err *err)
{
	struct rspb_request *request = record;
	uint32_t n;

	(void) field;
	if (read_array(value, RSPB_MAX_PARTS, &n, err) < 0)
		return -1;
	request->parts = calloc(n ? n : 1, sizeof(*request->parts));
	if (!request->parts)
		return rspb_fail(err, "out of memory");
	request->n_parts = n;
	return read_records(part_fields, value, request->parts,
			    sizeof(*request->parts), n, width, err);
}

static int write_parts(const struct rspb_json_field *field, const void *record,
		       struct json_object **value)
{
	const struct rspb_request *request = record;

	(void) field;
	return write_array(part_fields, request->parts, sizeof(*request->parts),
			   request->n_parts, value);
}

static const struct rspb_json_kind parts_kind = { read_parts, write_parts };

static const struct rspb_json_field request_fields[] = {
	FIELD(rspb_request, id, uint64, true, 0, 0),
	FIELD(rspb_request, user, uint32, true, 0, UINT32_MAX),
	TIME(rspb_request, arrival),
	TIME(rspb_request, ready),
	TIME(rspb_request, deadline),
	FIELD(rspb_request, duration, int64, true, 1, RSPB_TIME_MAX - 1),
	FIELD(rspb_request, priority, int64, true, 0, INT64_MAX - 1),
	FIELD(rspb_request, asap, bool, true, 0, 0),
	FIELD(rspb_request, benefit, benefit, true, 0, 0),
	{ "parts", &parts_kind, 0, true, 0, 0 },
	END
};

/* A request that is being read: no parts yet. RET NULL: no memory. */
static struct rspb_request *read_request(struct json_object *object,
					 uint32_t width, struct rspb_err *err)
{
	struct rspb_request *request = calloc(1, sizeof(*request));

	if (!request) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	if (rspb_json_read(request_fields, object, request, width, err) < 0 ||
	    rspb_request_validate(request, width, err) < 0) {
		rspb_request_destroy(request);
		return NULL;
	}
	return request;
}

static int read_inner(const struct rspb_json_field *field,
		      struct json_object *value, void *record, uint32_t width,
		      struct rspb_err *err)
{
	struct rspb_booking *booking = record;

	(void) field;
	booking->request = read_request(value, width, err);
	return booking->request ? 0 : -1;
}

static int write_inner(const struct rspb_json_field *field, const void *record,
		       struct json_object **value)
{
	const struct rspb_booking *booking = record;

	(void) field;
	*value = rspb_json_write(request_fields, booking->request);
	return *value ? 0 : -1;
}

static int read_state(const struct rspb_json_field *field,
		      struct json_object *value, void *record, uint32_t width,
		      struct rspb_err *err)
{
	struct rspb_booking *booking = record;

	(void) field;
	(void) width;
	if (!json_object_is_type(value, json_type_string) ||
	    rspb_state_parse(json_object_get_string(value), &booking->state) <
		    0)
		return rspb_fail(err, "is not the name of a state");
	return 0;
}

static int write_state(const struct rspb_json_field *field, const void *record,
		       struct json_object **value)
{
	const struct rspb_booking *booking = record;

	(void) field;
	*value = json_object_new_string(rspb_state_name(booking->state));
	return *value ? 0 : -1;
}

static const struct rspb_json_field grant_fields[] = {
	FIELD(rspb_grant, nodes, nodes, true, 0, 0),
	FIELD(rspb_grant, share, int64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_grant, promise, int64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_grant, benefit, ratio, true, 0, 0), END
};

static int read_grants(const struct rspb_json_field *field,
		       struct json_object *value, void *record, uint32_t width,
		       struct rspb_err *err)
{
	struct rspb_booking *booking = record;
	uint32_t n;

	(void) field;
	if (read_array(value, RSPB_MAX_PARTS, &n, err) < 0)
		return -1;
	if (!n)
		return 0;
	if (n != booking->request->n_parts)
		return rspb_fail(err,
				 "%u members; allowed are none or one "
				 "per part, %u",
				 n, booking->request->n_parts);
	if (rspb_booking_grant(booking, width, err) < 0)
		return -1;
	return read_records(grant_fields, value, booking->grants,
			    sizeof(*booking->grants), n, width, err);
}

static int write_grants(const struct rspb_json_field *field, const void *record,
			struct json_object **value)
{
	const struct rspb_booking *booking = record;

	(void) field;
	return write_array(grant_fields, booking->grants,
			   sizeof(*booking->grants), booking->n_grants, value);
}

static const struct rspb_json_kind request_kind = { read_inner, write_inner };
static const struct rspb_json_kind state_kind = { read_state, write_state };
static const struct rspb_json_kind grants_kind = { read_grants, write_grants };

/* The request before the grants, which are checked against it. */
static const struct rspb_json_field booking_fields[] = {
	{ "request", &request_kind, 0, true, 0, 0 },
	{ "state", &state_kind, 0, true, 0, 0 },
	TIME(rspb_booking, start),
	TIME(rspb_booking, end),
	TIME(rspb_booking, decided_at),
	FIELD(rspb_booking, benefit, ratio, true, 0, 0),
	{ "grants", &grants_kind, 0, true, 0, 0 },
	FIELD(rspb_booking, reason, reason, true, 0, 0),
	END
};

char *rspb_request_to_json(const struct rspb_request *request)
{
	return rspb_json_line(rspb_json_write(request_fields, request));
}

char *rspb_booking_to_json(const struct rspb_booking *booking)
{
	return rspb_json_line(rspb_json_write(booking_fields, booking));
}

struct rspb_request *rspb_request_from_json(const char *text, size_t len,
					    uint32_t width,
					    struct rspb_err *err)
{
	struct json_object *object = rspb_json_parse(text, len, err);
	struct rspb_request *request = NULL;

	if (object)
		request = read_request(object, width, err);
	json_object_put(object);
	if (!request)
		rspb_fail_at(err, "request");
	return request;
}

static int check_window(const struct rspb_booking *b, struct rspb_err *err)
{
	if (b->n_grants && b->start >= b->end)
		return rspb_fail(err, "end: must come after start");
	return 0;
}

struct rspb_booking *rspb_booking_from_json(const char *text, size_t len,
					    uint32_t width,
					    struct rspb_err *err)
{
	struct json_object *object = rspb_json_parse(text, len, err);
	struct rspb_booking *booking = object ? calloc(1, sizeof(*booking))
					      : NULL;

	if (object && !booking)
		rspb_fail(err, "out of memory");
	if (booking &&
	    (rspb_json_read(booking_fields, object, booking, width, err) < 0 ||
	     check_window(booking, err) < 0)) {
		rspb_booking_destroy(booking);
		booking = NULL;
	}
	json_object_put(object);
	if (!booking)
		rspb_fail_at(err, "booking");
	return booking;
}
